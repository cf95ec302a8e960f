"""Content-unit presence: which of the reference's facts a summary states (Zhang and Bansal 2021; Shapira et al. 2019).

Several raters judge each unit. The label of a unit is the majority of their votes, a tie being "absent"; the score of a
summary is the share of its units that are present (LitePyramid). Raters who are mostly against the majority can be left
out: `gistmeter annotate report` names them.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from gistmeter.annotate.forms import Block, Checks, Passage
from gistmeter.annotate.tasks.task import Answer, Judgment, Need, Task, judge_parts, make_item
from gistmeter.human.majority import majority_vote
from gistmeter.judgments import MEAN_RATER

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from gistmeter.annotate.study import Item
    from gistmeter.example import Example
    from gistmeter.human.alpha import Measurement

ASPECT = "litepyramid"


class ContentUnits(Task):
    """The summary and its reference's content units: stated or not, one click each."""

    name: ClassVar = "content-units"
    needs: ClassVar[tuple[Need, ...]] = ("units",)
    scale: ClassVar = "0-1"
    measurement: ClassVar[Measurement] = "nominal"
    item_seconds: ClassVar = 45.0
    least_seconds: ClassVar = 4.0

    def make_items(self, examples: Sequence[Example], rng: random.Random) -> list[Item]:
        """Each summary with the units of its reference."""
        return [
            make_item(example, ASPECT, summary=example.summary, units=[unit.text for unit in example.units])
            for example in examples
        ]

    def make_blocks(self, item: Item) -> list[Block]:
        """The summary, and a line for each unit."""
        return [
            Passage(label="summary", text=item.shown["summary"], language=item.language),
            Checks(
                name="units",
                question="question",
                entries=tuple(item.shown["units"]),
                yes="stated",
                no="absent",
                language=item.language,
            ),
        ]

    def score_answer(self, item: Item, answer: Answer) -> list[Judgment]:
        """The share of units that this rater found, and each vote."""
        return judge_parts(item.doc_id, item.system, aspect=ASPECT, part="unit", votes=answer["units"])

    def describe_part(self, item: Item, aspect: str) -> str:
        """The words of the unit."""
        return str(item.shown["units"][int(aspect.removeprefix("unit ")) - 1]) if aspect.startswith("unit ") else ""

    def combine(self, judgments: Sequence[Judgment]) -> list[Judgment]:
        """The votes, each rater's share, and the share by the majority of votes."""
        votes: dict[tuple[str, str], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
        for judgment in judgments:
            if judgment.detail:
                votes[judgment.doc_id, judgment.system][judgment.aspect].append(judgment.value)
        combined = list(judgments)
        for (doc_id, system), by_unit in votes.items():
            most = max(map(len, by_unit.values()))
            table = np.array([[*given, *[np.nan] * (most - len(given))] for given in by_unit.values()])
            share = float(majority_vote(table).labels.mean())
            combined.append(Judgment(doc_id, system, aspect=ASPECT, value=share, rater=MEAN_RATER))
        return combined
