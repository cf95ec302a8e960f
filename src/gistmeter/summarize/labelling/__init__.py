"""Labelling: which spans of a document its references state, by questions (Deutsch, 2022, 6.2) and three baselines."""
