"""The training loop: recipe, schedule, checks and saved state, whatever network learns."""
