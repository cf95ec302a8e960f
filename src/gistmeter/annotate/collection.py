"""From answers to judgments: the work that is usable, and what it says of the summaries."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import polars as pl

from gistmeter.annotate.grading import grade_work
from gistmeter.annotate.tasks import find_task
from gistmeter.annotate.tasks.task import GivenAnswer
from gistmeter.errors import DataError
from gistmeter.human.raters import standardise
from gistmeter.io.writing import write_records
from gistmeter.judgments import Judgments
from gistmeter.wording import format_count

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from gistmeter.annotate.store import Store
    from gistmeter.annotate.tasks.task import Judgment


@dataclass(frozen=True, slots=True)
class Collected:
    """The judgments of a study, and how many assignments they are from."""

    judgments: Judgments
    details: Judgments | None
    """Parts of judgments, such as votes on units; None where the task has none."""
    used: int
    failed: int
    unfinished: int
    work: tuple[dict[str, Any], ...]
    """How each assignment went: rater, task, controls right, and minutes."""
    given: tuple[GivenAnswer, ...] = ()
    """The answers themselves, without those to controls."""

    def describe(self) -> str:
        """What was used and what was left out, in a sentence.

        >>> Collected(Judgments(pl.DataFrame()), None, used=3, failed=1, unfinished=0, work=()).describe()
        '3 assignments used, 1 failed and left out'
        """
        parts = [f"{format_count(self.used, 'assignment')} used"]
        if self.failed:
            parts.append(f"{self.failed} failed and left out")
        if self.unfinished:
            parts.append(f"{self.unfinished} unfinished and left out")
        return ", ".join(parts)


def collect_judgments(
    store: Store, *, states: Collection[str] = ("passed",), z_scores: bool = False, without: Collection[str] = ()
) -> Collected:
    """The judgments of assignments that passed.

    Parameters
    ----------
    store
        The answers of the study.
    states
        Which assignments are used: those that passed; `failed`, `taken` and `idle` can be added.
    z_scores
        Whether each rater's values become z-scores: less the rater's mean, over the rater's deviation, by assignment.
    without
        Names of raters to leave out.

    Raises
    ------
    DataError
        No assignment can be used yet.
    """
    task = find_task(store.study.settings.task)
    names = name_raters(store, without)
    given: list[GivenAnswer] = []
    scored: list[Judgment] = []
    work: list[dict[str, Any]] = []
    used = failed = unfinished = 0
    for state in store.list_work():
        if state.rater is None or names[state.rater] in without:
            continue
        answers = store.read_answers(state.id)
        grade = grade_work(store.study, answers, store.read_times(state.id))
        record = {"rater": names[state.rater], "task": str(state.batch), "minutes": round(grade.seconds / 60, 2)}
        controls = {"quality_score": grade.right, "traps": grade.controls} if grade.controls else {}
        work.append({**record, **controls, "state": state.state})
        if state.state not in states:
            failed += state.state == "failed"
            unfinished += state.state in ("taken", "idle")
            continue
        used += 1
        for name, answer in answers.items():
            item = store.study.items[name]
            if not item.is_control:
                given.append(GivenAnswer(item=item, rater=names[state.rater], value=answer.value))
                scored += [
                    dataclasses.replace(judgment, rater=names[state.rater], task=str(state.batch))
                    for judgment in task.score_answer(item, answer.value)
                ]
    if not scored:
        raise DataError(
            f"no assignment of {store.study.folder} can be used yet: {failed} failed, {unfinished} are being done"
        )
    combined = task.combine(scored)
    judgments = make_table([judgment for judgment in combined if not judgment.detail], task.scale)
    details = make_table([judgment for judgment in combined if judgment.detail], task.scale)
    if z_scores:
        judgments = standardise(judgments, across_aspects=task.across_aspects, within="task")
    return Collected(
        judgments=judgments,
        details=None if details.table.is_empty() else details,
        used=used,
        failed=failed,
        unfinished=unfinished,
        work=tuple(work),
        given=tuple(given),
    )


def name_raters(store: Store, without: Collection[str] = ()) -> dict[int, str]:
    """The names of the raters of a study, if it has all that are to be left out."""
    names = {rater.id: rater.name for rater in store.list_raters()}
    unknown = set(without) - set(names.values())
    if unknown:
        invited = ", ".join(names.values()) or "nobody is invited yet"
        raise DataError(f"there is no rater {sorted(unknown)[0]!r} in this study ({invited})")
    return names


def make_table(judgments: list[Judgment], scale: str) -> Judgments:
    """Judgments as the table that `gistmeter.human` and `gistmeter.meta` read."""
    columns = ("doc_id", "system", "aspect", "rater", "value", "task")
    rows = [{name: getattr(judgment, name) for name in columns} | {"scale": scale} for judgment in judgments]
    schema = {name: pl.Float64 if name == "value" else pl.String for name in (*columns[:5], "scale", "task")}
    return Judgments(pl.DataFrame(rows, schema=schema))


def write_everything(collected: Collected, path: Path) -> int:
    """Write judgments with their parts, and how each assignment went, as `gistmeter human quality` reads it."""
    details = [] if collected.details is None else collected.details.table.to_dicts()
    records = [*collected.judgments.table.to_dicts(), *details, *collected.work]
    return write_records(records, path, "a file of judgments")
