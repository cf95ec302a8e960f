"""The sentences and triplet units of references, each reference read once however many systems are compared with it."""

from __future__ import annotations

import functools
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

from gistmeter.errors import DataError
from gistmeter.linguistics.coreference.resolver import coreference_identity, find_clusters
from gistmeter.linguistics.parser import load_parser
from gistmeter.linguistics.roles import RULES_VERSION as ROLES_VERSION
from gistmeter.linguistics.roles.file import read_role_file
from gistmeter.linguistics.roles.labeller import label_roles
from gistmeter.text.languages import language_code
from gistmeter.text.sentences import resolve_sentence_rule, split_sentences
from gistmeter.units import RULES_VERSION as UNITS_VERSION
from gistmeter.units.extract import extract_units
from gistmeter.weights import EMBEDDED, digest_files

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from gistmeter.example import Example, Unit
    from gistmeter.linguistics.roles.file import RoleFile

Coreference = Literal["confident", "all", "no"]
"""Which mentions take the name that comes first: where that is surely better, all (as in the paper), or none."""


def split_references(references: Sequence[str], language: str = "en") -> list[str]:
    """The sentences of all references in order: lines where a reference has several, else what the splitter finds.

    >>> split_references(["It rained. Ann left.", "Rain fell."])
    ['It rained.', 'Ann left.', 'Rain fell.']
    """
    return [
        sentence
        for text in references
        for sentence in split_sentences(text, resolve_sentence_rule("auto", text), language)
    ]


def extract_reference_units(
    references: Sequence[str], language: str = "en", *, source: str = EMBEDDED, coreference: Coreference = "confident"
) -> tuple[Unit, ...]:
    """The triplet units of all references together; those that several references state stand several times.

    `source` is `embedded`, or a file of roles and coreference that another program wrote. `coreference` says which
    mentions take the name that comes first: `confident`, where that is surely better, `all`, as in the paper, or `no`.
    """
    units: list[Unit] = []
    first_sentence = 0
    for text in references:
        reference = _extract_from_reference(text, language, source, coreference)
        units += (replace(unit, sentence=first_sentence + (unit.sentence or 0)) for unit in reference.units)
        first_sentence += reference.sentence_count
    return tuple(units)


def extract_units_by_document(
    examples: Iterable[Example], *, source: str = EMBEDDED, coreference: Coreference = "confident"
) -> dict[str, tuple[Unit, ...]]:
    """The triplet units of the references of each document, by the id of the document."""
    return {
        example.doc_id: extract_reference_units(
            example.references, language_code(example.language), source=source, coreference=coreference
        )
        for example in iterate_documents(examples)
    }


def iterate_documents(examples: Iterable[Example]) -> Iterator[Example]:
    """The first example of each document; a document without references is refused."""
    doc_ids: set[str] = set()
    for example in examples:
        if example.doc_id not in doc_ids:
            if not example.references:
                raise DataError(f"{example.name} has no references to take units from")
            doc_ids.add(example.doc_id)
            yield example


class _ReferenceUnits(NamedTuple):
    """The units of one reference, with sentences counted from 0, and how many sentences it has."""

    units: tuple[Unit, ...]
    sentence_count: int


@functools.lru_cache(maxsize=1024)
def _extract_from_reference(text: str, language: str, source: str, coreference: Coreference) -> _ReferenceUnits:
    reference_sentences = split_references([text], language)
    if source == EMBEDDED:
        labelled = label_roles(reference_sentences, language=language)
        clusters = find_clusters(reference_sentences, language=language) if coreference != "no" else ()
    else:
        file = _read_role_file(source)
        labelled = file.roles(reference_sentences)
        clusters = file.clusters(labelled) if coreference != "no" else ()
    units = extract_units(labelled, clusters, confident=coreference != "all")
    return _ReferenceUnits(units, len(reference_sentences))


@functools.lru_cache(maxsize=2)
def _read_role_file(path: str) -> RoleFile:
    return read_role_file(path)


def units_facts(source: str = EMBEDDED, *, coreference: Coreference = "confident") -> dict[str, str]:
    """What decides the units, for a signature: the parser and the versions of all rules, or the digest of a file."""
    if source != EMBEDDED:
        return {"roles": f"file-{digest_files([Path(source)])}", "units": UNITS_VERSION}
    english = load_parser()
    facts = {
        "parser": f"{english.name}-{english.version}-{english.digest}",
        "roles": ROLES_VERSION,
        "units": UNITS_VERSION,
    }
    return facts if coreference == "no" else {**facts, "coreference": f"{coreference}-{coreference_identity()}"}
