"""Metrics that are called as those of the package `evaluate`: `load("rouge").compute(predictions=..., ...)`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from gistmeter.api.scoring import score
from gistmeter.errors import ArgumentError, MetricError
from gistmeter.metrics.metric import spell_value
from gistmeter.metrics.registry import parse_metric
from gistmeter.metrics.spelling import parse_spelling
from gistmeter.ranking.columns import finite_parts, main_columns, pool_for

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gistmeter.metrics.metric import Metric
    from gistmeter.scores import ScoreColumn, Scores

ROUGE = ("rouge1", "rouge2", "rougeL", "rougeLsum")
"""What `rouge` stands for, as in `evaluate`."""

_UNSTEMMED = "none"
_STEMMED = "porter"


class ComputedScores(dict[str, Any]):
    """Scores by name, a number or a list for each, and the signatures of what computed them."""

    signatures: dict[str, str]

    def __init__(self, values: dict[str, Any], signatures: dict[str, str]) -> None:
        super().__init__(values)
        self.signatures = signatures


@dataclass(frozen=True, slots=True)
class LoadedMetric:
    """A metric, or the four of ROUGE, that scores lists: see `load`."""

    name: str
    metrics: dict[str, Metric]
    """By the name under which its score is returned."""

    @property
    def signature(self) -> str:
        """The settings in full, a line for each metric; `signatures` of what `compute` gives say what data decided."""
        return "\n".join(metric.signature() for metric in self.metrics.values())

    def compute(
        self,
        *,
        predictions: Iterable[Any],
        references: Iterable[Any] | None = None,
        documents: Iterable[Any] | None = None,
        sources: Iterable[Any] | None = None,
        use_aggregator: bool = True,
        rouge_types: Sequence[str] | None = None,
        use_stemmer: bool | None = None,
        language: str | None = None,
    ) -> ComputedScores:
        """Score lists: item i of each belongs together.

        Parameters
        ----------
        predictions
            The summaries.
        references
            For each summary a reference, or a list of several.
        documents, sources
            For each summary its document, or a list of several; two names of the same.
        use_aggregator
            Whether to give the mean of each score (of a corpus metric the score of the corpus); else a list.
        rouge_types
            Of `rouge`: which of its four scores to give.
        use_stemmer
            Of ROUGE: whether to stem as Porter does, or not at all; None leaves the setting as it was loaded.
        language
            Of all texts, as a code such as `en`.

        Returns
        -------
        ComputedScores
            A dict of numbers, or of lists, with `signatures`.

        Raises
        ------
        ArgumentError
            An option does not go with this metric, or both `documents` and `sources` are given.
        DataError
            Lists are of unequal length, or lack what the metric needs.
        """
        if documents is not None and sources is not None:
            raise ArgumentError("`documents` and `sources` are two names of the same: give one")
        chosen = self._choose(rouge_types, use_stemmer)
        scores = score(
            metrics=chosen,
            predictions=predictions,
            references=references,
            documents=sources if documents is None else documents,
            language=language,
            cache=False,
        )
        columns = {name: _main_column(scores, name, pooled=use_aggregator) for name in chosen}
        summarize = _average if use_aggregator else _list_values
        return ComputedScores(
            {name: summarize(scores, column, chosen[name]) for name, column in columns.items()},
            {name: column.signature for name, column in columns.items()},
        )

    def _choose(self, rouge_types: Sequence[str] | None, use_stemmer: bool | None) -> dict[str, Metric]:
        """The metrics to compute, as the options of `compute` change them."""
        if rouge_types is not None:
            unknown = [name for name in rouge_types if name not in self.metrics]
            if unknown:
                names = ", ".join(self.metrics)
                raise ArgumentError(f"`rouge_types` cannot have {unknown[0]!r}: {self.name} has {names}")
        chosen = {name: metric for name, metric in self.metrics.items() if rouge_types is None or name in rouge_types}
        if use_stemmer is None:
            return chosen
        if not all("stem" in metric.settings for metric in chosen.values()):
            raise ArgumentError(f"`use_stemmer` goes with ROUGE: {self.name} does not stem")
        stem = _STEMMED if use_stemmer else _UNSTEMMED
        return {name: replace(metric, stem=stem) for name, metric in chosen.items()}  # type: ignore[type-var]


def load(name: str, **settings: Any) -> LoadedMetric:
    """A metric that is called as those of the package `evaluate` are.

    Parameters
    ----------
    name
        `rouge`, which stands for ROUGE-1, ROUGE-2, ROUGE-L and ROUGE-Lsum, or any spelling of a metric of gistmeter.
    settings
        Settings of the metric. Of `rouge`, those that some of the four have go to these: `sentences` to rougeLsum.

    Returns
    -------
    LoadedMetric
        `compute(predictions=..., references=...)` gives a dict with the main score of the metric under its name.

    Raises
    ------
    MetricError
        There is no such metric or setting.

    Examples
    --------
    >>> rouge = load("rouge")
    >>> scores = rouge.compute(predictions=["It rained."], references=["It rained a lot."])
    >>> {name: round(value, 3) for name, value in scores.items()}
    {'rouge1': 0.667, 'rouge2': 0.5, 'rougeL': 0.667, 'rougeLsum': 0.667}

    What `evaluate.load("rouge")` computes, summary by summary:

    >>> like_evaluate = load("rouge", stem="none", tokenizer="rouge155", references="max", sentences="newline")
    >>> like_evaluate.compute(predictions=["It rained."], references=["It rains."], use_aggregator=False)["rouge1"]
    [0.5]
    """
    spelling = parse_spelling(name)
    if spelling.name != "rouge":
        texts = {key: spell_value(value) for key, value in settings.items()}
        return LoadedMetric(name, {spelling.name: parse_metric(_spell(spelling.name, spelling.settings | texts))})
    given = spelling.settings | {key: spell_value(value) for key, value in settings.items()}
    settable = {member: set(parse_metric(member).settings) for member in ROUGE}
    unknown = [key for key in given if not any(key in names for names in settable.values())]
    if unknown:
        ways = ", ".join(sorted(set().union(*settable.values())))
        raise MetricError(f"rouge has no setting {unknown[0]!r} (it has {ways})")
    return LoadedMetric(
        name,
        {
            member: parse_metric(_spell(member, {key: text for key, text in given.items() if key in settable[member]}))
            for member in ROUGE
        },
    )


def _spell(name: str, settings: dict[str, str]) -> str:
    written = ",".join(f"{key}={text}" for key, text in settings.items())
    return f"{name}({written})" if written else name


def _main_column(scores: Scores, name: str, *, pooled: bool) -> ScoreColumn:
    """The score that speaks for a metric: of the whole corpus where it has one, else of summaries."""
    main = main_columns(column for column in scores.columns if column.metric == name)
    fitting = [column for column in main if bool(column.parts) == pooled]
    return (fitting or main)[0]


def _average(scores: Scores, column: ScoreColumn, metric: Metric) -> float:
    labelled = replace(column, name=f"{metric.spelling}.{column.short}")
    sums = finite_parts(scores, column)[0].sum(axis=0)
    return float(pool_for(labelled)(sums))


def _list_values(scores: Scores, column: ScoreColumn, metric: Metric) -> list[float]:
    if column.parts:
        raise ArgumentError(f"{metric.name} has no score of single summaries: leave `use_aggregator` on")
    values: list[float] = scores.table[column.name].to_list()
    return values
