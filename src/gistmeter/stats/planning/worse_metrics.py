"""Worse versions of a metric, to see whether a test finds them out.

The worse version of ROUGE-1 is R_k: ROUGE-1 of a random k% of the summary's tokens (Deutsch 2022, section 7.5.2). It is
made here from counts of tokens (`TokenMatches`, `thinned_rouge`), or, where there are scores alone, by adding noise
that loses about as much (`noisy_scores`).
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from gistmeter.errors import ArgumentError, DataError
from gistmeter.stats.tables import check_choice, score_table, system_means

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import ArrayLike

    from gistmeter.arrays import FloatArray, IntArray

    Tokens: TypeAlias = Sequence[Hashable]

RougeVariant = Literal["precision", "recall", "f1"]

# Noise that loses about as much correlation as R_k does on SummEval (measured in tests/stats/planning/test_power.py).
SUMMARY_NOISE = 1.0
SYSTEM_NOISE = 0.5


def noisy_scores(
    x: ArrayLike,
    share: float,
    *,
    summary_noise: float = SUMMARY_NOISE,
    system_noise: float = SYSTEM_NOISE,
    rng: np.random.Generator | None = None,
) -> FloatArray:
    """The scores with normal noise, as if of a share of the tokens: its variance grows as (1 - share) / share.

    So does the error of a share of tokens drawn without replacement. With the default noise about as much correlation
    is lost as with R_k on SummEval.

    Parameters
    ----------
    x : array_like
        A table of scores, systems x documents.
    share : float
        The share of the tokens, above 0 and at most 1.
    summary_noise : float
        The variance of the noise of each summary at a share of 1/2, as a multiple of the variance of the systems'
        scores on a document.
    system_noise : float
        The variance of a noise that all summaries of a system have in common at a share of 1/2, as a multiple of the
        variance of the systems' means: R_k favours some systems, since with fewer tokens F1 counts recall for more.
    rng : numpy.random.Generator, optional
        The source of the noise; with seed 0 if none is given.

    Returns
    -------
    array of float
        The noisy scores, in the shape of `x`.

    Raises
    ------
    ArgumentError
        The share is not above 0 and at most 1, or a variance of the noise is negative.
    DataError
        `x` is not a table of finite scores.

    Examples
    --------
    >>> noisy_scores([[1.0, 2], [3, 5]], share=1)
    array([[1., 2.],
           [3., 5.]])
    """
    _check_token_share(share)
    if not (0 <= summary_noise < math.inf and 0 <= system_noise < math.inf):
        raise ArgumentError(f"noise is a variance, 0 or more, not {summary_noise} and {system_noise}")
    table = score_table(x)
    rng = rng or np.random.default_rng(0)
    spread_of_summaries = math.sqrt(_variance(table))
    spread_of_systems = math.sqrt(_variance(system_means(table)[:, None]))
    summaries = math.sqrt(summary_noise) * spread_of_summaries * rng.standard_normal(table.shape)
    systems = math.sqrt(system_noise) * spread_of_systems * rng.standard_normal((len(table), 1))
    return np.asarray(table + math.sqrt((1 - share) / share) * (summaries + systems))


def _variance(table: FloatArray) -> float:
    """The variance within columns, averaged over those that have scores."""
    scored = ~np.isnan(table).all(axis=0)
    return float(np.nanvar(table[:, scored], axis=0).mean()) if scored.any() else 0.0


def _check_token_share(share: float) -> None:
    if not 0 < share <= 1:
        raise ArgumentError(f"a share of the tokens is above 0 and at most 1, not {share}")


@dataclass(frozen=True, slots=True, eq=False)
class TokenMatches:
    """Which tokens of many summaries are in their references, as arrays; all that R_k needs of the texts.

    A word is a token with its summary: the same token in two summaries is two words.
    """

    shape: tuple[int, int]
    """How many systems and documents there are."""
    words: IntArray
    """The word of each token, summary by summary."""
    lengths: IntArray
    """How many tokens each summary has; -1 where there is no summary."""
    distinct: IntArray
    """How many words each summary has."""
    limits: FloatArray
    """How often each word is in each reference (words x references)."""
    reference_lengths: FloatArray
    """How many tokens each reference of a summary has (summaries x references), NaN where there is none."""

    @classmethod
    def of(cls, summaries: Sequence[Sequence[Tokens | None]], references: Sequence[Sequence[Tokens]]) -> TokenMatches:
        """From the tokens (words or numbers) of summaries, systems x documents, and of each document's references."""
        if not summaries or not references or any(len(row) != len(references) for row in summaries):
            raise DataError(
                "token matches need summaries of the same documents for each system, and references of those documents"
            )
        columns = max(map(len, references))
        reference_counts = [[Counter(reference) for reference in references_of] for references_of in references]
        sizes = np.full((len(references), columns), np.nan)
        for document, references_of in enumerate(references):
            sizes[document, : len(references_of)] = [len(reference) for reference in references_of]
        words: list[int] = []
        limits: list[list[int]] = []
        lengths, distinct = [], []
        for row in summaries:
            for tokens, counts in zip(row, reference_counts, strict=True):
                vocabulary = {token: len(limits) + rank for rank, token in enumerate(dict.fromkeys(tokens or ()))}
                words.extend(vocabulary[token] for token in tokens or ())
                padding = [0] * (columns - len(counts))
                limits.extend([count[token] for count in counts] + padding for token in vocabulary)
                lengths.append(-1 if tokens is None else len(tokens))
                distinct.append(len(vocabulary))
        return cls(
            shape=(len(summaries), len(references)),
            words=np.array(words, dtype=np.int64),
            lengths=np.array(lengths, dtype=np.int64),
            distinct=np.array(distinct, dtype=np.int64),
            limits=np.array(limits, dtype=np.float64).reshape(-1, columns),
            reference_lengths=np.tile(sizes, (len(summaries), 1)),
        )


