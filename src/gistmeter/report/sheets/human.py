"""Answers of `gistmeter.human` as sheets: captions that say how their rows came about."""

from __future__ import annotations

from gistmeter import human
from gistmeter.report.sheets.meta import caption, result_sheet
from gistmeter.report.tables.numbers import format_count

__all__ = ["result_sheet"]


@caption.register(human.ScreenedWork)
def _(result: human.ScreenedWork) -> str:
    report = result.report
    shortest = f", {report.minutes:g} minutes or more" if report.minutes else ""
    verdict = f"{len(report.accepted)} of {format_count(len(report.verdicts), 'assignment')} passed quality control"
    return f"{verdict}: {report.least:.0%} of the controls or more{shortest}."


@caption.register(human.PairwiseAgreement)
def _(result: human.PairwiseAgreement) -> str:
    used = format_count(len(result.pairs) - result.undefined, "pair")
    left_out = f"; {result.undefined} more are undefined (a rater gave the same value throughout)"
    return f"Mean {result.coefficient} {result.value:.3f} over {used}{left_out if result.undefined else ''}."


@caption.register(human.DroppedRaters)
def _(result: human.DroppedRaters) -> str:
    return (
        "Share of items on which a rater gave the value of more than half of the others. Dropped: less than "
        f"{result.threshold:.0%} of {format_count(result.fewest, 'item')} or more."
    )


@caption.register(human.SampledGold)
def _(result: human.SampledGold) -> str:
    return (
        f"Gold from all raters, and from one drawn at random for each item (seed {result.seed}). Changed: the share of "
        f"{format_count(result.items, 'item')} whose value is another. {result.several:,} have two raters or more."
    )
