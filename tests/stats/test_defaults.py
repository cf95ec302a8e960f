"""What statistics do when nothing is said: the defaults, on which published figures and the pages rely."""

import inspect
import math
from collections import defaultdict

from gistmeter import stats

TENTHS = tuple(number / 10 for number in range(1, 11))
EVERYWHERE = {
    "alpha": {0.05},
    "axis": {"documents"},
    "combine": {"mean"},
    "confidence": {0.95},
    "correction": {"bonferroni-metric"},
    "draws": {1000},
    "fewest": {5},
    "folds": {5},
    "interval": {"percentile"},
    "level": {"summary"},
    "lower": {0.0},
    "margin": {0.0},
    "methods": {("fisher", "systems", "documents", "both")},
    "paired": {True},
    "panels": {100},
    "power": {0.8},
    "reliability": {0.9},
    "replicates": {100},
    "seed": {0},
    "shares": {TENTHS, (0.05, *TENTHS)},
    "significant_only": {False},
    "summary_noise": {1.0},
    "swapping": {"scaled-systems"},
    "system_noise": {0.5},
    "test": {"permutation"},
    "tests": {("perm-scaled-systems", "perm-both", "boot-both", "williams")},
    "ties": {"count"},
    "undefined": {"drop"},
    "unit": {"documents"},
    "upper": {math.inf},
    "variant": {"f1"},
    "workers": {1},
}
"""Defaults that are the same wherever there is a parameter of this name."""
COUNTS = {
    "permutations": {1000: None, 10_000: {"worse_pvalue"}},
    "resamples": {1000: None, 2000: {"worse_pvalue"}, 0: {"closest_pairs_curve", "delta_correlation", "pairs_heatmap"}},
    "trials": {1000: None, 30: {"reference_curve"}},
    "alternative": {"two-sided": None, "greater": {"power"}},
    "method": {"both": None, "scaled-systems": {"compare_all", "permutation_test"}},
    "coefficient": {"pearson": None},
}
"""Defaults with exceptions, each with the functions that have it."""


def find_defaults():
    defaults = defaultdict(lambda: defaultdict(set))
    for name in stats.__all__:
        if inspect.isfunction(function := getattr(stats, name)):
            for parameter in inspect.signature(function).parameters.values():
                if parameter.default not in (parameter.empty, None):
                    defaults[parameter.name][parameter.default].add(name)
    return defaults


def test_defaults_are_what_they_were():
    defaults = find_defaults()
    assert {name: set(defaults[name]) for name in EVERYWHERE} == EVERYWHERE
    assert defaults.keys() == EVERYWHERE.keys() | COUNTS.keys()
    for name, expected in COUNTS.items():
        for value, functions in expected.items():
            assert functions is None or defaults[name][value] == functions
    assert set(defaults["permutations"]) == {1000, 10_000}
    assert set(defaults["resamples"]) == {0, 1000, 2000}
    assert set(defaults["trials"]) == {30, 1000}
    assert set(defaults["alternative"]) == {"two-sided", "greater"}
    assert set(defaults["method"]) == {"both", "scaled-systems", "documents"}
    assert set(defaults["coefficient"]) == {"auc", "pearson", "kendall"}
