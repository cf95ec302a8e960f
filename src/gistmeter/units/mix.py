"""Mixing: units by machine for the sentences that are easy to cut, units by people for the others.

This is Lite2.xPyramid (Zhang and Bansal, 2021, section 3.3).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from gistmeter.errors import DataError
from gistmeter.text.languages import language_code
from gistmeter.units.easiness import predict_easiness_by_document
from gistmeter.units.overlap import find_most_similar
from gistmeter.units.references import extract_reference_units, iterate_documents, split_references
from gistmeter.weights import EMBEDDED

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from typing import TypeVar

    from gistmeter.arrays import FloatArray
    from gistmeter.example import Example, Unit
    from gistmeter.units.references import Coreference

    Document = TypeVar("Document")


@dataclass(frozen=True, slots=True)
class MixedUnits:
    """Units by document, and how many sentences have units by machine and how many by people."""

    units: Mapping[str, tuple[Unit, ...]]
    machine_sentences: int
    people_sentences: int


def mix_units_by_document(
    examples: Iterable[Example],
    share: float,
    *,
    regressor: str = EMBEDDED,
    trees: str = EMBEDDED,
    source: str = EMBEDDED,
    coreference: Coreference = "confident",
) -> MixedUnits:
    """People's units, with those of the easiest `share` of all sentences replaced by units that a machine cuts."""
    documents = {example.doc_id: example for example in iterate_documents(examples)}
    sentences = {
        doc_id: split_references(example.references, language_code(example.language))
        for doc_id, example in documents.items()
    }
    languages = {doc_id: language_code(example.language) for doc_id, example in documents.items()}
    machine_units = {
        doc_id: extract_reference_units(example.references, languages[doc_id], source=source, coreference=coreference)
        for doc_id, example in documents.items()
    }
    easiness = predict_easiness_by_document(sentences, languages, machine_units, regressor=regressor, parser=trees)
    easiest = choose_easiest(easiness, share)
    machine_sentences: dict[str, set[int]] = {doc_id: set() for doc_id in documents}
    for doc_id, sentence in easiest:
        machine_sentences[doc_id].add(sentence)
    units = {}
    for doc_id, example in documents.items():
        if not example.units:
            raise DataError(f"document {doc_id} has no content units: give those that people wrote (`units`)")
        people_units = assign_sentences(example.units, sentences[doc_id], document=doc_id)
        units[doc_id] = mix_units(people_units, machine_units[doc_id], machine_sentences[doc_id])
    total = sum(map(len, sentences.values()))
    return MixedUnits(units, machine_sentences=len(easiest), people_sentences=total - len(easiest))


def assign_sentences(units: Sequence[Unit], sentences: Sequence[str], *, document: str) -> tuple[Unit, ...]:
    """The units of a document, each with its sentence: its own, or the most similar one where it names none.

    `document` is the id that an error names.

    >>> from gistmeter.example import Unit
    >>> sentences = ["It had rained.", "Ann Lee won."]
    >>> [unit.sentence for unit in assign_sentences([Unit("Ann won."), Unit("It rained.")], sentences, document="d")]
    [1, 0]
    """
    for unit in units:
        if unit.sentence is not None and unit.sentence >= len(sentences):
            raise DataError(
                f"the content unit {unit.text!r} of document {document} names sentence {unit.sentence}, but its "
                f"references have {len(sentences)} (counted from 0)"
            )
    if not sentences:
        return tuple(units)
    return tuple(
        unit if unit.sentence is not None else replace(unit, sentence=find_most_similar(unit.text, sentences).position)
        for unit in units
    )


def choose_easiest(
    easiness: Mapping[Document, Sequence[float] | FloatArray], share: float
) -> frozenset[tuple[Document, int]]:
    """The share of all sentences that is easiest, as (document, sentence); of equals the earlier ones.

    Their number is rounded to the nearest whole one, from a half to the even one.

    >>> sorted(choose_easiest({"a": [0.9, 0.2], "b": [0.5, 0.7]}, 0.5))
    [('a', 0), ('b', 1)]
    """
    ranked = sorted(
        ((document, sentence) for document, values in easiness.items() for sentence in range(len(values))),
        key=lambda key: -easiness[key[0]][key[1]],
    )
    return frozenset(ranked[: round(share * len(ranked))])


def mix_units(
    people_units: Sequence[Unit], machine_units: Sequence[Unit], machine_sentences: Collection[int]
) -> tuple[Unit, ...]:
    """The units by machine of `machine_sentences` and those by people of the others, in the order of sentences.

    >>> from gistmeter.example import Unit
    >>> people = [Unit("a", sentence=0), Unit("b", sentence=1)]
    >>> [unit.text for unit in mix_units(people, [Unit("A", sentence=0), Unit("B", sentence=1)], {1})]
    ['a', 'B']
    """
    units = [unit for unit in people_units if unit.sentence not in machine_sentences]
    units += [unit for unit in machine_units if unit.sentence in machine_sentences]
    return tuple(sorted(units, key=lambda unit: -1 if unit.sentence is None else unit.sentence))
