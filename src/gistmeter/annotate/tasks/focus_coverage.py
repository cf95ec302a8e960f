"""Focus and coverage: how much of the information in one text is in another (Koto, Baldwin and Lau 2022, 2021).

The two texts are the summary and its reference. Asked of the summary's information it is focus, of the reference's
coverage; raters are not told, and see each pair both ways round at different times. Controls are pairs of texts of
different documents, and near-copies of a text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from gistmeter.annotate.forms import Block, Passage, Slider
from gistmeter.annotate.study import Item
from gistmeter.annotate.tasks.task import Answer, Judgment, Need, Task, make_item
from gistmeter.human.quality import TrapAnswer, traps_passed
from gistmeter.probe.words.harmless import edit_harmlessly

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping, Sequence

    from gistmeter.example import Example

SAME: Literal["same"] = "same"
DIFFERENT: Literal["different"] = "different"


class FocusCoverage(Task):
    """How much of the information of text A can be found in text B, from 0 to 100."""

    name: ClassVar = "focus-coverage"
    needs: ClassVar[tuple[Need, ...]] = ("references",)
    scale: ClassVar = "0-100"
    across_aspects: ClassVar = True
    item_seconds: ClassVar = 30.0
    least_seconds: ClassVar = 4.0
    control_share: ClassVar = 0.1

    def make_items(self, examples: Sequence[Example], rng: random.Random) -> list[Item]:
        """Each summary with its first reference, both ways round."""
        items = []
        for example in examples:
            reference = example.references[0]
            items.append(make_item(example, "focus", first=example.summary, second=reference))
            items.append(make_item(example, "coverage", first=reference, second=example.summary))
        return items

    def make_controls(
        self, batch: Sequence[Item], judged: Sequence[Item], count: int, rng: random.Random
    ) -> list[Item]:
        """Half pairs of texts of different documents, half near-copies of a text; of one document near-copies alone."""
        has_strangers = len({item.doc_id for item in judged}) > 1
        different = [self._pair_strangers(judged, rng) for _ in range(count // 2 if has_strangers else 0)]
        references = [item for item in batch if item.aspect == "coverage"]  # their first text is written by people
        sources = rng.choices(references, k=count - len(different)) if references else []
        return [*different, *(self._copy_nearly(source, rng) for source in sources)]

    def _pair_strangers(self, judged: Sequence[Item], rng: random.Random) -> Item:
        """Two texts of different documents, with as few words in common as a few draws give."""
        pairs = []
        for _ in range(8):
            first = rng.choice([item for item in judged if item.aspect == "coverage"])
            others = [item for item in judged if item.doc_id != first.doc_id]
            pairs.append((first, rng.choice(others)))

        def count_shared_words(pair: tuple[Item, Item]) -> int:
            texts = (pair[0].shown["first"], pair[1].shown["second"])
            return len(set.intersection(*(set(text.lower().split()) for text in texts)))

        first, second = min(pairs, key=count_shared_words)
        shown = {"first": first.shown["first"], "second": second.shown["second"]}
        return Item(id="", shown=shown, language=first.language, control=DIFFERENT)

    def _copy_nearly(self, source: Item, rng: random.Random) -> Item:
        text = source.shown["first"]
        texts = [text, edit_harmlessly(text, source.language, rng)]
        rng.shuffle(texts)
        return Item(id="", shown={"first": texts[0], "second": texts[1]}, language=source.language, control=SAME)

    def check_control(self, control: Item, answer: Answer, answers: Mapping[str, Answer]) -> bool:
        """Whether the texts of different documents got 10 or less, and near-copies 90 or more."""
        trap = TrapAnswer(SAME if control.control == SAME else DIFFERENT, answer["value"])
        return traps_passed([trap]) == 1

    def make_blocks(self, item: Item) -> list[Block]:
        """Text A, text B, and the slider."""
        return [
            Passage(label="first", text=item.shown["first"], language=item.language),
            Passage(label="second", text=item.shown["second"], language=item.language),
            Slider(name="value", question="question", low="low", high="high"),
        ]

    def score_answer(self, item: Item, answer: Answer) -> list[Judgment]:
        """Focus or coverage of the summary."""
        return [Judgment(item.doc_id, item.system, aspect=item.aspect, value=float(answer["value"]))]
