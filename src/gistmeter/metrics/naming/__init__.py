"""Names of metrics as people write them, families and groups."""
