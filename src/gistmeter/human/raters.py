"""The judgments of single raters: as a table, as z-scores, and without some of the raters."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np
import polars as pl

from gistmeter.arguments import outside_level
from gistmeter.errors import DataError, GistmeterWarning, suggestion
from gistmeter.judgments import MEAN_RATER, Judgments, choose_aspect
from gistmeter.stats.tables import check_choice
from gistmeter.wording import format_count

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gistmeter.arrays import FloatArray
    from gistmeter.human.sources import RatingSource

Aspects: TypeAlias = str | Sequence[str] | None
"""An aspect, several, or all there are."""

RaterColumns = Literal["assignment", "rater"]
"""What is a column of a table of raters: a rater's work in one task, or all that a rater did."""

Within = Literal["rater", "task"]
"""What z-scores are made within: all that a rater did, or a rater's work in one task."""

Z_SCALE = "z"
"""The scale of a judgment that was standardised."""

_ITEM = ("doc_id", "system", "aspect")


@dataclass(frozen=True, slots=True, eq=False)
class RaterTable:
    """Single judgments as items x raters, NaN where a rater did not judge an item.

    An item is one aspect of one summary; `items` has its doc_id, system and aspect, a row for each. Where the task of a
    judgment is known, a column is a rater's work in one task and is called `ann in task 3`; see `rater_table`.
    """

    items: pl.DataFrame
    raters: tuple[str, ...]
    values: FloatArray

    def to_frame(self) -> pl.DataFrame:
        """The items with a column of values for each rater; NaN where a rater did not judge an item."""
        columns = {rater: self.values[:, column] for column, rater in enumerate(self.raters)}
        return self.items.with_columns(**columns) if columns else self.items


def rater_table(judgments: Judgments, *, aspects: Aspects = None, columns: RaterColumns = "assignment") -> RaterTable:
    """The judgments of single raters as a table.

    Averages that were released without the raters' own values are no rater's, and are left out.

    Parameters
    ----------
    judgments
        Judgments of single raters.
    aspects
        Which aspects are items of the table; all by default.
    columns
        `assignment`: a column for a rater's work in each task, so that a rater who did a task twice has two. `rater`: a
        column for each rater, who may judge an item once only. They are the same where no task is known.

    Returns
    -------
    RaterTable
        Items x raters.

    Raises
    ------
    DataError
        There is no such aspect, no judgment of a single rater, or a rater judged an item twice.

    Examples
    --------
    >>> record = {"doc_id": "d1", "system": "lead", "annotators": {"focus": [1, 3]}, "human": {"focus": 2}}
    >>> table = rater_table(Judgments.from_records([record]))
    >>> table.raters, table.values
    (('rater1', 'rater2'), array([[1., 3.]]))
    """
    check_choice("columns", columns, RaterColumns)
    rows = single_judgments(judgments, aspects)
    names = pl.col("rater")
    if columns == "assignment":
        names = pl.when(pl.col("task") == "").then(names).otherwise(pl.format("{} in task {}", "rater", "task"))
    rows = rows.with_columns(column=names)
    repeated = rows.filter(rows.select(*_ITEM, "column").is_duplicated())
    if not repeated.is_empty():
        raise _judged_twice(repeated)
    items = rows.select(_ITEM).unique(maintain_order=True).with_row_index("row")
    raters = rows["column"].unique(maintain_order=True).to_list()
    item_rows = rows.join(items, on=_ITEM, how="left", maintain_order="left")["row"].to_numpy()
    positions = rows["column"].replace_strict(dict(zip(raters, range(len(raters)), strict=True))).to_numpy()
    values = np.full((len(items), len(raters)), np.nan)
    values[item_rows, positions] = rows["value"].to_numpy()
    return RaterTable(items.drop("row"), tuple(raters), values)


def _judged_twice(repeated: pl.DataFrame) -> DataError:
    """What is wrong with the first judgment that a rater repeated."""
    row = repeated.row(0, named=True)
    item = f"{row['aspect']} of {row['system']}/{row['doc_id']}"
    same = repeated.filter(*(pl.col(name) == row[name] for name in (*_ITEM, "rater")))
    tasks = same["task"].unique(maintain_order=True).to_list()
    if len(tasks) > 1:
        work = " and ".join(tasks)
        return DataError(
            f"rater {row['rater']} judged {item} in several tasks ({work}): let quality control drop the second"
        )
    return DataError(f"rater {row['rater']} judged {item} more than once; keep one, or name the two times apart")


