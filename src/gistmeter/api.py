"""The public verbs: score, score_one, rank, compare, explain, correlate, write_report.

Command line, reports and notebooks all go through these.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from gistmeter.errors import ArgumentError, DataError, GistmeterWarning, suggestion
from gistmeter.example import DEFAULT_LANGUAGE, Example
from gistmeter.io.runs import Run, open_run, reopen_run
from gistmeter.io.writing import write_run
from gistmeter.metrics.registry import parse_metric, parse_metrics
from gistmeter.metrics.scored import ScoredExamples, reuse_scores
from gistmeter.models.runtime.settings import RuntimeSettings, use_settings
from gistmeter.ranking.compare import compare
from gistmeter.ranking.rank import rank
from gistmeter.scores import Scores
from gistmeter.scoring import run as engine_run
from gistmeter.scoring.answer_store import use_cached_answers
from gistmeter.scoring.run import score_in_memory

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gistmeter.evidence import Evidence
    from gistmeter.example import Unit
    from gistmeter.judgments import Judgments
    from gistmeter.metrics.metric import Metric
    from gistmeter.ranking.compare import Comparison
    from gistmeter.ranking.rank import Ranking
    from gistmeter.scoring.backends.engine import Engine
    from gistmeter.scoring.run import Progress
    from gistmeter.scoring.tally import Outcome
    from gistmeter.stats.correlation import Coefficient, Correlation, Level, Undefined

    Metrics = str | Metric | Iterable[str | Metric] | Mapping[str, Metric]
    RunLike = str | Path | Sequence[str | Path] | Iterable[Example] | Run

__all__ = [
    "compare",
    "correlate",
    "explain",
    "metric",
    "rank",
    "read_run",
    "score",
    "score_one",
    "write_report",
    "write_run",
]


def metric(text: str) -> Metric:
    """The metric that a spelling stands for.

    >>> metric("rouge2(stem=none)").spelling
    'rouge2(stem=none)'
    """
    return parse_metric(text)


def read_run(
    *files: str | Path,
    references: Sequence[str | Path] = (),
    documents: Sequence[str | Path] = (),
    units: Sequence[str | Path] = (),
    language: str | None = None,
) -> list[Example]:
    """All examples of some files of records; `references`, `documents` and `units` are joined by document id."""
    run = open_run(files, references=references, documents=documents, units=units, language=language)
    return list(run.examples())


def score(
    run: RunLike,
    metrics: Metrics,
    *,
    output: str | Path | None = None,
    workers: int = 1,
    cache: bool | None = None,
    engine: Engine = "local",
    progress: Progress | None = None,
    runtime: RuntimeSettings | None = None,
) -> Scores:
    """Score a run: examples, a file or files of records, or an opened `Run`.

    With `output` the scores are streamed to that file and an interrupted call goes on where it stopped. The score
    cache is used by default when there is an output. With `workers` above 1, a script needs the usual
    `if __name__ == "__main__":` guard. `runtime` says how models run, here and in the workers; by default as the
    environment says (GISTMETER_DEVICE and others).

    >>> examples = [Example(doc_id="1", system="a", summary="It rained.", references=("It rained a lot.",))]
    >>> score(examples, "rouge1").table["rouge1.recall"][0]
    0.5
    """
    labelled = _label_metrics(metrics)
    if output is not None:
        score_to_file(
            run,
            metrics,
            output,
            workers=workers,
            cache=cache is not False,
            engine=engine,
            progress=progress,
            runtime=runtime,
        )
        return Scores.read(output)
    with use_settings(runtime):
        scores = score_in_memory(
            _open(run), labelled, workers=workers, cache=bool(cache), engine=engine, progress=progress
        )
    _warn(scores.notes)
    return scores


def score_to_file(
    run: RunLike,
    metrics: Metrics,
    output: str | Path,
    *,
    workers: int = 1,
    cache: bool = True,
    engine: Engine = "local",
    progress: Progress | None = None,
    runtime: RuntimeSettings | None = None,
) -> Outcome:
    """Score a run into a file without ever holding all of it; says what was done, not the scores."""
    with use_settings(runtime):
        outcome = engine_run.score_to_file(
            _open(run),
            _label_metrics(metrics),
            Path(output),
            workers=workers,
            cache=cache,
            engine=engine,
            progress=progress,
        )
    _warn(outcome.notes)
    return outcome


def score_one(
    *,
    summary: str | Sequence[str],
    references: str | Sequence[str] = (),
    document: str | None = None,
    documents: str | Sequence[str] = (),
    units: Iterable[Unit] = (),
    language: str = DEFAULT_LANGUAGE,
    metrics: Metrics,
) -> dict[str, float]:
    """The scores of one summary, by column name.

    >>> scores = score_one(summary="It rained.", references=["It rained a lot."], metrics=["rouge1", "rougeL"])
    >>> {name: round(value, 3) for name, value in scores.items()}["rougeL.recall"]
    0.5
    """
    example = Example(
        doc_id="1",
        system="system",
        summary=summary,  # type: ignore[arg-type]  # lists of sentences are made texts by Example
        references=references,  # type: ignore[arg-type]
        document=document,
        documents=documents,  # type: ignore[arg-type]
        language=language,
        units=tuple(units),
    )
    scores = score([example], metrics)
    return {column.name: scores.table[column.name][0] for column in scores.columns if not column.parts}


def explain(example: Example, metrics: Metrics, *, cache: bool = False) -> dict[str, Evidence]:
    """Why an example scores as it does, for each metric that can say.

    A metric that depends on the whole run takes the example for the run, unless `fit_metrics` gave it another.
    With `cache`, metrics that ask questions look for the answers in the score cache, and keep them there.

    >>> example = Example(doc_id="1", system="a", summary="It rained.", references=("It rained a lot.",))
    >>> explain(example, "rouge2")["rouge2"].headline
    '1 matched 2-grams; 2 words in the summary, 4 in the reference'
    """
    evidence_by_label: dict[str, Evidence] = {}
    with use_cached_answers(cache), reuse_scores(ScoredExamples()):
        for label, asked in _label_metrics(metrics).items():
            need = asked.lacking(example)
            if need:
                raise DataError(f"{label} needs `{need}`, but {example.name} has none")
            evidence = (asked.fit([example]) if asked.fits else asked).explain(example)
            if evidence is not None:
                evidence_by_label[label] = evidence
    return evidence_by_label


def fit_metrics(run: RunLike, metrics: Metrics) -> dict[str, Metric]:
    """Metrics by label, those that depend on the whole run fitted to this one.

    With them some of its summaries can be scored or explained as the whole run is, and a report need not fit again
    what scoring fitted. Where none depends on the run, it is not read.
    """
    labelled = _label_metrics(metrics)
    if not any(asked.fits for asked in labelled.values()):
        return labelled
    fitted_to = _open(run)
    return {label: asked.fit(fitted_to.examples()) if asked.fits else asked for label, asked in labelled.items()}


def labels(metrics: Metrics) -> list[str]:
    """How the columns of these metrics will be labelled: as they were written."""
    return list(_label_metrics(metrics))


def find_example(run: RunLike, doc_id: str, system: str) -> Example:
    """The example of one document and system in a run; an unknown name suggests."""
    documents: set[str] = set()
    systems: set[str] = set()
    for example in _open(run).examples():
        if example.doc_id == doc_id and example.system == system:
            return example
        documents.add(example.doc_id)
        systems.add(example.system)
    if not systems:
        raise DataError("there are no summaries in the run")
    if system not in systems:
        listed = ", ".join(sorted(systems)[:20])
        raise DataError(f"there is no system {system!r}{suggestion(system, systems)} (there is {listed})")
    raise DataError(f"there is no document {doc_id!r} by {system}{suggestion(doc_id, documents)}")


def run_of_scores(scores: Scores) -> tuple[Run | None, list[str]]:
    """The run that scores were computed from, or None and the files that are no longer there."""
    missing = scores.origin.missing_files()
    if missing or not scores.origin.summary_files:
        return None, missing
    return reopen_run(scores.origin), []


def correlate(
    scores: Scores,
    judgments: Judgments,
    *,
    column: str,
    aspect: str,
    level: Level = "system",
    coefficient: Coefficient = "pearson",
    undefined: Undefined = "drop",
) -> Correlation:
    """How well one score agrees with people on one aspect, matched by document and system name.

    This is the shortest question of meta-evaluation; `gistmeter.meta` has the others.

    Parameters
    ----------
    scores
        The scores of the summaries.
    judgments
        What people said of them.
    column
        Which score, such as `rouge2.recall`.
    aspect
        Which judgment.
    level
        What is correlated: the `system` means; the systems' scores on each document (`summary`), averaged; all
        summaries (`pooled`); the documents' scores of each system (`per-system`), averaged.
    coefficient
        `pearson`, `spearman`, `kendall` (tau-b) or `kendall-c` (tau-c).
    undefined
        What becomes of a correlation with a constant: `drop` leaves it out, `zero` takes it as 0, `error` refuses.

    Returns
    -------
    Correlation
        The value, and what it rests on. Systems and documents that lack scores or judgments are left out.

    Raises
    ------
    DataError
        There is no such score or aspect, nothing that has both, or too little to correlate.
    """
    from gistmeter import meta, stats

    # These two refuse a name that is not there, or a score that single summaries do not have.
    scores.matrix(column)
    judgments.means(aspect)
    study = meta.Study.join(scores, judgments)
    if column in study.aspects:
        raise DataError(f"{column} is a score and a judgment: rename one of them")
    options = meta.CorrelationOptions(level=level, coefficient=coefficient, undefined=undefined)
    return stats.correlate(study[column], study[aspect], **options.keywords())


def ranking_with_trust(ranking: Ranking, *, every: bool = False) -> Ranking:
    """A ranking with notes on how often people agree with its gaps, for the scores that are shown."""
    from gistmeter.ranking.columns import main_columns
    from gistmeter.ranking.trust import ranking_notes

    shown = [column.name for column in main_columns((ranked.column for ranked in ranking.columns), every=every)]
    return replace(ranking, notes=(*ranking.notes, *ranking_notes(ranking, shown)))


def comparison_with_trust(comparison: Comparison, *, every: bool = False) -> Comparison:
    """A comparison with notes on how often people agree with its gaps, for the scores that are shown."""
    from gistmeter.ranking.columns import main_columns
    from gistmeter.ranking.trust import comparison_notes

    shown = [
        column.name
        for column in main_columns((difference.column for difference in comparison.differences), every=every)
    ]
    return replace(comparison, notes=(*comparison.notes, *comparison_notes(comparison, shown)))


def write_report(
    scores: Scores,
    path: str | Path,
    *,
    run: RunLike | None = None,
    ranking: Ranking | None = None,
    metrics: Metrics | None = None,
    title: str = "gistmeter report",
    evidence_rows: int = 1000,
    seed: int = 0,
    cache: bool = True,
) -> None:
    """Write one self-contained HTML file: leaderboard, distributions, documents, and evidence where texts are known.

    A note on the page says how many explanations are missing and why.

    Parameters
    ----------
    scores
        What to report.
    path
        Where to write the page.
    run
        The summaries that were scored, for texts and evidence; without it the page has numbers only.
    ranking
        The ranking to show, if there is one already; by default the systems are ranked here.
    metrics
        The metrics that scored, as `fit_metrics` fitted them to the run; by default they are made again from the
        names of the scores.
    title
        The title of the page.
    evidence_rows
        For how many summaries to include evidence, at most.
    seed
        Of the ranking that is made here.
    cache
        Whether metrics that ask questions look in the score cache for the answers that scoring kept there.

    Raises
    ------
    ArgumentError
        If `evidence_rows` is negative.
    DataError
        If the page cannot be written there, or the run cannot be read.
    """
    from gistmeter.report.page.html import write_html

    if evidence_rows < 0:
        raise ArgumentError(f"`evidence_rows` is 0 or more, not {evidence_rows}")
    with use_cached_answers(cache):
        write_html(
            scores,
            rank(scores, seed=seed) if ranking is None else ranking,
            Path(path),
            examples=() if run is None else _open(run).examples(),
            metrics=None if metrics is None else _label_metrics(metrics),
            title=title,
            evidence_rows=evidence_rows,
        )


def _open(run: RunLike) -> Run:
    if isinstance(run, Run):
        return run
    if isinstance(run, str | Path):
        return open_run([run])
    if isinstance(run, Example):
        return Run(memory=[run])
    items = list(run) if isinstance(run, list | tuple) else run
    if isinstance(items, list) and items and all(isinstance(item, str | Path) for item in items):
        return open_run(items)
    return Run(memory=items)  # type: ignore[arg-type]


def _label_metrics(metrics: Metrics) -> dict[str, Metric]:
    """Metrics by label: as they were written, or as a mapping labels them."""
    return dict(metrics) if isinstance(metrics, Mapping) else parse_metrics(metrics)


def _warn(notes: Iterable[str]) -> None:
    for note in notes:
        warnings.warn(note, GistmeterWarning, stacklevel=3)
