"""Who writes the units of which sentence: the easy ones a machine, the others people, and what that costs.

A plan is made from references alone, for a share of the sentences or for what people can write: so many units,
sentences or minutes. `writing` keeps it in a file and makes the sheet that people fill in.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from gistmeter.errors import ArgumentError, DataError
from gistmeter.text.languages import language_code
from gistmeter.text.words import split_words
from gistmeter.units.easiness import predict_easiness_by_document
from gistmeter.units.mix import assign_sentences, choose_easiest
from gistmeter.units.references import extract_reference_units, split_references
from gistmeter.weights import EMBEDDED

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gistmeter.example import Example
    from gistmeter.units.references import Coreference

SHARES = tuple(number / 10 for number in range(11))
_UNITS_OF_ANY_SENTENCE = 0.79
_UNITS_OF_A_WORD = 0.16
"""How many units people wrote for a sentence of so many words: least squares over 2,321 sentences of REALSumm, PyrXSum
and RoSE, which have 3.0 units each."""

MINUTES_PER_UNIT = 0.5
"""What a unit is taken to cost a writer who has read the sentence; nobody measured it, so measure your own."""


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
    reference: int = 0
    """Which reference of its document it is from."""
    language: str = "en"

    @property
    def expected_units(self) -> float:
        """The units that people wrote, or that they will write by its length: to one tenth, as plans show it."""
        if self.units is not None:
            return float(self.units)
        return round(_UNITS_OF_ANY_SENTENCE + _UNITS_OF_A_WORD * len(split_words(self.text)), 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class WritingBudget:
    """How much people write: all but a share of the sentences, or at most so many units, sentences or minutes."""

    share: float | None = None
    units: float | None = None
    sentences: float | None = None
    minutes: float | None = None
    minutes_per_unit: float = MINUTES_PER_UNIT

    def __post_init__(self) -> None:
        limits = [self.share, self.units, self.sentences, self.minutes]
        if sum(limit is not None for limit in limits) > 1:
            raise ArgumentError("give one of `share`, `most_units`, `most_sentences` and `most_minutes`")
        if self.share is not None and not 0 <= self.share <= 1:
            raise ArgumentError(f"`share`, of sentences by machine, is between 0 and 1, not {self.share}")
        if any(limit is not None and not limit >= 0 for limit in limits) or not self.minutes_per_unit > 0:
            raise ArgumentError("a budget is 0 or more, and a unit takes more than 0 minutes")

    def choose_machine_sentences(self, plan: Sequence[PlannedSentence]) -> frozenset[tuple[str, int]]:
        """The sentences for the machine, as (document, sentence): the easiest, or all that the budget does not pay for.

        With a budget people take the hardest sentences first; one that is too long for what is left is passed over.
        """
        easiness: dict[str, list[float]] = {}
        for planned in plan:
            easiness.setdefault(planned.document, []).append(planned.easiness)
        if self.units is None and self.sentences is None and self.minutes is None:
            return choose_easiest(easiness, 0.5 if self.share is None else self.share)
        left = next(limit for limit in (self.units, self.sentences, self.minutes) if limit is not None)
        by_machine = set()
        easiest_first = sorted(plan, key=lambda planned: -planned.easiness)
        for planned in reversed(easiest_first):
            cost = self._cost(planned)
            if cost > left + 1e-9:
                by_machine.add((planned.document, planned.sentence))
            else:
                left -= cost
        return frozenset(by_machine)

    def _cost(self, planned: PlannedSentence) -> float:
        if self.sentences is not None:
            return 1.0
        return planned.expected_units * (1.0 if self.minutes is None else self.minutes_per_unit)


@dataclass(frozen=True, slots=True)
class PlanCost:
    """What a share of sentences by machine leaves to people, and how close all units together would be to people's."""

    share: float
    sentences: int
    units: int | None
    expected: float
    """The mean easiness, where a sentence left to people counts 1."""


def plan_sentences(
    examples: Iterable[Example],
    share: float | None = None,
    *,
    budget: WritingBudget | None = None,
    regressor: str = EMBEDDED,
    parser: str = EMBEDDED,
    source: str = EMBEDDED,
    coreference: Coreference = "confident",
) -> list[PlannedSentence]:
    """The reference sentences of all documents, each document once, the hardest first.

    `share` of the sentences, the easiest, are for the machine (half of them by default), or a `budget` says how much
    people write. `regressor` and `parser` predict how easy sentences are, from units cut with `source` and
    `coreference`.

    >>> from gistmeter.example import Example
    >>> text = "It rained. The mayor, who had been ill for months, said on Monday that he would resign and leave."
    >>> example = Example(doc_id="d", system="s", summary="x", references=(text,))
    >>> [(planned.sentence, planned.by_machine) for planned in plan_sentences([example])]
    [(1, False), (0, True)]
    """
    if budget is None:
        budget = WritingBudget(share=share)
    documents: dict[str, Example] = {}
    for example in examples:
        documents.setdefault(example.doc_id, example)
    plan = _predict_plan(documents, regressor=regressor, parser=parser, source=source, coreference=coreference)
    if not plan:
        raise DataError("no document has a reference: there is no sentence to plan for")
    by_machine = budget.choose_machine_sentences(plan)
    chosen = [replace(planned, by_machine=(planned.document, planned.sentence) in by_machine) for planned in plan]
    return sorted(chosen, key=lambda planned: planned.easiness)


def _predict_plan(
    documents: dict[str, Example], *, regressor: str, parser: str, source: str, coreference: Coreference
) -> list[PlannedSentence]:
    """All sentences in the order of documents, none given to people yet."""
    codes = {doc_id: language_code(example.language) for doc_id, example in documents.items()}
    by_reference = {
        doc_id: [split_references([text], codes[doc_id]) for text in example.references]
        for doc_id, example in documents.items()
    }
    sentences = {doc_id: [text for texts in parts for text in texts] for doc_id, parts in by_reference.items()}
    machine = {
        doc_id: extract_reference_units(example.references, codes[doc_id], source=source, coreference=coreference)
        for doc_id, example in documents.items()
    }
    easiness = predict_easiness_by_document(sentences, codes, machine, regressor=regressor, parser=parser)
    plan = []
    for doc_id, example in documents.items():
        people_units = assign_sentences(example.units, sentences[doc_id], document=doc_id)
        unit_counts = Counter(unit.sentence for unit in people_units)
        references = [number for number, texts in enumerate(by_reference[doc_id]) for _ in texts]
        plan += [
            PlannedSentence(
                document=doc_id,
                sentence=number,
                text=text,
                easiness=easiness[doc_id][number],
                by_machine=True,
                units=unit_counts[number] if unit_counts else None,
                reference=references[number],
                language=example.language,
            )
            for number, text in enumerate(sentences[doc_id])
        ]
    return plan


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
