"""How judges of consistency do on the pairs of our own, by kind."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bench.figures.page import figure
from gistmeter import Example
from gistmeter.metrics import parse_metric

PAIRS = Path(__file__).parent / "pairs.toml"
ALL = "all"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimPair:
    """A document, what its two claims differ in, a claim that it supports and one that it does not."""

    kind: str
    document: str
    supported: str
    unsupported: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PairFigures:
    """Shares of pairs of one kind: right claim above .5, wrong one not, both, and the right one above the wrong one."""

    kind: str
    pairs: int
    found: float
    refused: float
    ordered: float

    @property
    def right(self) -> float:
        """The share of claims, of either sort, that are on the right side of .5."""
        return (self.found + self.refused) / 2


def read_pairs() -> tuple[ClaimPair, ...]:
    """The set."""
    documents = tomllib.loads(PAIRS.read_text("utf-8"))["document"]
    return tuple(
        ClaimPair(kind=kind, document=" ".join(entry["text"].split()), supported=supported, unsupported=unsupported)
        for entry in documents
        for kind, supported, unsupported in entry["pairs"]
    )


def measure_pairs(metric: str = "consistency") -> list[PairFigures]:
    """The shares of all pairs, and of each kind, by the first column of a metric."""
    pairs = read_pairs()
    examples = [
        Example(doc_id=str(number), system=system, summary=summary, document=pair.document)
        for number, pair in enumerate(pairs)
        for system, summary in (("supported", pair.supported), ("unsupported", pair.unsupported))
    ]
    scores = parse_metric(metric).score(examples)[:, 0].reshape(-1, 2)
    kinds = np.array([pair.kind for pair in pairs])
    groups = {ALL: np.ones(len(pairs), dtype=bool), **{kind: kinds == kind for kind in dict.fromkeys(kinds.tolist())}}
    return [
        PairFigures(
            kind=kind,
            pairs=int(rows.sum()),
            found=float((scores[rows, 0] > 0.5).mean()),
            refused=float((scores[rows, 1] <= 0.5).mean()),
            ordered=float((scores[rows, 0] > scores[rows, 1]).mean()),
        )
        for kind, rows in groups.items()
    ]


def write_rows(figures: list[PairFigures]) -> str:
    """The shares as a table in Markdown."""
    lines = [
        "| claims differ in | pairs | supported found | unsupported refused | claims right | in the right order |",
        "|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {row.kind} | {row.pairs} | {figure(row.found, 2)} | {figure(row.refused, 2)} | {figure(row.right, 2)} | "
        f"{figure(row.ordered, 2)} |"
        for row in figures
    ]
    return "\n".join(lines)
