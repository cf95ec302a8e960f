"""Meta-evaluation: how well metrics agree with people. One function for each question, named as its command.

    correlate   how well do scores agree with people?
    folds       ... within folds, as for metrics that were trained?
    interval    how sure is a correlation?
    interval_all_documents  ... with the metric on all documents, not only the judged ones?
    systems     where do systems stand by metrics and by people?
    coverage    how often do such intervals hold the truth?
    test        does one metric agree better than another?
    table       which agree best, at each level and by each coefficient?
    power       how often does a test find a difference that is there?
    normality   may a test assume normal scores?
    pairs       are close pairs of systems ranked as people rank them?
    labels      how well do scores tell yes from no?
    matrix      how do metrics relate to one another?
    stability   how much would other documents change the ranking?
    references  do more references help?
    plan        how much must be judged?
    agreement   how far do raters agree with each other?
    by_group    ... one of these in each language, subset or type of system?

Each takes scores and judgments, or the `Study` that joins them, and gives a `Result` that becomes a frame, JSON, and a
picture.
"""

from gistmeter.arguments import check_calls
from gistmeter.meta.agreement import RaterAgreements, agreement
from gistmeter.meta.all_documents.intervals import AllDocumentIntervals, MetricWidths, interval_all_documents
from gistmeter.meta.all_documents.systems import MeanInterval, SystemScore, SystemScores, systems
from gistmeter.meta.comparisons import AllPairsTest, PairTest
from gistmeter.meta.correlate import (
    Correlations,
    FoldCorrelations,
    MetricCorrelation,
    MetricFolds,
    correlate,
    folds,
)
from gistmeter.meta.groups.agreement import GroupedAgreement, agreement_by_group
from gistmeter.meta.groups.answer import GroupCell, GroupedAnswer, GroupRow, GroupSize
from gistmeter.meta.groups.by_group import by_group
from gistmeter.meta.interval import CorrelationIntervals, IntervalCoverage, MetricInterval, coverage, interval
from gistmeter.meta.labels import LabelScores, MetricLabels, labels
from gistmeter.meta.levels.answer import CorrelationTable, TableColumn
from gistmeter.meta.levels.table import table
from gistmeter.meta.matrix import AnchorRelations, MetricRelations, matrix
from gistmeter.meta.normality import NormalityTests, ScoreNormality, normality
from gistmeter.meta.options import CorrelationOptions
from gistmeter.meta.pairs import MetricPairs, PairAgreement, pairs
from gistmeter.meta.plan import StudyPlan, plan
from gistmeter.meta.power import TestPower, power
from gistmeter.meta.references import ReferenceCounts, references
from gistmeter.meta.sources import open_study
from gistmeter.meta.stability import ScoreStability, Stability, stability
from gistmeter.meta.study import Study
from gistmeter.meta.test import test
from gistmeter.result import Result

__all__ = [
    "AllDocumentIntervals",
    "AllPairsTest",
    "AnchorRelations",
    "CorrelationIntervals",
    "CorrelationOptions",
    "CorrelationTable",
    "Correlations",
    "FoldCorrelations",
    "GroupCell",
    "GroupRow",
    "GroupSize",
    "GroupedAgreement",
    "GroupedAnswer",
    "IntervalCoverage",
    "LabelScores",
    "MeanInterval",
    "MetricCorrelation",
    "MetricFolds",
    "MetricInterval",
    "MetricLabels",
    "MetricPairs",
    "MetricRelations",
    "MetricWidths",
    "NormalityTests",
    "PairAgreement",
    "PairTest",
    "RaterAgreements",
    "ReferenceCounts",
    "Result",
    "ScoreNormality",
    "ScoreStability",
    "Stability",
    "Study",
    "StudyPlan",
    "SystemScore",
    "SystemScores",
    "TableColumn",
    "TestPower",
    "agreement",
    "agreement_by_group",
    "by_group",
    "correlate",
    "coverage",
    "folds",
    "interval",
    "interval_all_documents",
    "labels",
    "matrix",
    "normality",
    "open_study",
    "pairs",
    "plan",
    "power",
    "references",
    "stability",
    "systems",
    "table",
    "test",
]

check_calls(__name__)
