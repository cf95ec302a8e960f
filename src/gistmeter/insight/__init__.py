"""Insight: what a metric measures, and which part of a model measures it best."""

from gistmeter.insight.layers import Judged, LayerSearch, layer_scores, read_judged, search_layers

__all__ = ["Judged", "LayerSearch", "layer_scores", "read_judged", "search_layers"]
