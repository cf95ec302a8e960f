"""Why summaries score as they do: evidence of metrics, fitted to the run where they depend on it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from gistmeter.errors import ArgumentError, DataError
from gistmeter.evidence import Explanations
from gistmeter.example import Example
from gistmeter.metrics.scored import ScoredExamples, reuse_scores
from gistmeter.scores import Scores
from gistmeter.scoring.answer_store import use_cached_answers
from gistmeter.scoring.contents import check_contents
from gistmeter.scoring.failures import name_example, name_failure
from gistmeter.scoring.inputs import as_run, find_example, find_texts, label_metrics, read_given_scores
from gistmeter.scoring.run import fit_metric, score_in_memory
from gistmeter.views import HtmlView

if TYPE_CHECKING:
    from pathlib import Path

    from gistmeter.evidence import Evidence
    from gistmeter.metrics.metric import Metric
    from gistmeter.scoring.inputs import Metrics, RunLike


@dataclass(frozen=True, slots=True)
class ExplainedSummary(HtmlView):
    """One summary of a run with its scores, by column, and the evidence for them, by label of the metric."""

    example: Example
    scores: dict[str, float]
    evidence: dict[str, Evidence]
    unexplained: tuple[str, ...]
    """Labels of metrics that give their number alone."""
    notes: tuple[str, ...]


def explain(
    example: Example | RunLike | Scores,
    metrics: Metrics,
    *,
    doc_id: str | None = None,
    system: str | None = None,
    cache: bool = False,
) -> dict[str, Evidence]:
    """Why a summary scores as it does, for each metric that can say.

    Parameters
    ----------
    example
        The summary, with all that the metrics need; or the run that it stands in, as `gistmeter.score` takes it; or
        scores of that run, or their file, which name the files of the run.
    metrics
        Spellings or metrics. One that depends on the whole run is fitted to the run; with a single example it takes
        the example for the run, unless `fit_metrics` fitted it to another.
    doc_id, system
        Which summary of a run.
    cache
        Whether metrics that ask questions look for the answers in the score cache, and keep them there.

    Returns
    -------
    The evidence by label; a metric that cannot explain itself is left out.

    Raises
    ------
    ArgumentError
        If `doc_id` and `system` do not say which summary of a run it is.
    DataError
        If the example lacks what a metric needs, or there is no such summary in the run.

    >>> from gistmeter.example import Example
    >>> example = Example(doc_id="1", system="a", summary="It rained.", references=("It rained a lot.",))
    >>> explain(example, "rouge2")["rouge2"].headline
    '1 matched 2-grams; 2 words in the summary, 4 in the reference'
    """
    if not isinstance(example, Example):
        if doc_id is None or system is None:
            raise ArgumentError("`example` is an Example, or a run of which `doc_id` and `system` name the summary")
        scores = read_given_scores(example)
        run = example if scores is None else find_texts(scores)
        return explain_summary(run, doc_id, system, metrics, scores=scores, cache=cache).evidence
    if doc_id is not None or system is not None:
        raise ArgumentError("`doc_id` and `system` choose a summary of a run; this is a single Example")
    return explain_example(example, metrics, cache=cache)


def explain_example(example: Example, metrics: Metrics, *, cache: bool) -> dict[str, Evidence]:
    """The evidence for one example by label; a metric that cannot explain itself is left out."""
    evidence_by_label = Explanations()
    with use_cached_answers(cache), reuse_scores(ScoredExamples()):
        for label, metric in label_metrics(metrics).items():
            need = metric.lacking(example)
            if need:
                raise DataError(f"{label} needs `{need}`, but {example.name} has none")
            with name_failure(label, metric, partial(_name_task, example)):
                evidence = (metric.fit([example]) if metric.fits else metric).explain(example)
            if evidence is not None:
                evidence_by_label[label] = evidence
    return evidence_by_label


def explain_summary(
    run: RunLike,
    doc_id: str,
    system: str,
    metrics: Metrics,
    *,
    scores: Scores | str | Path | None = None,
    cache: bool = False,
) -> ExplainedSummary:
    """The summary of one document by one system of a run: its scores, and why they are what they are.

    Parameters
    ----------
    run
        The run that it stands in, as `gistmeter.score` takes it.
    doc_id, system
        Which summary.
    metrics
        Spellings or metrics; those that depend on the whole run are fitted to it.
    scores
        The scores of the run, or the file that they are in: the summary must be as it was when they were computed.
    cache
        Whether to use and fill the score cache.

    Raises
    ------
    DataError
        If there is no such summary, it lacks what a metric needs, or it has changed since `scores` were computed.
    """
    opened = as_run(run).rereadable()
    example = find_example(opened, doc_id, system)
    notes: tuple[str, ...] = ()
    if scores is not None:
        stored = Scores.of(scores)
        stored.row(doc_id, system)
        notes = check_contents(stored, [example], whole=opened.origin.has_same_names(stored.origin))
    fitted = fit_metrics(opened, metrics)
    scored = score_in_memory(as_run([example]), fitted, cache=cache)
    evidence = explain_example(example, fitted, cache=cache)
    return ExplainedSummary(
        example=example,
        scores={column.name: scored.table[column.name][0] for column in scored.columns if not column.parts},
        evidence=evidence,
        unexplained=tuple(label for label in fitted if label not in evidence),
        notes=(*notes, *scored.notes),
    )


def fit_metrics(run: RunLike, metrics: Metrics) -> dict[str, Metric]:
    """Metrics by label, those that depend on the whole run fitted to this one.

    With them some of its summaries can be scored or explained as the whole run is, and a report need not fit again
    what scoring fitted. Where none depends on the run, it is not read.
    """
    labelled = label_metrics(metrics)
    if not any(metric.fits for metric in labelled.values()):
        return labelled
    opened = as_run(run)
    return {label: fit_metric(label, metric, opened) for label, metric in labelled.items()}


def _name_task(example: Example) -> str:
    return f"explaining {name_example(example)}"
