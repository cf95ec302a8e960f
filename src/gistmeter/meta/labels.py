"""How well do scores tell yes from no? ROC-AUC and balanced accuracy against labels, such as consistent or not."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gistmeter import stats
from gistmeter.errors import ArgumentError, DataError, suggestion
from gistmeter.io.files import read_text_lines
from gistmeter.meta.options import CorrelationOptions, as_tuple
from gistmeter.meta.sources import name_list, study_of
from gistmeter.meta.study.directions import LEFT_OUT, choose_ranked, note_columns
from gistmeter.meta.study.skipping import SkippedMetrics
from gistmeter.meta.study.tables import label_table
from gistmeter.result import Result
from gistmeter.stats.comparison import note_permutations, raise_permutations
from gistmeter.wording import format_count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.meta.sources import JudgmentSource, ScoreSource
    from gistmeter.meta.study import Study
    from gistmeter.stats import LabelAgreement, LabelInterval
    from gistmeter.stats.resampling.samples import Resampling
    from gistmeter.stats.tables import LabelCoefficient

# The way a score without a direction goes with people is that of all summaries together.
_POOLED = CorrelationOptions(level="pooled", coefficient="pearson")


@dataclass(frozen=True, slots=True)
class MetricLabels:
    """How well one metric tells labels apart, by one coefficient."""

    metric: str
    interval: LabelInterval
    threshold: float
    """From which score on a summary counts as yes; NaN for the AUC, and where each fold has its own."""
    letters: str
    """Metrics that share a letter do not differ significantly by this coefficient."""


@dataclass(frozen=True, slots=True)
class LabelScores(Result):
    """How well metrics tell yes from no, with intervals and paired tests."""

    aspect: str
    rows: tuple[MetricLabels, ...]
    positive: int
    """How many summaries are labelled yes, among those tested."""
    negative: int
    """How many summaries are labelled no, among those tested."""
    cut: float | None
    """Judgments from this on are a yes (a no, where lower is better); None where they are 0 and 1 themselves."""
    threshold_from: str
    """Where the thresholds of balanced accuracy come from, in words."""
    method: Resampling
    resamples: int
    permutations: int
    alpha: float
    seed: int
    notes: tuple[str, ...] = ()

    def records(self) -> list[dict[str, Any]]:
        """A row for each coefficient and metric, the best first."""
        return [
            {
                "metric": row.metric,
                "coefficient": row.interval.coefficient,
                "value": row.interval.value,
                "low": row.interval.low,
                "high": row.interval.high,
                "threshold": row.threshold,
                "alike": row.letters,
            }
            for row in self.rows
        ]


def labels(
    scores: ScoreSource,
    judgments: JudgmentSource = None,
    *,
    metrics: str | Sequence[str] | None = None,
    aspect: str | None = None,
    coefficient: LabelCoefficient | Sequence[LabelCoefficient] = ("auc", "balanced-accuracy"),
    positive: float | None = None,
    threshold: float | None = None,
    development: str | Path | Sequence[str] | None = None,
    folds: int = 5,
    method: Resampling = "documents",
    resamples: int = 1000,
    confidence: float = 0.95,
    permutations: int = 1000,
    alpha: float = 0.05,
    seed: int = 0,
    workers: int = 1,
    lower: str | Sequence[str] | None = None,
    higher: str | Sequence[str] | None = None,
    units: Sequence[str | Path] = (),
) -> LabelScores:
    """Measure how well scores tell summaries that people call good from those that they call bad.

    This is for judgments that are yes or no, such as whether a summary is consistent with its document (the protocol of
    SummaC, TRUE and AggreFact). All summaries are taken together, whatever their system and document.

    The threshold of balanced accuracy is never chosen on the summaries it is tested on: it is the one given, or the
    best on the `development` documents, which are then not tested, or, by default, the best on the other folds of
    documents.

    Parameters
    ----------
    scores, judgments
        A `Study`; or scores and judgments, in memory or as files: see `open_study`.
    metrics
        Which scores to look at; all by default. For a run, those to compute first.
    aspect
        The judgment to compare with; by default the only one there is. If lower is better, 0 is yes.
    coefficient
        `auc`, `balanced-accuracy`, or both.
    positive
        A judgment of at least this counts as yes, where judgments are not 0 and 1 already.
    threshold
        The score from which on a summary counts as yes (up to which, if lower is better), for all metrics.
    development
        The documents whose summaries choose the threshold of each metric; or a file with one of them a line.
    folds
        With neither of these, in how many folds documents are divided to choose thresholds.
    method
        What intervals draw anew: `documents`, `systems` or `both`.
    resamples, confidence
        How many resamples an interval is made of, and its confidence.
    permutations, alpha
        How many permutations a paired test of two metrics has (documents are swapped), and from which p-value on, after
        Holm's correction, metrics differ.
    seed
        Says which folds, resamples and permutations are drawn.
    workers
        How many threads; the result is the same for any number.
    lower, higher
        Scores or aspects of which lower, or higher, is better, where nothing says so or otherwise. A score of which
        neither is better is left out.
    units
        For a run, files of content units.

    Returns
    -------
    LabelScores
        A row for each coefficient and metric, the best first.

    Raises
    ------
    ArgumentError
        `positive` or another argument is missing, arguments do not go together, or a metric named has no direction.
    DataError
        There is no such score or judgment, or all labels are the same.

    Examples
    --------
    >>> import numpy as np
    >>> from gistmeter import meta
    >>> rng = np.random.default_rng(1)
    >>> consistent = rng.integers(2, size=(4, 50))
    >>> tables = {"good": consistent + rng.normal(size=(4, 50)), "poor": consistent + 5 * rng.normal(size=(4, 50))}
    >>> study = meta.Study.from_tables({**tables, "consistent": consistent}, aspects=["consistent"], better="higher")
    >>> for row in meta.labels(study, coefficient="auc").rows:
    ...     print(row.metric, round(row.interval.value, 2), row.letters)
    good 0.78 a
    poor 0.56 b
    """
    names = name_list(metrics)
    study = study_of(scores, judgments, metrics=names, aspects=aspect, units=units, lower=lower, higher=higher)
    chosen = study.choose_aspect(aspect)
    notes = note_columns(study, (*study.choose_metrics(names), chosen), undirected=LEFT_OUT)
    names = choose_ranked(study, chosen, names)
    truth = label_table(study, chosen, positive)
    tested, source = _tested_documents(study, threshold, development, folds)
    enough = raise_permutations(permutations, tests=math.comb(len(names), 2), alpha=alpha)
    rows: list[MetricLabels] = []
    skipped = SkippedMetrics()
    for kind in as_tuple(coefficient):
        measured = []
        for name in names:
            with skipped.noting(name, kind):
                sign = -1.0 if study.direction(name) == "lower" else 1.0
                x = study.oriented(name)
                limits = None
                if kind == "balanced-accuracy":
                    limits = _choose_limits(x, truth, tested, threshold, sign, folds=folds, seed=seed)
                interval = stats.label_interval(
                    x[:, tested],
                    truth[:, tested],
                    coefficient=kind,
                    threshold=limits,
                    method=method,
                    resamples=resamples,
                    confidence=confidence,
                    seed=seed,
                    workers=workers,
                )
                measured.append(_Measured(name=name, x=x[:, tested], sign=sign, limits=limits, interval=interval))
        skipped.check(measured)
        rows += _rank(measured, truth[:, tested], permutations=enough, alpha=alpha, seed=seed, workers=workers)
    cells = truth[:, tested]
    return LabelScores(
        aspect=chosen,
        rows=tuple(rows),
        positive=int((cells == 1).sum()),
        negative=int((cells == 0).sum()),
        cut=positive,
        threshold_from=source,
        method=method,
        resamples=resamples,
        permutations=enough,
        alpha=alpha,
        seed=seed,
        notes=(
            *notes,
            *note_permutations(permutations, enough, math.comb(len(names), 2), alpha),
            *skipped.notes_beside({row.metric for row in rows}),
        ),
    )


def measure_labels(
    study: Study, name: str, aspect: str, truth: FloatArray, coefficient: LabelCoefficient
) -> LabelAgreement:
    """How well a score tells the labels of an aspect (`truth`) apart, with thresholds from other folds of documents."""
    x = study.oriented_toward(name, aspect, _POOLED)
    limits = stats.cross_fit_thresholds(x, truth) if coefficient == "balanced-accuracy" else None
    return stats.agree_with_labels(x, truth, coefficient=coefficient, threshold=limits)


@dataclass(frozen=True, slots=True)
class _Measured:
    """A metric's scores of the tested documents, turned so that more is better, with thresholds and interval."""

    name: str
    x: FloatArray
    sign: float
    """What the scores were multiplied by."""
    limits: FloatArray | float | None
    interval: LabelInterval

    @property
    def threshold(self) -> float:
        """A threshold that holds for all documents, in the metric's own units; NaN where there is none."""
        return self.sign * self.limits if isinstance(self.limits, float) else float("nan")


