"""Probe: what a metric notices, and how it can be fooled.

`corrupt` puts subtle errors into summaries, `corrupt_run` into those of a whole run. `detect_errors` says how
well metrics tell them from the clean ones, `measure_detection` how well given scores do.
"""

from gistmeter.arguments import check_calls
from gistmeter.probe.corrupted_run import corrupt_run
from gistmeter.probe.corruption import Error, LabelledSummary, corrupt, turn_references_into_summaries
from gistmeter.probe.detect import detect_errors
from gistmeter.probe.detection import ColumnDetection, Detection, measure_detection
from gistmeter.probe.labelled_run import check_labelled_path, read_labelled_run, write_labelled_run
from gistmeter.probe.words.replacement import WordKind, check_kind

__all__ = [
    "ColumnDetection",
    "Detection",
    "Error",
    "LabelledSummary",
    "WordKind",
    "check_kind",
    "check_labelled_path",
    "corrupt",
    "corrupt_run",
    "detect_errors",
    "measure_detection",
    "read_labelled_run",
    "turn_references_into_summaries",
    "write_labelled_run",
]

check_calls(__name__)
