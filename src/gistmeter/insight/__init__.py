"""Insight: what a metric measures, and which part of a model measures it best."""

from gistmeter.insight.budget import Budget, BudgetPoint, budget
from gistmeter.insight.judged import Judged, read_judged
from gistmeter.insight.layers import LayerSearch, layer_scores, search_layers

__all__ = ["Budget", "BudgetPoint", "Judged", "LayerSearch", "budget", "layer_scores", "read_judged", "search_layers"]
