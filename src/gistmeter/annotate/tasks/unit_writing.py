"""Units writing: content units of a reference sentence by sentence (Nenkova and Passonneau 2004; Shapira et al. 2019).

Units that the run has, such as those of `gistmeter units extract`, are shown as suggestions, to be taken or left; a run
without units shows none. What is exported is a file of units (`--unit-file`), and what `unit-merging` begins with.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from gistmeter.annotate.blocks.units import UnitGroups, UnitLines, WrittenUnit
from gistmeter.annotate.tasks.task import Answer, GivenAnswer, Judgment, Need, Task, make_item
from gistmeter.text.languages import language_code
from gistmeter.units.mix import assign_sentences
from gistmeter.units.references import split_references

if TYPE_CHECKING:
    import random
    from collections.abc import Iterator, Sequence

    from gistmeter.annotate.forms import Block
    from gistmeter.annotate.study import Item
    from gistmeter.example import Example


class UnitWriting(Task):
    """The sentences of a reference, each with room for its units."""

    name: ClassVar = "unit-writing"
    needs: ClassVar[tuple[Need, ...]] = ("references",)
    scale: ClassVar = "0-1"
    item_seconds: ClassVar = 300.0
    least_seconds: ClassVar = 20.0
    usual_raters: ClassVar = 1
    by_document: ClassVar = True
    products: ClassVar = ("units",)
    gives_judgments: ClassVar = False

    def make_items(self, examples: Sequence[Example], rng: random.Random) -> list[Item]:
        """Each reference of each document once."""
        items = []
        for example in _first_of_each_document(examples):
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
        """Nothing: units say nothing of a summary before somebody looks for them in it."""
        return []

    def make_product(self, name: str, given: Sequence[GivenAnswer]) -> list[dict[str, Any]]:
        """The units of each document; of several raters' the first one's whose work is usable, by reference."""
        records: dict[str, dict[str, Any]] = {}
        done_items: set[str] = set()
        for answer in sorted(given, key=lambda each: each.item.shown["reference"]):
            record = records.setdefault(answer.item.doc_id, {"doc_id": answer.item.doc_id, "units": []})
            if answer.item.id not in done_items:
                done_items.add(answer.item.id)
                record["units"] += list(_list_units(answer))
        return list(records.values())


class UnitMerging(Task):
    """The units of several references, to be put together where they state the same fact."""

    name: ClassVar = "unit-merging"
    needs: ClassVar[tuple[Need, ...]] = ("references", "units")
    scale: ClassVar = "0-1"
    item_seconds: ClassVar = 300.0
    least_seconds: ClassVar = 20.0
    usual_raters: ClassVar = 1
    by_document: ClassVar = True
    products: ClassVar = ("units",)
    gives_judgments: ClassVar = False

    def make_items(self, examples: Sequence[Example], rng: random.Random) -> list[Item]:
        """Each document once, with the units of all its references."""
        items = []
        for example in _first_of_each_document(examples):
            language = language_code(example.language)
            owners = [
                number
                for number, text in enumerate(example.references, start=1)
                for _ in split_references([text], language)
            ]
            units = assign_sentences(
                example.units, split_references(example.references, language), document=example.doc_id
            )
            sentences = [unit.sentence or 0 for unit in units]
            shown = [
                {"text": unit.text, "sentence": sentence, "reference": owners[sentence]}
                for unit, sentence in zip(units, sentences, strict=True)
            ]
            items.append(make_item(example, "units", units=shown))
        return items

    def make_blocks(self, item: Item) -> list[Block]:
        """The units, each alone to begin with."""
        units = tuple(WrittenUnit(unit["text"], unit["reference"]) for unit in item.shown["units"])
        return [UnitGroups(name="groups", question="question", units=units, language=item.language)]

    def score_answer(self, item: Item, answer: Answer) -> list[Judgment]:
        """Nothing: units say nothing of a summary before somebody looks for them in it."""
        return []

    def make_product(self, name: str, given: Sequence[GivenAnswer]) -> list[dict[str, Any]]:
        """The merged units of each document, weighted by how many references state them; by the first rater."""
        records: dict[str, dict[str, Any]] = {}
        for answer in given:
            if answer.item.doc_id not in records:
                units = list(_weigh_groups(answer.item.shown["units"], answer.value["groups"]))
                records[answer.item.doc_id] = {"doc_id": answer.item.doc_id, "units": units}
        return list(records.values())


def suggest_units(example: Example) -> dict[int, list[str]]:
    """The units of a run as suggestions, by the sentence of all references."""
    sentences = split_references(example.references, language_code(example.language))
    suggested: dict[int, list[str]] = {}
    for unit in assign_sentences(example.units, sentences, document=example.doc_id):
        suggested.setdefault(unit.sentence or 0, []).append(unit.text)
    return suggested


def _first_of_each_document(examples: Sequence[Example]) -> list[Example]:
    """One summary of each document, as references are those of the document."""
    return list({example.doc_id: example for example in reversed(examples)}.values())[::-1]


def _list_units(answer: GivenAnswer) -> Iterator[dict[str, Any]]:
    """The units of a reference, as a file of units has them, and which reference it is."""
    shown = answer.item.shown
    for number, entry in enumerate(answer.value["units"]):
        accepted = [shown["suggestions"][number][index] for index in entry["taken"]]
        for text in dict.fromkeys([*accepted, *entry["written"]]):
            yield {"text": text, "sentence": shown["first"] + number, "reference": shown["reference"]}


def _weigh_groups(units: Sequence[dict[str, Any]], leaders: Sequence[int]) -> Iterator[dict[str, Any]]:
    """A unit for each group: the words of its first, and its number of references as weight."""
    for number in sorted(set(leaders)):
        members = [unit for unit, leader in zip(units, leaders, strict=True) if leader == number]
        first = units[number - 1]
        weight = float(len({unit["reference"] for unit in members}))
        yield {"text": first["text"], "weight": weight, "sentence": first["sentence"]}
