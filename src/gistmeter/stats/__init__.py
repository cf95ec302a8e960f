"""Statistics on arrays (systems x documents): correlations, intervals and tests."""

from gistmeter.stats.comparison import MetricComparison, compare_all
from gistmeter.stats.correlation import Correlation, correlate
from gistmeter.stats.folds import FoldCorrelation, correlate_by_folds
from gistmeter.stats.hypothesis import TestResult, bootstrap_test, permutation_test, williams_test
from gistmeter.stats.intervals import CorrelationInterval, bootstrap, fisher
from gistmeter.stats.multiple import holm, letter_groups
from gistmeter.stats.normality import Normality, normality
from gistmeter.stats.pairwise.accuracy import (
    Accuracy,
    SoftAccuracy,
    TiedAccuracy,
    pairwise_accuracy,
    soft_accuracy,
    tied_accuracy,
)
from gistmeter.stats.pairwise.realistic import (
    ClosestPairs,
    DeltaCorrelation,
    PairsHeatmap,
    closest_pairs_curve,
    delta_correlation,
    pairs_heatmap,
)
from gistmeter.stats.planning.coverage import Coverage, MethodCoverage, coverage
from gistmeter.stats.planning.plan import Plan, PlanPoint, plan_power, plan_raters, plan_width
from gistmeter.stats.planning.power import PowerCurves, PowerRow, TokenMatches, noisy_scores, power, thinned_rouge
from gistmeter.stats.planning.stability import (
    RankingStability,
    ReferenceCurve,
    ScoreSpread,
    WidthChange,
    ranking_stability,
    reference_curve,
    score_spread,
    width_change,
)
from gistmeter.stats.relations import AnchoredMetric, Anchors, MetricMatrix, anchor_correlations, correlation_matrix
from gistmeter.stats.resampling.mean_tests import pairwise_mean_pvalues
from gistmeter.stats.resampling.pooling import (
    Interval,
    Intervals,
    bootstrap_difference,
    bootstrap_interval,
    pairwise_pvalues,
    permutation_pvalue,
    ratio,
)

__all__ = [
    "Accuracy",
    "AnchoredMetric",
    "Anchors",
    "ClosestPairs",
    "Correlation",
    "CorrelationInterval",
    "Coverage",
    "DeltaCorrelation",
    "FoldCorrelation",
    "Interval",
    "Intervals",
    "MethodCoverage",
    "MetricComparison",
    "MetricMatrix",
    "Normality",
    "PairsHeatmap",
    "Plan",
    "PlanPoint",
    "PowerCurves",
    "PowerRow",
    "RankingStability",
    "ReferenceCurve",
    "ScoreSpread",
    "SoftAccuracy",
    "TestResult",
    "TiedAccuracy",
    "TokenMatches",
    "WidthChange",
    "anchor_correlations",
    "bootstrap",
    "bootstrap_difference",
    "bootstrap_interval",
    "bootstrap_test",
    "closest_pairs_curve",
    "compare_all",
    "correlate",
    "correlate_by_folds",
    "correlation_matrix",
    "coverage",
    "delta_correlation",
    "fisher",
    "holm",
    "letter_groups",
    "noisy_scores",
    "normality",
    "pairs_heatmap",
    "pairwise_accuracy",
    "pairwise_mean_pvalues",
    "pairwise_pvalues",
    "permutation_pvalue",
    "permutation_test",
    "plan_power",
    "plan_raters",
    "plan_width",
    "power",
    "ranking_stability",
    "ratio",
    "reference_curve",
    "score_spread",
    "soft_accuracy",
    "thinned_rouge",
    "tied_accuracy",
    "width_change",
    "williams_test",
]
