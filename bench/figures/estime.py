"""ESTIME (paper 002): Tables 1 and 2 on SummEval with the embedded masked-word model, and Table 3."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.figures.correlations import ranks, system_means
from bench.figures.page import Table
from bench.figures.runs import summeval

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bench.figures.correlations import RankPair
    from bench.figures.runs import FloatArray

ASPECTS = ("consistency", "relevance", "coherence", "fluency")

METRICS = (
    # (what, metric, column, sign, published rho and tau-c for the four aspects, published at system level)
    ("ESTIME, alarms", "estime", "alarms", -1, None, None),
    ("ESTIME, alarms per token", "estime", "rate", -1, None, None),
    ("ESTIME-21 of bert-large (published)", "", "", 0, (0.404, 0.200, 0.188, 0.134, 0.300, 0.217, 0.399, 0.232), None),
    ("novel 3-grams (count, no model)", "novel3", "", -1, None, None),
    ("J-Shannon", "js", "divergence", -1, (0.193, 0.095, 0.406, 0.298, 0.289, 0.213, 0.125, 0.072), None),
    ("SUPERT", "supert", "f1", 1, (0.297, 0.147, 0.306, 0.222, 0.236, 0.175, 0.175, 0.101), (0.832, 0.633)),
    ("faithfulness", "faithfulness", "faithfulness", 1, None, None),
    (
        "BERTScore F1",
        "bertscore",
        "f1",
        1,
        (0.109, 0.053, 0.371, 0.273, 0.377, 0.277, 0.142, 0.082),
        (-0.029, -0.017),
    ),
    (
        "BERTScore recall",
        "bertscore",
        "recall",
        1,
        (0.164, 0.081, 0.423, 0.309, 0.345, 0.253, 0.120, 0.069),
        (0.885, 0.733),
    ),
    ("BLEU", "bleu", "bleu", 1, (0.095, 0.047, 0.213, 0.153, 0.176, 0.128, 0.140, 0.080), (-0.150, -0.017)),
    ("ROUGE-L", "rougeLsum", "f1", 1, (0.115, 0.057, 0.241, 0.174, 0.170, 0.124, 0.079, 0.045), (0.376, 0.283)),
    ("ROUGE-1", "rouge1", "f1", 1, (0.137, 0.067, 0.302, 0.220, 0.184, 0.134, 0.080, 0.046), (0.694, 0.517)),
    ("ROUGE-2", "rouge2", "f1", 1, (0.129, 0.063, 0.245, 0.177, 0.146, 0.105, 0.063, 0.036), (0.779, 0.600)),
    ("ROUGE-3", "rouge3", "f1", 1, (0.149, 0.073, 0.251, 0.180, 0.160, 0.116, 0.066, 0.038), (0.888, 0.717)),
)


def values_of(metric: str, column: str) -> FloatArray:
    """A metric's scores on SummEval's 1,600 summaries."""
    judged = summeval()
    if metric == "novel3":
        from bench.figures.novel import novel_trigrams

        return novel_trigrams(judged.examples)
    return judged.column(metric, column)


def pooled(metric: str, column: str, sign: int, aspect: str) -> RankPair:
    """Rank correlations over all 1,600 summaries."""
    return ranks(sign * values_of(metric, column), summeval().human[aspect])


def over_systems(metric: str, column: str, sign: int) -> RankPair:
    """Rank correlations with consistency over the means of 16 systems."""
    judged = summeval()
    return ranks(
        system_means(sign * values_of(metric, column), judged), system_means(judged.human["consistency"], judged)
    )


def tables() -> Iterator[Table]:
    """Tables 1 and 2, measured."""
    rows: list[tuple[str | float | None, ...]] = []
    systems: list[tuple[str | float | None, ...]] = []
    for what, metric, column, sign, published, published_system in METRICS:
        measured = [pooled(metric, column, sign, aspect) for aspect in ASPECTS] if metric else []
        numbers = [value for pair in measured for value in pair] or [None] * 8
        said = published or [None] * 8
        rows.append((what, *(value for both in zip(said, numbers, strict=True) for value in both)))
        if metric:
            systems.append((what, *(published_system or (None, None)), *over_systems(metric, column, sign)))
    header = [f"{aspect[:4]}. {name}" for aspect in ASPECTS for name in ("ρ publ.", "ρ", "τ publ.", "τ")]
    yield Table(
        "SummEval, summaries pooled (Table 1)",
        "Spearman's ρ and Kendall's τ-c over 1,600 summaries with the mean of three experts; measures of which less is "
        "better are negated. ROUGE, BLEU and BERTScore have 11 references.",
        ("", *header),
        rows,
    )
    yield Table(
        "SummEval, consistency over systems (Table 2)",
        "The same over the means of 16 systems.",
        ("", "ρ publ.", "τ publ.", "ρ", "τ"),
        systems,
    )
