"""Sources: text to learn from, without what evaluations use."""
