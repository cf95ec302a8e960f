"""Measure what metrics say of LLM summaries, and write docs/llm-summaries.md: `python -m bench.trust.llm`.

Scores are read from the folder of `scripts/fit_trust_tables.py` (GISTMETER_TRUST_SCORES); what it lacks is scored.
With `--scored` a metric without scores there is left out, and the page says so.
"""

from __future__ import annotations

import argparse
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from bench.figures.correlations import RESAMPLES, bounded_pearson
from bench.figures.page import Bounded, Table
from bench.trust import sets

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bench.figures.page import Cell
    from gistmeter.arrays import FloatArray
    from gistmeter.meta.study import Study
    from gistmeter.stats.tables import Level

OUTPUT = Path(__file__).parent.parent.parent / "docs" / "llm-summaries.md"
SYSTEMS_RUN = "rose"
PROTOCOLS = {
    "prior": "prior",
    "ref_free": "reference-free",
    "ref_based": "reference-based",
    "acu": "units (ACU)",
    "normalized_acu": "units, normalized",
}
SYSTEMS = {"gpt3": "GPT-3", "t0": "T0", "bart": "BART", "brio": "BRIO"}
COLUMNS = (
    "rouge1.f1",
    "rouge1.recall",
    "rouge2.f1",
    "rouge2.recall",
    "rougeLsum.f1",
    "content.recall",
    "meteor.meteor",
    "chrf.chrf",
    "bertscore.f1",
    "bertscore.recall",
    "moverscore.score",
    "sts.f1",
    "lite2pyramid.recall",
    "lite3pyramid.recall",
    "qaeval.f1",
    "apes.f1",
    "js.divergence",
    "supert.f1",
    "blanc.blanc",
    "faithfulness.faithfulness",
    "estime.alarms",
    "coherence.mean",
    "length.words",
)
EVERY = {"blanc": 10, "estime": 4}
"""Metrics that take seconds for a summary are measured on every so many documents; their rows say so."""
ROOT = Path(__file__).parent
TEXTS = {key: text.strip() for key, text in tomllib.loads((ROOT / "llm.toml").read_text("utf-8")).items()}


@dataclass(frozen=True, slots=True)
class Judged:
    """The scores of one metric column on a part of RoSE, higher being better, and what people said."""

    name: str
    scores: FloatArray
    study: Study

    @property
    def label(self) -> str:
        """The name, and on which documents it was scored where that is not all."""
        sample = sets.describe_sample(_every_of(self.name))
        return f"`{self.name}`, {sample}" if sample else f"`{self.name}`"

    def correlate(self, protocol: str, level: Level) -> Bounded:
        """Pearson's r with a protocol; 95% interval over documents, the systems being given."""
        return bounded_pearson(self.scores, self.study[protocol], level)


def judge_columns(run: str, columns: Sequence[str], *, fresh: bool) -> list[Judged]:
    """The columns on a run of RoSE, without those that have no scores."""
    judged = []
    for name in columns:
        try:
            scores = sets.score_run(run, name.rpartition(".")[0], every=_every_of(name), fresh=fresh)
        except FileNotFoundError as error:
            print(f"left out: {error}", file=sys.stderr)
            continue
        study = sets.join_judgments(run, scores)
        sign = -1 if scores.column(name).better == "lower" else 1
        judged.append(Judged(name, sign * study[name], study))
    return judged


def _every_of(column: str) -> int:
    return EVERY.get(column.partition(".")[0], 1)


