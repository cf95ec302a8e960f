"""The public verbs: score, score_one, rank, compare, explain, correlate, write_report.

Command line, reports and notebooks all go through these.
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from gistmeter.errors import ArgumentError, DataError, GistmeterWarning
from gistmeter.example import DEFAULT_LANGUAGE, Example
from gistmeter.io.runs import open_run
from gistmeter.io.writing import write_run
from gistmeter.metrics.registry import parse_metric
from gistmeter.models.runtime.settings import RuntimeSettings, use_settings
from gistmeter.ranking.compare import compare
from gistmeter.ranking.rank import rank
from gistmeter.scores import Scores
from gistmeter.scoring.answer_store import use_cached_answers
from gistmeter.scoring.explain import explain, explain_summary, fit_metrics
from gistmeter.scoring.inputs import as_run, find_scored_run, label_metrics
from gistmeter.scoring.run import score_in_memory
from gistmeter.scoring.run import score_to_file as stream_scores

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gistmeter.example import Unit
    from gistmeter.judgments import Judgments
    from gistmeter.metrics.metric import Metric
    from gistmeter.ranking.rank import Ranking
    from gistmeter.scoring.backends.engine import Engine
    from gistmeter.scoring.inputs import Metrics, RunLike
    from gistmeter.scoring.run import Progress
    from gistmeter.scoring.tally import Outcome
    from gistmeter.stats.correlation import Coefficient, Correlation, Level, Undefined


__all__ = [
    "compare",
    "correlate",
    "explain",
    "explain_summary",
    "find_scored_run",
    "fit_metrics",
    "label_metrics",
    "metric",
    "rank",
    "read_run",
    "score",
    "score_one",
    "score_to_file",
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
    """Read all examples of some files of records into memory.

    Parameters
    ----------
    files
        Files of records: .jsonl, .csv, .tsv, .parquet or .pan, also gzipped.
    references, documents, units
        Files whose records are joined to the summaries by document id.
    language
        Of the records that do not name theirs; None means English.
    """
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
    """Score a run.

    Parameters
    ----------
    run
        Examples, a file or files of records, or an opened `Run`.
    metrics
        A spelling (several with commas between), metrics, several of either, or metrics by label.
    output
        A file (.parquet, .jsonl, .csv) to stream the scores to; an interrupted call then goes on where it stopped.
    workers
        How many processes score. With more than 1, a script needs the usual `if __name__ == "__main__":` guard.
    cache
        Whether to use and fill the score cache; None means only when there is an output.
    engine
        Who scores: this machine (`local`) or a Ray cluster (`ray`).
    progress
        Called after each batch with how far scoring is.
    runtime
        How models run, here and in the workers; by default as the environment says (GISTMETER_DEVICE and others).

    Raises
    ------
    ArgumentError
        If there is no such engine, or less than one worker.
    MetricError
        If there is no such metric or setting.
    DataError
        If the run cannot be read, is empty or lacks what a metric needs, or the output cannot be written.

    >>> examples = [Example(doc_id="1", system="a", summary="It rained.", references=("It rained a lot.",))]
    >>> score(examples, "rouge1").table["rouge1.recall"][0]
    0.5
    """
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
    labelled = label_metrics(metrics)
    with use_settings(runtime):
        scores = score_in_memory(
            as_run(run), labelled, workers=workers, cache=bool(cache), engine=engine, progress=progress
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
    """Score a run into a file without ever holding all of it; says what was done, not the scores.

    The parameters, and what is raised, are those of `score`.
    """
    with use_settings(runtime):
        outcome = stream_scores(
            as_run(run),
            label_metrics(metrics),
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

    Parameters
    ----------
    summary
        The text, or its sentences.
    references
        One reference or several.
    document, documents
        What was summarised: one text, or several.
    units
        Content units of the references.
    language
        Of all texts, as a code such as `en`.
    metrics
        As for `score`.

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


def correlate(
    scores: Scores,
    judgments: Judgments,
    *,
    column: str,
    aspect: str,
    level: Level = "system",
    coefficient: Coefficient = "pearson",
    undefined: Undefined = "drop",
    lower: str | Sequence[str] = (),
    higher: str | Sequence[str] = (),
) -> Correlation:
    """How well one score agrees with people on one aspect, matched by document and system name.

    This is the shortest question of meta-evaluation; `gistmeter.meta` has the others. A score of which lower is better
    has its sign turned; of one of which neither is, the absolute value is given, with a warning.

    Parameters
    ----------
    scores, judgments
        The scores of the summaries, and what people said of them.
    column, aspect
        Which score, such as `rouge2.recall`, and which judgment.
    level, coefficient, undefined
        How they are correlated, as for `gistmeter.meta.correlate`.
    lower, higher
        The score or the aspect, where lower (or higher) is better and nothing says so.

    Returns
    -------
    Correlation
        The value, and what it rests on. Systems and documents that lack scores or judgments are left out.

    Raises
    ------
    DataError
        There is no such score or aspect, nothing that has both, or too little to correlate.
    """
    from gistmeter import meta

    # These two refuse a name that is not there, or a score that single summaries do not have.
    scores.matrix(column)
    judgments.means(aspect)
    study = meta.open_study(scores, judgments, lower=lower, higher=higher)
    if column in study.aspects:
        raise DataError(f"{column} is a score and a judgment: rename one of them")
    options = meta.CorrelationOptions(level=level, coefficient=coefficient, undefined=undefined)
    answer = meta.correlate(study, metrics=column, aspect=aspect, **options.keywords())
    if "neither" in (study.direction(column), study.direction(aspect)):
        warnings.warn("; ".join(answer.notes), GistmeterWarning, stacklevel=2)
    return answer.rows[0].correlation


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
            examples=() if run is None else as_run(run).examples(),
            metrics=None if metrics is None else label_metrics(metrics),
            title=title,
            evidence_rows=evidence_rows,
        )


def _warn(notes: Iterable[str]) -> None:
    for note in notes:
        warnings.warn(note, GistmeterWarning, stacklevel=3)
