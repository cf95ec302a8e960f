"""Side by side: which of two summaries of a document is better, and by how much.

Each pair of systems is shown for each document, left and right drawn at random. A judgment of a summary is the mean of
how much it was preferred to the others (from -2 to 2); the report fits the Bradley-Terry model to who won.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from itertools import combinations
from statistics import fmean
from typing import TYPE_CHECKING, ClassVar

from gistmeter.annotate.forms import Block, Passage, Rating
from gistmeter.annotate.study import Item
from gistmeter.annotate.tasks.task import Answer, Judgment, Task
from gistmeter.errors import DataError

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from gistmeter.example import Example
    from gistmeter.human.alpha import Measurement

ASPECT, BETTER = "preference", "better of two"
BETWEEN = " | "
"""Between the names of the two systems of a pair."""


class SideBySide(Task):
    """Two summaries of a document: which is better, and by how much."""

    name: ClassVar = "side-by-side"
    asks_about: ClassVar = "two systems' summaries of one document"
    scale: ClassVar = "-2-2"
    measurement: ClassVar[Measurement] = "ordinal"
    item_seconds: ClassVar = 60.0
    least_seconds: ClassVar = 5.0

    def make_items(self, examples: Sequence[Example], rng: random.Random) -> list[Item]:
        """Each pair of systems for each document, in random places."""
        by_document: dict[str, list[Example]] = defaultdict(list)
        for example in examples:
            if BETWEEN in example.system:
                raise DataError(f"the name of a system may not have {BETWEEN.strip()!r} in it here: {example.system!r}")
            by_document[example.doc_id].append(example)
        items = []
        for doc_id, summaries in by_document.items():
            for pair in combinations(sorted(summaries, key=lambda example: example.system), 2):
                first, second = rng.sample(pair, k=2)
                shown = {"first": first.summary, "second": second.summary, "systems": [first.system, second.system]}
                document = {"document": first.document} if first.document else {}
                items.append(
                    Item(
                        id="",
                        doc_id=doc_id,
                        system=BETWEEN.join(example.system for example in pair),
                        aspect=ASPECT,
                        language=first.language,
                        shown={**shown, **document},
                    )
                )
        return items

    def make_blocks(self, item: Item) -> list[Block]:
        """The document where there is one, both summaries, and the choice."""
        document = item.shown.get("document")
        labels = ("much_first", "rather_first", "equal", "rather_second", "much_second")
        return [
            *([Passage(label="document", text=document, language=item.language, long=True)] if document else []),
            Passage(label="first", text=item.shown["first"], language=item.language),
            Passage(label="second", text=item.shown["second"], language=item.language),
            Rating(name="better", question="question", labels=labels, values=(-2, -1, 0, 1, 2), is_stacked=True),
        ]

    def score_answer(self, item: Item, answer: Answer) -> list[Judgment]:
        """How much each of the two was preferred, and the comparison itself, in the order of the systems' names."""
        first, second = item.shown["systems"]
        value = float(answer["better"])
        other = 0.0 - value  # 0 and not -0
        named = value if [first, second] == item.system.split(BETWEEN) else other
        return [
            Judgment(item.doc_id, first, aspect=ASPECT, value=other),
            Judgment(item.doc_id, second, aspect=ASPECT, value=value),
            Judgment(item.doc_id, item.system, aspect=BETTER, value=named, detail=True),
        ]

    def describe_part(self, item: Item, aspect: str) -> str:
        """What the numbers of a comparison mean, and whose summaries are shown."""
        if aspect != BETTER:
            return ""
        left, right = item.system.split(BETWEEN)
        first, second = item.shown["systems"]
        return f"−2: {left} is clearly better, 2: {right} is. Summary A is by {first}, summary B by {second}."

    def combine(self, judgments: Sequence[Judgment]) -> list[Judgment]:
        """The comparisons, and for each rater and summary the mean over what it was compared with."""
        values: dict[Judgment, list[float]] = defaultdict(list)
        for judgment in judgments:
            if not judgment.detail:
                values[replace(judgment, value=0.0)].append(judgment.value)
        means = [replace(key, value=fmean(given)) for key, given in values.items()]
        return [*means, *(judgment for judgment in judgments if judgment.detail)]
