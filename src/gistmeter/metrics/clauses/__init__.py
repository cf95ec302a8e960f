"""Pyramids that machines build: clauses of references that say the same make a unit."""
