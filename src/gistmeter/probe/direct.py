"""Direct: the summaries that a metric's own model writes (Deutsch, 2022, section 5.4.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.errors import MetricError
from gistmeter.models.runtime.settings import use_settings
from gistmeter.probe.files import check_probe_path, write_probe
from gistmeter.probe.scored import FoundSummary, count_summaries, make_probe
from gistmeter.probe.sources import check_texts, group_documents
from gistmeter.probe.steps import Steps
from gistmeter.probe.target import Target
from gistmeter.scoring.failures import name_failure
from gistmeter.scoring.inputs import as_run

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from gistmeter.metrics.metric import Metric
    from gistmeter.models.runtime.settings import RuntimeSettings
    from gistmeter.probe.results import Probe
    from gistmeter.probe.sources import SourceDocument
    from gistmeter.scoring.inputs import RunLike


def direct(
    run: RunLike,
    metric: str | Metric,
    *,
    output: str | Path | None = None,
    cache: bool = True,
    progress: Callable[[int, int], None] | None = None,
    runtime: RuntimeSettings | None = None,
) -> Probe:
    """The summary of each document that a metric's own model writes, for metrics that have one (`Metric.generate`).

    Parameters
    ----------
    run
        Summaries of systems with their documents: a file, examples, records or a frame.
    metric
        A metric that generates, or one of its scores.
    output
        A file (.jsonl) to write the probe to.
    cache
        Keep scores and look them up.
    progress
        Called with how much is done, and how much there is to do.
    runtime
        How models run; by default as the environment says.

    Raises
    ------
    MetricError
        The metric does not generate, needs references, or there is none of that name.
    DataError
        The run is empty or has no documents.

    Examples
    --------
    >>> direct([{"summary": "A dry day.", "document": "It rained in Rome."}], "js")
    Traceback (most recent call last):
    gistmeter.errors.MetricError: js has no model that writes summaries: `optimise` finds what it likes best among ...
    """
    target = Target.of(metric)
    target.check_free()
    opened = as_run(run).rereadable()
    if output is not None:
        check_probe_path(output, opened.input_files)
    with use_settings(runtime):
        documents = group_documents(opened.examples())
        check_texts(documents)
        target.check_languages(source.first.language for source in documents)
        target = target.fit(opened)
        steps = Steps(progress, len(documents) + count_summaries(documents))
        summaries = []
        for source in documents:
            summaries.append(FoundSummary(source=source, summary=_write_summary(target, source), tried=1))
            steps.add()
        probe = make_probe(target, summaries, method="direct", settings={}, cache=cache, note_scored=steps.add)
    if output is not None:
        write_probe(probe, output)
    return probe


def _write_summary(target: Target, source: SourceDocument) -> str:
    """What the metric's own model writes of a document."""
    with name_failure(target.label, target.metric, lambda: f"writing a summary of {source.doc_id}"):
        summary = target.metric.generate(source.write_example("direct", ""))
    if summary is None:
        raise MetricError(
            f"{target.label} has no model that writes summaries: `optimise` finds what it likes best among the "
            "sentences of a document, `rerank` among given summaries"
        )
    if not isinstance(summary, str):
        raise MetricError(f"{target.label} wrote no text of {source.doc_id}: `generate` gave {type(summary).__name__}")
    return summary
