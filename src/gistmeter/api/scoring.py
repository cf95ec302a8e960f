"""Scoring: a run, a file of scores, or one summary."""

from __future__ import annotations

import dataclasses
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gistmeter.arguments import outside_level
from gistmeter.errors import ArgumentError, GistmeterWarning
from gistmeter.example import DEFAULT_LANGUAGE, Example
from gistmeter.io.memory.lists import align_lists
from gistmeter.io.runs import Run, open_run
from gistmeter.metrics.registry import parse_metric
from gistmeter.models.runtime.settings import RuntimeSettings, use_settings
from gistmeter.scores import Scores
from gistmeter.scoring.inputs import as_run, label_metrics
from gistmeter.scoring.languages import count_unknown_languages
from gistmeter.scoring.run import score_in_memory
from gistmeter.scoring.run import score_to_file as stream_scores
from gistmeter.text.languages import language_code

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from gistmeter.example import Unit
    from gistmeter.io.batches import Markers
    from gistmeter.metrics.metric import Metric
    from gistmeter.scoring.backends.engine import Engine
    from gistmeter.scoring.inputs import Metrics, RunLike
    from gistmeter.scoring.run import Progress
    from gistmeter.scoring.tally import Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoringOptions:
    """How a run is scored: `score` says what each option means."""

    workers: int = 1
    cache: bool = True
    engine: Engine = "local"
    progress: Progress | None = None
    runtime: RuntimeSettings | None = None
    replace: bool = False


def metric(text: str) -> Metric:
    """The metric that a spelling stands for.

    >>> metric("rouge2(stem=none)").spelling
    'rouge2(stem=none)'
    """
    return parse_metric(text, imports=True)


