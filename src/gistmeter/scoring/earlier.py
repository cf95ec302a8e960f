"""The scores that an output has already: new columns are put beside them, and nothing is overwritten unasked."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import polars as pl

from gistmeter.errors import DataError
from gistmeter.io.score_tables import CONTENT_COLUMN
from gistmeter.scores import KEYS, Scores
from gistmeter.wording import format_count

if TYPE_CHECKING:
    from pathlib import Path

    from gistmeter.scores import ScoreColumn
    from gistmeter.scoring.batch import ScoredBatch
    from gistmeter.scoring.tally import Outcome

WAYS_OUT = "`replace=True` replaces the file; or name another output"


class EarlierScores:
    """What a file has that scores are written to: the same summaries by other metrics, or it is refused."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            scores = Scores.read(path)
        except DataError as error:
            raise DataError(f"{path} is there already and is no file of scores ({error}): {WAYS_OUT}") from None
        if scores.contents is None or not any(column.stated for column in scores.columns):
            raise DataError(f"{path} is there already and does not say which texts were scored: {WAYS_OUT}")
        self._scores = scores
        self._contents = {(doc_id, system): content for doc_id, system, content in scores.contents.iter_rows()}
        self._unseen = set(self._contents)

    def check(self, scored: ScoredBatch) -> None:
        """Refuse summaries that the file lacks, or whose texts were others when they were scored."""
        for doc_id, system, content in zip(scored.doc_ids, scored.systems, scored.contents, strict=True):
            stored = self._contents.get((doc_id, system))
            if stored is None:
                raise DataError(f"{self._path} has scores of another run, without {system}/{doc_id}: {WAYS_OUT}")
            joined = _join_contents(stored, content)
            if joined is None:
                raise DataError(
                    f"{self._path} has scores of other texts: {system}/{doc_id} has changed since: {WAYS_OUT}"
                )
            self._contents[doc_id, system] = joined
            self._unseen.discard((doc_id, system))

    def merge(self, table: pl.LazyFrame, outcome: Outcome) -> tuple[pl.LazyFrame, Outcome]:
        """The rows of the file with the columns that were scored now, and what there is to say of all of them."""
        if self._unseen:
            doc_id, system = min(self._unseen)
            lacking = format_count(len(self._unseen), "summary")
            raise DataError(
                f"{self._path} has scores of {lacking} that this run lacks, such as {system}/{doc_id}: {WAYS_OUT}"
            )
        new_columns = {column.name: column for column in outcome.columns}
        earlier = tuple(column for column in self._scores.columns if column.name not in new_columns)
        for column in self._scores.columns:
            self._refuse_other_signature(column, new_columns.get(column.name))
        numbers = dict.fromkeys(number for column in earlier for number in column.parts or (column.name,))
        scored_numbers = [name for name in table.collect_schema().names() if name not in (*KEYS, CONTENT_COLUMN)]
        left = self._scores.table.lazy().select(*KEYS, *(name for name in numbers if name not in scored_numbers))
        contents = pl.DataFrame(
            [(*key, content) for key, content in self._contents.items()],
            schema=dict.fromkeys((*KEYS, CONTENT_COLUMN), pl.String),
            orient="row",
        )
        merged = left.join(table.drop(CONTENT_COLUMN), on=KEYS, how="left", maintain_order="left").join(
            contents.lazy(), on=KEYS, how="left", maintain_order="left"
        )
        return merged, replace(
            outcome,
            columns=(*earlier, *outcome.columns),
            notes=tuple(dict.fromkeys((*self._scores.notes, *outcome.notes))),
            earlier=tuple(dict.fromkeys(column.metric for column in earlier)),
        )

    def _refuse_other_signature(self, column: ScoreColumn, new: ScoreColumn | None) -> None:
        if new is not None and column.stated and new.signature != column.signature:
            raise DataError(
                f"{column.name} in {self._path} was computed otherwise ({column.signature}; now {new.signature}): "
                f"{WAYS_OUT}"
            )


def _join_contents(stored: str, content: str) -> str | None:
    """The digests of both, or None where they differ; a text that one of them lacks, such as a document, may be added.

    >>> _join_contents("a1.b2..", "a1.b2.c3."), _join_contents("a1.b2..", "a1.b9..")
    ('a1.b2.c3.', None)
    """
    pairs = list(zip(stored.split("."), content.split("."), strict=False))
    if any(before and now and before != now for before, now in pairs):
        return None
    return ".".join(before or now for before, now in pairs)
