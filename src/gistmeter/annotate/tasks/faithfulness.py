"""Faithfulness by spans: which words of a summary the document does not support (Maynez et al. 2020; Koto et al. 2022).

What contradicts or twists the document is intrinsic, what the document does not have at all is extrinsic. The score of
a summary is the share of its words that are not marked. Raters are compared character by character. Controls are
summaries with a sentence about another document, which is to be marked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from gistmeter.annotate.blocks.marking import Marks, label_characters, list_words, share_unmarked
from gistmeter.annotate.forms import Block, Passage
from gistmeter.annotate.study import Item
from gistmeter.annotate.tasks.sentence_gaps import find_gap
from gistmeter.annotate.tasks.task import Answer, GivenAnswer, Judgment, Need, Task, make_item
from gistmeter.text.sentences import find_sentences

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping, Sequence

    from gistmeter.example import Example
    from gistmeter.human.alpha import Measurement

KINDS = ("intrinsic", "extrinsic")
FOREIGN = "foreign"
NOTICED_SHARE = 0.5
"""A sentence about another document is noticed when so much of it is marked."""


class Faithfulness(Task):
    """The document, and the summary beside it, in which people mark what the document does not support."""

    name: ClassVar = "faithfulness"
    needs: ClassVar[tuple[Need, ...]] = ("document",)
    scale: ClassVar = "0-1"
    measurement: ClassVar[Measurement] = "nominal"
    item_seconds: ClassVar = 90.0
    least_seconds: ClassVar = 8.0
    control_share: ClassVar = 0.1
    products: ClassVar = ("spans",)
    shows_parts: ClassVar = False

    def make_items(self, examples: Sequence[Example], rng: random.Random) -> list[Item]:
        """Each summary with its document."""
        return [
            make_item(example, self.name, document=example.document, summary=example.summary) for example in examples
        ]

    def make_controls(
        self, batch: Sequence[Item], judged: Sequence[Item], count: int, rng: random.Random
    ) -> list[Item]:
        """Summaries of the batch with the first sentence of another document's summary put in."""
        controls = []
        for _ in range(count):
            item = rng.choice(batch)
            others = [other for other in judged if other.doc_id != item.doc_id and other.shown["summary"].strip()]
            if others:
                controls.append(self._add_foreign_sentence(item, rng.choice(others), rng))
        return controls

    def _add_foreign_sentence(self, item: Item, other: Item, rng: random.Random) -> Item:
        text, source = item.shown["summary"], other.shown["summary"]
        start, end = find_sentences(source, other.language)[0]
        foreign = source[start:end].strip()
        borders = [0, *(end for _, end in find_sentences(text, item.language))]
        border = rng.choice(borders)
        gap = find_gap(text, item.language)
        head, tail = (text[:border].rstrip() + gap).lstrip(), (gap + text[border:].lstrip()).rstrip()
        shown = {
            "document": item.shown["document"],
            "summary": head + foreign + tail,
            "foreign": [len(head), len(head) + len(foreign)],
        }
        return Item(id="", shown=shown, language=item.language, control=FOREIGN)

    def check_control(self, control: Item, answer: Answer, answers: Mapping[str, Answer]) -> bool:
        """Whether half of the words of the foreign sentence are marked, as whatever, and not every other word, too."""
        start, end = control.shown["foreign"]
        words = list_words(control.shown["summary"])
        marked = {word for word in words if any(begin <= word.start < stop for begin, stop, _ in answer["marks"])}
        foreign = {word for word in words if start <= word.start < end}
        own = set(words) - foreign
        return len(foreign & marked) >= NOTICED_SHARE * len(foreign) and not (own and own <= marked)

    def make_blocks(self, item: Item) -> list[Block]:
        """The document, and the summary to mark."""
        return [
            Passage(label="document", text=item.shown["document"], language=item.language, long=True),
            Marks(
                name="marks",
                question="question",
                label="summary",
                text=item.shown["summary"],
                kinds=KINDS,
                language=item.language,
            ),
        ]

    def score_answer(self, item: Item, answer: Answer) -> list[Judgment]:
        """The share of words that are not marked, and for each character whether and as what it is."""
        text, marks = item.shown["summary"], answer["marks"]
        share = Judgment(item.doc_id, item.system, aspect=self.name, value=share_unmarked(text, marks))
        characters = [
            Judgment(item.doc_id, item.system, aspect=f"character {number}", value=float(label), detail=True)
            for number, label in enumerate(label_characters(text, marks, KINDS), start=1)
        ]
        return [share, *characters]

    def describe_answer(self, item: Item, answer: Answer) -> str:
        """The words that were marked, each with its kind."""
        summary = item.shown["summary"]
        return "; ".join(f"{summary[start:end]} ({kind})" for start, end, kind in answer["marks"])

    def make_product(self, name: str, given: Sequence[GivenAnswer]) -> list[dict[str, Any]]:
        """A record for each summary and rater: the marked spans, with their offsets and kinds."""
        return [
            {
                "doc_id": answer.item.doc_id,
                "system": answer.item.system,
                "rater": answer.rater,
                "summary": answer.item.shown["summary"],
                "spans": [
                    {"start": start, "end": end, "kind": kind, "text": answer.item.shown["summary"][start:end]}
                    for start, end, kind in answer.value["marks"]
                ],
            }
            for answer in given
        ]
