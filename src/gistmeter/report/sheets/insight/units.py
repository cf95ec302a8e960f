"""How much of a score comes from phrases of one content unit, as a sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.report.tables.sheet import Sheet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.insight.shares import UnitShares

_BARS = " ▁▂▃▄▅▆▇█"


def units_sheet(shares: UnitShares) -> Sheet:
    """The share of each score that content units explain: Figures 5 and 13 and Table 13 of Deutsch (2022)."""
    marked = "guessed spans (a proxy)" if shares.spans == "guessed" else "marked spans"
    references = "the first reference" if shares.reference == "first" else "all references"
    caption = (
        f"The share of each score that comes from matches between phrases that state one content unit, by {marked}, "
        f"against {references}: mean over summaries, 95% bootstrap interval over documents; then which part of the "
        "summaries has a share below 25%, 50%, 75% and up to 100%, and the histogram in steps of 5%. Phrases count "
        f"when {shares.tokens} token of both is part of the unit."
    )
    rows = shares.records()
    if any("published" in row for row in rows):
        caption += " published: the mean of Deutsch (2022), Figures 5 and 13, on other data and with other models."
    drawn = [{**row, "histogram": draw_bars(share.bars)} for row, share in zip(rows, shares.rows, strict=True)]
    return Sheet.of(drawn, caption=caption, notes=shares.notes, **shares.details())


def draw_bars(counts: Sequence[int]) -> str:
    """A histogram in one line of text; a bar that is not empty has some height.

    >>> draw_bars([0, 1, 4, 8])
    '·▁▄█'
    """
    most = max(counts, default=0)
    heights = (-(-count * (len(_BARS) - 1) // most) if most else 0 for count in counts)
    return "".join(_BARS[height] if height else "·" for height in heights)
