"""What a study found, in numbers: means with intervals, strengths, agreement, raters, and where they disagree most."""

from __future__ import annotations

from dataclasses import dataclass
from math import nan
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from gistmeter.annotate.collection import collect_judgments
from gistmeter.annotate.progress import measure_progress
from gistmeter.annotate.tasks import find_task
from gistmeter.annotate.tasks.side_by_side import BETWEEN
from gistmeter.errors import DataError
from gistmeter.human.majority import majority_agreement
from gistmeter.human.raters import rater_table, standardise
from gistmeter.stats.preferences import fit_strengths
from gistmeter.stats.resampling.pooling import bootstrap_interval, ratio

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gistmeter.annotate.collection import Collected
    from gistmeter.annotate.progress import RaterProgress, StudyProgress
    from gistmeter.annotate.results.agreement import StudyAgreement
    from gistmeter.annotate.store import Store
    from gistmeter.annotate.study import Item
    from gistmeter.annotate.tasks.task import LonePart, Task
    from gistmeter.judgments import Judgments

WORST_ITEMS = 10
MOST_LONE = 40
"""Parts that one rater alone made which are shown."""
FEWEST_ITEMS = 10
"""A rater is compared with the others on so many items at least."""
LEAST_AGREEMENT = 0.5
"""A rater who is with the majority less often is named; of ratings, one whose correlation with the rest is below 0."""


@dataclass(frozen=True, slots=True)
class SystemMean:
    """The mean of a system on an aspect, with its 95% interval over documents."""

    system: str
    value: float
    low: float
    high: float
    documents: int


@dataclass(frozen=True, slots=True)
class AspectMeans:
    """The means of all systems on an aspect, the best first."""

    aspect: str
    rows: tuple[SystemMean, ...]


@dataclass(frozen=True, slots=True)
class RaterFinding:
    """A rater's work, and how far it agrees with that of the others."""

    progress: RaterProgress
    minutes: float
    with_others: float
    """Correlation with the mean of the others, or the share of votes that are with the majority; NaN if undefined."""
    items: int
    outside: bool
    """Whether leaving this rater out is worth a thought."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """An item that raters judged most differently."""

    item: Item
    aspect: str
    part: str
    """The words of the part of the summary that the answers are about; empty for the whole."""
    spread: float
    answers: tuple[tuple[str, float], ...]
    """Raters and their values."""
    reasons: tuple[tuple[str, str], ...] = ()
    """Raters and what they wrote to say why, or the words that they marked, where the task asks for it."""


@dataclass(frozen=True, slots=True)
class StudyFindings:
    """All that the report of a study shows."""

    task: Task
    progress: StudyProgress
    collected: Collected
    means: tuple[AspectMeans, ...]
    strengths: tuple[SystemMean, ...]
    """Bradley-Terry strengths, where two summaries were compared."""
    agreement: tuple[StudyAgreement, ...]
    raters: tuple[RaterFinding, ...]
    disagreements: tuple[Disagreement, ...]
    lone: tuple[LonePart, ...]
    """What one of several raters wrote and nobody else did."""


def find_results(store: Store) -> StudyFindings:
    """What the usable work of a study says.

    Raises
    ------
    DataError
        No assignment can be used yet.
    """
    task = find_task(store.study.settings.task)
    collected = collect_judgments(store)
    progress = measure_progress(store)
    compared = collected.details or collected.judgments
    matched = task.match_answers(collected.given)
    return StudyFindings(
        task=task,
        progress=progress,
        collected=collected,
        means=tuple(_average(collected.judgments, aspect) for aspect in sorted(collected.judgments.aspects)),
        strengths=_fit(collected.details) if task.name == "side-by-side" and collected.details else (),
        agreement=progress.agreement,
        raters=_compare_raters(progress, collected, compared, task),
        disagreements=_find_disagreements(store, collected),
        lone=() if matched is None else matched.lone,
    )


def _average(judgments: Judgments, aspect: str) -> AspectMeans:
    """The mean of each system over documents."""
    means = judgments.means(aspect)
    documents = means["doc_id"].unique(maintain_order=True).to_list()
    systems = means["system"].unique(maintain_order=True).to_list()
    parts = np.zeros((len(systems), len(documents), 2))
    for doc_id, system, value in means.select("doc_id", "system", "value").iter_rows():
        parts[systems.index(system), documents.index(doc_id)] = value, 1
    intervals = bootstrap_interval(parts, ratio)
    counts = parts[:, :, 1].sum(axis=1)
    rows = [
        SystemMean(
            system=system,
            value=float(intervals.value[at]),
            low=float(intervals.low[at]) if counts[at] > 1 else nan,  # one document says nothing of others
            high=float(intervals.high[at]) if counts[at] > 1 else nan,
            documents=int(counts[at]),
        )
        for at, system in enumerate(systems)
    ]
    return AspectMeans(aspect, tuple(sorted(rows, key=lambda row: -row.value)))


def _fit(details: Judgments) -> tuple[SystemMean, ...]:
    """The strengths of the Bradley-Terry model; a tie is half a win for both."""
    pairs = [
        (doc_id, *names.split(BETWEEN), value)
        for doc_id, names, value in details.table.select("doc_id", "system", "value").iter_rows()
    ]
    documents = list(dict.fromkeys(pair[0] for pair in pairs))
    systems = sorted({name for pair in pairs for name in pair[1:3]})
    wins = np.zeros((len(documents), len(systems), len(systems)))
    for doc_id, first, second, value in pairs:
        document, left, right = documents.index(doc_id), systems.index(first), systems.index(second)
        wins[document, right, left] += (value > 0) + 0.5 * (value == 0)
        wins[document, left, right] += (value < 0) + 0.5 * (value == 0)
    fitted = fit_strengths(wins)
    rows = [
        SystemMean(
            system=system,
            value=float(fitted.values[at]),
            low=float(fitted.low[at]),
            high=float(fitted.high[at]),
            documents=int((wins[:, at].sum(axis=1) + wins[:, :, at].sum(axis=1) > 0).sum()),
        )
        for at, system in enumerate(systems)
    ]
    return tuple(sorted(rows, key=lambda row: -row.value))


def _compare_raters(
    progress: StudyProgress, collected: Collected, compared: Judgments, task: Task
) -> tuple[RaterFinding, ...]:
    """How far each rater agrees with the others: by votes with the majority, or by correlation with their mean."""
    agreement: dict[str, tuple[float, int]] = {}
    if task.measurement == "nominal":
        agreement = {row.rater: (row.agreement, row.items) for row in majority_agreement(compared).rows}
        least = LEAST_AGREEMENT
    else:
        table = rater_table(compared, columns="rater")
        for column, rater in enumerate(table.raters):
            agreement[rater] = _correlate_with_rest(table.values, column)
        least = 0.0
    minutes: dict[str, float] = {}
    for work in collected.work:
        minutes[work["rater"]] = minutes.get(work["rater"], 0.0) + work["minutes"]
    can_tell = len(agreement) > 2  # of two who differ, who is wrong?
    findings = []
    for row in progress.raters:
        value, items = agreement.get(row.rater, (nan, 0))
        findings.append(
            RaterFinding(
                progress=row,
                minutes=minutes.get(row.rater, 0.0),
                with_others=value,
                items=items,
                outside=can_tell and items >= FEWEST_ITEMS and value < least,
            )
        )
    return tuple(findings)


def _correlate_with_rest(values: Any, column: int) -> tuple[float, int]:
    """A rater's correlation with the mean of the others, and on how many items."""
    others = np.delete(values, column, axis=1)
    shared = ~np.isnan(values[:, column]) & ~np.isnan(others).all(axis=1)
    if shared.sum() < 3:
        return nan, int(shared.sum())
    own, rest = values[shared, column], np.nanmean(others[shared], axis=1)
    if own.std() == 0 or rest.std() == 0:
        return nan, int(shared.sum())
    return float(np.corrcoef(own, rest)[0, 1]), int(shared.sum())


