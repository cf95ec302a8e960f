"""Training of the presence judge."""
