"""Graphs: which n-grams of characters or words stand near each other in a summary and in its references."""
