"""What commands print of a study: its plan and its progress as sheets."""

from __future__ import annotations

from dataclasses import replace

from gistmeter.annotate.design import StudyPlan
from gistmeter.annotate.imported import ImportedWork
from gistmeter.annotate.progress import StudyProgress
from gistmeter.report.sheets.meta import caption, result_sheet
from gistmeter.report.tables.sheet import Sheet
from gistmeter.wording import format_count

__all__ = ["result_sheet"]

_DECIMALS = {"minutes each": 1, "hours in all": 1, "pay": 2, "seconds an item": 1}


@result_sheet.register(StudyPlan)
@result_sheet.register(StudyProgress)
def _(result: StudyPlan | StudyProgress) -> Sheet:
    sheet = Sheet.of(result.records(), caption=caption(result), notes=result.notes)
    return replace(sheet, decimals=_DECIMALS)


@caption.register(StudyPlan)
def _(plan: StudyPlan) -> str:
    each = f"{format_count(plan.assignments, 'assignment')} of {format_count(round(plan.minutes_each), 'minute')} or so"
    return f"{each}, each done by {format_count(plan.raters, 'rater')}. Times are those of careful readers."


@caption.register(StudyProgress)
def _(progress: StudyProgress) -> str:
    parts = [f"{progress.done} of {format_count(progress.planned, 'planned assignment')} usable"]
    parts += [f"{progress.failed} failed"] if progress.failed else []
    parts += [f"{progress.working} being done"] if progress.working else []
    return ", ".join(parts) + "."


@caption.register(ImportedWork)
def _(work: ImportedWork) -> str:
    used, every = (sum(getattr(row, name) for row in work.groups) for name in ("accepted", "assignments"))
    return f"{used} of {format_count(every, 'assignment')} used. One rater against the rest: over all aspects."
