"""Measure what metrics without references like best, into docs/probe.md: `python -m bench.figures.probe --keep FOLDER`.

FOLDER has a file for each probe: those that are there are not searched again, so that a run that was stopped goes on.
Of dear metrics only every so many documents are searched (`PROBES` says which), about half an hour of a core in all.
"""

from __future__ import annotations

import argparse
import tempfile
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import gistmeter as gm
from bench.figures.page import figure
from bench.figures.runs import DATA, documents, realsumm, summeval
from bench.figures.trust import put_block

if TYPE_CHECKING:
    from gistmeter import Example
    from gistmeter.probe import Probe
    from gistmeter.probe.search.strategies import Search

OUTPUT = Path(__file__).parent.parent.parent / "docs" / "probe.md"
SETS = {"summeval": "SummEval", "realsumm": "REALSumm"}
RANKED_BY = {"summeval": "rouge2.f1", "realsumm": "rouge2.recall"}
"""The score with references on each set: as in the experiments of the thesis."""

WORDS = 70


@dataclass(frozen=True, slots=True)
class ProbeSpec:
    """A metric, how many documents lie between two that are searched, whether the length is bounded, and the search."""

    metric: str
    step: int = 1
    words: int | None = None
    search: Search = "greedy"

    def name_file(self, set_name: str) -> str:
        """Where the probe of a set is kept."""
        letters = "".join(letter if letter.isalnum() else "-" for letter in self.metric).strip("-")
        way = "" if self.search == "greedy" else f".{self.search}"
        return f"{set_name}.{letters}.{self.step}.{self.words or 'any'}{way}.jsonl"


PROBES = (
    ProbeSpec("js"),
    ProbeSpec("js", words=WORDS),
    ProbeSpec("js", words=WORDS, search="beam"),
    ProbeSpec("simetrix.cosine"),
    ProbeSpec("simetrix.cosine", words=WORDS),
    ProbeSpec("simetrix.cosine", words=WORDS, search="beam"),
    ProbeSpec("faithfulness", step=10),
    ProbeSpec("supert", step=20),
    ProbeSpec("estime.rate", step=20),
    ProbeSpec("summaqa(most=15)", step=20),
    ProbeSpec("questeval(most=15)", step=50),
    ProbeSpec("blanc", step=50),
)
BLOCKS = (*SETS, "picks", "searches")
RERANKED = ("js", "simetrix.cosine")


def main() -> None:
    """Write the tables."""
    parser = argparse.ArgumentParser(prog="bench.figures.probe", description=__doc__)
    parser.add_argument("--keep", type=Path, help="a folder for the probes, read and filled")
    parser.add_argument("--measured", action="store_true", help="search nothing: write the probes that are kept")
    parser.add_argument("--only", help="search for this metric alone and keep that, and leave the page as it is")
    parser.add_argument("--block", action="append", choices=BLOCKS, help="write this table alone; repeat for more")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        kept_in = given.keep or Path(folder)
        kept_in.mkdir(parents=True, exist_ok=True)
        probes = {
            (set_name, spec): make_probe(set_name, spec, kept_in)
            for spec in PROBES
            for set_name in SETS
            if given.only in (None, spec.metric)
            and (not given.measured or (kept_in / spec.name_file(set_name)).exists())
        }
    if given.only is not None:
        return
    for name in given.block or BLOCKS:
        block = (
            probes_block(name, probes) if name in SETS else {"picks": picks_block, "searches": searches_block}[name]()
        )
        OUTPUT.write_text(put_block(OUTPUT.read_text(encoding="utf-8"), name, block), encoding="utf-8")


@cache
def examples_of(set_name: str, step: int = 1) -> tuple[Example, ...]:
    """The summaries of every so many documents of a set, with their documents."""
    judged = {"summeval": summeval, "realsumm": realsumm}[set_name]().every(step)
    texts = documents(f"{set_name}/documents.jsonl.gz")
    return tuple(replace(example, document=texts[example.doc_id], documents=()) for example in judged.examples)


def make_probe(set_name: str, spec: ProbeSpec, folder: Path) -> Probe:
    """The probe of a metric on a set: read from the folder, or searched and written to it."""
    file = folder / spec.name_file(set_name)
    if not file.exists():
        run = examples_of(set_name, spec.step)
        gm.probe.optimise(run, spec.metric, words=spec.words, search=spec.search, output=file)
    return gm.probe.read_probe(file)


