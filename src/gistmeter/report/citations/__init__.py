"""What to cite: papers of metrics as data, and the command that finds those of a file of scores."""
