"""Sheets of what a metric measures: categories of words, layers of models, budgets of units."""
