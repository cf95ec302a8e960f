"""Tables of your own: scores and judgments of your systems, fitted as the shipped tables are."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import ArgumentError, DataError
from gistmeter.io.atomic import check_output
from gistmeter.io.files import file_stem
from gistmeter.judgments import Judgments, choose_aspect
from gistmeter.ranking.columns import choose_columns, main_columns, note_columns
from gistmeter.ranking.trust.fit import FitOptions, JudgedScores, fit_table
from gistmeter.ranking.trust.tables import Dataset, Table, write_tables
from gistmeter.scores import Scores
from gistmeter.wording import format_count

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.scores import ScoreColumn


@dataclass(frozen=True, slots=True)
class FittedTables:
    """Tables that were fitted to a user's data, and what could not be."""

    tables: tuple[Table, ...]
    skipped: tuple[str, ...]
    """The scores without a table, each with the reason."""
    notes: tuple[str, ...]
    """What joining left out, and what a reader should know."""


def fit(
    scores: Scores | str | Path,
    judgments: Judgments | str | Path,
    *,
    output: str | Path | None = None,
    aspect: str | None = None,
    columns: Sequence[str] | None = None,
    lower: str | Sequence[str] = (),
    higher: str | Sequence[str] = (),
    every: bool = False,
    name: str | None = None,
    about: str = "",
    date: str | None = None,
    resamples: int = 2000,
    confidence: float = 0.95,
    seed: int = 0,
) -> FittedTables:
    """Tables for scores of your own systems, from what people said of the same summaries.

    Parameters
    ----------
    scores
        The scores, or the file they are in.
    judgments
        What people said, or the file it is in: records with `human` or `annotators`, or a long table.
    output
        Where to write the tables, for `read_tables` and `--table`.
    aspect
        The judgment that stands for people; needed where there are several.
    columns
        Which scores to fit, such as `rouge1.f1`; by default those that `every` says.
    lower, higher
        The names of scores whose lower (or higher) values are better, where nothing says so, or says otherwise.
    every
        Whether all scores are fitted, or only those that are shown first: not precision and recall beside an f1.
    name
        What answers call the dataset; by default the name of the file of judgments.
    about
        What a reader should know of the dataset: texts, raters, question.
    date
        The day that the tables give as that of their making; by default today.
    resamples, confidence, seed
        Of the intervals: how many resamples of systems and documents, how wide, and drawn by which seed.

    Returns
    -------
    FittedTables
        The tables, the scores that could not be fitted and why, and what joining left out.

    Raises
    ------
    ArgumentError
        If there are several aspects and none is named.
    DataError
        If a file cannot be read, scores and judgments have too little in common, or no score can be fitted.

    >>> from gistmeter import api
    >>> from gistmeter.demo import demo_run
    >>> judgments = demo_run().with_name("judgments.jsonl")
    >>> fitted = fit(api.score(demo_run(), "rouge1"), judgments, name="demo", resamples=100)
    >>> [table.name for table in fitted.tables]
    ['rouge1.f1']
    >>> from gistmeter.ranking.trust.ask import trust
    >>> [answer.dataset.name for answer in trust("rouge1", 0.02, tables=fitted.tables).sets]
    ['demo']
    """
    called = name or (file_stem(str(judgments)) if isinstance(judgments, (str, Path)) else "judgments")
    inputs = [given for given in (scores, judgments) if isinstance(given, (str, Path))]
    scores = Scores.of(scores)
    if output is not None:
        check_output(output, [*inputs, *scores.origin.all_files])
    judgments = judgments if isinstance(judgments, Judgments) else Judgments.read(judgments)
    dataset = Dataset(called, choose_aspect(judgments.aspects, aspect), about, references=0)
    people = _PeopleByCell.read(judgments, dataset.aspect)
    chosen = choose_columns(scores, columns, lower=lower, higher=higher)
    if columns is None:
        chosen = [column for column in main_columns(chosen, every=every) if column.better != "neither"]
    options = FitOptions(
        command="gistmeter trust fit",
        date=_check_date(date),
        resamples=resamples,
        confidence=confidence,
        seed=seed,
    )
    tables, skipped = [], []
    for column in chosen:
        try:
            judged = JudgedScores(dataset, *_join(scores, column, people))
            tables.append(fit_table(column, [judged], options))
        except DataError as error:
            if columns is not None or len(chosen) == 1:
                raise
            skipped.append(str(error))
    if not tables:
        others = f"; nor can {format_count(len(skipped) - 1, 'other')}" if len(skipped) > 1 else ""
        raise DataError(f"no score can be calibrated: {skipped[0] if skipped else 'there is none'}{others}")
    if output is not None:
        write_tables(tables, output)
    notes = (*note_columns(chosen), *_list_notes(scores, people, tables))
    return FittedTables(tuple(tables), tuple(skipped), notes)


@dataclass(frozen=True, slots=True)
class _PeopleByCell:
    """Judgments of one aspect by system and document."""

    values: dict[tuple[str, str], float]

    @classmethod
    def read(cls, judgments: Judgments, aspect: str) -> _PeopleByCell:
        rows = judgments.means(aspect).select("system", "doc_id", "value").iter_rows()
        return cls({(system, doc_id): value for system, doc_id, value in rows})

    def matrix(self, systems: Sequence[str], documents: Sequence[str]) -> FloatArray:
        return np.array([[self.values.get((system, doc_id), np.nan) for doc_id in documents] for system in systems])


def _check_date(date: str | None) -> str:
    """The day given, or today."""
    try:
        return (datetime.date.today() if date is None else datetime.date.fromisoformat(date)).isoformat()
    except ValueError:
        raise ArgumentError(f"`date` is a day such as 2026-01-31, not {date}") from None


def _join(scores: Scores, column: ScoreColumn, people: _PeopleByCell) -> tuple[FloatArray, FloatArray]:
    """The scores of a column and the judgments of the same summaries."""
    if column.better == "neither":
        raise DataError(f"{column.name} describes and does not judge: neither high nor low is better")
    table = scores.matrix(column.name)
    judgments = people.matrix(table.systems, table.documents)
    if np.isnan(judgments).all():
        raise DataError("scores and judgments share no summary: do the names of systems and documents match?")
    return table.values, judgments


def _list_notes(scores: Scores, people: _PeopleByCell, tables: Iterable[Table]) -> Iterator[str]:
    judged_systems = {system for system, _ in people.values}
    judged_documents = {doc_id for _, doc_id in people.values}
    yield from scores.note_unmatched(judged_systems, judged_documents)
    without = [table.name for table in tables if "significant" not in table.people]
    if without:
        yield f"people tell no pair of systems apart significantly: no such table for {', '.join(without)}"
