"""What accumulates while batches are scored: which summaries, what the data decided, what to warn about."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import DataError
from gistmeter.scores import ScoreColumn
from gistmeter.scoring.batch import OWN_REFERENCE, READ_MARKERS, add_traits, missing_key
from gistmeter.scoring.languages import note_languages, note_unused_language
from gistmeter.scoring.row_keys import RowKeys

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from gistmeter.io.runs import Run
    from gistmeter.io.score_files.origin import Origin
    from gistmeter.metrics.metric import Metric
    from gistmeter.scoring.batch import ScoredBatch, Traits


@dataclass(frozen=True, slots=True)
class Outcome:
    """What scoring gave: the columns with their signatures, how many rows, and what to tell the user."""

    columns: tuple[ScoreColumn, ...]
    rows: int
    notes: tuple[str, ...]
    origin: Origin
    earlier: tuple[str, ...] = ()
    """The metrics that the output had before, which stay beside the new ones."""


class Tally:
    """What accumulates while batches come in: who was scored already, traits, counts."""

    def __init__(self, metrics: Mapping[str, Metric]) -> None:
        self._metrics = metrics
        self._scored_keys = RowKeys()
        self._traits: Traits = {}
        self._counts: Counter[str] = Counter()
        self._missing: Counter[str] = Counter()
        self._widths = {label: len(metric.summary_columns) for label, metric in metrics.items()}
        self._first_columns: dict[str, int] = {}
        width_before = 0
        for label, metric in metrics.items():
            if self._widths[label]:
                self._first_columns[label] = width_before
            width_before += metric.width
        self._rows = 0

    def add(self, scored: ScoredBatch) -> None:
        """Count a batch in; a document twice from one system is a mistake."""
        index = self._scored_keys.add(scored.doc_ids, scored.systems)
        if index is not None:
            where, doc_id, system = scored.locations.describe(index), scored.doc_ids[index], scored.systems[index]
            raise DataError(f"{where}: document {doc_id!r} by system {system!r} is there twice")
        self._rows += len(scored.doc_ids)
        self._counts += scored.counts
        for label, column in self._first_columns.items():
            self._missing[label] += int(
                np.isnan(scored.numbers[:, column : column + self._widths[label]]).all(axis=1).sum()
            )
        add_traits(self._traits, scored.traits)

    def outcome(self, run: Run) -> Outcome:
        """The columns and notes once all batches are in."""
        if not self._rows:
            raise DataError(f"there are no summaries in {', '.join(run.origin.summary_files) or 'the run'}")
        return Outcome(
            columns=tuple(_describe_columns(self._metrics, self._traits)),
            rows=self._rows,
            notes=tuple(self._notes(run)),
            origin=run.origin,
        )

    def _notes(self, run: Run) -> Iterator[str]:
        """Sentences on empty texts and missing scores, with how many summaries each holds of."""
        sentences = {
            "empty summary": "summaries are empty: their scores of overlap are 0",
            "empty references": "summaries have only empty references: scores against them are missing (NaN)",
            "empty document": "summaries have an empty document: scores against it are missing (NaN)",
        }
        needs = {need for metric in self._metrics.values() for need in metric.needs}
        relevant = {
            "empty summary": True,
            "empty references": "references" in needs,
            "empty document": "document" in needs,
        }
        for what, sentence in sentences.items():
            if self._counts[what] and relevant[what]:
                yield f"{self._counts[what]} of {self._rows} {sentence}"
        if self._counts[READ_MARKERS]:
            yield (
                f"{self._counts[READ_MARKERS]} of {self._rows} summaries, or what they are compared with, have markers "
                '(<q>, [SEP], -lrb-, ``): read as line ends, brackets and quotes (--markers keep, or markers="keep", '
                "takes them as they are)"
            )
        yield from note_unused_language(self._counts, self._rows, run.defaults.language)
        yield from note_languages(self._counts)
        yield from self._note_own_references()
        for label, missing in self._missing.items():
            noted = sum(self._counts[f"empty {need}"] for need in self._metrics[label].needs)
            if missing > noted:
                yield f"{missing} of {self._rows} summaries have no {label} (NaN): {self._list_reasons(label)}"

    def _note_own_references(self) -> Iterator[str]:
        """A sentence on systems whose summaries are among their own references, if a metric compares them so.

        A summary scored alone is compared with no other, and nobody is misled.
        """
        misled = [label for label, metric in self._metrics.items() if metric.rewards_own_reference]
        own = {
            key.removeprefix(OWN_REFERENCE): count
            for key, count in self._counts.items()
            if key.startswith(OWN_REFERENCE)
        }
        if misled and own and self._rows > 1:
            systems = ", ".join(f"{system} ({count})" for system, count in own.items())
            yield (
                f"{sum(own.values())} of {self._rows} summaries are one of their own references and score highest "
                f"against themselves: {systems}; leave them out, or score jackknife(metric={misled[0]})"
            )

    def _list_reasons(self, label: str) -> str:
        """Why scores are missing, the most frequent reason first, with how many summaries each holds of."""
        start = missing_key(label, "")
        reasons = {key.removeprefix(start): count for key, count in self._counts.most_common() if key.startswith(start)}
        if len(reasons) == 1:
            return next(iter(reasons))
        return "; ".join(f"{reason} ({count})" for reason, count in reasons.items()) or self._metrics[label].missing


def _describe_columns(metrics: Mapping[str, Metric], traits: Traits) -> Iterator[ScoreColumn]:
    for label, metric in metrics.items():
        signature = metric.signature(traits.get(label))
        parts = tuple(f"{label}.{part}" for part in metric.parts)
        for column in metric.columns:
            yield ScoreColumn(
                name=f"{label}.{column.name}",
                signature=signature,
                better=column.better,
                about=column.about,
                parts=parts if column.pooled else (),
                reference_free=metric.is_reference_free(column.name),
            )