def mean_interval(values: FloatArray, *, seed: int = 0) -> Bounded:
    """A mean over documents with its 95% bootstrap interval."""
    rng = np.random.default_rng(seed)
    present = values[~np.isnan(values)]
    means = rng.choice(present, size=(RESAMPLES, len(present))).mean(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    return Bounded(float(present.mean()), float(low), float(high))


def people_table(study: Study, with_reference: dict[str, dict[str, Bounded]]) -> Table:
    """What people say of each system under each protocol."""
    rows: list[list[str | float | None]] = []
    for aspect, protocol in PROTOCOLS.items():
        means = [str(mean_interval(study[aspect][study.systems.index(system)])) for system in SYSTEMS]
        reference = with_reference.get(aspect)
        rows.append([protocol, *means, str(reference["reference"]) if reference else ""])
    return Table("What people say", TEXTS["people"], ["protocol", *SYSTEMS.values(), "the reference itself"], rows)


def reference_means() -> dict[str, dict[str, Bounded]]:
    """What people say of the references, where they rated them as if they were summaries."""
    judgments = sets.read_judgments(sets.LLM_RUN)
    means: dict[str, dict[str, Bounded]] = {}
    for aspect in PROTOCOLS:
        frame = judgments.means(aspect)
        of_reference = frame.filter((frame["system"] == "reference") & frame["doc_id"].str.starts_with("llm-"))
        if len(of_reference):
            means[aspect] = {"reference": mean_interval(of_reference["value"].to_numpy())}
    return means


def ranking_table(judged: Sequence[Judged]) -> Table:
    """How each metric orders the four systems, and on how many of the six pairs each protocol agrees."""
    rows: list[list[str | float | None]] = []
    protocols = ("ref_free", "ref_based", "acu", "normalized_acu")
    for column in judged:
        means = np.nanmean(column.scores, axis=1)
        order = " > ".join(SYSTEMS[column.study.systems[row]] for row in np.argsort(-means))
        pairs = [str(_agreeing_pairs(column, protocol)) for protocol in protocols]
        rows.append([column.label, order, *pairs])
    for aspect, protocol in PROTOCOLS.items():
        study = judged[0].study
        order = " > ".join(SYSTEMS[study.systems[row]] for row in np.argsort(-np.nanmean(study[aspect], axis=1)))
        rows.append([f"*people: {protocol}*", order, "", "", "", ""])
    header = ["", "order", *(f"pairs as {PROTOCOLS[protocol]}" for protocol in protocols)]
    return Table("How metrics order the systems", TEXTS["ranking"], header, rows)


def _agreeing_pairs(column: Judged, protocol: str) -> int:
    metric, people = (np.nanmean(table, axis=1) for table in (column.scores, column.study[protocol]))
    first, second = np.triu_indices(len(metric), 1)
    return int((np.sign(metric[first] - metric[second]) == np.sign(people[first] - people[second])).sum())


def correlation_table(title: str, text: str, judged: Sequence[Judged], level: Level) -> Table:
    """Each metric's correlation with each protocol."""
    rows: list[list[str | float | None]] = [
        [column.label, *(str(column.correlate(protocol, level)) for protocol in PROTOCOLS)] for column in judged
    ]
    return Table(title, text, ["", *PROTOCOLS.values()], rows)


def agreement_of_protocols(study: Study) -> Table:
    """How far the protocols agree with one another within documents."""
    rows: list[list[Cell]] = []
    for aspect, protocol in PROTOCOLS.items():
        others = [
            "" if other == aspect else bounded_pearson(study[aspect], study[other], "summary") for other in PROTOCOLS
        ]
        rows.append([protocol, *others])
    return Table("How far the protocols agree", TEXTS["protocols"], ["", *PROTOCOLS.values()], rows)


def tables(*, fresh: bool) -> Iterator[Table]:
    """All tables of the page."""
    judged = judge_columns(sets.LLM_RUN, COLUMNS, fresh=fresh)
    study = judged[0].study
    yield people_table(study, reference_means())
    yield agreement_of_protocols(study)
    yield ranking_table(judged)
    yield correlation_table("Within documents, LLM part", TEXTS["summary"], judged, "summary")
    yield correlation_table("Over systems, LLM part", TEXTS["system"], judged, "system")
    before = judge_columns(SYSTEMS_RUN, COLUMNS, fresh=fresh)
    yield correlation_table("Within documents, systems before LLMs", TEXTS["summary_before"], before, "summary")
    yield correlation_table("Over systems, before LLMs", TEXTS["system_before"], before, "system")


def write_page(blocks: Sequence[Table], missing: Sequence[str]) -> str:
    """The page: what was found, then the tables."""
    text = (ROOT / "llm.md").read_text(encoding="utf-8").strip()
    note = f"\n\nNot scored for this page: {', '.join(f'`{name}`' for name in missing)}." if missing else ""
    return "\n".join([f"{text}{note}\n", *map(str, blocks)]).rstrip() + "\n"


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(prog="bench.trust.llm", description=__doc__)
    parser.add_argument("--scored", action="store_true", help="leave out metrics that are not scored yet")
    asked = parser.parse_args()
    blocks = list(tables(fresh=not asked.scored))
    written = "\n".join(map(str, blocks))
    missing = sorted({name.partition(".")[0] for name in COLUMNS if f"`{name}`" not in written})
    OUTPUT.write_text(write_page(blocks, missing), encoding="utf-8")


if __name__ == "__main__":
    main()
