"""What attacks do to scores, as a sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.ranking.columns import main_columns
from gistmeter.report.tables.board import ARROWS
from gistmeter.report.tables.numbers import MISSING, format_count, format_interval, format_number, format_percent
from gistmeter.report.tables.sheet import Sheet
from gistmeter.scores import ScoreColumn

if TYPE_CHECKING:
    from gistmeter.probe.attacks import AttackEffect, AttackEffects

DECIMALS = 3
_WORKS = {True: "yes", False: "no", None: MISSING}


def attacks_sheet(effects: AttackEffects, *, every: bool = False) -> Sheet:
    """A row for each score and attack; precision and recall only where there is no f1, or if asked for."""
    columns = dict.fromkeys(row.column for row in effects.rows)
    shown = {column.name for column in main_columns((ScoreColumn(name, "") for name in columns), every=every)}
    rows = [row for row in effects.rows if row.column in shown]
    documents = max((row.documents for row in rows), default=0)
    intervals = (
        f"with {format_percent(effects.confidence)} bootstrap interval over {format_count(documents, 'document')} "
        f"({format_count(effects.resamples, 'resample')}, seed {effects.seed})"
        if documents > 1
        else "without an interval, as there is 1 document"
    )
    systems = format_count(max((row.systems for row in rows), default=0), "system")
    caption = (
        f"Mean scores of summaries as they are and once attacked; change {intervals}. better: share of attacked "
        f"summaries that score better (ties count half); beats: how many of {systems} they leave behind; words: their "
        "length; works: the whole interval is an improvement."
    )
    working = {row.attack: row.about for row in rows if row.works}
    if working:
        caption += f" What works: {'; '.join(f'{name}, {about}' for name, about in working.items())}."
    return Sheet.of(
        [_write_row(row) for row in rows],
        caption=caption,
        notes=effects.notes,
    )


def _write_row(row: AttackEffect) -> dict[str, object]:
    return {
        "score": f"{row.column} {ARROWS[row.better]}".rstrip(),
        "attack": row.attack,
        "clean": row.clean,
        "attacked": row.attacked,
        "change": MISSING if row.change != row.change else format_number(row.change, DECIMALS, sign=True),
        "interval": format_interval(row.low, row.high, DECIMALS, sign=True),
        "better": row.better_share,
        "beats": row.beats,
        "words": None if row.words != row.words else round(row.words),
        "undefined": row.undefined,
        "works": _WORKS[row.works],
    }
