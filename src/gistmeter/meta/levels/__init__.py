"""Levels side by side: one table of metrics by level and coefficient, as papers print it."""
