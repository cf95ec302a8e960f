"""Who writes the units of which sentence: the easy ones a machine, the others people, and what that costs."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gistmeter.errors import ArgumentError, DataError
from gistmeter.units.easiness import predict_easiness_by_document
from gistmeter.units.mix import assign_sentences, choose_easiest
from gistmeter.units.references import split_references
from gistmeter.weights import EMBEDDED

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gistmeter.example import Example

SHARES = tuple(number / 10 for number in range(11))


@dataclass(frozen=True, slots=True)
class PlannedSentence:
    """A reference sentence: how easy it is for a machine, who writes its units, and how many people wrote so far."""

    document: str
    sentence: int
    text: str
    easiness: float
    by_machine: bool
    units: int | None
    """None where the document has no units yet."""


@dataclass(frozen=True, slots=True)
class PlanCost:
    """What a share of sentences by machine leaves to people, and how close all units together would be to people's."""

    share: float
    sentences: int
    units: int | None
    expected: float
    """The mean easiness, where a sentence left to people counts 1."""


def plan_sentences(
    examples: Iterable[Example], share: float = 0.5, *, regressor: str = EMBEDDED, parser: str = EMBEDDED
) -> list[PlannedSentence]:
    """The reference sentences of all documents, each document once, the hardest first.

    `share` of the sentences, the easiest, are for the machine. `regressor` and `parser` predict how easy they are.

    >>> from gistmeter.example import Example
    >>> text = "It rained. The mayor, who had been ill for months, said on Monday that he would resign and leave."
    >>> example = Example(doc_id="d", system="s", summary="x", references=(text,))
    >>> [(planned.sentence, planned.by_machine) for planned in plan_sentences([example])]
    [(1, False), (0, True)]
    """
    if not 0 <= share <= 1:
        raise ArgumentError(f"`share`, of sentences by machine, is between 0 and 1, not {share}")
    documents: dict[str, Example] = {}
    for example in examples:
        documents.setdefault(example.doc_id, example)
    sentences = {
        doc_id: split_references(example.references, example.language) for doc_id, example in documents.items()
    }
    if not any(sentences.values()):
        raise DataError("no document has a reference: there is no sentence to plan for")
    languages = {doc_id: example.language for doc_id, example in documents.items()}
    easiness = predict_easiness_by_document(sentences, languages, regressor=regressor, parser=parser)
    easiest = choose_easiest(easiness, share)
    plan = []
    for doc_id, example in documents.items():
        people_units = assign_sentences(example.units, sentences[doc_id], document=doc_id)
        unit_counts = Counter(unit.sentence for unit in people_units)
        plan += [
            PlannedSentence(
                document=doc_id,
                sentence=number,
                text=text,
                easiness=easiness[doc_id][number],
                by_machine=(doc_id, number) in easiest,
                units=unit_counts[number] if unit_counts else None,
            )
            for number, text in enumerate(sentences[doc_id])
        ]
    return sorted(plan, key=lambda planned: planned.easiness)


def cost_plan(plan: Sequence[PlannedSentence], shares: Sequence[float] = SHARES) -> list[PlanCost]:
    """What people have to do at each share; units are counted where every document has some."""
    has_units = all(planned.units is not None for planned in plan)
    easiest_first = sorted(plan, key=lambda planned: -planned.easiness)  # equals in their order, as `choose_easiest`
    costs = []
    for share in shares:
        machine_count = round(share * len(plan))
        by_machine, by_people = easiest_first[:machine_count], easiest_first[machine_count:]
        costs.append(
            PlanCost(
                share=share,
                sentences=len(by_people),
                units=sum(planned.units or 0 for planned in by_people) if has_units else None,
                expected=(len(by_people) + sum(planned.easiness for planned in by_machine)) / len(plan),
            )
        )
    return costs