def standardise(judgments: RatingSource, *, across_aspects: bool = False, within: Within = "rater") -> Judgments:
    """Each rater's judgments as z-scores: less the rater's mean, over the rater's standard deviation.

    This takes out that raters are strict or lenient, and use much or little of the scale. The deviation is that of the
    judgments themselves (divided by n). Controls are no judgments, so they take no part.

    A rater who always gives the same value has no z-scores and is left out, with a warning. Released averages
    are on the old scale and are left out too, so that `means` takes the mean of the z-scores.

    Parameters
    ----------
    judgments
        Judgments of single raters, or the file they are in.
    across_aspects
        Take a rater's aspects all together, not each by itself. Koto et al. (2021, 2022) did, whose two aspects were
        one question.
    within
        `rater`: all that a rater did. `task`: the rater's work in each task by itself, as in Koto, Lau and Baldwin
        (2021), where every judgment must name its task.

    Returns
    -------
    Judgments
        The same judgments as z-scores, on the scale `z`.

    Raises
    ------
    DataError
        There are no judgments of single raters, nobody gave two different values, a rater judged on several scales, or
        a judgment names no task where it should.

    Examples
    --------
    >>> table = [{"doc_id": d, "system": "s", "aspect": "focus", "rater": "ann", "value": v, "task": t}
    ...          for d, v, t in (("d1", 20, "1"), ("d2", 40, "1"), ("d3", 60, "2"), ("d4", 90, "2"))]
    >>> standardise(Judgments.from_records(table)).table["value"].round(3).to_list()
    [-1.257, -0.483, 0.29, 1.45]
    >>> standardise(Judgments.from_records(table), within="task").table["value"].to_list()
    [-1.0, 1.0, -1.0, 1.0]
    """
    check_choice("within", within, Within)
    rows = single_judgments(judgments if isinstance(judgments, Judgments) else Judgments.read(judgments), None)
    groups = ["rater", *(["task"] if within == "task" else []), *([] if across_aspects else ["aspect"])]
    if within == "task":
        _check_tasks(rows)
    _check_scales(rows, groups)
    value = pl.col("value")
    constant = (value.min() == value.max()).over(groups)
    rows = rows.with_columns(constant=constant)
    dropped = rows.filter("constant")
    if len(dropped) == len(rows):
        raise DataError("no rater gave two different values, so there are no z-scores")
    if not dropped.is_empty():
        who = ", ".join(dropped["rater"].unique(maintain_order=True).to_list())
        where = "throughout a task" if within == "task" else "throughout"
        text = f"left out {format_count(len(dropped), 'judgment')} without a z-score: {who} gave the same value {where}"
        warnings.warn(text, GistmeterWarning, stacklevel=outside_level())
    varying = rows.filter(~pl.col("constant")).drop("constant")
    z = (value - value.mean().over(groups)) / value.std(ddof=0).over(groups)
    return Judgments(varying.with_columns(value=z, scale=pl.lit(Z_SCALE)))


def _check_tasks(rows: pl.DataFrame) -> None:
    """Refuse z-scores by task of judgments without one."""
    unnamed = rows.filter(pl.col("task") == "")
    if not unnamed.is_empty():
        who = unnamed["rater"][0]
        raise DataError(
            f"{len(unnamed)} of {len(rows)} judgments name no `task` (the first is by {who}), and z-scores are wanted "
            "by task: name it in the file, or take them by rater"
        )


def _check_scales(rows: pl.DataFrame, groups: Sequence[str]) -> None:
    """Refuse z-scores across scales."""
    scales = rows.group_by(groups, maintain_order=True).agg(pl.col("scale").unique())
    mixed = scales.filter(pl.col("scale").list.len() > 1)
    if not mixed.is_empty():
        several = ", ".join(repr(scale) for scale in sorted(mixed["scale"][0]))
        raise DataError(f"rater {mixed['rater'][0]} judged on several scales ({several}): no z-scores across them")


def without_raters(judgments: Judgments, raters: Iterable[str]) -> Judgments:
    """The judgments of all raters but these. Released averages, which contain theirs, are left out.

    Parameters
    ----------
    judgments
        Judgments of single raters.
    raters
        Names of the raters to leave out.

    Returns
    -------
    Judgments
        What the others said.

    Raises
    ------
    DataError
        There is no rater of that name.

    Examples
    --------
    >>> record = {"doc_id": "d1", "system": "lead", "annotators": {"focus": [1, 3]}, "human": {"focus": 2}}
    >>> without_raters(Judgments.from_records([record]), ["rater1"]).table["value"].to_list()
    [3.0]
    """
    excluded = list(raters)
    rows = single_judgments(judgments, None)
    present = rows["rater"].unique(maintain_order=True).to_list()
    for name in excluded:
        if name not in present:
            raise DataError(f"there is no rater {name!r}{suggestion(name, present)}")
    return Judgments(rows.filter(~pl.col("rater").is_in(excluded)))


def repeated_work(judgments: Judgments, *, aspects: Aspects = None) -> int:
    """How many items raters judged again in another task.

    >>> table = [{"doc_id": "d", "system": "s", "aspect": "focus", "rater": "ann", "value": 1, "task": t} for t in "12"]
    >>> repeated_work(Judgments.from_records(table))
    1
    """
    rows = single_judgments(judgments, aspects)
    return len(rows) - len(rows.select(*_ITEM, "rater").unique())


def single_judgments(judgments: Judgments, aspects: Aspects) -> pl.DataFrame:
    """The rows of single raters on the wanted aspects, without missing values."""
    present = judgments.aspects
    wanted = present if aspects is None else [aspects] if isinstance(aspects, str) else list(aspects)
    for aspect in wanted:
        choose_aspect(present, aspect)
    rows = judgments.table.filter(
        pl.col("aspect").is_in(wanted), pl.col("rater") != MEAN_RATER, pl.col("value").is_not_nan()
    )
    if rows.is_empty():
        raise DataError(f"there are no judgments by single raters of {', '.join(wanted)}: only averages, or none")
    return rows
