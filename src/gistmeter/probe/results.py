"""What a probe found: for each document the summary that a metric likes best, beside the systems and the reference.

A probe is kept in a file of JSON lines: the first says which metric was probed and how, each other one is a document.
"""

from __future__ import annotations

import math
from collections.abc import Mapping  # noqa: TC003  (files of probes are read by the types of the fields)
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from gistmeter.result import Result

if TYPE_CHECKING:
    from collections.abc import Callable

ProbeMethod = Literal["optimise", "rerank", "direct"]
"""How summaries were found: extracts of the document, picks from a pool, or what the metric itself generates."""

OPTIMISED = "(optimised)"
REFERENCE = "(reference)"
"""How tables call the summaries of the probe and the references; names of systems have no brackets around them."""

LONGER_SHARE = 1.2
"""From how many times the length of the systems' summaries on length may explain what a probe finds."""

_GREEDY_WITHIN_WORDS = (
    "within a number of words a greedy search often takes a long sentence, after which no other fits: `search=beam` "
    "finds better extracts"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbedDocument:
    """The summary of one document that a metric likes best, and what the metric gives to the others."""

    doc_id: str
    summary: str
    score: float
    words: int
    system_scores: Mapping[str, float] = field(default_factory=dict)
    """What the metric gives to each system, NaN where it gives nothing."""
    system_words: Mapping[str, int] = field(default_factory=dict)
    reference_score: float = math.nan
    """What it gives to the first reference; NaN where there is none."""
    reference_words: int = 0
    sentences: tuple[int, ...] = ()
    """Which sentences of the document were taken, counted from 0; none where the summary is no extract."""
    source: str = ""
    """Whose summary was picked, where it was picked from a pool."""
    tried: int = 0
    """How many summaries were scored or estimated to find it."""


class Standing(NamedTuple):
    """The mean score and length of a system, of the references or of the probe."""

    name: str
    score: float
    words: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe(Result):
    """The summaries that a metric likes best, over the documents of a run.

    Means of systems are over the documents that were probed; `better` says which way the metric is good.
    """

    metric: str
    """As it is spelled."""
    column: str
    """The one of its scores that was made as good as possible."""
    better: Literal["higher", "lower"]
    signature: str
    method: ProbeMethod
    settings: Mapping[str, str]
    """How it was searched, each setting as text."""
    documents: tuple[ProbedDocument, ...]
    remarks: tuple[str, ...] = ()
    """What the search could not do, in sentences."""

    @property
    def name(self) -> str:
        """The score that was probed, as files of scores call it."""
        return f"{self.metric}.{self.column}"

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems of the run, in their order."""
        return tuple(dict.fromkeys(name for document in self.documents for name in document.system_scores))

    @property
    def optimised(self) -> Standing:
        """The mean score and length of the summaries that were found."""
        return Standing(OPTIMISED, *self._average(lambda document: (document.score, document.words)))

    @property
    def reference(self) -> Standing:
        """The mean score and length of the first references; NaN where there are none."""
        return Standing(
            REFERENCE, *self._average(lambda document: (document.reference_score, document.reference_words))
        )

    def average_system(self, name: str) -> Standing:
        """The mean score and length of a system."""
        return Standing(
            name,
            *self._average(
                lambda document: (document.system_scores.get(name, math.nan), document.system_words.get(name, 0))
            ),
        )

    @property
    def standings(self) -> tuple[Standing, ...]:
        """All systems, the probe and the references, the best first; those without a score last."""
        sign = -1 if self.better == "higher" else 1
        listed = [self.optimised, self.reference, *map(self.average_system, self.systems)]
        scored = [standing for standing in listed if not math.isnan(standing.score) or standing.name != REFERENCE]
        return tuple(sorted(scored, key=lambda each: (math.isnan(each.score), sign * each.score)))

    @property
    def rank(self) -> int:
        """The place of the probe among the systems by the metric itself, from 1; equal scores share the better one."""
        score = self.optimised.score
        return 1 + sum(self.is_better(self.average_system(name).score, score) for name in self.systems)

    @property
    def length_share(self) -> float:
        """How many times as long as the systems' summaries those of the probe are, in words; NaN without systems."""
        lengths = [self.average_system(name).words for name in self.systems]
        present = [words for words in lengths if words > 0]
        return self.optimised.words / (sum(present) / len(present)) if present else math.nan

    def is_better(self, score: float, other: float) -> bool:
        """Whether one score of the metric is better than another."""
        return score > other if self.better == "higher" else score < other

    def records(self) -> list[dict[str, Any]]:
        """A row for the probe, for the references and for each system, the best first."""
        return [
            {"system": standing.name, "score": standing.score, "words": _round_words(standing.words)}
            for standing in self.standings
        ]

    def details(self) -> dict[str, Any]:
        """The metric and how it was searched."""
        return {
            "metric": self.metric,
            "column": self.column,
            "better": self.better,
            "signature": self.signature,
            "method": self.method,
            "settings": dict(self.settings),
            "documents": len(self.documents),
            "rank": self.rank,
            "length_share": self.length_share,
        }

    @property
    def notes(self) -> tuple[str, ...]:
        """How much longer than the systems' summaries the found ones are, and what the search could not do."""
        remarks = self.remarks
        if self.settings.get("search") == "greedy" and self.settings.get("words", "any") != "any":
            remarks = (_GREEDY_WITHIN_WORDS, *remarks)
        share = self.length_share
        if not share >= LONGER_SHARE:
            return remarks
        systems = self.optimised.words / share
        length = (
            f"the summaries found have {self.optimised.words:.0f} words where the systems' have {systems:.0f} "
            f"({share:.1f} times as many): length may explain their score"
        )
        bound = f"; `words={systems:.0f}` bounds it" if self.method == "optimise" else ""
        return (length + bound, *remarks)

    def _average(self, read: Callable[[ProbedDocument], tuple[float, float]]) -> tuple[float, float]:
        """The means of a score and of the number of words, over the documents that have the score."""
        pairs = [pair for pair in map(read, self.documents) if not math.isnan(pair[0])]
        if not pairs:
            return math.nan, math.nan
        return sum(score for score, _ in pairs) / len(pairs), sum(words for _, words in pairs) / len(pairs)


def _round_words(words: float) -> int | float:
    return words if math.isnan(words) else round(words)
