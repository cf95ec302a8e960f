"""Scores that were published with paper 003's data: BERTScore of every layer of five models."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from bench.figures.runs import DATA, records

if TYPE_CHECKING:
    from bench.figures.runs import FloatArray, Judged

MONOLINGUAL = "monolingual"
_SIDES = {"focus": "precision", "coverage": "recall"}
_FOLDER = "multi_summeval/expected"


def values(model: str, aspect: str, judged: Judged) -> FloatArray:
    """The released scores of these summaries at the layer that the paper chose; `monolingual` is each language's."""
    scores = _by_summary(model, aspect)
    return np.array([scores[one.doc_id, one.system] for one in judged.examples])


@cache
def _by_summary(model: str, aspect: str) -> dict[tuple[str, str], float]:
    layers = json.loads((DATA / _FOLDER / "correlations.json").read_text())["bert_score_layer"][aspect]
    found: dict[tuple[str, str], float] = {}
    for record in records(f"{_FOLDER}/bert_score.jsonl.gz"):
        known = record["model"]
        alone = not known.startswith(("bert-base-multilingual", "xlm-roberta"))
        if (alone if model == MONOLINGUAL else known == model) and record["layer"] == layers[known]:
            numbers = record[_SIDES[aspect]]
            found |= {
                (doc_id, record["system_id"]): value for doc_id, value in zip(record["doc_ids"], numbers, strict=True)
            }
    return found
