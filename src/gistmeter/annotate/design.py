"""Design a study: which summaries people judge, with which controls, in which order, and what that takes."""

from __future__ import annotations

import math
import random
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from gistmeter.annotate.ordering import order_items
from gistmeter.annotate.study import (
    FORMAT,
    MOST_RATERS,
    Batch,
    Item,
    PassRule,
    Study,
    StudySettings,
    write_study,
)
from gistmeter.annotate.tasks import find_task
from gistmeter.annotate.words import check_line, check_words, find_language
from gistmeter.errors import ArgumentError, DataError, suggestion
from gistmeter.result import Result
from gistmeter.wording import format_count, join_names

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from gistmeter.annotate.tasks.task import Task
    from gistmeter.example import Example

FEWEST_CONTROLS = 2


@dataclass(frozen=True, slots=True)
class StudyPlan(Result):
    """What a study will take."""

    study: Study
    judged: int
    controls: int
    """In all assignments of one rater each."""
    assignments: int
    raters: int
    answers: int
    minutes: float
    """Of all raters together."""
    minutes_each: float
    """Of one assignment."""
    pay: float
    """What that costs; NaN where no pay was named."""
    left_out: int = 0
    """Summaries that the task cannot ask about, such as those of one sentence."""
    task_notes: tuple[str, ...] = ()
    """What the task says of these summaries."""

    def records(self) -> list[dict[str, Any]]:
        """One row."""
        row = {
            "task": self.study.settings.task,
            "items": self.judged,
            "controls": self.controls,
            "assignments": self.assignments,
            "raters each": self.raters,
            "answers": self.answers,
            "minutes each": round(self.minutes_each, 1),
            "hours in all": round(self.minutes / 60, 1),
        }
        return [row if math.isnan(self.pay) else {**row, "pay": round(self.pay, 2)}]

    @property
    def notes(self) -> tuple[str, ...]:
        """What is left out, and what the task says of the rest."""
        if not self.left_out:
            return self.task_notes
        summaries = format_count(self.left_out, "summary")
        task = find_task(self.study.settings.task)
        left_out = f"{summaries} left out: the task {task.name} asks about {task.asks_about}"
        return (left_out, *self.task_notes)


def design_study(
    examples: Iterable[Example],
    task: str,
    folder: Path,
    *,
    documents: int | None = None,
    systems: Sequence[str] = (),
    raters: int | None = None,
    per_assignment: int = 100,
    controls: int | None = None,
    minutes: float | None = None,
    least: float = 0.7,
    seed: int = 0,
    title: str | None = None,
    language: str | None = None,
    words: Mapping[str, Any] | None = None,
    pay_per_hour: float | None = None,
) -> StudyPlan:
    """Make the folder of a study, and say what it will take.

    Parameters
    ----------
    examples
        The summaries that may be judged, with what the task shows beside them.
    task
        Its name, such as `focus-coverage`.
    folder
        Where to write the study; it must not have one.
    documents
        How many documents to draw; all by default.
    systems
        Whose summaries are judged; all by default. Documents are drawn from those that all of these have.
    raters
        How many people judge each item; by default what is usual for the task.
    per_assignment
        How many items a person does in one sitting, controls included.
    controls
        How many of them are controls; by default the share of the task.
    minutes
        The shortest time for an assignment; by default what the task says of its items.
    least
        The share of controls to answer right.
    seed
        Of the draws and orders: the same seed gives the same study.
    title
        What raters see at the top; by default the title of the task.
    language
        The language of the pages; by default that of the summaries, where there are pages in it, and else English.
    words
        Words of the study's own, such as its instructions.
    pay_per_hour
        What an hour of work costs, for the plan.

    Returns
    -------
    StudyPlan
        The study, and its cost in minutes and money.

    Raises
    ------
    ArgumentError
        There is no such task, or a number is out of its range.
    DataError
        The run lacks what the task shows, or the folder has a study.
    """
    asked = find_task(task)
    raters = asked.usual_raters if raters is None else raters
    _check_numbers(raters=raters, per_assignment=per_assignment, documents=documents)
    if raters > MOST_RATERS:
        raise ArgumentError(f"`raters` is at most {MOST_RATERS:,} for an item, not {raters:,}")
    for name, amount in (("minutes", minutes), ("pay_per_hour", pay_per_hour)):
        if amount is not None and not 0 <= amount < math.inf:
            raise ArgumentError(f"`{name}` is a number from 0, not {amount}")
    if not 0 <= least <= 1:
        raise ArgumentError(f"`least` is a share of the controls, such as 0.7 for 7 of 10, not {least}")
    overrides = check_words(words or {}, task)
    if title:
        check_line(title, "title")
    rng = random.Random(f"{seed}:{task}")
    chosen = choose_examples(list(examples), documents, systems, rng)
    for example in chosen:
        asked.check_example(example)
    judged = [
        msgspec.structs.replace(item, id=str(number))
        for number, item in enumerate(asked.make_items(chosen, rng), start=1)
    ]
    if not judged:
        raise DataError(
            f"there is nothing to judge: the task {task} asks about {asked.asks_about}, and this run has none"
        )
    count = _count_controls(asked, per_assignment, controls)
    batches, all_controls = _deal_batches(
        asked, judged, raters, per_assignment - count, count, rng, fewest=FEWEST_CONTROLS if controls is None else count
    )
    sizes = [len(batch.orders[0]) for batch in batches]
    seconds = asked.least_seconds * max(sizes) if minutes is None else 60 * minutes
    settings = StudySettings(
        format=FORMAT,
        id=secrets.token_hex(8),
        task=task,
        title=title or "",
        language=find_language(language or chosen[0].language, strict=language is not None),
        raters=raters,
        seed=seed,
        rule=PassRule(controls=least, seconds=seconds),
        items_digest="",
        batches=tuple(batches),
        words=overrides,
    )
    shown = {(item.doc_id, system) for item in judged for system in item.shown.get("systems", [item.system])}
    study = write_study(folder, settings, (*judged, *all_controls))
    work = sum(sizes) * raters * asked.item_seconds / 60
    return StudyPlan(
        study=study,
        judged=len(judged),
        controls=len(all_controls),
        assignments=len(batches),
        raters=raters,
        answers=sum(sizes) * raters,
        minutes=work,
        minutes_each=max(sizes) * asked.item_seconds / 60,
        pay=math.nan if pay_per_hour is None else work / 60 * pay_per_hour,
        task_notes=asked.note_examples(chosen),
        left_out=0 if asked.by_document else sum((each.doc_id, each.system) not in shown for each in chosen),
    )