def read_run(
    *files: str | Path,
    references: Sequence[str | Path] = (),
    documents: Sequence[str | Path] = (),
    units: Sequence[str | Path] = (),
    language: str | None = None,
    fields: Mapping[str, str] | None = None,
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
    fields
        In which columns fields are, where they have other names than gistmeter knows: `{"summary": "output"}`.
    """
    if language is not None:
        language_code(language)  # refuses what is no language, before anything is read
    run = open_run(files, references=references, documents=documents, units=units, language=language, fields=fields)
    return list(run.with_markers("keep").examples())  # scoring reads markers, and says so


def score(
    run: RunLike | None = None,
    metrics: Metrics | None = None,
    *,
    predictions: Iterable[Any] | Mapping[str, Iterable[Any]] | None = None,
    references: Iterable[Any] | None = None,
    documents: Iterable[Any] | None = None,
    language: str | None = None,
    fields: Mapping[str, str] | None = None,
    output: str | Path | None = None,
    workers: int = 1,
    cache: bool | None = None,
    engine: Engine = "local",
    progress: Progress | None = None,
    runtime: RuntimeSettings | None = None,
    markers: Markers | None = None,
    replace: bool = False,
) -> Scores:
    """Score a run.

    Parameters
    ----------
    run
        Examples, dicts with the fields of files (`summary`, `references`, `doc_id` ...), a frame with such columns
        (pandas, polars, pyarrow), a dataset whose rows have them, a file or files of records, or an opened `Run`.
    metrics
        A spelling (several with commas between), metrics, several of either, or metrics by label.
    predictions
        In the place of `run`: the summaries of a system, or of several by name, in the order of the documents.
    references, documents
        With `predictions`: for each document a text, or a list of several texts.
    language
        Of records that do not name theirs; None means English.
    fields
        In which columns fields are, where they have other names than gistmeter knows: `{"summary": "output"}`.
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
    markers
        Whether markers of tokenizers and models (`<q>`, `[SEP]`, `-lrb-`) are read as line ends, brackets and quotes
        (`read`) or as text (`keep`); None means as the run says, which is `read` unless it was opened otherwise.
    replace
        Whether an output that is there already is replaced. Otherwise columns are added to it where it has scores of
        the same summaries and texts, and it is refused where it has not.

    Raises
    ------
    ArgumentError
        If there is no such engine, less than one worker, no run, or both a run and predictions.
    MetricError
        If there is no such metric or setting.
    DataError
        If lists are of unequal length, the run cannot be read, is empty or lacks what a metric needs, a language is
        unknown, or the output cannot be written.

    >>> examples = [Example(doc_id="1", system="a", summary="It rained.", references=("It rained a lot.",))]
    >>> score(examples, "rouge1").table["rouge1.recall"][0]
    0.5
    >>> score(metrics="rouge1", predictions=["It rained."], references=["It rained a lot."]).table["rouge1.recall"][0]
    0.5
    """
    if language is not None:
        language_code(language)  # refuses what is no language, before anything is read
    if metrics is None:
        raise ArgumentError('`metrics` says what to score by, such as metrics="rouge1"')
    used_cache = output is not None if cache is None else cache
    options = ScoringOptions(
        workers=workers, cache=used_cache, engine=engine, progress=progress, runtime=runtime, replace=replace
    )
    opened = _open_given(run, predictions, references, documents)
    opened = opened if fields is None else opened.with_fields(fields)
    opened = opened if language is None else opened.with_language(language)
    opened = opened if markers is None else opened.with_markers(markers)
    if output is None:
        return score_with_options(opened, metrics, options)
    stream_with_options(opened, metrics, output, options)
    return dataclasses.replace(Scores.read(output), file=None)  # it is no file of somebody else's


def _open_given(
    run: RunLike | None,
    predictions: Iterable[Any] | Mapping[str, Iterable[Any]] | None,
    references: Iterable[Any] | None,
    documents: Iterable[Any] | None,
) -> Run:
    """The run that `score` was given, as such or as lists."""
    if predictions is not None:
        if run is not None:
            raise ArgumentError("`run` and `predictions` both say what to score: give one (metrics go in `metrics=`)")
        return Run(memory=align_lists(predictions, references, documents))
    if run is None:
        raise ArgumentError("`run` or `predictions` says what to score, and neither is given")
    for name, texts in (("references", references), ("documents", documents)):
        if texts is not None:
            raise ArgumentError(f"`{name}` goes with `predictions`; the records of a run have their own {name}")
    return as_run(run)


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
    markers: Markers | None = None,
    replace: bool = False,
) -> Outcome:
    """Score a run into a file without ever holding all of it; says what was done, not the scores.

    The parameters, and what is raised, are those of `score`.
    """
    options = ScoringOptions(
        workers=workers, cache=cache, engine=engine, progress=progress, runtime=runtime, replace=replace
    )
    opened = as_run(run) if markers is None else as_run(run).with_markers(markers)
    return stream_with_options(opened, metrics, output, options)


def score_with_options(run: RunLike, metrics: Metrics, options: ScoringOptions) -> Scores:
    """Score a run into memory, and warn of what should be known."""
    labelled, opened = label_metrics(metrics), as_run(run)
    with use_settings(options.runtime), count_unknown_languages(opened):
        scores = score_in_memory(
            opened,
            labelled,
            workers=options.workers,
            cache=options.cache,
            engine=options.engine,
            progress=options.progress,
        )
    _warn(scores.notes)
    return scores


def stream_with_options(run: RunLike, metrics: Metrics, output: str | Path, options: ScoringOptions) -> Outcome:
    """Score a run into a file, and warn of what should be known."""
    opened = as_run(run)
    with use_settings(options.runtime), count_unknown_languages(opened):
        outcome = stream_scores(
            opened,
            label_metrics(metrics),
            Path(output),
            workers=options.workers,
            cache=options.cache,
            engine=options.engine,
            progress=options.progress,
            replace=options.replace,
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


def _warn(notes: Iterable[str]) -> None:
    """Warn the caller of the public function, three calls up."""
    for note in notes:
        warnings.warn(note, GistmeterWarning, stacklevel=outside_level())
