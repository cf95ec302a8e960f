"""Studies of a planned size, simulated from a pilot."""
