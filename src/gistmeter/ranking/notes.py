"""What a reader of a ranking or comparison should know: missing documents, pairs not tested, tests too weak."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from gistmeter.arrays import BoolArray, FloatArray
    from gistmeter.scores import ScoreColumn

_NOTES_PER_KIND = 5
"""How many notes of one kind are shown before the rest are only counted."""


class ReaderNotes:
    """What a reader should know, each said once however many scores it holds for."""

    def __init__(self) -> None:
        self._coverage: dict[str, list[str]] = {}
        self._untested: list[str] = []
        self._others: dict[str, None] = {}

    def add(self, text: str) -> None:
        """Note a text, once."""
        self._others[text] = None

    def add_coverage(self, systems: Sequence[str], present: BoolArray, column: ScoreColumn) -> None:
        """Note the systems that lack documents which others have."""
        self.add_counts(systems, present.sum(axis=1), column, total=int(np.count_nonzero(present.any(axis=0))))

    def add_counts(self, systems: Sequence[str], counts: NDArray[np.intp], column: ScoreColumn, *, total: int) -> None:
        """Note the systems that have fewer documents than there are."""
        for index in np.flatnonzero(counts < total).tolist():
            text = f"{systems[index]} has {counts[index]} of {total} documents"
            self._coverage.setdefault(text, []).append(column.name)

    def add_untested_pairs(self, pairs: int, column: ScoreColumn) -> None:
        """Note how many pairs have no document in common."""
        if pairs:
            noun = "pair shares" if pairs == 1 else "pairs share"
            self._untested.append(f"{pairs:,} {noun} no document that has {column.name}: not tested")

    def add_untested(
        self, systems: Sequence[str], values: FloatArray, pvalues: FloatArray, column: ScoreColumn
    ) -> None:
        """Note the pairs that both have values but no document in common."""
        scored = ~np.isnan(values)
        untested = np.triu(np.isnan(pvalues) & scored[:, None] & scored, 1)
        for first, second in np.argwhere(untested):
            pair = f"{systems[first]} and {systems[second]}"
            self._untested.append(f"{pair} share no document that has {column.name}: not tested")

    def add_too_few(self, pairs: int, present: BoolArray, permutations: int | None, alpha: float) -> None:
        """Note that no difference can be found: corrected for many pairs, even the smallest p-value exceeds alpha."""
        documents = int(np.count_nonzero(present.any(axis=0)))
        if pairs and documents < 64 and pairs * 2 / 2**documents > alpha:
            noun = "document is" if documents == 1 else "documents are"
            self.add(
                f"{documents} {noun} too few for the test to find any difference at alpha {alpha:g}: sharing a letter "
                "says nothing here"
            )
        elif permutations is not None and pairs / (permutations + 1) > alpha:
            self.add(
                f"{permutations} permutations are too few to find any difference among {pairs} pairs at "
                f"alpha {alpha:g}; use at least {int(np.ceil(pairs / alpha))}"
            )

    def texts(self, columns: int, ending: str) -> tuple[str, ...]:
        """All notes; a system's coverage names the scores only if it does not hold for all `columns`."""
        coverage = [
            f"{text}{'' if len(names) == columns else ' for ' + ', '.join(names)}; {ending}"
            for text, names in self._coverage.items()
        ]
        shown = coverage[:_NOTES_PER_KIND] + self._untested[:_NOTES_PER_KIND] + list(self._others)
        hidden = max(0, len(coverage) - _NOTES_PER_KIND) + max(0, len(self._untested) - _NOTES_PER_KIND)
        return (*shown, *([f"{hidden} more notes like these on missing documents"] if hidden else []))
