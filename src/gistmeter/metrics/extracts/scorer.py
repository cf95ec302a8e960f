"""ExtractScorer: the protocol of a metric that scores extracts without reading them as new texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gistmeter.arrays import FloatArray

Choice = tuple[int, ...]
"""The sentences of an extract by their positions in the document, in its order."""


class ExtractScorer(Protocol):
    """Scores choices among the sentences of one document, which it has read once."""

    @property
    def estimates(self) -> bool:
        """Whether scores are estimates; if not, they are those that the metric gives to the extract as a summary."""

    def score(self, choices: Sequence[Choice]) -> FloatArray:
        """A row for each choice with the metric's columns; NaN where the metric gives nothing."""


@runtime_checkable
class NarrowingScorer(ExtractScorer, Protocol):
    """A scorer that estimates, and comes to an estimate and to a score by steps: a search stops at what is too low."""

    def narrow_estimate(self, choice: Choice) -> Iterator[FloatArray]:
        """Columns that the estimate does not exceed, nearer with each row; the last are the estimate."""

    def narrow_score(self, choice: Choice) -> Iterator[FloatArray]:
        """Columns that the metric's own for this extract do not exceed, nearer with each row; the last are its own."""


def join_extract(sentences: Sequence[str], choice: Choice) -> str:
    """The extract of a choice as a summary: its sentences as lines, which metrics on sentences read as they are.

    >>> join_extract(["It rained.", "It was cold.", "Rome was wet."], (0, 2))
    'It rained.\\nRome was wet.'
    """
    return "\n".join(sentences[position] for position in choice)
