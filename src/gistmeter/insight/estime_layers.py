"""ESTIME by layer: how well each layer's alarms and winners agree with people, in one masked pass over the texts.

As in the appendices of Vasilyev and Bohannon (2021), Figs. 1 to 13: summaries pooled, or the means of systems (Fig. 3);
alarms and winners (4, 5), scalar product and cosine (6, 7), other models (8, 9), parts of speech left out (10, 11) and
sparser masks (12, 13). Each is a setting of `estime`, and all that mask alike are read at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Unpack, cast, get_args

import numpy as np

from gistmeter.errors import ArgumentError, DataError
from gistmeter.insight.judged_summaries import read_judged_summaries
from gistmeter.insight.layer_choice import correlate_groups
from gistmeter.metrics.masked.estime import Estime
from gistmeter.scoring.inputs import label_metrics
from gistmeter.stats.tables import check_choice

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from gistmeter.arrays import FloatArray
    from gistmeter.example import Example
    from gistmeter.insight.layer_models import RunSettings
    from gistmeter.scoring.inputs import Metrics
    from gistmeter.stats.correlation import Coefficient

EstimeScore = Literal["alarms", "rate", "winners"]
CurveLevel = Literal["pooled", "system"]
DEFAULT_SETTINGS = ("estime", "estime(normalise=yes)")


@dataclass(frozen=True, slots=True, eq=False)
class LayerCurve:
    """The correlation of a score of `estime` with a judgment, layer by layer; positive where alarms mean worse."""

    metric: str
    score: EstimeScore
    human: str
    layers: tuple[int, ...]
    depth: int
    """How many layers the model has."""
    values: FloatArray

    @property
    def name(self) -> str:
        """The setting, the score and the judgment."""
        return f"{self.metric}.{self.score} {self.human}"

    @property
    def best(self) -> int:
        """The layer of the highest correlation."""
        return self.layers[int(np.nanargmax(self.values))]


@dataclass(frozen=True, slots=True, eq=False)
class LayerCurves:
    """Curves over the same summaries."""

    curves: tuple[LayerCurve, ...]
    coefficient: Coefficient
    level: CurveLevel
    summaries: int
    systems: int


def draw_estime_layers(
    files: Sequence[str | Path],
    *,
    metrics: Metrics = DEFAULT_SETTINGS,
    scores: Sequence[EstimeScore] = ("alarms", "winners"),
    humans: Sequence[str] = ("consistency",),
    layers: Sequence[int] | None = None,
    coefficient: Coefficient = "spearman",
    level: CurveLevel = "pooled",
    lower: bool = False,
    progress: Callable[[int, int], None] | None = None,
    **run: Unpack[RunSettings],
) -> LayerCurves:
    """A curve for each setting of `estime`, each of its scores and each judgment.

    Parameters
    ----------
    files
        Runs whose records carry `human`, or for which `judgments` are given.
    metrics
        Settings of `estime`, spelled as elsewhere; their `layer` does not count.
    scores
        Of `alarms` (N_a), `rate` and `winners` (N_w).
    humans
        Names of judgments.
    layers
        By default all but the embeddings.
    coefficient
        Of the correlation; the paper has `spearman` and `kendall-c`.
    level
        Over all summaries (`pooled`) or over the means of systems (`system`).
    lower
        Whether lower judgments are better, so that their sign is turned.
    progress
        Called with how many summaries are done, and how many there are.
    run
        Where summaries and judgments come from, as `read_judged_summaries` takes it.

    Raises
    ------
    ArgumentError
        If a metric is not `estime`, or there is no such score or level.
    DataError
        If no record has a judgment, or no correlation is defined.
    """
    estimes = _check_metrics(label_metrics(metrics))
    check_choice("level", level, CurveLevel)
    for score in scores:
        check_score(score)
    examples, people = _read_people(files, humans, run)
    by_metric = _score_settings(estimes, examples, layers, progress)
    curves = [
        LayerCurve(
            metric=label,
            score=score,
            human=human,
            layers=_list_layers(estimes[label], layers),
            depth=estimes[label].depth,
            values=_correlate_layers(
                -by_metric[label][:, :, get_args(EstimeScore).index(score)],
                people[human] * (-1 if lower else 1),
                [example.system for example in examples],
                level=level,
                coefficient=coefficient,
            ),
        )
        for label in estimes
        for score in scores
        for human in humans
    ]
    if all(np.isnan(curve.values).all() for curve in curves):
        raise DataError("no correlation is defined: scores or judgments are all the same, or there are too few")
    return LayerCurves(
        curves=tuple(curves),
        coefficient=coefficient,
        level=level,
        summaries=len(examples),
        systems=len({example.system for example in examples}),
    )


def check_score(name: str) -> EstimeScore:
    """A name as a score of `estime`, or the error that says which there are."""
    check_choice("score", name, EstimeScore)
    return cast("EstimeScore", name)


def _check_metrics(metrics: Mapping[str, object]) -> dict[str, Estime]:
    estimes: dict[str, Estime] = {}
    for label, metric in metrics.items():
        if not isinstance(metric, Estime):
            raise ArgumentError(f"{label} has no alarms by layer: name settings of estime, such as estime(exclude=DET)")
        estimes[label] = metric
    return estimes


def _read_people(
    files: Sequence[str | Path], humans: Sequence[str], run: RunSettings
) -> tuple[list[Example], dict[str, FloatArray]]:
    """The summaries that have any of the judgments, and each judgment of each (NaN: none)."""
    examples: dict[tuple[str, str], Example] = {}
    judged: dict[str, dict[tuple[str, str], float]] = {}
    for human in humans:
        judged[human] = {}
        for summary in read_judged_summaries(files, human=human, **run):
            key = summary.example.doc_id, summary.example.system
            examples[key] = summary.example
            judged[human][key] = summary.human
    return list(examples.values()), {
        human: np.array([judged[human].get(key, np.nan) for key in examples]) for human in humans
    }


def _score_settings(
    estimes: Mapping[str, Estime],
    examples: Sequence[Example],
    layers: Sequence[int] | None,
    progress: Callable[[int, int], None] | None,
) -> dict[str, FloatArray]:
    """For each setting the scores by summary, layer and kind; document by document, so that a pass serves all."""
    scores = {
        label: np.full((len(examples), len(_list_layers(metric, layers)), len(metric.columns)), np.nan)
        for label, metric in estimes.items()
    }
    rows_of: dict[str, list[int]] = {}
    for row, example in enumerate(examples):
        rows_of.setdefault(example.doc_id, []).append(row)
    done = 0
    for rows in rows_of.values():
        batch = [examples[row] for row in rows]
        for label, metric in estimes.items():
            scores[label][rows] = metric.score_layers(batch, _list_layers(metric, layers))
        done += len(rows)
        if progress is not None:
            progress(done, len(examples))
    return scores


def _list_layers(metric: Estime, layers: Sequence[int] | None) -> tuple[int, ...]:
    return tuple(sorted(set(layers))) if layers else tuple(range(1, metric.depth + 1))


def _correlate_layers(
    scores: FloatArray, people: FloatArray, systems: Sequence[str], *, level: CurveLevel, coefficient: Coefficient
) -> FloatArray:
    """The correlation of each column of scores with people."""
    if level == "system":
        names = np.array(systems)
        distinct = list(dict.fromkeys(systems))
        scores = np.array([_average(scores[names == name]) for name in distinct])
        people = np.array([_average(people[names == name][:, None])[0] for name in distinct])
    return correlate_groups(scores, people, [np.arange(len(people))], coefficient)[:, 0]


def _average(values: FloatArray) -> FloatArray:
    """Means of columns over what there is."""
    counts = (~np.isnan(values)).sum(axis=0)
    return np.where(counts > 0, np.nansum(values, axis=0) / np.maximum(counts, 1), np.nan)
