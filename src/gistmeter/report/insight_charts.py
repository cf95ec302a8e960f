"""What scores are made of, as charts: bars of categories (thesis, Tables 3 and 4), histograms of units (Fig. 5, 13)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.insight.shares import CategoryShare, CategoryShares, UnitShares
from gistmeter.report import figures
from gistmeter.report.meta_charts import chart

if TYPE_CHECKING:
    from gistmeter.report.figures import Chart


@chart.register(CategoryShares)
def draw_categories(result: CategoryShares) -> Chart:
    """A bar for each category and metric, beside them one for each type, and the types of each system where counted.

    Diamonds are published shares.
    """
    whole = [row for row in result.rows if not row.system]
    published = "; diamonds: published" if any(row.published == row.published for row in whole) else ""
    types = ", ".join(dict.fromkeys(row.title.lower() for row in whole if row.is_type))
    panels = [
        figures.bars(
            [_make_bar(row, name=row.title, series=row.metric) for row in whole if row.is_type == is_type],
            title=f"{about}, 95% intervals{published}",
            x="share of the score",
        )
        for is_type, about in ((False, "share of each category"), (True, types))
    ]
    by_system = [row for row in result.rows if row.system and row.is_type]
    for metric in dict.fromkeys(row.metric for row in by_system):
        bars = [_make_bar(row, name=row.system, series=row.title) for row in by_system if row.metric == metric]
        panels.append(figures.bars(bars, title=f"{metric} by system, 95% intervals", x="share of the score"))
    return figures.side_by_side(panels, title="What scores are made of", own_colours=bool(by_system))


def _make_bar(row: CategoryShare, *, name: str, series: str) -> dict[str, object]:
    return {
        "name": name,
        "series": series,
        "value": row.share,
        "low": row.low,
        "high": row.high,
        "published": row.published,
    }


@chart.register(UnitShares)
def draw_units(result: UnitShares) -> Chart:
    """For each metric how many summaries have which share of their score from phrases of one unit, and the mean."""
    rows = []
    for row in result.rows:
        published = f" (published {row.published:.0%})" if row.published == row.published else ""
        width = 1 / len(row.bars)
        rows += [
            {
                "panel": f"{row.metric}: mean {row.share:.0%}{published}",
                "start": number * width,
                "end": (number + 1) * width,
                "count": count,
                "mean": row.share,
            }
            for number, count in enumerate(row.bars)
        ]
    spans = ", spans guessed" if result.spans == "guessed" else ""
    title = f"Share of the score from phrases of one content unit{spans}"
    return figures.histograms(rows, title=title, x="share of the score", y="summaries")
