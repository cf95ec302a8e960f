"""Why some summaries score as they do: from a run, or from a file of scores, which knows its run and its metrics."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gistmeter.errors import ArgumentError, DataError, suggestion
from gistmeter.models.runtime.settings import current_settings, use_settings
from gistmeter.ranking.columns import note_columns
from gistmeter.ranking.worst import find_worst
from gistmeter.report.evidence_data import describe_evidence
from gistmeter.report.page.explain import make_metrics
from gistmeter.result import Result
from gistmeter.scores import Scores
from gistmeter.scoring.contents import check_contents
from gistmeter.scoring.explain import ExplainedSummary, explain_example, fit_metrics
from gistmeter.scoring.inputs import as_run, find_scored_run, label_metrics, read_given_scores
from gistmeter.scoring.run import score_in_memory

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from gistmeter.example import Example
    from gistmeter.io.runs import Run
    from gistmeter.io.score_files.origin import Origin
    from gistmeter.metrics.metric import Metric
    from gistmeter.scores import ScoreColumn
    from gistmeter.scoring.inputs import Metrics, RunLike

DEFAULT_METRIC = "rouge2"
"""By which a run is explained where no metric is named."""


@dataclass(frozen=True, slots=True)
class ExplainedSummaries(Result):
    """Some summaries with their scores and the evidence for them, in the order that was asked for."""

    summaries: tuple[ExplainedSummary, ...]
    columns: tuple[ScoreColumn, ...]
    """What the scores are."""
    notes: tuple[str, ...] = ()

    def records(self) -> list[dict[str, Any]]:
        """A row for each summary: its texts, its scores and the evidence by metric."""
        return [
            {
                "doc_id": explained.example.doc_id,
                "system": explained.example.system,
                "summary": explained.example.summary,
                "scores": dict(explained.scores),
                "evidence": {label: describe_evidence(why) for label, why in explained.evidence.items()},
                "without evidence": list(explained.unexplained),
            }
            for explained in self.summaries
        ]


def explain_summaries(
    source: RunLike | Scores,
    *,
    documents: Sequence[str] = (),
    systems: Sequence[str] = (),
    worst: int | None = None,
    metrics: Metrics | None = None,
    scores: Scores | str | Path | None = None,
    moved: Origin | None = None,
    trust_origin: bool = False,
    allow_models: bool = False,
    cache: bool = False,
) -> ExplainedSummaries:
    """Why some summaries score as they do.

    Parameters
    ----------
    source
        Scores, or the file that they are in, which name the files of their run; or the run itself.
    documents, systems
        Which summaries: those of these documents by these systems; without systems, by all.
    worst
        So many summaries that score worst by the first of the metrics, of the named systems if there are any.
    metrics
        Spellings or metrics; by default those of the scores, or `rouge2` for a run.
    scores
        With a run, its scores, or their file: the summaries must be as they were when they were scored.
    moved
        Files of the run that are elsewhere now.
    trust_origin
        Whether scores that were read from a file may name files outside its folder and the working directory.
    allow_models
        Whether the names of scores that were read from a file may name models and files to be loaded.
    cache
        Whether to use and fill the score cache.

    Returns
    -------
    ExplainedSummaries
        The summaries with scores and evidence; notes say which metrics could not be asked.

    Raises
    ------
    ArgumentError
        If neither documents nor a number of worst summaries are named, or both are.
    DataError
        If there is no such summary, its texts cannot be read, they have changed since they were scored, or they lack
        what a metric needs.

    >>> from gistmeter.example import Example
    >>> run = [Example(doc_id="1", system="a", summary="It rained.", references=("It rained a lot.",))]
    >>> explained = explain_summaries(run, documents=["1"], metrics="rouge2").summaries[0]
    >>> explained.evidence["rouge2"].headline
    '1 matched 2-grams; 2 words in the summary, 4 in the reference'
    """
    if bool(documents) == (worst is not None):
        raise ArgumentError("say which summaries: `documents`, or how many of the `worst`")
    stored = read_given_scores(source)
    run = as_run(source) if stored is None else _find_run(stored, moved=moved, trust_origin=trust_origin)
    run = run.rereadable()
    from_file = stored is not None and stored.file is not None and metrics is None
    asked, notes = _choose_metrics(stored, metrics, allow_models=allow_models)
    if stored is None and scores is not None:
        stored = Scores.of(scores)
    with use_settings(current_settings().override(offline=True) if from_file else None):
        fitted = fit_metrics(run, asked)
        if worst is not None:
            pairs = _list_worst(run, stored, fitted, worst, systems)
            examples = _pick_pairs(run, pairs)
        else:
            examples = _pick_examples(run, documents, systems)
        if stored is not None:
            notes += check_contents(stored, examples, whole=run.origin.has_same_names(stored.origin))
        scored = score_in_memory(as_run(examples), fitted, cache=cache)
        columns = tuple(column for column in scored.columns if not column.parts)
        explained = []
        for row, example in enumerate(examples):
            evidence = explain_example(example, fitted, cache=cache)
            explained.append(
                ExplainedSummary(
                    example=example,
                    scores={column.name: scored.table[column.name][row] for column in columns},
                    evidence=evidence,
                    unexplained=tuple(label for label in fitted if label not in evidence),
                    notes=(),
                )
            )
    return ExplainedSummaries(tuple(explained), columns, (*notes, *scored.notes, *note_columns(columns)))


def _find_run(scores: Scores, *, moved: Origin | None, trust_origin: bool) -> Run:
    scored_run = find_scored_run(scores, moved=moved, trust_origin=trust_origin)
    if scored_run.run is None:
        raise DataError(f"there are no texts to these scores: {scored_run.describe_absence()}")
    return scored_run.run


def _choose_metrics(
    stored: Scores | None, metrics: Metrics | None, *, allow_models: bool
) -> tuple[Mapping[str, Metric], tuple[str, ...]]:
    """The metrics to ask, and what is said of those that cannot be asked."""
    if metrics is not None or stored is None:
        return label_metrics(metrics if metrics is not None else DEFAULT_METRIC), ()
    chosen, unavailable = make_metrics(stored.columns, allow_models=allow_models or stored.file is None)
    notes = tuple(f"no evidence by {label}: {reason}" for label, reason in unavailable.items())
    if not chosen:
        reasons = "; ".join(notes) or "they are of no metric that gistmeter has"
        raise DataError(f"no metric of these scores can be asked: {reasons}; name others with `metrics=`")
    return chosen, notes


def _list_worst(
    run: Run, stored: Scores | None, metrics: Mapping[str, Metric], count: int, systems: Sequence[str]
) -> list[tuple[str, str]]:
    """The worst summaries by the first metric: as they were scored, or scored now."""
    label = next(iter(metrics))
    was_scored = stored is not None and any(column.metric == label for column in stored.columns)
    table = stored if was_scored and stored is not None else score_in_memory(run, {label: metrics[label]}, cache=False)
    judging = [column.name for column in table.columns if column.metric == label and column.better != "neither"]
    single = [name for name in judging if not table.column(name).parts]
    if not single:
        raise DataError(f"{label} does not judge single summaries: name another metric first")
    main = next((name for name in single if name.endswith((".f1", f".{label.partition('(')[0]}"))), single[0])
    return [(row.doc_id, row.system) for row in find_worst(table, main, count=count, systems=systems).rows]


def _pick_pairs(run: Run, pairs: Sequence[tuple[str, str]]) -> list[Example]:
    """The examples of these documents and systems, in their order."""
    wanted = set(pairs)
    by_pair = {(each.doc_id, each.system): each for each in run.examples() if (each.doc_id, each.system) in wanted}
    lacking = [pair for pair in pairs if pair not in by_pair]
    if lacking:
        raise DataError(f"{lacking[0][1]}/{lacking[0][0]} was scored, but is not in the run: score again")
    return [by_pair[pair] for pair in pairs]


def _pick_examples(run: Run, documents: Sequence[str], systems: Sequence[str]) -> list[Example]:
    """The examples of these documents, by these systems or by all; an unknown name suggests."""
    by_pair: dict[tuple[str, str], Example] = {}
    all_documents: dict[str, None] = {}
    all_systems: dict[str, None] = {}
    for example in run.examples():
        all_documents[example.doc_id] = all_systems[example.system] = None
        if example.doc_id in documents and (not systems or example.system in systems):
            by_pair.setdefault((example.doc_id, example.system), example)
    if not all_systems:
        raise DataError("there are no summaries in the run")
    for system in systems:
        if system not in all_systems:
            listed = ", ".join(sorted(all_systems)[:20])
            raise DataError(f"there is no system {system!r}{suggestion(system, all_systems)} (there is {listed})")
    for doc_id in documents:
        _check_document(doc_id, systems, by_pair, all_documents)
    order = systems or list(all_systems)
    pairs = [(doc_id, system) for doc_id in dict.fromkeys(documents) for system in dict.fromkeys(order)]
    return [by_pair[pair] for pair in pairs if pair in by_pair]


def _check_document(
    doc_id: str, systems: Sequence[str], by_pair: Mapping[tuple[str, str], Example], documents: Iterable[str]
) -> None:
    """Refuse a document that no system, or not each of those that were named, has summarised."""
    for system in systems or [None]:  # type: ignore[list-item]
        if not any(pair[0] == doc_id and system in (None, pair[1]) for pair in by_pair):
            by = f" by {system}" if system else ""
            raise DataError(f"there is no document {doc_id!r}{by}{suggestion(doc_id, documents)}")
