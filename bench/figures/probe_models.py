"""Measure what dear models like best, and which attacks please them, on a few documents of SummEval into docs/probe.md.

`python -m bench.figures.probe_models --keep FOLDER`: FOLDER has a file for each search and each set of attacks; those
that are there are not made again, so that a run that was stopped goes on. `SAMPLES` says what is sampled: documents at
even distances, or the shortest, and systems at even distances. Nine minutes of a core in all.
"""

from __future__ import annotations

import argparse
import math
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import gistmeter as gm
from bench.figures.page import figure
from bench.figures.probe import OUTPUT, RANKED_BY, examples_of
from bench.figures.trust import put_block

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter import Example
    from gistmeter.probe import AttackEffect, AttackEffects, Probe

SET_NAME = "summeval"
ATTACKS = ("pad", "stuff", "repeat", "copy", "word", "keywords", "shuffle", "html", "prompt")
"""The columns of the table of attacks; a dear model has a few of them."""


@dataclass(frozen=True, slots=True)
class Sample:
    """Some documents of a set, and what some systems wrote of each."""

    documents: int
    systems: int
    shortest: bool = False
    """Take the shortest documents; else such at even distances."""

    def choose(self, run: Sequence[Example]) -> list[Example]:
        """The examples of the sample, in the order of the run."""
        texts = {example.doc_id: example.document or "" for example in run}
        ordered = sorted(texts, key=lambda doc_id: len(texts[doc_id])) if self.shortest else list(texts)
        step = 1 if self.shortest else max(1, len(ordered) // self.documents)
        documents = set(ordered[::step][: self.documents])
        names = sorted({example.system for example in run})
        systems = set(names[:: max(1, len(names) // self.systems)][: self.systems])
        return [example for example in run if example.doc_id in documents and example.system in systems]

    def describe(self) -> str:
        """What is sampled, in a few words."""
        shortest = "shortest, " if self.shortest else ""
        return f"{self.documents} ({shortest}{self.systems} {'system' if self.systems == 1 else 'systems'})"


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """A metric and one of its scores, the sample that is searched for its best extracts, and the one attacked."""

    metric: str
    column: str
    searched: Sample | None
    attacked: Sample
    attacks: tuple[str, ...] = ATTACKS

    @property
    def score(self) -> str:
        """The score as files call it."""
        return f"{self.metric}.{self.column}"

    @property
    def file_name(self) -> str:
        """The metric as a part of the name of a file."""
        return "".join(letter if letter.isalnum() else "-" for letter in self.metric).strip("-")


SAMPLES = (
    ModelSpec("consistency", "mean", Sample(10, 16), Sample(10, 4)),
    ModelSpec("faithfulness", "faithfulness", None, Sample(10, 4)),
    ModelSpec("supert", "f1", None, Sample(10, 4)),
    ModelSpec("estime", "rate", None, Sample(5, 4)),
    ModelSpec("summaqa(most=15)", "f1", Sample(5, 8), Sample(4, 2)),
    ModelSpec("questeval(most=15)", "f1", Sample(3, 4), Sample(2, 1), ("pad", "repeat", "copy", "word", "keywords")),
    ModelSpec("blanc", "blanc", Sample(2, 2, shortest=True), Sample(2, 1, shortest=True), ("pad", "repeat", "copy")),
)


def main() -> None:
    """Write the two tables."""
    parser = argparse.ArgumentParser(prog="bench.figures.probe_models", description=__doc__)
    parser.add_argument("--keep", type=Path, help="a folder for what is measured, read and filled")
    parser.add_argument("--measured", action="store_true", help="measure nothing: write what is kept")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        probes = {spec: probe for spec in SAMPLES if (probe := make_probe(spec, folder, measure=not given.measured))}
        effects = {spec: rows for spec in SAMPLES if (rows := make_attacks(spec, folder, measure=not given.measured))}
    text = OUTPUT.read_text(encoding="utf-8")
    text = put_block(text, "models", models_block(probes))
    OUTPUT.write_text(put_block(text, "attacks", attacks_block(effects)), encoding="utf-8")


def make_probe(spec: ModelSpec, folder: Path, *, measure: bool = True) -> Probe | None:
    """The best extracts for a metric: read from the folder, or searched and written to it; None where there is none."""
    file = folder / f"{spec.file_name}.probe.jsonl"
    if spec.searched is None or not (file.exists() or measure):
        return None
    if not file.exists():
        gm.probe.optimise(spec.searched.choose(examples_of(SET_NAME)), spec.score, output=file)
    return gm.probe.read_probe(file)


def make_attacks(spec: ModelSpec, folder: Path, *, measure: bool = True) -> AttackEffects | None:
    """What attacks do to a metric: read from the folder, or measured and written to it; None where there is none."""
    file = folder / f"{spec.file_name}.attacks.jsonl"
    if not file.exists():
        if not measure:
            return None
        run = spec.attacked.choose(examples_of(SET_NAME))
        gm.probe.write_attacks(gm.probe.attack(run, spec.metric, attacks=spec.attacks), file)
    return gm.probe.read_attacks(file)


def models_block(probes: dict[ModelSpec, Probe]) -> str:
    """A row for each metric whose best extracts were searched."""
    header = (
        "score", "documents", "optimised", "best system", "references", "place", "above the references",
        "place by ROUGE-2", "words",
    )  # fmt: skip
    return write_table(header, [_describe_probe(spec, probe) for spec, probe in probes.items()])


def _describe_probe(spec: ModelSpec, probe: Probe) -> list[str]:
    sample = spec.searched or spec.attacked
    run = sample.choose(examples_of(SET_NAME))
    best = next(standing for standing in probe.standings if standing.name in probe.systems)
    above = gm.probe.find_systems_above_reference(probe)
    ranked = gm.probe.rank_by_references(probe, run, RANKED_BY[SET_NAME])
    return [
        f"`{probe.name}` {'↓' if probe.better == 'lower' else '↑'}",
        sample.describe(),
        *(figure(score) for score in (probe.optimised.score, best.score, probe.reference.score)),
        f"{probe.rank} of {len(probe.systems) + 1}",
        f"{len(above.above)} of {above.systems}",
        f"{ranked.rank} of {ranked.ranked}",
        f"{probe.optimised.words:.0f} ({probe.optimised.words / probe.length_share:.0f})",
    ]


def attacks_block(effects: dict[ModelSpec, AttackEffects]) -> str:
    """A row for the main score of each metric, bold where an attack works."""
    return write_table(
        ("score", "documents", "clean", *(f"`{name}`" for name in ATTACKS)),
        [_describe_attacks(spec, rows) for spec, rows in effects.items()],
    )


def _describe_attacks(spec: ModelSpec, effects: AttackEffects) -> list[str]:
    rows = {row.attack: row for row in effects.rows if row.column == spec.score}
    first = next(iter(rows.values()))
    whole = max(rows.values(), key=lambda row: row.summaries)
    cells = [_write_attacked(rows.get(attack)) for attack in ATTACKS]
    arrow = "↓" if first.better == "lower" else "↑"
    return [f"`{first.column}` {arrow}", spec.attacked.describe(), figure(whole.clean), *cells]


def _write_attacked(row: AttackEffect | None) -> str:
    """The mean once attacked, bold where the attack works; nothing where it was not tried."""
    if row is None:
        return ""
    if math.isnan(row.attacked):
        return "–"
    return f"**{figure(row.attacked)}**" if row.works else figure(row.attacked)


def write_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown."""
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (header, ["---"] * len(header), *rows))


if __name__ == "__main__":
    main()