def thinned_rouge(
    matches: TokenMatches, share: float, *, variant: RougeVariant = "f1", rng: np.random.Generator | None = None
) -> FloatArray:
    """R_k: ROUGE-1 of a random share of each summary's tokens, mean over references, as 0 to 1.

    Parameters
    ----------
    matches : TokenMatches
        Which tokens of the summaries are in their references.
    share : float
        The share of the tokens, above 0 and at most 1; their number is rounded down. A share of 1 is ROUGE-1.
    variant : {"precision", "recall", "f1"}
        Which of ROUGE-1's values.
    rng : numpy.random.Generator, optional
        The source of the choice; with seed 0 if none is given.

    Returns
    -------
    array of float
        Systems x documents, NaN where there is no summary or no reference.

    Raises
    ------
    ArgumentError
        The share is not above 0 and at most 1, or the variant does not exist.

    Examples
    --------
    >>> matches = TokenMatches.of([["the cat sat".split()], ["the dog".split()]], [["the cat".split()]])
    >>> thinned_rouge(matches, 1.0)
    array([[0.8],
           [0.5]])
    """
    _check_token_share(share)
    check_choice("variant", variant, RougeVariant)
    rng = rng or np.random.default_rng(0)
    lengths = np.maximum(matches.lengths, 0)
    # A product such as 0.29 * 100 is a little below 29, and that is 29 tokens.
    thinned_lengths = np.floor(lengths * share + 1e-9).astype(np.int64)
    owners = np.repeat(np.arange(len(lengths)), lengths)
    order = np.lexsort((rng.random(len(owners)), owners))
    within = np.arange(len(owners)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    counts = np.bincount(matches.words[order[within < thinned_lengths[owners]]], minlength=len(matches.limits))
    overlap = np.zeros(matches.reference_lengths.shape)
    filled = matches.distinct > 0
    if filled.any():
        starts = (np.cumsum(matches.distinct) - matches.distinct)[filled]
        overlap[filled] = np.add.reduceat(np.minimum(counts[:, None], matches.limits), starts, axis=0)
    overlap[np.isnan(matches.reference_lengths)] = np.nan
    precision_size, recall_size = thinned_lengths[:, None], matches.reference_lengths
    # F1 is the overlap by the mean of both lengths.
    sizes = {"precision": precision_size, "recall": recall_size, "f1": (precision_size + recall_size) / 2}
    size = sizes[variant]
    values = np.where(overlap > 0, overlap / np.where(size > 0, size, 1.0), overlap)
    absent = (matches.lengths < 0) | np.isnan(values).all(axis=1)
    scores = np.full(len(values), np.nan)
    scores[~absent] = np.nanmean(values[~absent], axis=1)
    return scores.reshape(matches.shape)
