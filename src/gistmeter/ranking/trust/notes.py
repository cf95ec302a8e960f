"""Notes: one line for each score of a ranking or comparison on how often people agree with such a gap."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from gistmeter.ranking.columns import choose_points_factor, main_columns
from gistmeter.ranking.trust.ask import answer_for

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gistmeter.ranking.compare import Comparison
    from gistmeter.ranking.rank import Ranking
    from gistmeter.ranking.trust.answers import TrustAnswer
    from gistmeter.ranking.trust.tables import Table
    from gistmeter.scores import ScoreColumn

_ALMOST_CERTAIN = 0.995


@dataclass(frozen=True, slots=True, kw_only=True)
class _Gap:
    """How far two systems lie apart by a score."""

    column: ScoreColumn
    size: float
    documents: int
    who: str = ""
    """Which system is above which, where the reader cannot know."""
    times: int = 1
    """What it is multiplied by where it is written."""


def ranking_notes(
    ranking: Ranking, columns: Iterable[str] | None = None, *, tables: Iterable[Table] = (), points: bool = False
) -> tuple[str, ...]:
    """For each score (of `columns`, all when None): how often people agree with the gap between first and second.

    Scores without calibration are named in one line at the end. `tables` are looked at before the shipped ones.
    `points` writes gaps times 100, where a table in points does so.

    >>> import polars as pl
    >>> from gistmeter.ranking.rank import rank
    >>> from gistmeter.scores import ScoreColumn, Scores
    >>> table = pl.DataFrame({"doc_id": ["1", "1"], "system": ["lead", "bart"], "mine.score": [0.2, 0.3]})
    >>> ranking_notes(rank(Scores(table, (ScoreColumn("mine.score", "mine|v:0"),))))
    ('how often people agree with such gaps is not known for mine.score',)
    """
    chosen = None if columns is None else set(columns)
    gaps = []
    for ranked in ranking.columns:
        if chosen is not None and ranked.column.name not in chosen:
            continue
        scored = [system for system in ranked.systems if not math.isnan(system.value)]
        if len(scored) >= 2:
            first, second = scored[:2]
            gaps.append(
                _Gap(
                    column=ranked.column,
                    size=abs(first.value - second.value),
                    documents=min(first.documents, second.documents),
                    who=f"{first.system} over {second.system}",
                    times=choose_points_factor(system.value for system in ranked.systems) if points else 1,
                )
            )
    return tuple(_write_notes(gaps, tables, with_needed=True))


def comparison_notes(
    comparison: Comparison, columns: Iterable[str] | None = None, *, tables: Iterable[Table] = (), points: bool = False
) -> tuple[str, ...]:
    """For each score (of `columns`, all when None): how often people agree with the gap between the two systems.

    `points` writes gaps times 100, where a table in points does so.
    """
    chosen = None if columns is None else set(columns)
    gaps = [
        _Gap(
            column=difference.column,
            size=abs(difference.difference),
            documents=difference.documents,
            times=choose_points_factor((difference.a, difference.b)) if points else 1,
        )
        for difference in comparison.differences
        if (chosen is None or difference.column.name in chosen) and not math.isnan(difference.difference)
    ]
    return tuple(_write_notes(gaps, tables, with_needed=False))


def add_trust_to_ranking(
    ranking: Ranking, *, every: bool = False, tables: Iterable[Table] = (), points: bool = False
) -> Ranking:
    """A ranking with notes on how often people agree with its gaps, for the main scores or for `every` one.

    `points` writes gaps times 100, where a table in points does so.
    """
    shown = main_columns((ranked.column for ranked in ranking.columns), every=every)
    notes = ranking_notes(ranking, [column.name for column in shown], tables=tables, points=points)
    return replace(ranking, notes=(*ranking.notes, *notes))


def add_trust_to_comparison(
    comparison: Comparison, *, every: bool = False, tables: Iterable[Table] = (), points: bool = False
) -> Comparison:
    """A comparison with notes on how often people agree with its gaps, for the main scores or for `every` one.

    `points` writes gaps times 100, where a table in points does so.
    """
    shown = main_columns((difference.column for difference in comparison.differences), every=every)
    notes = comparison_notes(comparison, [column.name for column in shown], tables=tables, points=points)
    return replace(comparison, notes=(*comparison.notes, *notes))


def percents(share: float) -> str:
    """A share as a percentage without decimals that never claims certainty.

    >>> percents(0.537), percents(0.9991), percents(0.002)
    ('54%', '>99%', '<1%')
    """
    if share >= _ALMOST_CERTAIN:
        return ">99%"
    return "<1%" if share < 1 - _ALMOST_CERTAIN else f"{100 * share:.0f}%"


def bounds(low: float, high: float) -> str:
    """An interval of shares in percent.

    >>> bounds(0.407, 0.662), bounds(0.8, 1.0)
    ('[41, 66]', '[80, >99]')
    """
    return f"[{percents(low).removesuffix('%')}, {percents(high).removesuffix('%')}]"


def gap_text(gap: float, scale: float | None) -> str:
    """A gap with a digit more than scores are written with; a scale without bound is shown like one of 100.

    >>> gap_text(0.005, 1.0), gap_text(1.25, 100.0), gap_text(0.5, None), gap_text(math.nan, 1.0)
    ('0.0050', '1.25', '0.50', 'none')
    """
    if math.isnan(gap):
        return "none"
    return f"{gap:.{4 if scale == 1 else 2}f}"


def by_sets(answer: TrustAnswer) -> str:
    """What each pooled dataset says: "SummEval 55%, REALSumm 54%"; a star marks one that the metric was built with."""
    pooled = [set_answer for set_answer in answer.sets if set_answer.dataset.pooled]
    shares = ", ".join(
        f"{set_answer.dataset.name}{'*' if set_answer.bias else ''} {percents(set_answer.share)}"
        for set_answer in pooled
    )
    return f"{shares}; *optimistic" if any(set_answer.bias for set_answer in pooled) else shares


def _write_notes(gaps: Iterable[_Gap], tables: Iterable[Table], *, with_needed: bool) -> Iterator[str]:
    without = []
    own_tables = tuple(tables)
    for gap in gaps:
        if gap.column.better == "neither":
            continue
        answer = answer_for(gap.column, gap.size, gap.documents, tables=own_tables)
        if answer is None:
            without.append(gap.column.name)
            continue
        named = f" ({gap.who})" if gap.who else ""
        scale = answer.scale if answer.scale is None else answer.scale * gap.times
        text = (
            f"people agree with a gap of {gap_text(gap.size * gap.times, scale)} {gap.column.name}{named} "
            f"{percents(answer.share)} {bounds(answer.low, answer.high)} of the time ({by_sets(answer)})"
        )
        needed = answer.needed[0]
        if with_needed and not math.isnan(needed.gap):
            text += f"; {percents(needed.share)} takes {gap_text(needed.gap * gap.times, scale)}"
        yield text
    if without:
        yield f"how often people agree with such gaps is not known for {', '.join(without)}"