def _find_disagreements(store: Store, collected: Collected) -> tuple[Disagreement, ...]:
    """The items on which raters differ most."""
    task = find_task(store.study.settings.task)
    source = collected.details if task.shows_parts and collected.details is not None else collected.judgments
    key = ["doc_id", "system", "aspect"]
    if collected.details is not None and not task.shows_parts:
        spreads = _differ_by_parts(source, collected.details)
    else:
        spreads = _differ_by_values(source, task)
    worst = spreads.filter(pl.col("value") > 0).sort("value", descending=True, maintain_order=True)
    disagreements = []
    for row in worst.head(WORST_ITEMS).iter_rows(named=True):
        given = source.table.filter(*(pl.col(name) == row[name] for name in key), pl.col("rater") != "mean")
        item = _find_item(store, task, row)
        if item is None:
            continue
        answers = tuple(sorted(given.select("rater", "value").iter_rows(), key=lambda pair: -pair[1]))
        disagreements.append(
            Disagreement(
                item=item,
                aspect=row["aspect"],
                part=task.describe_part(item, row["aspect"]),
                spread=row["value"],
                answers=answers,
                reasons=_list_reasons(task, collected, item, [rater for rater, _ in answers]),
            )
        )
    return tuple(disagreements)


def _differ_by_values(judgments: Judgments, task: Task) -> pl.DataFrame:
    """The deviation between the raters of each judgment, of z-scores where aspects are one question."""
    try:
        compared = standardise(judgments, across_aspects=True, within="task") if task.across_aspects else judgments
    except DataError:
        compared = judgments
    single = compared.table.filter(pl.col("rater") != "mean")
    spreads = single.group_by("doc_id", "system", "aspect", maintain_order=True).agg(
        pl.col("value").std(ddof=0), pl.len()
    )
    return spreads.filter(pl.col("len") > 1)


def _differ_by_parts(judgments: Judgments, parts: Judgments) -> pl.DataFrame:
    """On which share of a summary's parts, such as characters, raters say different things.

    Two raters who mark as many words, and others, give the same number, and do not agree.
    """
    differ = parts.table.group_by("doc_id", "system", "aspect").agg(pl.col("value").n_unique() > 1)
    shares = differ.group_by("doc_id", "system").agg(pl.col("value").mean())
    judged = judgments.table.select("doc_id", "system", "aspect").unique(maintain_order=True)
    return judged.join(shares, on=["doc_id", "system"], how="left", maintain_order="left")


def _list_reasons(task: Task, collected: Collected, item: Item, raters: list[str]) -> tuple[tuple[str, str], ...]:
    """Why these raters answered an item as they did, or what they marked, in their order."""
    reasons = {
        each.rater: task.describe_answer(item, each.value) for each in collected.given if each.item.id == item.id
    }
    return tuple((rater, reasons[rater]) for rater in raters if reasons.get(rater))


def _find_item(store: Store, task: Task, row: Mapping[str, Any]) -> Item | None:
    """The item that a judgment is about: the screen that asked for this aspect of this summary, or had this part."""
    of_document = [item for item in store.study.judged if item.doc_id == row["doc_id"]]
    of_summary = [item for item in of_document if item.system == row["system"]] or of_document
    for item in of_summary:
        if item.aspect == row["aspect"] or task.describe_part(item, row["aspect"]):
            return item
    return of_summary[0] if of_summary else None
