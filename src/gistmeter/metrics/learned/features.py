"""What S3 reads of a summary: ROUGE, divergences of words, and ROUGE with words that are near in meaning.

Peyrard et al. (2017) take ROUGE-N, ROUGE-L, ROUGE-SU4, ROUGE-WE and the Jensen-Shannon divergence to the references.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.metrics.overlap.rouge import RougeL, RougeN, RougeSU
from gistmeter.metrics.overlap.simetrix import JensenShannon
from gistmeter.text.words import has_words, split_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.example import Example
    from gistmeter.metrics.metric import Metric
    from gistmeter.models.encoder.word_vectors import WordVectors

FEATURES = (
    "ROUGE-1 recall",
    "ROUGE-1 precision",
    "ROUGE-2 recall",
    "ROUGE-L recall",
    "ROUGE-SU4 recall",
    "ROUGE-WE-1 recall",
    "ROUGE-WE-2 recall",
    "JS-1",
    "JS-2",
)


def describe_summaries(examples: Sequence[Example]) -> FloatArray:
    """A row of features for each example; missing (NaN) where no reference has words."""
    measures: list[tuple[Metric, tuple[int, ...]]] = [
        (RougeN(order=1), (1, 0)),
        (RougeN(order=2), (1,)),
        (RougeL(), (1,)),
        (RougeSU(gap=4), (1,)),
    ]
    columns = [metric.score(examples)[:, column] for metric, chosen in measures for column in chosen]
    columns += list(_score_near_words(examples).T)
    joined = [replace(example, document="\n".join(example.references), documents=()) for example in examples]
    columns += [JensenShannon(order=order, stopwords="none").score(joined)[:, 0] for order in (1, 2)]
    rows = np.column_stack(columns) if examples else np.zeros((0, len(FEATURES)))
    usable = [any(has_words(text) for text in example.references) for example in examples]
    rows[~np.array(usable, dtype=bool)] = np.nan
    # A reference of one word has no pairs of words: nothing of them is in the summary.
    rows[:, -1] = np.where(np.isnan(rows[:, -1]) & np.array(usable, dtype=bool), 1.0, rows[:, -1])
    return rows


def _score_near_words(examples: Sequence[Example]) -> FloatArray:
    """ROUGE-WE: how near each word, and each pair of words, of a reference is to the nearest of the summary."""
    from gistmeter.models.encoder.word_vectors import load_word_vectors

    vectors = load_word_vectors()
    scores = np.full((len(examples), 2), np.nan)
    for row, example in enumerate(examples):
        summary = split_words(example.summary)
        references = [words for words in map(split_words, example.references) if words]
        if references:
            scores[row] = [
                np.mean([measure_nearness(summary, words, vectors, order) for words in references]) for order in (1, 2)
            ]
    return scores


def measure_nearness(summary: Sequence[str], reference: Sequence[str], vectors: WordVectors, order: int) -> float:
    """The mean over the reference's words (or pairs) of the highest cosine with one of the summary's, 0 at least."""
    if min(len(summary), len(reference)) < order:
        return 0.0
    left, right = (_join_neighbours(vectors.find(words).astype(np.float64), order) for words in (reference, summary))
    return float(np.maximum((left @ right.T).max(axis=1), 0.0).mean())


def _join_neighbours(rows: FloatArray, order: int) -> FloatArray:
    """The sums of `order` neighbours, each of length 1."""
    joined: FloatArray = np.sum([rows[start : len(rows) - order + 1 + start] for start in range(order)], axis=0)
    lengths = np.linalg.norm(joined, axis=1, keepdims=True)
    normed: FloatArray = np.divide(joined, lengths, out=np.zeros_like(joined), where=lengths > 0)
    return normed
