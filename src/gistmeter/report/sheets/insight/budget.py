"""The budget of a pyramid as a sheet and as a figure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.report import figures
from gistmeter.report.tables.sheet import Sheet

if TYPE_CHECKING:
    from gistmeter.insight import Budget


def curve_sheet(budget: Budget) -> Sheet:
    """A row for each share: what people do, and the agreement when easiness or chance chooses."""
    rows = [
        {
            "share": point.share,
            "sentences": point.sentences,
            "units": point.units,
            "by easiness": point.chosen,
            "at random": point.random,
            "low": point.low,
            "high": point.high,
        }
        for point in budget.points
    ]
    caption = (
        f"{budget.coefficient} correlation with people, {budget.level} level, by the share of sentences whose units a "
        f"machine cuts; sentences and units are what is left to people; {budget.draws} random choices at each share."
    )
    return Sheet.of(rows, caption=caption)


def curve_chart(budget: Budget) -> figures.Chart:
    """The agreement when easiness chooses and when chance does (Zhang and Bansal, 2021, Fig. 2 and 4)."""
    rows = [
        {"name": name, "x": 100 * point.share, "value": value}
        for point in budget.points
        for name, value in (("by easiness", point.chosen), ("at random", point.random))
    ]
    return figures.curves(
        rows,
        title="Cost against quality",
        x="sentences cut by machine (%)",
        y=f"{budget.coefficient} correlation, {budget.level} level",
    )
