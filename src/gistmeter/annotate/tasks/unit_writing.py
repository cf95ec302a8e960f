"""Units writing: content units of a reference sentence by sentence (Nenkova and Passonneau 2004; Shapira et al. 2019).

Units that the run has, such as those of `gistmeter units extract`, are shown as suggestions, to be taken or left; a run
without units shows none. What is exported is a file of units (`--unit-file`), and what `unit-merging` begins with.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from gistmeter.annotate.blocks.units import UnitLines
from gistmeter.annotate.tasks.task import REFERENCE, Judgment, Need, Task, first_of_each_document, make_item
from gistmeter.annotate.tasks.unit_matching import compare_written, list_units, match_units
from gistmeter.text.languages import language_code
from gistmeter.units.mix import assign_sentences
from gistmeter.units.references import split_references

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from gistmeter.annotate.forms import Block
    from gistmeter.annotate.study import Item
    from gistmeter.annotate.tasks.task import Answer, GivenAnswer, MatchedAnswers
    from gistmeter.annotate.tasks.unit_matching import RaterUnit
    from gistmeter.example import Example


class UnitWriting(Task):
    """The sentences of a reference, each with room for its units."""

    name: ClassVar = "unit-writing"
    asks_about: ClassVar = "sentences of references"
    needs: ClassVar[tuple[Need, ...]] = ("references",)
    scale: ClassVar = "count"
    item_seconds: ClassVar = 300.0
    least_seconds: ClassVar = 20.0
    usual_raters: ClassVar = 1
    by_document: ClassVar = True
    products: ClassVar = ("units",)
    gives_judgments: ClassVar = False

    def make_items(self, examples: Sequence[Example], rng: random.Random) -> list[Item]:
        """Each reference of each document once."""
        items = []
        for example in first_of_each_document(examples):
            first = 0
            language = language_code(example.language)
            suggested = suggest_units(example) if example.units else {}
            for reference, text in enumerate(example.references):
                sentences = split_references([text], language)
                suggestions = [suggested.get(first + number, []) for number in range(len(sentences))]
                shown = {"reference": reference, "first": first, "sentences": sentences, "suggestions": suggestions}
                if sentences:
                    items.append(make_item(example, "units", **shown))
                first += len(sentences)
        return items

    def make_blocks(self, item: Item) -> list[Block]:
        """A part for each sentence."""
        return [
            UnitLines(
                name="units",
                question="question",
                sentences=tuple(item.shown["sentences"]),
                suggestions=tuple(map(tuple, item.shown["suggestions"])),
                language=item.language,
            )
        ]

    def score_answer(self, item: Item, answer: Answer) -> list[Judgment]:
        """How many units the rater wrote or took: all that can be said of them before somebody looks for them."""
        count = sum(len(entry["written"]) + len(entry["taken"]) for entry in answer["units"])
        return [Judgment(item.doc_id, f"{REFERENCE} {item.shown['reference'] + 1}", aspect="units", value=float(count))]

    def match_answers(self, given: Sequence[GivenAnswer]) -> MatchedAnswers | None:
        """How many of their units the raters of a reference have in common."""
        return compare_written(given)

    def make_product(self, name: str, given: Sequence[GivenAnswer]) -> list[dict[str, Any]]:
        """The units of each document, by reference: those of all raters, as one where they say the same."""
        written: dict[str, list[RaterUnit]] = {}
        for answer in sorted(given, key=lambda each: each.item.shown["reference"]):
            written.setdefault(answer.item.doc_id, []).extend(list_units(answer))
        return [
            {"doc_id": doc_id, "units": [unit.to_record() for unit in match_units(units)]}
            for doc_id, units in written.items()
        ]


def suggest_units(example: Example) -> dict[int, list[str]]:
    """The units of a run as suggestions, by the sentence of all references."""
    sentences = split_references(example.references, language_code(example.language))
    suggested: dict[int, list[str]] = {}
    for unit in assign_sentences(example.units, sentences, document=example.doc_id):
        suggested.setdefault(unit.sentence or 0, []).append(unit.text)
    return suggested
