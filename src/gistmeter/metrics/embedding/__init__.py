"""Embedding: metrics that compare states and vectors of a model."""
