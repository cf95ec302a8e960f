"""Unit merging: facts of several references, put together where they state the same (Nenkova and Passonneau 2004).

A group is a content unit with the number of references that state it as its weight. Where several raters merge, two
facts are together if more than half of the raters put them together, and so is whatever is linked that way.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, Any, ClassVar

from gistmeter.annotate.blocks.units import UnitGroups, WrittenUnit, link_groups
from gistmeter.annotate.tasks.task import REFERENCE, Judgment, Need, Task, first_of_each_document, make_item
from gistmeter.text.languages import language_code
from gistmeter.units.mix import assign_sentences
from gistmeter.units.references import split_references

if TYPE_CHECKING:
    import random
    from collections.abc import Sequence

    from gistmeter.annotate.forms import Block
    from gistmeter.annotate.study import Item
    from gistmeter.annotate.tasks.task import Answer, GivenAnswer
    from gistmeter.example import Example
    from gistmeter.human.alpha import Measurement


class UnitMerging(Task):
    """The units of several references, to be put together where they state the same fact."""

    name: ClassVar = "unit-merging"
    needs: ClassVar[tuple[Need, ...]] = ("references", "units")
    scale: ClassVar = "0-1"
    measurement: ClassVar[Measurement] = "nominal"
    item_seconds: ClassVar = 300.0
    least_seconds: ClassVar = 20.0
    usual_raters: ClassVar = 1
    by_document: ClassVar = True
    products: ClassVar = ("units",)
    gives_judgments: ClassVar = False

    def make_items(self, examples: Sequence[Example], rng: random.Random) -> list[Item]:
        """Each document once, with the units of all its references."""
        items = []
        for example in first_of_each_document(examples):
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
        """The share of facts that were put together with others, and for each two facts whether they were."""
        leaders = answer["groups"]
        share = sum(leaders.count(leader) > 1 for leader in leaders) / len(leaders)
        pairs = [
            Judgment(
                item.doc_id,
                REFERENCE,
                aspect=f"facts {first + 1} and {second + 1}",
                value=float(leaders[first] == leaders[second]),
                detail=True,
            )
            for first, second in combinations(range(len(leaders)), 2)
        ]
        return [Judgment(item.doc_id, REFERENCE, aspect="facts put together", value=share), *pairs]

    def describe_part(self, item: Item, aspect: str) -> str:
        """The words of the two facts."""
        first, second = (int(number) for number in aspect.removeprefix("facts ").split(" and "))
        texts = [unit["text"] for unit in item.shown["units"]]
        return f"{texts[first - 1]} = {texts[second - 1]}"

    def make_product(self, name: str, given: Sequence[GivenAnswer]) -> list[dict[str, Any]]:
        """The merged units of each document, weighted by how many references state them, and who made each group."""
        by_document: dict[str, list[GivenAnswer]] = {}
        for answer in given:
            by_document.setdefault(answer.item.doc_id, []).append(answer)
        return [
            {"doc_id": doc_id, "units": _weigh_groups(answers), "raters": [answer.rater for answer in answers]}
            for doc_id, answers in by_document.items()
        ]


def _weigh_groups(answers: Sequence[GivenAnswer]) -> list[dict[str, Any]]:
    """A unit for each group: the words of its first fact, its number of references, and who made just this group."""
    units = answers[0].item.shown["units"]
    partitions = {answer.rater: _list_groups(answer.value["groups"]) for answer in answers}
    weighed = []
    for group in _list_groups(agree_on_groups([answer.value["groups"] for answer in answers])):
        members = [units[number] for number in sorted(group)]
        others = [unit["text"] for unit in members[1:]]
        weighed.append(
            {
                "text": members[0]["text"],
                "weight": float(len({unit["reference"] for unit in members})),
                "sentence": members[0]["sentence"],
                "raters": [rater for rater, groups in partitions.items() if group in groups],
                **({"also": others} if others else {}),
            }
        )
    return weighed


def _list_groups(leaders: Sequence[int]) -> list[frozenset[int]]:
    """The groups of an answer, as positions of units, in the order of their first units."""
    return [
        frozenset(position for position, own in enumerate(leaders) if own == leader)
        for leader in dict.fromkeys(sorted(leaders))
    ]


def agree_on_groups(answers: Sequence[Sequence[int]]) -> list[int]:
    """The groups of several raters as one answer: facts that more than half put together, and what they link.

    >>> agree_on_groups([[1, 1, 3], [1, 1, 1], [1, 2, 2]])
    [1, 1, 1]
    >>> agree_on_groups([[1, 1, 3], [1, 2, 3]])
    [1, 2, 3]
    """
    count = len(answers[0])
    links = [
        (first + 1, second + 1)
        for first, second in combinations(range(count), 2)
        if 2 * sum(leaders[first] == leaders[second] for leaders in answers) > len(answers)
    ]
    return link_groups(count, links)
