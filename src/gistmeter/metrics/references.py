"""Several references: how matches against each become one precision, recall and F."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from gistmeter.arrays import FloatArray


ReferencePolicy = Literal["average", "mean", "max", "best", "jackknife"]
"""What to do with several references.

- `average`: matches and counts summed over references before dividing (ROUGE-1.5.5 -f A);
- `mean`: precision, recall and F against each reference, averaged;
- `max`: the reference with the highest F (rouge-score's score_multi);
- `best`: the reference with the highest recall (ROUGE-1.5.5 -f B);
- `jackknife`: the mean, over each reference left out in turn, of `max` over the rest. A summary that is itself
  one of the references is scored against the others alone, so that people and systems compare.
"""


@dataclass(frozen=True, slots=True)
class PairCounts:
    """For each (summary, reference) pair: what matched, and how much there was on either side."""

    matches: FloatArray
    in_summary: FloatArray
    in_reference: FloatArray
    usable: NDArray[np.bool_]
    """False where the reference has no words: there is nothing to compare with."""
    preference: FloatArray | None = None
    """What `best` goes by where it is not recall."""


def combine_references(
    counts: PairCounts,
    starts: NDArray[np.int64],
    policy: ReferencePolicy,
    *,
    f_of: Callable[[FloatArray, FloatArray], FloatArray],
    ratio: Callable[[FloatArray, FloatArray], FloatArray],
    own_references: Sequence[int | None],
) -> FloatArray:
    """Precision, recall and F for each example; its pairs are `starts[i]` to `starts[i + 1]`.

    An example with no usable reference gets NaN. `own_references[i]` is the position, among its references, of the one
    that example i's summary is itself, if any.
    """
    result = np.full((len(starts) - 1, 3), np.nan)
    if policy == "average":
        parts = (counts.matches, counts.in_summary, counts.in_reference)
        usable_parts = [np.where(counts.usable, part, 0.0) for part in parts]
        matches, in_summary, in_reference = (sum_by_group(part, starts) for part in usable_parts)
        has_usable = sum_by_group(counts.usable.astype(float), starts) > 0
        return np.where(has_usable[:, None], _score_counts(matches, in_summary, in_reference, f_of, ratio), result)
    pair_scores = _score_counts(counts.matches, counts.in_summary, counts.in_reference, f_of, ratio)
    for row in range(len(result)):
        pairs = np.arange(starts[row], starts[row + 1])
        usable = counts.usable[pairs]
        if not usable.any():
            continue
        if policy == "jackknife":
            result[row] = _jackknife(pair_scores[pairs], usable, own_references[row])
            continue
        preference = None if counts.preference is None else counts.preference[pairs[usable]]
        result[row] = choose_reference(pair_scores[pairs[usable]], policy, preference=preference)
    return result


def choose_reference(
    scores: FloatArray, policy: Literal["mean", "max", "best"], *, preference: FloatArray | None = None
) -> FloatArray:
    """One row of precision, recall and F from the rows against each reference: their mean, or the row of one of them.

    `max` takes the row with the highest F, `best` that with the highest recall, or the highest `preference` if given.

    >>> scores = np.array([[0.9, 0.2, 0.3], [0.3, 0.4, 0.35]])
    >>> choose_reference(scores, "mean").round(3), choose_reference(scores, "best")
    (array([0.6  , 0.3  , 0.325]), array([0.3 , 0.4 , 0.35]))
    """
    if policy == "mean":
        return np.asarray(scores.mean(axis=0))
    if policy == "max":
        return np.asarray(scores[np.argmax(scores[:, 2])])
    return np.asarray(scores[np.argmax(scores[:, 1] if preference is None else preference)])


def find_own_reference(summary: str, references: Sequence[str]) -> int | None:
    """The position of the summary among its references, if it is itself one of them.

    >>> find_own_reference("It rained. ", ["It snowed.", "It rained."])
    1
    """
    text = summary.strip()
    return next((position for position, reference in enumerate(references) if reference.strip() == text), None)


def harmonic_mean(precision: FloatArray, recall: FloatArray) -> FloatArray:
    """The harmonic mean of precision and recall, 0 where both are.

    >>> harmonic_mean(np.array([0.5, 0.0]), np.array([1.0, 0.0])).round(3)
    array([0.667, 0.   ])
    """
    total = precision + recall
    return np.divide(2 * precision * recall, total, out=np.zeros_like(total), where=total > 0)


def _score_counts(
    matches: FloatArray,
    in_summary: FloatArray,
    in_reference: FloatArray,
    f_of: Callable[[FloatArray, FloatArray], FloatArray],
    ratio: Callable[[FloatArray, FloatArray], FloatArray],
) -> FloatArray:
    """Precision, recall and F from what matched and how much there was on either side."""
    precision, recall = ratio(matches, in_summary), ratio(matches, in_reference)
    return np.stack([precision, recall, f_of(precision, recall)], axis=-1)


def _jackknife(pair_scores: FloatArray, usable: NDArray[np.bool_], own: int | None) -> FloatArray:
    """The mean over each reference left out in turn of the best of the others; an `own` reference alone is left out."""
    positions = np.flatnonzero(usable)
    if own is not None:
        rest = pair_scores[positions[positions != own]]
        return np.asarray(rest[np.argmax(rest[:, 2])]) if len(rest) else np.full(3, np.nan)
    if len(positions) == 1:  # nothing can be left out
        return np.asarray(pair_scores[positions[0]])
    folds = [pair_scores[positions[positions != left_out]] for left_out in positions]
    return np.asarray(np.mean([fold[np.argmax(fold[:, 2])] for fold in folds], axis=0))


def sum_by_group(values: FloatArray, starts: NDArray[np.int64]) -> FloatArray:
    """Sums over groups of consecutive values (a group may be empty), each untouched by what the others hold.

    >>> sum_by_group(np.array([1.0, 2.0, 4.0]), np.array([0, 2, 2, 3]))
    array([3., 0., 4.])
    """
    groups = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    return np.asarray(np.bincount(groups, weights=values, minlength=len(starts) - 1), dtype=np.float64)
