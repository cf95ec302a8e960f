"""Probe: what a metric notices, and how it can be fooled.

`corrupt` puts subtle errors into summaries, `detection` says how well a metric tells them from the clean ones.
"""

from gistmeter.probe.corruption import Error, Labelled, corrupt, human_summaries
from gistmeter.probe.detection import Detected, Detection, detection
from gistmeter.probe.labels import read_labelled, write_labelled

__all__ = [
    "Detected",
    "Detection",
    "Error",
    "Labelled",
    "corrupt",
    "detection",
    "human_summaries",
    "read_labelled",
    "write_labelled",
]
