"""Measure, and write docs/baseline-numbers.md: `python -m bench.figures.baselines [TABLE/NAME...]`.

Tables: folds (paper 001, Table 1), agreement (SummEval and REALSumm, with cost), released (the scores of Deutsch et
al., 2021). With some named, or rows of them (`folds/ROUGE-1`), the rest stays as it stands on the page. Scores of
single summaries are cached; costs are measured on 64 summaries that nothing remembers.
"""

from __future__ import annotations

import gzip
import itertools
import json
import sys
import time
import tomllib
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bench.figures.correlations import tabulate
from bench.figures.page import blocks_of, figure
from bench.figures.runs import DATA, Judged, pyrxsum, realsumm, records, summeval
from gistmeter import score
from gistmeter.io.folds import draw_folds, index_folds, read_folds
from gistmeter.metrics.learned.features import describe_summaries
from gistmeter.metrics.registry import parse_metric
from gistmeter.stats import correlate, correlate_by_folds
from gistmeter.training.s3.recipe import S3Recipe
from gistmeter.training.s3.training import JudgedSummaries, fit_regression

if TYPE_CHECKING:
    from bench.figures.runs import FloatArray
    from gistmeter.stats.tables import Coefficient, Level

OUTPUT = Path(__file__).parent.parent.parent / "docs" / "baseline-numbers.md"
_TABLE = Path(__file__).parent / "tables" / "baselines.toml"
_TIMED = 64
_LEVELS: tuple[Level, ...] = ("summary", "system")
_COEFFICIENTS: tuple[Coefficient, ...] = ("pearson", "spearman")
_LARGEST_SHARE = 5.0
"""Scores that go beyond are from 0 to 100; those of S3, which a regression predicts, reach 1.7."""
_new_texts = itertools.count(2)
_FEWEST_IN_FOLDS = 20
_HUMAN = {"REALSumm": "litepyramid_recall", "PyrXSum": "litepyramid_recall", "SummEval": "relevance"}

