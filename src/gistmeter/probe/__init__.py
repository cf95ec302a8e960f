"""Probe: what a metric notices, and how it can be fooled.

`corrupt` puts subtle errors into summaries, `measure_detection` says how well a metric tells them from the clean ones.
"""

from gistmeter.probe.corruption import Error, LabelledSummary, corrupt, turn_references_into_summaries
from gistmeter.probe.detection import ColumnDetection, Detection, measure_detection
from gistmeter.probe.labelled_run import read_labelled_run, write_labelled_run

__all__ = [
    "ColumnDetection",
    "Detection",
    "Error",
    "LabelledSummary",
    "corrupt",
    "measure_detection",
    "read_labelled_run",
    "turn_references_into_summaries",
    "write_labelled_run",
]
