"""FFCI (paper 000): Tables 3, 4 and 8 with the embedded models."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bench.figures.correlations import pearson, ranks
from bench.figures.page import Table
from bench.figures.runs import ffci_coherence, ffci_faithfulness, ffci_pairs

if TYPE_CHECKING:
    from collections.abc import Iterator

GROUPS = ("C-PG", "C-BT", "X-PG", "X-BT")

FAITHFULNESS = (
    # (what, metric, column, published r, published rho)
    ("ROUGE-1 against the reference", "rouge1", "f1", 0.199, 0.199),
    ("ROUGE-2 against the reference", "rouge2", "f1", 0.116, 0.161),
    ("BERTScore against the reference", "bertscore", "f1", 0.128, 0.131),
    ("FA_STS (sentence)", "faithfulness(metric=sts(segment=sentence))", "faithfulness", 0.260, 0.258),
    ("FA_ROUGE-1", "faithfulness(metric=rouge1)", "faithfulness", 0.364, 0.361),
    ("FA_ROUGE-2", "faithfulness(metric=rouge2)", "faithfulness", 0.312, 0.315),
    ("FA_BERTScore, no idf", "faithfulness(metric=bertscore(idf=none))", "faithfulness", 0.469, 0.463),
    ("FA_BERTScore", "faithfulness(match=sentences)", "faithfulness", 0.469, 0.463),
    ("all tokens of the article pooled", "faithfulness(match=tokens)", "faithfulness", None, None),
)

PAIRS = (
    # (what, metric, column for focus, column for coverage, published focus, published coverage)
    ("ROUGE-1", "rouge1", "precision", "recall", (0.607, 0.623, 0.540, 0.562), (0.592, 0.641, 0.480, 0.514)),
    ("ROUGE-2", "rouge2", "precision", "recall", (0.595, 0.552, 0.564, 0.454), (0.547, 0.569, 0.463, 0.437)),
    (
        "STS (EDU)",
        "sts(segment=edu)",
        "precision",
        "recall",
        (0.525, 0.591, 0.317, 0.527),
        (0.559, 0.551, 0.461, 0.551),
    ),
    (
        "STS (sentence)",
        "sts(segment=sentence)",
        "precision",
        "recall",
        (0.524, 0.526, 0.444, 0.617),
        (0.559, 0.572, 0.559, 0.641),
    ),
    (
        "STS (document)",
        "sts(segment=document)",
        "precision",
        "recall",
        (0.524, 0.569, 0.444, 0.617),
        (0.513, 0.508, 0.559, 0.641),
    ),
    ("MoverScore", "moverscore", "score", "score", None, None),
    (
        "BERTScore (published: roberta-large)",
        "bertscore(idf=none)",
        "precision",
        "recall",
        (0.634, 0.643, 0.583, 0.552),
        (0.674, 0.712, 0.588, 0.603),
    ),
    (
        "BERTScore, background idf (published: GPT2Score)",
        "bertscore",
        "precision",
        "recall",
        (0.665, 0.625, 0.577, 0.581),
        (0.680, 0.695, 0.617, 0.623),
    ),
)


def tables() -> Iterator[Table]:
    """The tables, measured."""
    yield _faithfulness()
    yield _pairs("Focus", "focus")
    yield _pairs("Coverage", "coverage")
    yield _coherence()


def faithfulness(metric: str, column: str) -> tuple[float, float]:
    """Pearson and Spearman with faithfulness over the 2,000 XSum summaries."""
    judged = ffci_faithfulness()
    values, human = judged.column(metric, column), judged.human["faithfulness"]
    return pearson(values, human), ranks(values, human).rho


def by_group(metric: str, column: str, aspect: str) -> list[float]:
    """Pearson within each of the four groups."""
    judged = ffci_pairs()
    values, human = judged.column(metric, column), judged.human[aspect]
    return [pearson(values[judged.part(group)], human[judged.part(group)]) for group in GROUPS]


def coherence(column: str, systems: tuple[str, ...]) -> float:
    """Pearson with the z-scores of coherence over the summaries of some systems."""
    judged = ffci_coherence()
    rows = np.isin(judged.groups, systems)
    return pearson(judged.column("coherence", column)[rows], judged.human["coherence_z"][rows])


def _faithfulness() -> Table:
    rows = []
    for what, metric, column, published_r, published_rho in FAITHFULNESS:
        r, rho = faithfulness(metric, column)
        rows.append((what, f"`{metric}`", published_r, r, published_rho, rho))
    return Table(
        "Faithfulness (Table 3)",
        "2,000 XSum summaries. The paper's FA_BERTScore reads roberta-large-mnli at layer 8, its FA_STS another "
        "sentence encoder.",
        ("", "spelling", "published r", "measured r", "published ρ", "measured ρ"),
        rows,
    )


def _pairs(title: str, aspect: str) -> Table:
    rows: list[tuple[str | float | None, ...]] = []
    for what, metric, for_focus, for_coverage, focus, coverage in PAIRS:
        published = focus if aspect == "focus" else coverage
        measured = by_group(metric, for_focus if aspect == "focus" else for_coverage, aspect)
        mean = float(np.mean(published)) if published else None
        rows.append((what, *(published or [None] * 4), mean, *measured, float(np.mean(measured))))
    header = ("", *(f"{group} (publ.)" for group in GROUPS), "mean (publ.)", *GROUPS, "mean")
    text = "Pearson over 135 summaries in each group; " + (
        "precision." if aspect == "focus" else "recall. MoverScore has one number for both."
    )
    return Table(f"{title} (Table 4)", text, header, rows)


def _coherence() -> Table:
    published = {"mean": (0.427, 0.243), "max": (0.296, 0.156), "min": (0.409, 0.254)}
    rows = [
        (
            name,
            *published[name],
            coherence(name, ("PG",)),
            coherence(name, ("BERT",)),
            coherence(name, ("LEAD3",)),
            coherence(name, ("PROPHETNET",)),
            coherence(name, ("PG", "BERT", "LEAD3", "PROPHETNET")),
        )
        for name in ("min", "mean", "max")
    ]
    one = int(np.isnan(ffci_coherence().column("coherence", "min")).sum())
    return Table(
        "Coherence (Tables 4 and 8)",
        f"Pearson; {one} of 540 summaries have one sentence and no value. The paper fine-tuned bert-base-uncased on "
        "100,000 pairs of XSum articles.",
        ("over joints", "C-PG (publ.)", "C-BT (publ.)", "C-PG", "C-BT", "LEAD3", "ProphetNet", "all"),
        rows,
    )
