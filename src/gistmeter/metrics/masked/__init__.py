"""Masked: metrics that hide words from a language model."""
