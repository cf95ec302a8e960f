"""Which part of a score is what: the share of categories of words."""

from gistmeter.insight.shares.categories import CategoryShare, CategoryShares, categories

__all__ = ["CategoryShare", "CategoryShares", "categories"]
