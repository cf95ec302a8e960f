"""Coherence: how well the sentences of a summary follow each other (Koto, Baldwin and Lau 2022, appendix A.2).

Controls are sentences of different documents put together, which should get little, and summaries that were judged
before in the same assignment, which should get about the same again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from gistmeter.annotate.forms import Block, Passage, Slider
from gistmeter.annotate.study import Item
from gistmeter.annotate.tasks.sentence_gaps import find_gap
from gistmeter.annotate.tasks.task import Answer, Judgment, Task, make_item
from gistmeter.text.sentences import split_sentences

if TYPE_CHECKING:
    import random
    from collections.abc import Mapping, Sequence

    from gistmeter.example import Example

RANDOM, REPEATED = "random", "repeated"
MOST_FOR_RANDOM = 30
"""More than this is wrong for sentences that have nothing to do with each other."""
MOST_CHANGE = 10
"""A summary that is shown again should get the same, give or take this."""


class Coherence(Task):
    """One summary, and how well its sentences follow each other, from 0 to 100."""

    name: ClassVar = "coherence"
    asks_about: ClassVar = "summaries of two sentences or more"
    scale: ClassVar = "0-100"
    item_seconds: ClassVar = 20.0
    least_seconds: ClassVar = 3.0
    control_share: ClassVar = 0.1

    def make_items(self, examples: Sequence[Example], rng: random.Random) -> list[Item]:
        """Each summary of two sentences or more."""
        return [
            make_item(example, self.name, text=example.summary)
            for example in examples
            if len(_split(example.summary, example.language)) > 1
        ]

    def make_controls(
        self, batch: Sequence[Item], judged: Sequence[Item], count: int, rng: random.Random
    ) -> list[Item]:
        """Half sentences of different documents, half summaries of this batch again."""
        repeated = rng.sample(list(batch), k=min(count - count // 2, len(batch)))
        return [
            *(self._mix_sentences(judged, rng) for _ in range(count // 2)),
            *(
                Item(
                    id="",
                    doc_id=source.doc_id,
                    system=source.system,
                    shown=source.shown,
                    language=source.language,
                    control=REPEATED,
                    repeats=source.id,
                )
                for source in repeated
            ),
        ]

    def _mix_sentences(self, judged: Sequence[Item], rng: random.Random) -> Item:
        """Three sentences of three documents, or of as many as there are, in random order."""
        documents = list(dict.fromkeys(item.doc_id for item in judged))
        drawn = rng.sample(documents, k=min(3, len(documents)))
        sources = [rng.choice([item for item in judged if item.doc_id == document]) for document in drawn]
        sentences = [rng.choice(_split(source.shown["text"], source.language)) for source in sources]
        if len(documents) == 1:  # nothing else to mix with: the summary itself, its sentences shuffled
            sentences = _split(sources[0].shown["text"], sources[0].language)[::-1]
        text = find_gap(sources[0].shown["text"], sources[0].language).join(sentences)
        return Item(id="", shown={"text": text}, language=sources[0].language, control=RANDOM)

    def check_control(self, control: Item, answer: Answer, answers: Mapping[str, Answer]) -> bool:
        """Whether mixed sentences got 30 or less, and a repeated summary the same within 10."""
        if control.control == RANDOM:
            return bool(answer["value"] <= MOST_FOR_RANDOM)
        first = answers.get(control.repeats)
        return first is not None and abs(answer["value"] - first["value"]) <= MOST_CHANGE

    def make_blocks(self, item: Item) -> list[Block]:
        """The text, and the slider."""
        return [
            Passage(label="text", text=item.shown["text"], language=item.language),
            Slider(name="value", question="question", low="low", high="high"),
        ]

    def score_answer(self, item: Item, answer: Answer) -> list[Judgment]:
        """The coherence of the summary."""
        return [Judgment(item.doc_id, item.system, aspect=self.name, value=float(answer["value"]))]


def _split(text: str, language: str) -> list[str]:
    """The sentences of a text, whose lines are sentences where it has several."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines if len(lines) > 1 else split_sentences(text, language=language)
