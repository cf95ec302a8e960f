"""Semantic roles: what each verb of a sentence says of whom."""
