"""Findings: all that probes and attacks say about one score, and about several."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from gistmeter.probe.against_references import find_systems_above_reference
from gistmeter.probe.findings.verdict import write_verdict
from gistmeter.probe.results import OPTIMISED, REFERENCE
from gistmeter.result import Result, find_row

if TYPE_CHECKING:
    from gistmeter.probe.against_references import PseudoReference, ReferenceRank, SystemsAboveReference
    from gistmeter.probe.attacks import AttackEffect
    from gistmeter.probe.results import Probe
    from gistmeter.scores import Better


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreStanding:
    """What a system, the references or the optimised summaries have by the score and by one with references."""

    name: str
    score: float
    against: float
    """By the score that compares with references; NaN where there is none, as for the references themselves."""
    words: float

    @property
    def is_optimised(self) -> bool:
        """Whether these are the summaries that were made for the score."""
        return self.name == OPTIMISED

    @property
    def is_reference(self) -> bool:
        """Whether these are the references."""
        return self.name == REFERENCE


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreFindings:
    """What is found about one score; parts that nobody looked for are None or empty."""

    name: str
    """The score, such as js.divergence."""
    better: Better
    signature: str
    reference_free: bool | None = None
    """Whether its metric looks at no reference; None where nobody said."""
    probe: Probe | None = None
    ranked: ReferenceRank | None = None
    pseudo: PseudoReference | None = None
    against_better: Better = "higher"
    """Which way is good for the score with references."""
    attacks: tuple[AttackEffect, ...] = ()
    confidence: float = 0.95
    """Of the intervals of the attacks."""
    remarks: tuple[str, ...] = ()

    @property
    def above(self) -> SystemsAboveReference | None:
        """Which systems the score puts above the references; None where there are no references."""
        if self.probe is None or math.isnan(self.probe.reference.score):
            return None
        return find_systems_above_reference(self.probe)

    @property
    def working(self) -> tuple[AttackEffect, ...]:
        """The attacks that work, the most rewarded first."""
        return tuple(sorted((row for row in self.attacks if row.works), key=lambda row: -row.gain))

    @property
    def standings(self) -> tuple[ScoreStanding, ...]:
        """The systems, the references and the optimised summaries, the best by the score first."""
        if self.probe is None:
            return ()
        against = {} if self.ranked is None else {**self.ranked.system_scores, OPTIMISED: self.ranked.score}
        return tuple(
            ScoreStanding(
                name=standing.name,
                score=standing.score,
                against=against.get(standing.name, math.nan),
                words=standing.words,
            )
            for standing in self.probe.standings
        )

    @property
    def verdict(self) -> str:
        """What these numbers say, in one paragraph."""
        return write_verdict(self)

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader of the numbers should know."""
        return (*(() if self.probe is None else self.probe.notes), *self.remarks)

    def to_dict(self) -> dict[str, Any]:
        """All of it as JSON has it, texts of summaries left out."""
        above, pseudo = self.above, self.pseudo
        return {
            "score": self.name,
            "better": self.better,
            "signature": self.signature,
            "reference_free": self.reference_free,
            "verdict": self.verdict,
            "documents": None if self.probe is None else len(self.probe.documents),
            "settings": None if self.probe is None else dict(self.probe.settings),
            "rank": None if self.probe is None else self.probe.rank,
            "length_share": None if self.probe is None else self.probe.length_share,
            "standings": [asdict(standing) for standing in self.standings],
            "above_reference": None if above is None else {"systems": list(above.above), "of": above.systems},
            "reference_rank": None
            if self.ranked is None
            else {"score": self.ranked.metric, "rank": self.ranked.rank, "of": self.ranked.ranked},
            "pseudo_reference": None
            if pseudo is None
            else {"score": pseudo.metric, "pseudo_r": pseudo.pseudo_r, "gold_r": pseudo.gold_r},
            "attacks": [{**asdict(row), "works": row.works} for row in self.attacks],
            "notes": list(self.notes),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeReport(Result):
    """What probes and attacks say about several scores."""

    scores: tuple[ScoreFindings, ...]
    against: str
    """The score with references that all are held against."""

    def __getitem__(self, name: str) -> ScoreFindings:
        """The findings about the score of that name."""
        return find_row(self.scores, name, lambda findings: (findings.name,))

    def records(self) -> list[dict[str, Any]]:
        """A row for each score."""
        return [self._describe(findings) for findings in self.scores]

    def details(self) -> dict[str, Any]:
        """All findings with their verdicts."""
        return {"against": self.against, "scores": [findings.to_dict() for findings in self.scores]}

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader of the numbers should know, with the score that it is said of."""
        return tuple(f"{findings.name}: {note}" for findings in self.scores for note in findings.notes)

    def _describe(self, findings: ScoreFindings) -> dict[str, Any]:
        probe, above, ranked, pseudo = findings.probe, findings.above, findings.ranked, findings.pseudo
        judged = [row for row in findings.attacks if row.works is not None]
        return {
            "score": findings.name,
            "better": findings.better,
            "optimised": math.nan if probe is None else probe.optimised.score,
            "reference": math.nan if probe is None else probe.reference.score,
            "rank": None if probe is None else probe.rank,
            "systems": None if probe is None else len(probe.systems),
            "length": math.nan if probe is None else probe.length_share,
            "above reference": None if above is None else len(above.above),
            f"{self.against} rank": None if ranked is None else ranked.rank,
            "pseudo r": math.nan if pseudo is None else pseudo.pseudo_r,
            "gold r": math.nan if pseudo is None else pseudo.gold_r,
            "attacks": len(judged),
            "working": len(findings.working),
        }
