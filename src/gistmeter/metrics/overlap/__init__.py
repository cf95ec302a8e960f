"""Overlap: shared words and n-grams with references or source."""
