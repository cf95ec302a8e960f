"""Consistency: whether the document supports each sentence of the summary."""
