"""Salient noun phrases: which phrases of a document carry information that the reference states (Deutsch 2022).

English documents are parsed. Of the other languages with stop words, for which there is no parser here, the phrases are
runs of words between stop words.

Several raters choose. A phrase is gold where more than half of them chose it; `gistmeter annotate export --as spans`
writes the gold phrases of each document, with their offsets.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, ClassVar

from gistmeter.annotate.blocks.phrases import Phrases
from gistmeter.annotate.forms import Block, Passage
from gistmeter.annotate.tasks.task import (
    REFERENCE,
    Answer,
    GivenAnswer,
    Judgment,
    Need,
    Task,
    first_of_each_document,
    judge_parts,
    make_item,
)
from gistmeter.errors import DataError
from gistmeter.text.content_runs import find_content_runs
from gistmeter.text.languages import WORD_LIST_LANGUAGES, language_code

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from gistmeter.annotate.study import Item
    from gistmeter.example import Example
    from gistmeter.human.alpha import Measurement


class SalientPhrases(Task):
    """A reference, and the document beside it, in which people choose the phrases that the reference speaks of."""

    name: ClassVar = "salient-phrases"
    asks_about: ClassVar = "phrases of documents"
    needs: ClassVar[tuple[Need, ...]] = ("references", "document")
    scale: ClassVar = "0-1"
    measurement: ClassVar[Measurement] = "nominal"
    item_seconds: ClassVar = 240.0
    least_seconds: ClassVar = 20.0
    by_document: ClassVar = True
    products: ClassVar = ("spans",)
    gives_judgments: ClassVar = False

    def check_example(self, example: Example) -> None:
        """Refuse documents in languages of which neither a parser nor stop words are known."""
        super().check_example(example)
        if language_code(example.language) not in WORD_LIST_LANGUAGES:
            raise DataError(
                f"the task {self.name} finds phrases in documents in {', '.join(WORD_LIST_LANGUAGES)}, but "
                f"{example.name} is in {example.language!r}; content-units and faithfulness are tasks for any language"
            )

    def note_examples(self, examples: Sequence[Example]) -> tuple[str, ...]:
        """That phrases are no noun phrases, where documents are not in English."""
        others = sorted({code for each in examples if (code := language_code(each.language)) != "en"})
        note = (
            f"there is no parser for {', '.join(others)} here: the phrases of these documents are runs of words "
            "between stop words, which may be verbs"
        )
        return (note,) if others else ()

    def make_items(self, examples: Sequence[Example], rng: random.Random) -> list[Item]:
        """Each document once, with its first reference."""
        chosen = first_of_each_document(examples)
        english = [example.document or "" for example in chosen if language_code(example.language) == "en"]
        parsed = iter(find_spans(english) if english else [])
        items = []
        for example in chosen:
            is_english = language_code(example.language) == "en"
            spans = next(parsed) if is_english else find_content_runs(example.document or "", example.language)
            shown = {"reference": example.references[0], "document": example.document, "spans": spans}
            if spans:
                items.append(make_item(example, "salient phrases", **shown))
        return items

    def make_blocks(self, item: Item) -> list[Block]:
        """The reference, and the document with its phrases."""
        return [
            Passage(label="reference", text=item.shown["reference"], language=item.language, long=True),
            Phrases(
                name="phrases",
                question="question",
                label="document",
                text=item.shown["document"],
                spans=tuple((start, end) for start, end in item.shown["spans"]),
                language=item.language,
            ),
        ]

    def score_answer(self, item: Item, answer: Answer) -> list[Judgment]:
        """The share of phrases that were chosen, and each choice."""
        return judge_parts(item.doc_id, REFERENCE, aspect=item.aspect, part="phrase", votes=answer["phrases"])

    def describe_part(self, item: Item, aspect: str) -> str:
        """The words of the phrase."""
        if not aspect.startswith("phrase "):
            return ""
        start, end = item.shown["spans"][int(aspect.removeprefix("phrase ")) - 1]
        return " ".join(item.shown["document"][start:end].split())

    def make_product(self, name: str, given: Sequence[GivenAnswer]) -> list[dict[str, Any]]:
        """For each document the phrases that more than half of its raters chose."""
        by_document: dict[str, list[GivenAnswer]] = defaultdict(list)
        for answer in given:
            by_document[answer.item.doc_id].append(answer)
        return [_choose_gold(doc_id, answers) for doc_id, answers in by_document.items()]


def _choose_gold(doc_id: str, answers: list[GivenAnswer]) -> dict[str, Any]:
    shown = answers[0].item.shown
    votes = [sum(choices) for choices in zip(*(answer.value["phrases"] for answer in answers), strict=True)]
    gold = [
        {"start": start, "end": end, "text": shown["document"][start:end], "votes": count}
        for (start, end), count in zip(shown["spans"], votes, strict=True)
        if 2 * count > len(answers)
    ]
    return {"doc_id": doc_id, "raters": len(answers), "phrases": len(votes), "spans": gold}


def find_spans(documents: Sequence[str]) -> list[list[tuple[int, int]]]:
    """The noun phrases of English documents, as offsets in their characters."""
    from gistmeter.linguistics.parser import load_parser
    from gistmeter.linguistics.phrases import find_phrases

    parsed = load_parser().parse(list(documents), entities=True)
    return [[(phrase.start_char, phrase.end_char) for phrase in find_phrases(document)] for document in parsed]
