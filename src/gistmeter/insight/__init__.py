"""Insight: what a metric measures, and which part of a model measures it best."""

from gistmeter.arguments import check_calls
from gistmeter.insight.budget import Budget, BudgetPoint, measure_budget
from gistmeter.insight.estime_layers import LayerCurve, LayerCurves, draw_estime_layers
from gistmeter.insight.judged_summaries import JudgedSummary, read_judged_summaries
from gistmeter.insight.layer_choice import LayerChoice, LayerLead
from gistmeter.insight.layer_models import keep_searches, search_models
from gistmeter.insight.layers import LayerSearch, score_layers, search_layers
from gistmeter.insight.people import HumanSetup, HumanSetups, compare_human_setups
from gistmeter.insight.question_coverage import QuestionCoverage, QuestionCoverages, measure_question_coverage
from gistmeter.insight.shares import (
    CategoryShare,
    CategoryShares,
    SummaryShare,
    UnitShare,
    UnitShares,
    categories,
    units,
)

__all__ = [
    "Budget",
    "BudgetPoint",
    "CategoryShare",
    "CategoryShares",
    "HumanSetup",
    "HumanSetups",
    "JudgedSummary",
    "LayerChoice",
    "LayerCurve",
    "LayerCurves",
    "LayerLead",
    "LayerSearch",
    "QuestionCoverage",
    "QuestionCoverages",
    "SummaryShare",
    "UnitShare",
    "UnitShares",
    "categories",
    "compare_human_setups",
    "draw_estime_layers",
    "keep_searches",
    "measure_budget",
    "measure_question_coverage",
    "read_judged_summaries",
    "score_layers",
    "search_layers",
    "search_models",
    "units",
]

check_calls(__name__)
