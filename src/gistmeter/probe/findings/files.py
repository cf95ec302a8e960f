"""Files of findings: probes and attacks in whatever file they are, and those that lie beside a file of scores."""

from __future__ import annotations

from glob import escape
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from gistmeter.errors import DataError
from gistmeter.io.json_lines import read_json_lines
from gistmeter.probe.attacks.files import ATTACKS_FILE
from gistmeter.probe.files import parse_probe
from gistmeter.probe.findings.findings import ScoreFindings
from gistmeter.probe.results import Probe

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.probe.attacks import AttackEffects


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


def gather_findings(findings: Sequence[Probe | AttackEffects]) -> tuple[ScoreFindings, ...]:
    """What files say about each score, without the run: the standings of a probe and the effects of attacks."""
    probes = {each.name: each for each in findings if isinstance(each, Probe)}
    attacks = [each for each in findings if not isinstance(each, Probe)]
    effects = {row.column: each for each in attacks for row in each.rows if row.better != "neither"}
    gathered = []
    for name in dict.fromkeys((*probes, *effects)):
        probe, own = probes.get(name), effects.get(name)
        rows = () if own is None else tuple(row for row in own.rows if row.column == name)
        gathered.append(
            ScoreFindings(
                name=name,
                better=probe.better if probe is not None else rows[0].better,
                signature=probe.signature if probe is not None else "" if own is None else own.signatures.get(name, ""),
                probe=probe,
                attacks=rows,
                confidence=0.95 if own is None else own.confidence,
                remarks=() if own is None else own.notes,
            )
        )
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
