"""Ranking: which systems are better, by how much, and whether people would agree."""
