"""What scores are made of, as charts: bars of categories (thesis, Tables 3 and 4), histograms of units (Fig. 5, 13)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.insight.shares import CategoryShares, UnitShares
from gistmeter.report import figures
from gistmeter.report.meta_charts import chart

if TYPE_CHECKING:
    from gistmeter.report.figures import Chart


@chart.register(CategoryShares)
def draw_categories(result: CategoryShares) -> Chart:
    """A bar for each category and metric, and beside them one for each type; diamonds are published shares."""
    whole = [row for row in result.rows if not row.system]
    published = "; diamonds: published" if any(row.published == row.published for row in whole) else ""
    panels = [
        figures.bars(
            [
                {
                    "name": row.title,
                    "series": row.metric,
                    "value": row.share,
                    "low": row.low,
                    "high": row.high,
                    "published": row.published,
                }
                for row in whole
                if row.is_type == is_type
            ],
            title=f"{about}, 95% intervals{published}",
            x="share of the score",
        )
        for is_type, about in ((False, "share of each category"), (True, "topic, information, stop words"))
    ]
    return figures.side_by_side(panels, title="What scores are made of")


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
