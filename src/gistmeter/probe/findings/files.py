"""Files of findings: probes and attacks in whatever file they are, and those that lie beside a file of scores."""

from __future__ import annotations

from glob import escape
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from gistmeter.errors import DataError
from gistmeter.io.json_lines import read_json_lines
from gistmeter.probe.attacks.effects import order_by_gain
from gistmeter.probe.attacks.files import ATTACKS_FILE
from gistmeter.probe.files import parse_probe
from gistmeter.probe.findings.findings import ScoreFindings
from gistmeter.probe.results import Probe

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.probe.attacks import AttackEffect, AttackEffects


def read_finding(path: str | Path) -> Probe | AttackEffects:
    """A probe, or the effects of attacks, from the file that it was written to.

    >>> read_finding("nowhere.jsonl")
    Traceback (most recent call last):
    gistmeter.errors.DataError: cannot read nowhere.jsonl: there is no such file
    """
    lines = list(read_json_lines(path))  # standard input can be read once
    return (
        ATTACKS_FILE.parse(lines, path) if lines and ATTACKS_FILE.mark in lines[0].record else parse_probe(lines, path)
    )


def list_files_beside(scores: str | Path) -> list[Path]:
    """The files of probes and attacks of a file of scores: those called as it, with `.probe`, in its folder.

    Of scores.parquet these are scores.probe-js.jsonl and scores.parquet.probe-js.jsonl, with any name after `.probe`.

    >>> list_files_beside("nowhere/scores.parquet")
    []
    """
    path = Path(scores)
    names = {path.name.partition(".")[0], path.stem, path.name}
    return sorted({file for name in names for file in path.parent.glob(f"{escape(name)}.probe*.jsonl")})


class ScoreAttacks(NamedTuple):
    """The attacks on one score, of one file or several."""

    rows: tuple[AttackEffect, ...] = ()
    signature: str = ""
    confidence: float = 0.95
    notes: tuple[str, ...] = ()


def collect_attacks(attacks: Sequence[AttackEffects], name: str) -> ScoreAttacks:
    """All attacks on a score, the most rewarded first; of an attack that was tried twice the last."""
    own = [each for each in attacks if any(row.column == name for row in each.rows)]
    if not own:
        return ScoreAttacks()
    rows = {row.attack: row for each in own for row in each.rows if row.column == name}
    return ScoreAttacks(
        rows=tuple(sorted(rows.values(), key=order_by_gain)),
        signature=own[-1].signatures.get(name, ""),
        confidence=own[-1].confidence,
        notes=tuple(dict.fromkeys(note for each in own for note in each.notes)),
    )


def gather_findings(findings: Sequence[Probe | AttackEffects]) -> tuple[ScoreFindings, ...]:
    """What files say about each score, without the run: the standings of a probe and the effects of attacks.

    Of several probes of one score each is shown, the attacks with the first.
    """
    probes = [each for each in findings if isinstance(each, Probe)]
    effects = [each for each in findings if not isinstance(each, Probe)]
    attacked = (row.column for each in effects for row in each.rows if row.better != "neither")
    gathered = []
    for name in dict.fromkeys((*(probe.name for probe in probes), *attacked)):
        attacks = collect_attacks(effects, name)
        own: list[Probe | None] = [each for each in probes if each.name == name]
        for probe in own or [None]:
            gathered.append(
                ScoreFindings(
                    name=name,
                    better=attacks.rows[0].better if probe is None else probe.better,
                    signature=attacks.signature if probe is None else probe.signature,
                    probe=probe,
                    attacks=attacks.rows,
                    confidence=attacks.confidence,
                    remarks=attacks.notes,
                )
            )
            attacks = ScoreAttacks()
    return tuple(gathered)


class ReadableFiles(NamedTuple):
    """Files of findings that can be read, and sentences on those that cannot."""

    files: tuple[Path, ...]
    notes: tuple[str, ...]


def choose_readable(paths: Sequence[Path]) -> ReadableFiles:
    """Those of these files that are of probes or attacks: what merely lies somewhere must not stop a report."""
    files: list[Path] = []
    notes: list[str] = []
    for path in paths:
        try:
            read_finding(path)
        except DataError as error:
            notes.append(f"a probe is not shown: {error}")
        else:
            files.append(path)
    return ReadableFiles(tuple(files), tuple(notes))
