"""Metrics tested on corrupted summaries: scored, and asked whether they notice the errors."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

from gistmeter.arguments import outside_level
from gistmeter.errors import GistmeterWarning
from gistmeter.io.runs import Run
from gistmeter.models.runtime.settings import use_settings
from gistmeter.probe.detection import measure_detection
from gistmeter.scoring.inputs import label_metrics
from gistmeter.scoring.run import score_in_memory

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.models.runtime.settings import RuntimeSettings
    from gistmeter.probe.corruption import LabelledSummary
    from gistmeter.probe.detection import Detection, Golden
    from gistmeter.scoring.inputs import Metrics
    from gistmeter.scoring.run import Progress


def detect_errors(
    summaries: Sequence[LabelledSummary],
    metrics: Metrics,
    *,
    golden: Golden = "presence",
    lower: Sequence[str] = (),
    higher: Sequence[str] = (),
    progress: Progress | None = None,
    runtime: RuntimeSettings | None = None,
) -> Detection:
    """Which metrics notice the errors that `corrupt_run` put into summaries.

    Parameters
    ----------
    summaries
        Clean and corrupted summaries.
    metrics
        What to test, as for `gistmeter.score`.
    golden
        What scores are correlated with: the `presence` of errors, or their `number`.
    lower, higher
        Scores of which lower, or higher, is better, where they themselves say otherwise: see `measure_detection`.
    progress
        Called after each batch with how far scoring is.
    runtime
        How models run; by default as the environment says.

    Returns
    -------
    Detection
        For each score how far it falls with errors, and how often the clean summary of a pair scores better.

    Raises
    ------
    ArgumentError
        If there is nothing called `golden`.
    DataError
        If all summaries have errors or none has, or if they lack what a metric needs.
    MetricError
        If there is no such metric or setting.

    >>> from gistmeter import Example
    >>> from gistmeter.probe import corrupt_run
    >>> text, reference = "It rained in Rome all day.", "All day it rained in Rome."
    >>> summaries = corrupt_run([Example(doc_id="1", system="a", summary=text, references=(reference,))], errors=2)
    >>> detection = detect_errors(summaries, "rouge1")
    >>> [(row.column, row.pairs) for row in detection.rows]
    [('rouge1.precision', 1.0), ('rouge1.recall', 1.0), ('rouge1.f1', 1.0)]
    """
    run = Run(memory=[summary.example for summary in summaries])
    with use_settings(runtime):
        scores = score_in_memory(run, label_metrics(metrics), progress=progress)
    for note in scores.notes:
        warnings.warn(note, GistmeterWarning, stacklevel=outside_level())
    return measure_detection(summaries, scores, golden=golden, lower=lower, higher=higher)
