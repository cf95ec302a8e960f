"""One sampled vote as gold: what would the gold be, had one rater judged each item?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from gistmeter.errors import ArgumentError
from gistmeter.human.majority import majority_vote
from gistmeter.human.raters import rater_table
from gistmeter.human.sources import open_ratings
from gistmeter.judgments import MEAN_RATER, Judgments
from gistmeter.result import Result
from gistmeter.wording import format_count, join_names

if TYPE_CHECKING:
    from gistmeter.arrays import FloatArray
    from gistmeter.human.raters import Aspects, RaterTable
    from gistmeter.human.sources import RatingSource

MAJORITY = "majority"
MEAN = "mean"


@dataclass(frozen=True, slots=True)
class GoldRound:
    """A gold for all summaries: from all raters, or from one drawn for each item."""

    aspect: str
    """Its name in `SampledGold.judgments`."""
    mean: float
    """The mean over summaries."""
    changed: float
    """The share of items whose value is not that from all raters."""


@dataclass(frozen=True, slots=True)
class SampledGold(Result):
    """Golds from one rater an item, drawn at random, beside the gold from all raters."""

    rows: tuple[GoldRound, ...]
    items: int
    """Items (units of summaries, or aspects of them) with a judgment."""
    several: int
    """How many of these have two raters or more; the others are the same in every round."""
    judgments: Judgments
    """The value of each summary in each gold; the aspects are called as in `rows`."""
    seed: int
    notes: tuple[str, ...] = ()

    def records(self) -> list[dict[str, Any]]:
        """A row for each gold."""
        return [{"gold": row.aspect, "mean": row.mean, "changed": row.changed} for row in self.rows]

    def details(self) -> dict[str, Any]:
        """How many items there are, and the seed."""
        return {"items": self.items, "several": self.several, "seed": self.seed}


def sample_gold(
    judgments: RatingSource, *, aspects: Aspects = None, rounds: int = 3, seed: int = 0, votes: bool = False
) -> SampledGold:
    """Golds from one rater drawn at random for each item, beside the gold from all raters.

    If a metric agrees with each of them as well as with the gold from all raters, one rater would have been enough
    (Zhang and Bansal 2021, appendix A.2, on votes whether content units are present). The value of a summary is the
    mean over its items.

    Parameters
    ----------
    judgments
        Judgments of single raters (votes on units from `Judgments.from_votes`), or the file they are in, where the
        aspect `units` is the votes.
    aspects
        Which aspects to take, as items of one gold; all by default.
    rounds
        How many times raters are drawn.
    seed
        Of the draws: the same seed gives the same golds.
    votes
        The judgments are votes, 0 or 1: the gold from all raters is the majority, a tie being 0, and not the mean.
        Votes on units of a file are always taken so.

    Returns
    -------
    SampledGold
        A row for each gold, and `judgments`, which `gistmeter.meta.correlate` takes.

    Raises
    ------
    ArgumentError
        There are no rounds.
    DataError
        There are no judgments of single raters, or `votes` are not 0 or 1.

    Examples
    --------
    >>> record = {"doc_id": "d", "system": "s", "votes": [[1, 1, 0], [0, 0, 0], [1, 1, 1], [1, 0, 1]]}
    >>> gold = sample_gold(Judgments.from_votes([record]), rounds=2, votes=True)
    >>> gold.to_frame().rows()
    [('majority', 0.75, 0.0), ('sample 1', 0.75, 0.0), ('sample 2', 0.5, 0.25)]
    """
    if rounds < 1:
        raise ArgumentError(f"`rounds` is 1 or more, not {rounds}")
    ratings = open_ratings(judgments, aspects)
    votes = votes or ratings.votes
    table = rater_table(ratings.judgments, aspects=ratings.aspects)
    given = ~np.isnan(table.values)
    counts = given.sum(axis=1)
    everyone = majority_vote(table.values).labels if votes else np.nanmean(table.values, axis=1)
    rng = np.random.default_rng(seed)
    golds = {MAJORITY if votes else MEAN: everyone}
    # The values that an item was given, moved to the left, so that a number below their count draws one of them.
    shifted = np.take_along_axis(table.values, np.argsort(~given, axis=1, kind="stable"), axis=1)
    for number in range(1, rounds + 1):
        drawn = (rng.random(len(counts)) * counts).astype(np.int64)
        golds[f"sample {number}"] = shifted[np.arange(len(shifted)), drawn]
    summaries = {aspect: _summary_values(table, values, aspect) for aspect, values in golds.items()}
    rows = tuple(
        GoldRound(aspect, mean=_mean(summaries[aspect]), changed=float((values != everyone).mean()))
        for aspect, values in golds.items()
    )
    together = table.items["aspect"].unique(maintain_order=True).to_list()
    notes: tuple[str, ...] = ()
    if not votes and len(together) > 1:
        mixed = f"{format_count(len(together), 'aspect')}, {join_names(together)}"
        notes = (f"the gold of a summary is the mean over {mixed}: `aspects` takes one",)
    return SampledGold(
        rows=rows,
        items=len(counts),
        several=int((counts > 1).sum()),
        judgments=Judgments(pl.concat(summaries.values())),
        seed=seed,
        notes=notes,
    )


def _mean(summaries: pl.DataFrame) -> float:
    """The mean over summaries."""
    return float(summaries["value"].to_numpy().mean())


def _summary_values(table: RaterTable, values: FloatArray, aspect: str) -> pl.DataFrame:
    """The value of each summary: the mean over its items, as rows of judgments."""
    return (
        table.items.with_columns(value=values)
        .group_by("doc_id", "system", maintain_order=True)
        .agg(pl.col("value").mean())
        .select(
            "doc_id",
            "system",
            aspect=pl.lit(aspect),
            rater=pl.lit(MEAN_RATER),
            value=pl.col("value"),
            scale=pl.lit(""),
            task=pl.lit(""),
        )
    )