def _tested_documents(
    study: Study, threshold: float | None, development: str | Path | Sequence[str] | None, folds: int
) -> tuple[list[int], str]:
    """The documents to test on, and where thresholds come from, in words."""
    if threshold is not None and development is not None:
        raise ArgumentError("give a `threshold`, or the documents of a `development` part that choose it, not both")
    everything = list(range(len(study.documents)))
    if threshold is not None:
        return everything, f"the threshold given, {threshold:g}"
    if development is None:
        return everything, f"thresholds from the other of {folds} folds of documents"
    if isinstance(development, str | Path):
        development = [line.strip() for line in read_text_lines(str(development)) if line.strip()]
    unknown = next((name for name in development if name not in study.documents), None)
    if unknown is not None:
        raise DataError(f"there is no document {unknown!r} to choose a threshold{suggestion(unknown, study.documents)}")
    chosen = set(development)
    tested = [index for index in everything if study.documents[index] not in chosen]
    if not tested or not chosen:
        raise DataError("a development part has some of the documents, and leaves some to test on")
    return tested, f"thresholds from {format_count(len(chosen), 'other document')}"


def _choose_limits(
    x: FloatArray,
    truth: FloatArray,
    tested: list[int],
    threshold: float | None,
    sign: float,
    *,
    folds: int,
    seed: int,
) -> FloatArray | float:
    """The threshold of the tested documents, or one for each of them, of scores turned by `sign`."""
    if threshold is not None:
        return sign * threshold
    if len(tested) == x.shape[1]:
        return stats.cross_fit_thresholds(x, truth, folds=folds, seed=seed)
    rest = sorted(set(range(x.shape[1])) - set(tested))
    return stats.choose_threshold(x[:, rest], truth[:, rest])


