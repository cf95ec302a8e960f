"""How judges of content units do on the set of contradictions, by kind."""

from __future__ import annotations

import json
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from bench.figures.page import Table, figure
from gistmeter.units.judge import PRESENT_ABOVE, UnitJudge

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gistmeter.arrays import FloatArray

PAIRS = Path(__file__).parent / "pairs.jsonl"
KINDS = ("number", "quantity", "date", "name", "role", "direction", "negation", "modality")
HEADER = ("pairs differ in", "pairs", "contradicted refused", "stated found", "stated above contradicted")
_TEXT = """120 summaries of our own writing, each with a unit that it states and the same unit with one thing changed,
which it contradicts (`bench/contradictions/pairs.jsonl`; nothing is learned from them). A unit is found above .5 and
refused else. The embedded judge has the unit alone in sight, no reference; before the arrow it did not count
conflicts between unit and summary (`presence:rules-1`). Rules and set have one author; pairs of the held out half were
not read while rules were written, but its shares were seen. `python -m bench.contradictions` measures it."""

Part = Literal["open", "held out"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ContradictionPair:
    """A summary, a unit that it states and a unit that it contradicts, which differ in one thing of that kind."""

    id: str
    kind: str
    part: Part
    wording: Literal["close", "paraphrase"]
    summary: str
    stated: str
    contradicted: str


@dataclass(frozen=True, slots=True)
class KindFigures:
    """Shares of pairs of one kind: contradicted unit refused, stated unit found, stated one above contradicted one."""

    name: str
    pairs: int
    refused: float
    accepted: float
    ordered: float


def read_pairs() -> tuple[ContradictionPair, ...]:
    """The set."""
    return tuple(ContradictionPair(**json.loads(line)) for line in PAIRS.read_text("utf-8").splitlines())


def measure_kinds(
    pairs: Sequence[ContradictionPair], stated: FloatArray, contradicted: FloatArray
) -> Iterator[KindFigures]:
    """The figures of each kind, of both parts, both wordings and all, from what a judge says of both units."""
    groups = {
        **{kind: [pair.kind == kind for pair in pairs] for kind in KINDS},
        **{f"{wording} wording": [pair.wording == wording for pair in pairs] for wording in ("close", "paraphrase")},
        **{f"{part} half": [pair.part == part for pair in pairs] for part in ("open", "held out")},
        "all": [True] * len(pairs),
    }
    for name, members in groups.items():
        rows = np.flatnonzero(members)
        if not len(rows):
            continue
        shares = (
            contradicted[rows] <= PRESENT_ABOVE,
            stated[rows] > PRESENT_ABOVE,
            stated[rows] > contradicted[rows],
        )
        refused, accepted, ordered = (float(share.mean()) for share in shares)
        yield KindFigures(name, len(rows), refused, accepted, ordered)


def judge_contradictions(judge: UnitJudge) -> list[KindFigures]:
    """What a judge makes of the set, the unit alone in sight: no reference is given."""
    pairs = read_pairs()
    stated = judge.judge_pairs([(pair.summary, pair.stated) for pair in pairs])
    contradicted = judge.judge_pairs([(pair.summary, pair.contradicted) for pair in pairs])
    return list(measure_kinds(pairs, stated, contradicted))


def tabulate_judge(title: str, text: str, judge: UnitJudge) -> Table:
    """The table of one judge."""
    rows = [
        (kind.name, str(kind.pairs), kind.refused, kind.accepted, kind.ordered) for kind in judge_contradictions(judge)
    ]
    return Table(title, text, HEADER, rows)


def tables() -> Iterator[Table]:
    """The tables of the page: the embedded judge beside what it was before conflicts counted."""
    folder = Path(__file__).parent
    before, effects = (tomllib.loads((folder / name).read_text("utf-8")) for name in ("before.toml", "effects.toml"))
    rows: list[list[str | float]] = []
    for kind in judge_contradictions(UnitJudge()):
        pairs = zip(before[kind.name], (kind.refused, kind.accepted, kind.ordered), strict=True)
        rows.append([kind.name, str(kind.pairs), *(f"{figure(was)} → {figure(now)}" for was, now in pairs)])
    yield Table("Contradicted units", _TEXT, HEADER, rows)
    yield Table("Conflicts on judged summaries", effects["text"].strip(), effects["header"], effects["rows"])
    other = effects["other_ways"]
    yield Table("Other ways to weigh the reference", other["text"].strip(), other["header"], other["rows"])
