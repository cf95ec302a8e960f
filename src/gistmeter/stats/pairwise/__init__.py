"""Pairwise: agreement on the order of pairs of systems."""
