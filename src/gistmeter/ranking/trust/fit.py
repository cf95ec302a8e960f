"""Fit: a table of calibrations from a metric's scores and people's judgments on one dataset or several."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import DataError
from gistmeter.ranking.trust.calibration import SUBSETS, People, calibrate, system_pairs
from gistmeter.ranking.trust.tables import (
    Dataset,
    PeopleTable,
    Provenance,
    Table,
    round_calibration,
    round_to_file_digits,
)
from gistmeter.ranking.trust.transfer import LeftOut, PooledSlopes, leave_one_out, pool_slopes
from gistmeter.signature import without_version
from gistmeter.version import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.ranking.trust.calibration import Calibration
    from gistmeter.scores import ScoreColumn

CHOICES: tuple[People, ...] = ("all", "significant")
_DIGEST_LETTERS = 16
_SCALES = {"bleu": 100.0, "chrf": 100.0}


@dataclass(frozen=True, slots=True, eq=False)
class JudgedScores:
    """The scores of one metric and what people said, of the same summaries: systems x documents, NaN for missing."""

    dataset: Dataset
    scores: FloatArray
    judgments: FloatArray
    bias: str = ""
    """What the metric took from these judgments when it was built; empty if nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FitOptions:
    """How curves are fitted, and what a table says of its making."""

    command: str
    date: str = ""
    resamples: int = 2000
    confidence: float = 0.95
    seed: int = 0


def fit_table(column: ScoreColumn, judged: Sequence[JudgedScores], options: FitOptions) -> Table:
    """The table of one score, fitted to datasets.

    Pairs that people tell apart significantly are left out of the table where there are none.

    >>> rng = np.random.default_rng(0)
    >>> quality = rng.normal(0.4, 0.03, size=(12, 1))
    >>> scores, people = (quality + rng.normal(0, 0.1, size=(12, 40)) for _ in range(2))
    >>> from gistmeter.scores import ScoreColumn
    >>> ours = Dataset("ours", "overall", "our own", references=1)
    >>> column = ScoreColumn("mine.score", "mine|v:1.0")
    >>> table = fit_table(column, [JudgedScores(ours, scores, people)], FitOptions(command="a script", resamples=50))
    >>> table.name, table.signature, table.scale, [calibrated.pairs for calibrated in table.people["all"].sets]
    ('mine.score', 'mine', 1.0, [66])
    """
    if not any(judged_set.dataset.pooled for judged_set in judged):
        raise DataError(f"{column.name} has no dataset to be calibrated on")
    people: dict[People, PeopleTable] = {}
    for choice in CHOICES:
        fitted = _fit_people(column, judged, options, choice)
        if fitted is not None:
            people[choice] = fitted
    return Table(
        spelling=column.metric,
        signature=without_version(column.signature),
        column=column.short,
        better=column.better,
        scale=_find_scale(column, judged),
        made=Provenance(
            command=options.command,
            date=options.date,
            gistmeter=__version__,
            resamples=options.resamples,
            confidence=options.confidence,
            seed=options.seed,
        ),
        people=people,
    )


def digest_inputs(scores: FloatArray, judgments: FloatArray) -> str:
    """A digest of the numbers that a curve is fitted to, as far as a file keeps digits; dates and names are not in it.

    >>> same = digest_inputs(np.array([[0.1, 0.2]]), np.array([[1.0, 2.0]]))
    >>> same == digest_inputs(np.array([[0.1000000001, 0.2]]), np.array([[1.0, 2.0]]))
    True
    >>> same == digest_inputs(np.array([[0.1, 0.2]]), np.array([[2.0, 1.0]]))
    False
    """
    digest = hashlib.sha256()
    for table in (scores, judgments):
        digest.update(repr(table.shape).encode())
        digest.update(" ".join(f"{value:.5g}" for value in table.ravel()).encode())
    return digest.hexdigest()[:_DIGEST_LETTERS]


def _fit_people(
    column: ScoreColumn, judged: Sequence[JudgedScores], options: FitOptions, choice: People
) -> PeopleTable | None:
    calibrations: list[tuple[JudgedScores, Calibration]] = []
    for judged_set in judged:
        try:
            calibration = calibrate(
                judged_set.scores,
                judged_set.judgments,
                better=column.better,
                people=choice,
                resamples=options.resamples,
                confidence=options.confidence,
                seed=options.seed,
            )
        except DataError as error:
            if choice == "significant":
                continue
            raise DataError(f"{column.name} cannot be calibrated on {judged_set.dataset.name}: {error}") from None
        calibrations.append((judged_set, calibration))
    pooled = [(judged_set, calibration) for judged_set, calibration in calibrations if judged_set.dataset.pooled]
    if not pooled:
        return None
    documents = min(calibration.documents for _, calibration in pooled)
    pairs = {
        judged_set.dataset.name: system_pairs(
            judged_set.scores, judged_set.judgments, better=column.better, people=choice, seed=options.seed
        )
        for judged_set, _ in pooled
    }
    return PeopleTable(
        sets=tuple(
            round_calibration(
                judged_set.dataset,
                calibration,
                inputs=digest_inputs(judged_set.scores, judged_set.judgments),
                bias=judged_set.bias,
            )
            for judged_set, calibration in calibrations
        ),
        pooled=tuple(
            PooledSlopes(slopes.documents, round_to_file_digits(slopes.low), round_to_file_digits(slopes.high))
            for slopes in pool_slopes(
                [calibration for _, calibration in pooled],
                documents=[*(count for count in SUBSETS if count < documents), documents],
                confidence=options.confidence,
            )
        ),
        left_out=tuple(map(_round_left_out, leave_one_out(pairs))) if len(pairs) > 1 else (),
    )


def _round_left_out(left_out: LeftOut) -> LeftOut:
    return LeftOut(
        dataset=left_out.dataset,
        loss=round_to_file_digits(left_out.loss),
        own_loss=round_to_file_digits(left_out.own_loss),
        predicted=round_to_file_digits(left_out.predicted),
        observed=round_to_file_digits(left_out.observed),
    )


def _find_scale(column: ScoreColumn, judged: Sequence[JudgedScores]) -> float | None:
    """What the scores go up to: 100 by their metric, 1 by what they are, or nothing that is known."""
    name = column.signature.partition("|")[0]
    if name in _SCALES:
        return _SCALES[name]
    largest = max(float(np.nanmax(np.abs(judged_set.scores))) for judged_set in judged)
    return 1.0 if largest <= 1 + 1e-9 else None
