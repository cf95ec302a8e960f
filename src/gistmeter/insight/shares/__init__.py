"""Which part of a score is what: the share of categories of words, and of phrases of one content unit."""

from gistmeter.insight.shares.categories import CategoryShare, CategoryShares, categories
from gistmeter.insight.shares.units import SummaryShare, UnitShare, UnitShares, units

__all__ = ["CategoryShare", "CategoryShares", "SummaryShare", "UnitShare", "UnitShares", "categories", "units"]
