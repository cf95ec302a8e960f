"""What attacks do to scores: typed rows, and what a reader should know."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any

from gistmeter.result import Result, find_row
from gistmeter.scores import Better  # noqa: TC001  (read when a file is)
from gistmeter.wording import format_count

ROUNDING_SHARE = 1e-9
"""A change of less than this share of a score is one of the order in which numbers were added up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackEffect:
    """What one attack does to one score, over the summaries that have the score before and after.

    `change` is the mean of attacked summaries less that of clean ones, in the score's own units; `low` and `high` are
    the ends of a bootstrap interval over documents, NaN where there is a single document.
    """

    attack: str
    about: str
    column: str
    better: Better
    clean: float
    attacked: float
    change: float
    low: float
    high: float
    better_share: float
    """Share of summaries that score better once attacked; ties count half. NaN for a score of whole systems, and for
    one that does not say which way is good."""
    beats: int | None
    """How many systems have a worse mean than the attacked summaries; None where nothing says which way is good."""
    systems: int
    summaries: int
    documents: int
    undefined: int
    """Summaries that had the score, and have none once attacked."""
    unscored: int
    """Summaries that had no score before."""
    skipped: int
    """Summaries that the attack cannot be made of, such as shuffling one sentence."""
    words: float
    """Mean words of the attacked summaries."""
    clean_words: float

    @property
    def tried(self) -> int:
        """The summaries of the run, with those that the attack cannot be made of."""
        return self.summaries + self.undefined + self.unscored + self.skipped

    @property
    def gain(self) -> float:
        """The change in the direction that is good; NaN where nothing says which."""
        return {"higher": self.change, "lower": -self.change, "neither": math.nan}[self.better]

    @property
    def works(self) -> bool | None:
        """Whether the whole interval lies on the better side; None where there is no interval or no direction."""
        if self.better == "neither" or math.isnan(self.low):
            return None
        rounding = ROUNDING_SHARE * max(abs(self.clean), abs(self.attacked))
        return self.low > rounding if self.better == "higher" else self.high < -rounding


def order_by_gain(effect: AttackEffect) -> float:
    """A key that sorts the largest gain first; without a direction none comes first; undefined ones last."""
    if effect.better == "neither":
        return 0.0
    return math.inf if math.isnan(effect.gain) else -effect.gain


@dataclass(frozen=True, slots=True, kw_only=True)
class AttackEffects(Result):
    """The effects of all attacks, score after score, the most rewarded attack of a score first."""

    rows: tuple[AttackEffect, ...]
    resamples: int
    confidence: float
    seed: int
    signatures: dict[str, str]
    """The signature of each score."""
    left_out: tuple[str, ...] = ()
    """Sentences on attacks that the run has not what it takes for."""
    scoring_notes: tuple[str, ...] = ()
    """What scoring the clean summaries had to say."""

    def __getitem__(self, key: tuple[str, str]) -> AttackEffect:
        """The row of an attack and a score."""
        return find_row(self.rows, key, lambda row: (row.attack, row.column))

    def records(self) -> list[dict[str, Any]]:
        """A row for each score and attack."""
        return [{**asdict(row), "works": row.works} for row in self.rows]

    @property
    def notes(self) -> tuple[str, ...]:
        """Attacks left out, scores that are undefined once attacked, summaries that could not be attacked."""
        return (*self.left_out, *self._note_undefined(), *self._note_skipped(), *self.scoring_notes)

    def details(self) -> dict[str, Any]:
        """How the intervals were made, and the signatures of the scores."""
        return {
            "kind": "attacks",
            "resamples": self.resamples,
            "confidence": self.confidence,
            "seed": self.seed,
            "signatures": self.signatures,
        }

    def _note_undefined(self) -> list[str]:
        """A sentence for all attacks that leave as many summaries without the same scores."""
        columns: dict[tuple[str, int, int], list[str]] = {}
        for row in self.rows:
            if row.undefined:
                columns.setdefault((row.attack, row.undefined, row.summaries + row.undefined), []).append(row.column)
        attacks: dict[tuple[str, int, int], list[str]] = {}
        for (attack, undefined, total), names in columns.items():
            attacks.setdefault((", ".join(names), undefined, total), []).append(attack)
        return [
            f"{', '.join(names)}: {undefined} of {total} attacked summaries have no {scores} (NaN), and do not count "
            "in a mean"
            for (scores, undefined, total), names in attacks.items()
        ]

    def _note_skipped(self) -> list[str]:
        skipped = {row.attack: row for row in self.rows if row.skipped}
        return [
            f"{name}: {row.skipped} of {format_count(row.tried, 'summary')} cannot be changed so, and are left out"
            for name, row in skipped.items()
        ]
