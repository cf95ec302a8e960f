"""Quality with a reason: four aspects from very poor to very good, and why (Deutsch 2022, appendix B.6).

Raters write a few words on how they decided, which keeps them attentive; what is copied from the texts does not count.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from gistmeter.annotate.forms import Block, Passage, Rating, Writing
from gistmeter.annotate.tasks.task import Answer, GivenAnswer, Judgment, Need, Task, make_item

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from gistmeter.annotate.study import Item
    from gistmeter.example import Example
    from gistmeter.human.alpha import Measurement

ASPECTS = ("importance", "faithfulness", "fluency", "coherence")
GRADES = ("very_poor", "poor", "fair", "good", "very_good")


class Quality(Task):
    """A document and its summary: importance, faithfulness, fluency and coherence from 1 to 5, and a reason."""

    name: ClassVar = "quality"
    needs: ClassVar[tuple[Need, ...]] = ("document",)
    scale: ClassVar = "1-5"
    measurement: ClassVar[Measurement] = "ordinal"
    item_seconds: ClassVar = 120.0
    least_seconds: ClassVar = 15.0
    products: ClassVar = ("reasons",)

    def make_items(self, examples: Sequence[Example], rng: random.Random) -> list[Item]:
        """Each summary with its document."""
        return [
            make_item(example, self.name, document=example.document, summary=example.summary) for example in examples
        ]

    def make_blocks(self, item: Item) -> list[Block]:
        """The document and the summary, a grade for each aspect, and the reason."""
        texts = (item.shown["document"], item.shown["summary"])
        return [
            Passage(label="document", text=texts[0], language=item.language, long=True),
            Passage(label="summary", text=texts[1], language=item.language),
            *(Rating(name=name, question=name, labels=GRADES, values=(1, 2, 3, 4, 5)) for name in ASPECTS),
            Writing(name="reason", question="reason", beside=texts),
        ]

    def score_answer(self, item: Item, answer: Answer) -> list[Judgment]:
        """The grade of each aspect."""
        return [Judgment(item.doc_id, item.system, aspect=name, value=float(answer[name])) for name in ASPECTS]

    def read_reason(self, answer: Answer) -> str:
        """Why these grades were given."""
        reason = answer["reason"]
        if not isinstance(reason, str):
            raise TypeError("a text is wanted")
        return reason

    def make_product(self, name: str, given: Sequence[GivenAnswer]) -> list[dict[str, Any]]:
        """Each rater's grades of a summary, and why they were given."""
        return [
            {
                "doc_id": each.item.doc_id,
                "system": each.item.system,
                "rater": each.rater,
                **{aspect: each.value[aspect] for aspect in ASPECTS},
                "reason": self.read_reason(each.value),
            }
            for each in given
        ]
