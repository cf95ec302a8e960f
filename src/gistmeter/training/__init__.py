"""Train the small models that gistmeter ships: masked words and coherence. The command is the recipe."""
