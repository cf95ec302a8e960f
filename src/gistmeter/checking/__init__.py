"""Checking one summary: its scores, where they stand, and its weakest sentences with why."""
