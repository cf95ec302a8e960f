"""N-gram graphs in the tables of the thesis, into docs/baselines.md: `python -m bench.figures.graph_tables`.

Table 11 of Deutsch (2022) has SummEval, Table 5 TAC 2008, whose texts are not free: its question is asked of REALSumm
here. The third block is how systems of REALSumm are ordered by what is read as their text. About a minute of a core.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from bench.figures.baselines import read_as_programs, read_one_reference, read_released
from bench.figures.correlations import bounded_pearson, tabulate
from bench.figures.page import figure
from bench.figures.runs import realsumm, summeval
from bench.figures.trust import put_block
from gistmeter.metrics import parse_metric
from gistmeter.stats import correlate

if TYPE_CHECKING:
    from bench.figures.runs import FloatArray, Judged

OUTPUT = Path(__file__).parent.parent.parent / "docs" / "baselines.md"
GRAPHS = ("autosummeng", "memog", "npower")
ROUGE = "rouge1(stem=porter,tokenizer=rouge155)"
RECALL = 1
"""The column of recall in ROUGE's scores."""


def main() -> None:
    """Write all blocks."""
    blocks = {"table11": list_summeval_rows, "table5": list_realsumm_rows, "realsumm-texts": list_text_rows}
    for name, rows in blocks.items():
        lines = ["| " + " | ".join(row) + " |" for row in rows()]
        header = f"|---|{'---:|' * (lines[0].count(' | '))}"
        block = "\n".join([lines[0], header, *lines[1:]])
        OUTPUT.write_text(put_block(OUTPUT.read_text("utf-8"), name, block), encoding="utf-8")


def list_summeval_rows() -> list[list[str]]:
    """Table 11: correlation with relevance at both levels by three coefficients, with one reference and with eleven."""
    rows = [["", "system r", "system ρ", "system τ", "summary r", "summary ρ", "summary τ"]]
    people = tabulate(summeval(), summeval().human["relevance"])
    for about, judged in (("first reference", read_one_reference(summeval())), ("eleven references", summeval())):
        for metric in GRAPHS:
            ours = tabulate(judged, score_first(metric, judged))
            rows.append([f"`{metric}`, {about}", *_correlate_all(ours, people)])
    released = tabulate(summeval(), read_released("summeval", "AutoSummENG", summeval()))
    rows.append(["AutoSummENG, released scores", *_correlate_all(released, people)])
    return rows


def list_realsumm_rows() -> list[list[str]]:
    """Table 5's question on REALSumm: summary-level r with ROUGE-1 and with people's recall of content units."""
    judged = read_as_programs()
    people = tabulate(judged, judged.human["litepyramid_recall"])
    rouge = tabulate(judged, score_column(ROUGE, judged, RECALL))
    rows = [["", "ROUGE-1 recall", "recall of content units", "difference"]]
    for metric in ("ROUGE-1", *GRAPHS):
        ours = rouge if metric == "ROUGE-1" else tabulate(judged, score_first(metric, judged))
        with_rouge, with_people = (bounded_pearson(ours, other, "summary") for other in (rouge, people))
        cells = ["1", str(with_people), "-"] if metric == "ROUGE-1" else [str(with_rouge), str(with_people)]
        if metric != "ROUGE-1":
            cells.append(figure(with_rouge.value - with_people.value, 2))
        rows.append([f"`{metric}`" if metric != "ROUGE-1" else metric, *cells])
    return rows


def list_text_rows() -> list[list[str]]:
    """AutoSummENG at the system level on REALSumm by what is read as the text of a system."""
    shown, own = read_one_reference(realsumm()), read_as_programs()
    released = read_released("realsumm24", "AutoSummENG", shown)
    kept = ~np.isnan(released)
    rows = [["", "systems", "system r", "system ρ"]]
    for about, judged, metric in (
        ("as annotators read them", shown, "autosummeng"),
        ("the same, case ignored", shown, "autosummeng(lowercase=yes)"),
        ("as systems wrote them, reference tokenised alike", own, "autosummeng"),
        ("the same, case ignored", own, "autosummeng(lowercase=yes)"),
    ):
        rows.append(_correlate_systems(about, judged, score_first(metric, judged), np.ones(len(kept), dtype=bool)))
        if judged is own and metric == "autosummeng":
            ours = score_first(metric, own)
            rows.append(_correlate_systems(f"{about}, systems with released scores", own, ours, kept))
    rows.append(_correlate_systems("released scores", shown, released, kept))
    return rows


def score_first(metric: str, judged: Judged) -> FloatArray:
    """The first column of a metric."""
    return score_column(metric, judged, 0)


def score_column(metric: str, judged: Judged, column: int) -> FloatArray:
    """One column of a metric, by its position."""
    return parse_metric(metric).score(judged.examples)[:, column]


def _correlate_all(ours: FloatArray, people: FloatArray) -> list[str]:
    return [
        figure(correlate(ours, people, level=level, coefficient=coefficient).value)
        for level in ("system", "summary")
        for coefficient in ("pearson", "spearman", "kendall")
    ]


def _correlate_systems(about: str, judged: Judged, scores: FloatArray, kept: FloatArray) -> list[str]:
    part = judged.only(kept)
    ours, people = tabulate(part, scores[kept]), tabulate(part, part.human["litepyramid_recall"])
    cells = [
        figure(correlate(ours, people, level="system", coefficient=coefficient).value)
        for coefficient in ("pearson", "spearman")
    ]
    return [about, str(len(ours)), *cells]


if __name__ == "__main__":
    main()
