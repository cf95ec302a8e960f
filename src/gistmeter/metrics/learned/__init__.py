"""Learned combinations of other measures."""