def _rank(
    measured: Sequence[_Measured], truth: FloatArray, *, permutations: int, alpha: float, seed: int, workers: int
) -> list[MetricLabels]:
    """The metrics, the best first, with letters from paired tests of all pairs."""
    order = sorted(range(len(measured)), key=lambda index: -measured[index].interval.value)
    pairs = list(itertools.combinations(range(len(measured)), 2))
    pvalues = np.array(
        [
            stats.label_permutation_test(
                measured[first].x,
                measured[second].x,
                truth,
                coefficient=measured[first].interval.coefficient,
                thresholds=_pair_limits(measured[first], measured[second]),
                permutations=permutations,
                seed=seed,
                workers=workers,
            ).pvalue
            for first, second in pairs
        ]
    )
    differs = np.zeros((len(measured), len(measured)), dtype=bool)
    for (first, second), pvalue in zip(pairs, stats.holm(pvalues), strict=True):
        differs[first, second] = differs[second, first] = pvalue <= alpha
    letters = stats.letter_groups(order, differs)
    return [
        MetricLabels(
            metric=measured[index].name,
            interval=measured[index].interval,
            threshold=measured[index].threshold,
            letters=letter,
        )
        for index, letter in zip(order, letters, strict=True)
    ]


def _pair_limits(first: _Measured, second: _Measured) -> tuple[FloatArray | float, FloatArray | float] | None:
    return None if first.limits is None or second.limits is None else (first.limits, second.limits)
