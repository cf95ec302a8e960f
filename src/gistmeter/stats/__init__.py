"""Statistics on arrays (systems x documents): correlations, intervals and tests."""

from gistmeter.arguments import check_calls
from gistmeter.stats.comparison import MetricComparison, compare_all
from gistmeter.stats.correlation import Correlation, correlate
from gistmeter.stats.folds import FoldCorrelation, correlate_by_folds
from gistmeter.stats.hypothesis import TestResult, bootstrap_test, permutation_test
from gistmeter.stats.intervals import CorrelationInterval, bootstrap, fisher
from gistmeter.stats.labels.agreement import (
    LabelAgreement,
    agree_with_labels,
    choose_threshold,
    cross_fit_thresholds,
)
from gistmeter.stats.labels.interval import LabelInterval, label_interval
from gistmeter.stats.labels.test import label_bootstrap_test, label_permutation_test
from gistmeter.stats.multiple import holm, letter_groups, letter_runs
from gistmeter.stats.normality import Normality, normality
from gistmeter.stats.pairwise.accuracy import Accuracy, TiedAccuracy, pairwise_accuracy, tied_accuracy
from gistmeter.stats.pairwise.close_systems import (
    ClosestPairs,
    PairsHeatmap,
    closest_pairs_curve,
    delta_correlation,
    pairs_heatmap,
)
from gistmeter.stats.pairwise.pair_distances import DeltaCorrelation
from gistmeter.stats.pairwise.soft_accuracy import SoftAccuracy, soft_accuracy
from gistmeter.stats.planning.coverage import Coverage, MethodCoverage, coverage
from gistmeter.stats.planning.plan import Plan, PlanPoint
from gistmeter.stats.planning.plan_power import plan_power
from gistmeter.stats.planning.plan_raters import plan_raters
from gistmeter.stats.planning.plan_sizes import plan_width
from gistmeter.stats.planning.power import PowerCurves, PowerRow, power
from gistmeter.stats.planning.references import ReferenceCurve, reference_curve
from gistmeter.stats.planning.stability import (
    RankingStability,
    ScoreSpread,
    WidthChange,
    ranking_stability,
    score_spread,
    width_change,
)
from gistmeter.stats.planning.worse_metrics import TokenMatches, noisy_scores, thinned_rouge
from gistmeter.stats.ranks import average_ranks
from gistmeter.stats.relations import AnchoredMetric, Anchors, MetricMatrix, anchor_correlations, correlation_matrix
from gistmeter.stats.resampling.mean_tests import pairwise_mean_pvalues
from gistmeter.stats.resampling.one_sided import worse_pvalue
from gistmeter.stats.resampling.permutation import pairwise_pvalues, permutation_pvalue
from gistmeter.stats.resampling.pooling import Interval, Intervals, bootstrap_difference, bootstrap_interval, ratio
from gistmeter.stats.resampling.saddlepoint import pairwise_saddlepoint_pvalues, swap_pvalues
from gistmeter.stats.system_effects import SystemEffects, system_effects
from gistmeter.stats.williams import williams_test

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
    "LabelAgreement",
    "LabelInterval",
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
    "SystemEffects",
    "TestResult",
    "TiedAccuracy",
    "TokenMatches",
    "WidthChange",
    "agree_with_labels",
    "anchor_correlations",
    "average_ranks",
    "bootstrap",
    "bootstrap_difference",
    "bootstrap_interval",
    "bootstrap_test",
    "choose_threshold",
    "closest_pairs_curve",
    "compare_all",
    "correlate",
    "correlate_by_folds",
    "correlation_matrix",
    "coverage",
    "cross_fit_thresholds",
    "delta_correlation",
    "fisher",
    "holm",
    "label_bootstrap_test",
    "label_interval",
    "label_permutation_test",
    "letter_groups",
    "letter_runs",
    "noisy_scores",
    "normality",
    "pairs_heatmap",
    "pairwise_accuracy",
    "pairwise_mean_pvalues",
    "pairwise_pvalues",
    "pairwise_saddlepoint_pvalues",
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
    "swap_pvalues",
    "system_effects",
    "thinned_rouge",
    "tied_accuracy",
    "width_change",
    "williams_test",
    "worse_pvalue",
]

check_calls(__name__)