def choose_examples(
    examples: list[Example], documents: int | None, systems: Sequence[str], rng: random.Random
) -> list[Example]:
    """The summaries of the wanted systems, of documents drawn at random, in the order of the run."""
    if not examples:
        raise DataError("there is nothing to judge: the run is empty")
    present = dict.fromkeys(example.system for example in examples)
    for system in systems:
        if system not in present:
            raise DataError(f"there is no system {system!r}{suggestion(system, present)} ({join_names(list(present))})")
    wanted = [example for example in examples if not systems or example.system in systems]
    by_document: dict[str, set[str]] = {}
    for example in wanted:
        judged_systems = by_document.setdefault(example.doc_id, set())
        if example.system in judged_systems:
            raise DataError(f"{example.name} stands twice in the run: keep one of them")
        judged_systems.add(example.system)
    whole = [doc for doc, judged_systems in by_document.items() if not systems or judged_systems == set(systems)]
    if documents is not None and documents > len(whole):
        raise ArgumentError(f"`documents={documents}` are wanted, but the run has {len(whole)}")
    if not whole:
        raise DataError(f"no document has a summary by each of {', '.join(systems)}")
    drawn = set(whole if documents is None else rng.sample(whole, k=documents))
    return [example for example in wanted if example.doc_id in drawn]


def _check_numbers(**numbers: int | None) -> None:
    for name, number in numbers.items():
        if number is not None and number < 1:
            raise ArgumentError(f"`{name}` is 1 or more, not {number}")


def _count_controls(task: Task, per_assignment: int, controls: int | None) -> int:
    """How many of an assignment's items are controls."""
    if controls is None:
        if not task.control_share or per_assignment <= FEWEST_CONTROLS:
            return 0
        return max(FEWEST_CONTROLS, round(per_assignment * task.control_share))
    if controls and not task.control_share:
        raise ArgumentError(f"the task {task.name} has no controls")
    if not 0 <= controls < per_assignment:
        raise ArgumentError(f"`controls` are some of the {per_assignment} items of an assignment, not {controls}")
    return controls


def _deal_batches(
    task: Task, judged: Sequence[Item], raters: int, size: int, controls: int, rng: random.Random, *, fewest: int
) -> tuple[list[Batch], list[Item]]:
    """Batches of about the same size, items of one summary together, each with controls and an order for each rater.

    A batch of `size` items has so many controls, a smaller one as many less, but no fewer than `fewest`.
    """
    groups: dict[tuple[str, str], list[Item]] = {}
    for item in judged:
        groups.setdefault(item.pair, []).append(item)
    pairs = list(groups.values())
    rng.shuffle(pairs)
    contents: list[list[Item]] = [[] for _ in range(math.ceil(len(judged) / size))]
    for pair in pairs:
        min(contents, key=len).extend(pair)
    batches: list[Batch] = []
    all_controls: list[Item] = []
    for number, content in enumerate(filter(None, contents), start=1):
        count = max(fewest, round(controls * len(content) / size)) if controls else 0  # a small batch has fewer
        added = [
            msgspec.structs.replace(control, id=f"c{len(all_controls) + position}")
            for position, control in enumerate(task.make_controls(content, judged, count, rng), start=1)
        ]
        all_controls += added
        orders = tuple(order_items([*content, *added], rng) for _ in range(raters))
        batches.append(Batch(number=number, orders=orders))
    return batches, all_controls
