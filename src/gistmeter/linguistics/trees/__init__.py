"""Phrase-structure trees, from dependency parses."""
