"""Statistics on arrays (systems x documents): correlations, intervals and tests."""

from gistmeter.stats.correlation import Correlation, correlate
from gistmeter.stats.multiple import holm, letter_groups
from gistmeter.stats.pooling import (
    Interval,
    Intervals,
    bootstrap_difference,
    bootstrap_interval,
    pairwise_pvalues,
    permutation_pvalue,
    ratio,
)

__all__ = [
    "Correlation",
    "Interval",
    "Intervals",
    "bootstrap_difference",
    "bootstrap_interval",
    "correlate",
    "holm",
    "letter_groups",
    "pairwise_pvalues",
    "permutation_pvalue",
    "ratio",
]