TEXT = """# Baselines in figures

The metrics that the papers compare with, from gistmeter's own code, beside what was published and released.
`make figures-baselines` writes this page. What each metric is stands under [Metrics](metrics.md) and, longer, under
[Baselines](baselines.md).
"""
FOLDS = """Zhang and Bansal (2021), Table 1: correlation with people's recall of content units within five folds of
documents, averaged (REALSumm's folds as released, PyrXSum's drawn; documents in which all summaries are alike are left
out). Where a metric has precision and recall it is recall. `documents` says how many of the 100 were scored: fewer for
metrics that take long, and then the folds are small and the figures rough (fewer
than 20 are taken together). AutoSummENG heeds case, in which systems of
REALSumm differ: the paper read texts in lower case. METEOR is without WordNet and paraphrases,
BEwT-E without WordNet; BERTScore, MoverScore and QAEval have the embedded models, not the paper's; S3 learned from the
other folds of both sets (pyr) or from SummEval (resp), the paper's from TAC. The paper's program of PyrEval takes no
single reference."""
AGREEMENT = """Pearson's r with people at summary level (the mean within documents) and at system level, over
`documents` of the 100: relevance by experts on SummEval (its first reference), recall of content units on REALSumm. S3
learned from REALSumm (by folds here) and, for resp, from SummEval itself, so its figures there are no held-out ones
(its card has those). The cost is CPU seconds for 1,000 summaries of SummEval on one core, models loaded."""
RELEASED = """Deutsch et al. (2021) released scores of the original programs, as SacreROUGE runs them: 16 systems of
SummEval and 24 of REALSumm, with one reference. Pearson's r and Kendall's tau with our scores over single summaries,
and the mean difference. REALSumm's texts here are those that its systems wrote, with the reference tokenised alike, as
the programs read them. In SummEval the texts of four systems have other capitals. Released BERTScore has another model,
S3 other weights, MoverScore and QAEval other models: agreement shows how much these matter."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Baseline:
    """A row: a score of a metric, on which documents, and what is known of it."""

    name: str
    metric: str
    column: str
    every: int = 1
    by_folds: bool = False
    published: tuple[tuple[float, ...], ...] = ()
    released: str = ""


@cache
def read_rows() -> tuple[Baseline, ...]:
    """The baselines, in the order of the tables."""
    rows = tomllib.loads(_TABLE.read_text("utf-8"))["rows"]
    return tuple(Baseline(**{**row, "published": tuple(map(tuple, row.get("published", ())))}) for row in rows)


def main() -> None:
    """Measure what was asked for, and write the page."""
    before = blocks_of(OUTPUT.read_text("utf-8")) if OUTPUT.is_file() else {}
    tables = {
        "folds": ("Paper 001, Table 1", FOLDS, _FOLD_HEADER, measure_folds),
        "agreement": ("SummEval and REALSumm, with cost", AGREEMENT, _AGREEMENT_HEADER, measure_agreement),
        "released": ("Released scores", RELEASED, _RELEASED_HEADER, measure_released),
    }
    asked = sys.argv[1:] or list(tables)
    parts = [TEXT]
    for key, (title, text, header, measure) in tables.items():
        standing = {
            line.strip("| ").split(" | ")[0]: line
            for line in before.get(title, "").splitlines()
            if line.startswith("|")
        }
        lines = ["| " + " | ".join(header) + " |", "|---|" + "---:|" * (len(header) - 1)]
        for row in read_rows():
            label = f"{row.name}: `{row.metric}`" + ("" if row.metric == row.column else f" {row.column}")
            if key in asked or f"{key}/{row.name}" in asked:
                start = time.process_time()
                cells = measure(row)
                if cells:
                    standing[label] = "| " + " | ".join([label, *cells]) + " |"
                print(f"{key}/{row.name}: {time.process_time() - start:.0f} CPU s", file=sys.stderr, flush=True)
            if label in standing:
                lines.append(standing[label])
                if key == "folds" and row.published:
                    numbers = [figure(value, 2) for of_set in row.published for value in of_set]
                    lines.append("| *published* | | " + " | ".join(numbers) + " |")
        parts += [f"### {title}\n", f"{text}\n", *lines, ""]
    for title, block in before.items():
        if title not in {table[0] for table in tables.values()}:
            parts.append(block)
    OUTPUT.write_text("\n".join(parts).rstrip() + "\n", encoding="utf-8")


_FOLD_HEADER = [
    "", "documents", *(f"{name} {level} {mark}" for name in ("REALSumm", "PyrXSum") for level in ("summary", "system")
    for mark in ("r", "ρ")),
]  # fmt: skip
_AGREEMENT_HEADER = [
    "",
    "documents",
    "SummEval summary",
    "SummEval system",
    "REALSumm summary",
    "REALSumm system",
    "cost",
]
_RELEASED_HEADER = [
    "", "released", "documents", "SummEval r", "SummEval tau", "difference", "REALSumm r", "REALSumm tau", "difference",
]  # fmt: skip


def measure_folds(row: Baseline) -> list[str]:
    """Correlations within folds on REALSumm and PyrXSum; nothing for a row that is not in the table."""
    cells = [str(-(-100 // row.every))]
    for name, whole in (("REALSumm", realsumm()), ("PyrXSum", pyrxsum())):
        judged = read_one_reference(whole).every(row.every)
        ours, people = tabulate(judged, score_column(row, judged)), tabulate(judged, judged.human[_HUMAN[name]])
        folds = list_folds(name, judged) if people.shape[1] >= _FEWEST_IN_FOLDS else None
        for level in _LEVELS:
            for coefficient in _COEFFICIENTS:
                # A fold of one document may have no correlation: few documents are taken together.
                value = (
                    correlate(ours, people, level=level, coefficient=coefficient).value
                    if folds is None
                    else correlate_by_folds(ours, people, folds, level=level, coefficient=coefficient).value
                )
                cells.append(figure(value))
    return cells


def measure_agreement(row: Baseline) -> list[str]:
    """Agreement with people on SummEval and REALSumm, and the cost."""
    cells = [str(-(-100 // row.every))]
    for name, whole in (("SummEval", summeval()), ("REALSumm", realsumm())):
        judged = read_one_reference(whole).every(row.every)
        ours, people = tabulate(judged, score_column(row, judged)), tabulate(judged, judged.human[_HUMAN[name]])
        cells += [figure(correlate(ours, people, level=level).value) for level in ("summary", "system")]
    return [*cells, f"{time_metric(row.metric):.1f}"]


@cache
def time_metric(spelling: str) -> float:
    """CPU seconds for 1,000 summaries, timed once for all columns."""
    examples = read_one_reference(summeval()).examples
    chosen = examples[:: len(examples) // _TIMED][:_TIMED]
    # What was parsed or encoded before, by the metric of another row too, is remembered by its text: so many blanks
    # at its end as no text had yet make it a new one.
    blanks = " " * next(_new_texts)
    timed = [replace(one, summary=one.summary + blanks, references=(one.references[0] + blanks,)) for one in chosen]
    metric = parse_metric(spelling)
    metric.score(chosen[:2])
    start = time.process_time()
    metric.score(timed)
    return 1000 * (time.process_time() - start) / len(timed)


def measure_released(row: Baseline) -> list[str]:
    """How our scores agree with those released."""
    if not row.released:
        return []
    cells = [row.released, str(-(-100 // row.every))]
    for whole, released in (
        (read_one_reference(summeval()), "summeval"),
        (read_as_programs(), "realsumm24"),
    ):
        judged = whole.every(row.every)
        released_scores = as_shares(read_released(released, row.released, judged))
        ours = score_column(replace(row, by_folds=False), judged)
        both = ~np.isnan(ours + released_scores)
        if both.sum() < 2:
            cells += ["", "", ""]
            continue
        pearson, tau = (
            correlate(ours[both][None], released_scores[both][None], level="pooled", coefficient=coefficient).value
            for coefficient in ("pearson", "kendall")
        )
        cells += [figure(pearson), figure(tau), figure(float(np.abs(ours[both] - released_scores[both]).mean()))]
    return cells


def as_shares(released_scores: FloatArray) -> FloatArray:
    """Released scores from 0 to 100 as shares; others as they are."""
    is_percent = np.nanmax(released_scores, initial=0) > _LARGEST_SHARE
    return released_scores / 100 if is_percent else released_scores


def score_column(row: Baseline, judged: Judged) -> FloatArray:
    """The scores of a row, from the cache where it has them; those of S3 by folds where its own set taught it."""
    if row.by_folds and judged.human.keys() == {"litepyramid_recall"}:
        return _predict_by_folds(judged)
    scores = score(list(judged.examples), row.metric, cache=True, markers="keep")
    return np.asarray(scores.table[f"{row.metric}.{row.column}"].to_numpy(), dtype=float)


def list_folds(name: str, judged: Judged) -> Any:
    """The folds of documents of a set, by position."""
    documents = sorted({example.doc_id for example in judged.examples})
    file = DATA / name.lower() / "folds.json"
    if not file.exists():
        return index_folds(draw_folds(documents, 5), documents)
    kept = [[document for document in fold if document in documents] for fold in read_folds(file)]
    return index_folds([fold for fold in kept if fold], documents)


def _predict_by_folds(judged: Judged) -> FloatArray:
    """Predictions of S3 (pyr) for each fold by a regression that learned from the others and from the other set."""
    sets = {name: _describe(name, whole) for name, whole in (("REALSumm", realsumm()), ("PyrXSum", pyrxsum()))}
    name = "REALSumm" if len(judged.examples) > len(pyrxsum().examples) else "PyrXSum"
    own, (other,) = sets[name], [described for key, described in sets.items() if key != name]
    documents = sorted(set(own.documents.tolist()))
    predicted = np.empty(len(own.rows))
    for fold in list_folds(name, judged):
        held_out = np.isin(own.documents, [documents[place] for place in fold])
        part = replace(own, rows=own.rows[~held_out], judged=own.judged[~held_out], documents=own.documents[~held_out])
        predicted[held_out] = fit_regression([part, other], S3Recipe()).predict(own.rows[held_out])
    return predicted


@cache
def _describe(name: str, judged: Judged) -> JudgedSummaries:
    return JudgedSummaries(
        group=name,
        aspect=_HUMAN[name],
        rows=describe_summaries(read_one_reference(judged).examples),
        judged=judged.human[_HUMAN[name]],
        documents=np.array([example.doc_id for example in judged.examples]),
        systems=np.array([example.system for example in judged.examples]),
    )


def read_one_reference(judged: Judged) -> Judged:
    """The set with the first reference of each summary alone."""
    return replace(judged, examples=tuple(replace(one, references=one.references[:1]) for one in judged.examples))


@cache
def read_as_programs() -> Judged:
    """REALSumm's sentences as its systems wrote them, each with the reference tokenised alike."""
    own = {(row["doc_id"], row["system_id"]): row for row in records("realsumm/realsumm.jsonl.gz")}
    judged = realsumm()
    examples = []
    for example in judged.examples:
        row = own[example.doc_id, example.system]
        texts = ["\n".join(row["summary"]["sentences"]), "\n".join(row["references_own"][0])]
        examples.append(replace(example, summary=texts[0], references=(texts[1],)))
    return replace(judged, examples=tuple(examples))


