"""Units by a plan: people's where they wrote any, a machine's for all other sentences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gistmeter.errors import DataError, suggestion
from gistmeter.text.languages import language_code
from gistmeter.units.mix import assign_sentences, mix_units
from gistmeter.units.references import extract_reference_units, split_references
from gistmeter.weights import EMBEDDED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.example import Example, Unit
    from gistmeter.units.plan import PlannedSentence
    from gistmeter.units.references import Coreference


@dataclass(frozen=True, slots=True)
class PlannedUnits:
    """Units by document, how many sentences have people's and how many a machine's, and how many people left open."""

    units: Mapping[str, tuple[Unit, ...]]
    machine_sentences: int
    people_sentences: int
    open_sentences: int
    """Sentences that the plan gives to people, for which nobody wrote a unit; a machine's stand in."""


def fill_units(
    references: Sequence[str],
    people_units: Sequence[Unit],
    language: str = "en",
    *,
    document: str,
    source: str = EMBEDDED,
    coreference: Coreference = "confident",
) -> tuple[Unit, ...]:
    """People's units of a document, and a machine's for the sentences of its references that have none.

    A unit that names no sentence belongs to the most similar one; `document` is the id that an error names.

    >>> from gistmeter.example import Unit
    >>> people = [Unit("A race was won by Ann.", sentence=0)]
    >>> [unit.text for unit in fill_units(["Ann won the race. It rained in Rome."], people, document="d")]
    ['A race was won by Ann.', 'It rained in Rome']
    """
    code = language_code(language)
    sentences = split_references(references, code)
    assigned = assign_sentences(people_units, sentences, document=document)
    machine_units = extract_reference_units(references, code, source=source, coreference=coreference)
    written = {unit.sentence for unit in assigned}
    return mix_units(assigned, machine_units, set(range(len(sentences))) - written)


def mix_planned_units(
    plan: Sequence[PlannedSentence],
    people: Mapping[str, Sequence[Unit]],
    *,
    documents: Sequence[Example] | None = None,
    source: str = EMBEDDED,
    coreference: Coreference = "confident",
) -> PlannedUnits:
    """The units of all documents of a plan.

    People's units count wherever they exist, also for a sentence that the plan gave to the machine. `documents`, where
    they are given, must have the sentences that the plan was made for.
    """
    sentences: dict[str, list[PlannedSentence]] = {}
    for planned in sorted(plan, key=lambda planned: planned.sentence):
        sentences.setdefault(planned.document, []).append(planned)
    for doc_id in people:
        if doc_id not in sentences:
            raise DataError(
                f"there are units of document {doc_id}, which the plan does not have{suggestion(doc_id, sentences)}"
            )
    if documents is not None:
        _check_documents(documents, sentences)
    units = {}
    by_people = left_open = 0
    for doc_id, of_document in sentences.items():
        references = _join_references(of_document)
        units[doc_id] = fill_units(
            references,
            people.get(doc_id, ()),
            of_document[0].language,
            document=doc_id,
            source=source,
            coreference=coreference,
        )
        texts = [planned.text for planned in of_document]
        written = {unit.sentence for unit in assign_sentences(people.get(doc_id, ()), texts, document=doc_id)}
        by_people += len(written)
        left_open += sum(not planned.by_machine and planned.sentence not in written for planned in of_document)
    return PlannedUnits(
        units, machine_sentences=len(plan) - by_people, people_sentences=by_people, open_sentences=left_open
    )


def _join_references(planned_sentences: Sequence[PlannedSentence]) -> list[str]:
    """The references of a document, a sentence on each line."""
    texts: dict[int, list[str]] = {}
    for planned in planned_sentences:
        texts.setdefault(planned.reference, []).append(planned.text)
    return ["\n".join(lines) for lines in texts.values()]


def _check_documents(documents: Sequence[Example], sentences: Mapping[str, Sequence[PlannedSentence]]) -> None:
    for example in documents:
        if example.doc_id not in sentences:
            raise DataError(f"the plan does not have document {example.doc_id}{suggestion(example.doc_id, sentences)}")
        planned = [entry.text for entry in sentences[example.doc_id]]
        if planned != split_references(example.references, language_code(example.language)):
            raise DataError(
                f"the plan was made for other references of document {example.doc_id}: make it again from these"
            )