def probes_block(set_name: str, probes: dict[tuple[str, ProbeSpec], Probe]) -> str:
    """A row for each probe of a set."""
    header = (
        "score", "documents", "optimised", "best system", "references", "place", "above the references",
        "place by ROUGE-2", "pseudo r, ROUGE-1", "pseudo r, ROUGE-2", "gold r, ROUGE-1", "gold r, ROUGE-2", "words",
    )  # fmt: skip
    lines = [_write_row(header), _write_row(["---"] * len(header))]
    measured = [spec for spec in PROBES if (set_name, spec) in probes]
    lines += [_write_row(_describe_probe(set_name, spec, probes[set_name, spec])) for spec in measured]
    left = [f"`{spec.metric}`" for spec in PROBES if spec not in measured]
    if left:
        lines += ["", f"Not measured yet: {', '.join(left)}."]
    return "\n".join(lines)


def _describe_probe(set_name: str, spec: ProbeSpec, probe: Probe) -> list[str]:
    run = examples_of(set_name, spec.step)
    ranked_by = RANKED_BY[set_name]
    best = next(standing for standing in probe.standings if standing.name in probe.systems)
    above = gm.probe.find_systems_above_reference(probe)
    ranked = gm.probe.rank_by_references(probe, run, ranked_by)
    pseudo = [gm.probe.correlate_pseudo_references(probe, run, metric) for metric in ("rouge1", ranked_by)]
    bounded = "" if spec.words is None else f", {spec.words} words"
    way = "" if spec.search == "greedy" else f", {spec.search} search"
    arrow = "↓" if probe.better == "lower" else "↑"
    system_words = probe.optimised.words / probe.length_share
    return [
        f"`{probe.name}` {arrow}{bounded}{way}",
        str(len(probe.documents)),
        figure(probe.optimised.score),
        figure(best.score),
        figure(probe.reference.score),
        f"{probe.rank} of {len(probe.systems) + 1}",
        f"{len(above.above)} of {above.systems}",
        f"{ranked.rank} of {ranked.ranked}",
        *(figure(result.pseudo_r) for result in pseudo),
        *(figure(result.gold_r) for result in pseudo),
        f"{probe.optimised.words:.0f} ({system_words:.0f})",
    ]


def picks_block() -> str:
    """What people gave to the picks among the systems' own summaries."""
    header = ("data", "aspect", "score", "picks", "pool", "best system", "best possible", "place")
    lines = [_write_row(header), _write_row(["---"] * len(header))]
    for set_name, title in SETS.items():
        for metric in RERANKED:
            people = DATA / set_name / f"{set_name}.jsonl.gz"
            reranking = gm.probe.rerank(examples_of(set_name), metric, judgments=people)
            for row in reranking.aspects:
                if row.aspect in ("relevance", "coherence", "consistency", "fluency", "litepyramid_recall"):
                    values = (row.picks, row.pool, row.best_system, row.best_possible)
                    cells = [title, row.aspect, f"`{reranking.probe.name}`", *map(figure, values)]
                    lines.append(_write_row([*cells, f"{row.rank} of {row.ranked}"]))
    return "\n".join(lines)


def searches_block() -> str:
    """How near greedy and beam come to the exact search on SummEval: of three sentences, and within so many words."""
    run = [example for example in examples_of("summeval") if example.system == "M0"]
    header = ("score", "extracts", "search", "same summary as exact", "mean score", "share of the exact gain")
    lines = [_write_row(header), _write_row(["---"] * len(header))]
    for metric in RERANKED:
        for title, words in (("3 sentences", None), (f"{WORDS} words", WORDS)):
            probes = {
                search: gm.probe.optimise(run, metric, words=words, search=search)
                for search in ("greedy", "beam", "exact")
            }
            exact = probes["exact"]
            for search, probe in probes.items():
                same = sum(a.sentences == b.sentences for a, b in zip(probe.documents, exact.documents, strict=True))
                gain = "" if words else figure(_measure_gain(probe) / _measure_gain(exact))
                cells = [f"`{probe.name}`", title, search, f"{same} of {len(exact.documents)}"]
                lines.append(_write_row([*cells, figure(probe.optimised.score), gain]))
    return "\n".join(lines)


def _measure_gain(probe: Probe) -> float:
    """What the summaries found have more than the first system."""
    return probe.optimised.score - probe.average_system("M0").score


def _write_row(cells: list[str] | tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