def read_released(matrix: str, name: str, judged: Judged) -> FloatArray:
    """The released scores of a metric, in the order of the examples; missing where there are none."""
    find = {"summeval": _read_summeval, "realsumm24": _read_realsumm}[matrix]()
    return np.array([find(name, example) for example in judged.examples], dtype=float)


@cache
def _read_matrix(name: str) -> dict[str, Any]:
    with gzip.open(DATA / "matrices" / f"{name}.json.gz", "rt", encoding="utf-8") as file:
        return dict(json.load(file))


def _read_summeval() -> Any:
    matrix = _read_matrix("summeval")
    return lambda name, example: _find_cell(matrix, name, example.system, example.doc_id)


def _read_realsumm() -> Any:
    matrix = _read_matrix("realsumm24")
    index = {str(row["doc_id"]): str(row["doc_index"]) for row in records("realsumm/realsumm.jsonl.gz")}

    def find(name: str, example: Any) -> float:
        # The released scores of one BART are of the extractive one.
        system = "" if example.system == "abs_bart_out" else example.system.partition("_")[2]
        return _find_cell(matrix, name, system, index[example.doc_id])

    return find


def _find_cell(matrix: dict[str, Any], name: str, system: str, document: str) -> float:
    if name not in matrix["scores"] or system not in matrix["systems"]:
        return float("nan")
    value = matrix["scores"][name][matrix["systems"].index(system)][matrix["documents"].index(document)]
    return float("nan") if value is None else float(value)


if __name__ == "__main__":
    main()
