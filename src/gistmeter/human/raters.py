"""The judgments of single raters: as a table, as z-scores, and without some of the raters."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from gistmeter.errors import DataError, GistmeterWarning, suggestion
from gistmeter.judgments import MEAN_RATER, Judgments

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gistmeter.arrays import FloatArray

Z_SCALE = "z"
"""The scale of a judgment that was standardised."""

_ITEM = ("doc_id", "system", "aspect")


@dataclass(frozen=True, slots=True, eq=False)
class RaterTable:
    """Single judgments as items x raters, NaN where a rater did not judge an item.

    An item is one aspect of one summary; `items` has its doc_id, system and aspect, a row for each.
    """

    items: pl.DataFrame
    raters: tuple[str, ...]
    values: FloatArray


def rater_table(judgments: Judgments, *, aspects: str | Sequence[str] | None = None) -> RaterTable:
    """The judgments of single raters as a table; `aspects` (default: all) says which of them.

    Averages that were released without the raters' own values are no rater's, and are left out.

    >>> record = {"doc_id": "d1", "system": "lead", "annotators": {"focus": [1, 3]}, "human": {"focus": 2}}
    >>> table = rater_table(Judgments.from_records([record]))
    >>> table.raters, table.values
    (('rater1', 'rater2'), array([[1., 3.]]))
    """
    rows = _single_judgments(judgments, aspects)
    repeated = rows.filter(rows.select(*_ITEM, "rater").is_duplicated())
    if not repeated.is_empty():
        row = repeated.row(0, named=True)
        item = f"{row['aspect']} of {row['system']}/{row['doc_id']}"
        raise DataError(f"rater {row['rater']} judged {item} more than once; keep one, or name the two times apart")
    items = rows.select(_ITEM).unique(maintain_order=True).with_row_index("row")
    raters = rows["rater"].unique(maintain_order=True).to_list()
    item_rows = rows.join(items, on=_ITEM, how="left", maintain_order="left")["row"].to_numpy()
    columns = rows["rater"].replace_strict(dict(zip(raters, range(len(raters)), strict=True))).to_numpy()
    values = np.full((len(items), len(raters)), np.nan)
    values[item_rows, columns] = rows["value"].to_numpy()
    return RaterTable(items.drop("row"), tuple(raters), values)


def standardise(judgments: Judgments, *, across_aspects: bool = False) -> Judgments:
    """Each rater's judgments as z-scores: less the rater's mean, over the rater's standard deviation.

    This takes out that raters are strict or lenient, and use much or little of the scale. It is done for each
    aspect by itself; `across_aspects` takes a rater's judgments all together, as Koto et al. (2021, 2022) did,
    whose two aspects were one question. The deviation is that of the judgments themselves (divided by n).

    A rater who always gives the same value has no z-scores and is left out, with a warning. Released averages
    are on the old scale and are left out too, so that `means` takes the mean of the z-scores.

    >>> table = [{"doc_id": d, "system": "s", "aspect": "focus", "rater": "ann", "value": v}
    ...          for d, v in (("d1", 20), ("d2", 40), ("d3", 60))]
    >>> standardise(Judgments.from_records(table)).table["value"].round(3).to_list()
    [-1.225, 0.0, 1.225]
    """
    rows = _single_judgments(judgments, None)
    within = ["rater"] if across_aspects else ["rater", "aspect"]
    scales = rows.group_by(within, maintain_order=True).agg(pl.col("scale").unique())
    mixed = scales.filter(pl.col("scale").list.len() > 1)
    if not mixed.is_empty():
        several = ", ".join(repr(scale) for scale in sorted(mixed["scale"][0]))
        raise DataError(f"rater {mixed['rater'][0]} judged on several scales ({several}): no z-scores across them")
    value = pl.col("value")
    constant = (value.min() == value.max()).over(within)
    rows = rows.with_columns(constant=constant)
    dropped = rows.filter("constant")
    if len(dropped) == len(rows):
        raise DataError("no rater gave two different values, so there are no z-scores")
    if not dropped.is_empty():
        who = ", ".join(dropped["rater"].unique(maintain_order=True).to_list())
        text = f"{len(dropped)} judgments are left out, having no z-score: {who} gave the same value throughout"
        warnings.warn(text, GistmeterWarning, stacklevel=2)
    varying = rows.filter(~pl.col("constant")).drop("constant")
    z = (value - value.mean().over(within)) / value.std(ddof=0).over(within)
    return Judgments(varying.with_columns(value=z, scale=pl.lit(Z_SCALE)))


def without_raters(judgments: Judgments, raters: Iterable[str]) -> Judgments:
    """The judgments of all raters but these. Released averages, which contain theirs, are left out.

    >>> record = {"doc_id": "d1", "system": "lead", "annotators": {"focus": [1, 3]}, "human": {"focus": 2}}
    >>> without_raters(Judgments.from_records([record]), ["rater1"]).table["value"].to_list()
    [3.0]
    """
    excluded = list(raters)
    rows = _single_judgments(judgments, None)
    present = rows["rater"].unique(maintain_order=True).to_list()
    for name in excluded:
        if name not in present:
            raise DataError(f"there is no rater {name!r}{suggestion(name, present)}")
    return Judgments(rows.filter(~pl.col("rater").is_in(excluded)))


def _single_judgments(judgments: Judgments, aspects: str | Sequence[str] | None) -> pl.DataFrame:
    """The rows of single raters on the wanted aspects, without missing values."""
    wanted = judgments.aspects if aspects is None else [aspects] if isinstance(aspects, str) else list(aspects)
    for aspect in wanted:
        if aspect not in judgments.aspects:
            hint = suggestion(aspect, judgments.aspects)
            raise DataError(f"there is no aspect {aspect!r}{hint} (there is {', '.join(judgments.aspects)})")
    rows = judgments.table.filter(
        pl.col("aspect").is_in(wanted), pl.col("rater") != MEAN_RATER, pl.col("value").is_not_nan()
    )
    if rows.is_empty():
        raise DataError(f"there are no judgments by single raters of {', '.join(wanted)}: only averages, or none")
    return rows
