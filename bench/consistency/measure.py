"""How judges of consistency do on the pairs of our own, by kind."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from bench.figures.page import figure
from gistmeter import Example
from gistmeter.metrics import parse_metric

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

PAIRS = Path(__file__).parent / "pairs.toml"
USER_PAIRS = Path(__file__).parent / "users.toml"
ALL = "all"
_TURN = re.compile(r"[A-Z]\w+: ")


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimPair:
    """A document, what its two claims differ in, a claim that it supports and one that it does not."""

    kind: str
    document: str
    supported: str
    unsupported: str
    is_open: bool = False
    """Whether choices may be made by it."""


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


def read_pairs(file: Path = PAIRS) -> tuple[ClaimPair, ...]:
    """A set; the turns of a dialogue stay on lines of their own."""
    documents = tomllib.loads(file.read_text("utf-8"))["document"]
    return tuple(
        ClaimPair(
            kind=kind,
            document=_join_lines(entry["text"]),
            supported=supported,
            unsupported=unsupported,
            is_open=entry.get("open", False),
        )
        for entry in documents
        for kind, supported, unsupported in entry["pairs"]
    )


def measure_pairs(metric: str = "consistency") -> list[PairFigures]:
    """The shares of all pairs, and of each kind, by the first column of a metric."""
    pairs = read_pairs()
    kinds = np.array([pair.kind for pair in pairs])
    groups = {ALL: np.ones(len(pairs), dtype=bool), **{kind: kinds == kind for kind in dict.fromkeys(kinds.tolist())}}
    return _measure_groups(pairs, groups, metric)


def measure_user_pairs(metric: str = "consistency") -> list[PairFigures]:
    """The shares of pairs about texts as users have them: those that are open to choices, and the others."""
    pairs = read_pairs(USER_PAIRS)
    is_open = np.array([pair.is_open for pair in pairs])
    return _measure_groups(pairs, {"anything, open to choices": is_open, "anything, not looked at": ~is_open}, metric)


def _measure_groups(
    pairs: Sequence[ClaimPair], groups: Mapping[str, NDArray[np.bool_]], metric: str
) -> list[PairFigures]:
    examples = [
        Example(doc_id=str(number), system=system, summary=summary, document=pair.document)
        for number, pair in enumerate(pairs)
        for system, summary in (("supported", pair.supported), ("unsupported", pair.unsupported))
    ]
    scores = parse_metric(metric).score(examples)[:, 0].reshape(-1, 2)
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


def _join_lines(text: str) -> str:
    lines = [" ".join(line.split()) for line in text.splitlines()]
    is_dialogue = all(_TURN.match(line) for line in lines)
    return ("\n" if is_dialogue else " ").join(lines)


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
