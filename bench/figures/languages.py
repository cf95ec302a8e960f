"""Eight languages (paper 003): focus and coverage with what is embedded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bench.figures.correlations import pearson
from bench.figures.page import Table
from bench.figures.runs import eight_languages

if TYPE_CHECKING:
    from collections.abc import Iterator

LANGUAGES = ("EN", "ID", "FR", "TR", "ZH", "RU", "DE", "ES")
METRICS = (
    ("ROUGE-1", "rouge1"),
    ("STS (sentence)", "sts(segment=sentence)"),
    ("STS (document)", "sts(segment=document)"),
)


def by_language(metric: str, aspect: str) -> list[float]:
    """Pearson in each language: the mean of PG and BERT."""
    judged = eight_languages()
    values = judged.column(metric, "precision" if aspect == "focus" else "recall")
    human = judged.human[aspect]
    found = []
    for language in LANGUAGES:
        parts = [judged.part(f"{language}-{system}") for system in ("PG", "BERT")]
        found.append(float(np.mean([pearson(values[part], human[part]) for part in parts])))
    return found


def tables() -> Iterator[Table]:
    """The tables, measured."""
    for aspect in ("focus", "coverage"):
        rows = []
        for what, metric in METRICS:
            measured = by_language(metric, aspect)
            rows.append((what, *measured, float(np.mean(measured))))
        yield Table(
            f"{aspect.capitalize()} in eight languages",
            "Pearson, the mean over PG and BERT (135 summaries each); "
            + ("precision." if aspect == "focus" else "recall.")
            + " STS reads all-MiniLM-L6-v2 in English and the multilingual Universal Sentence Encoder elsewhere; "
            "Indonesian is not among the languages that one was trained on.",
            ("", *LANGUAGES, "mean"),
            rows,
        )
