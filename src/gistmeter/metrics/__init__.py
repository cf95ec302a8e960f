"""The measures, one file each, behind one protocol (`metric.py`) and one registry (`registry.py`)."""

from gistmeter.metrics.metric import Column, Metric
from gistmeter.metrics.registry import list_names, parse_metric, parse_metrics

__all__ = ["Column", "Metric", "list_names", "parse_metric", "parse_metrics"]
