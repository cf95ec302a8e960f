"""Errors of who and where: names of the document or from outside in the place of others, and other speakers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.linguistics.contrasts.clauses import TextChange
from gistmeter.linguistics.errors.context import fit_first_letter, outside_names, read_tables
from gistmeter.linguistics.errors.other_names import find_names, list_other_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spacy.tokens import Doc, Span

    from gistmeter.linguistics.errors.context import ErrorContext

_PLACES = frozenset(["GPE", "LOC", "FAC"])
_OUTSIDE_LISTS = {"GPE": "places", "LOC": "places", "FAC": "places", "ORG": "organisations", "NORP": "peoples"}
_SUBJECTS = ("nsubj", "nsubjpass")
_MAX_SPEAKER_WORDS = 6


def find_wrong_names(doc: Doc, context: ErrorContext) -> list[TextChange]:
    """People, organisations and peoples exchanged for others of the document."""
    return _exchange_names(context, [name for name in find_names(doc) if name.root.ent_type_ not in _PLACES])


def find_wrong_places(doc: Doc, context: ErrorContext) -> list[TextChange]:
    """Places exchanged for others of the document, or from outside where it has no other."""
    place_names = [name for name in find_names(doc) if name.root.ent_type_ in _PLACES]
    return _exchange_names(context, place_names) or _put_outside(place_names, context)


def find_outside_names(doc: Doc, context: ErrorContext) -> list[TextChange]:
    """Names exchanged for names that the document does not have."""
    return _put_outside(find_names(doc), context)


def find_other_speakers(doc: Doc, context: ErrorContext) -> list[TextChange]:
    """Who said it exchanged: the subject of a verb of saying for another that speaks or is named in the document."""
    speakers = [*_find_speakers(context.document), *find_names(context.document)]
    changes = []
    for speaker in _find_speakers(doc):
        own = {word.lower_ for word in speaker if not word.is_stop}
        others = [
            " ".join(other.text.split())
            for other in speakers
            if own.isdisjoint(word.lower_ for word in other)
            and other.text not in doc.text
            and (other.root.ent_type_ in ("PERSON", "ORG", "") and other.root.pos_ in ("NOUN", "PROPN"))
        ]
        if others:
            changes.append(
                TextChange(speaker.start_char, speaker.end_char, fit_first_letter(context.draw(others), speaker))
            )
    return changes


def _exchange_names(context: ErrorContext, names: Sequence[Span]) -> list[TextChange]:
    document_names = find_names(context.document) if names else []
    return [
        TextChange(name.start_char, name.end_char, context.draw(others))
        for name in names
        if (others := list_other_names(name, document_names))
    ]


def _put_outside(names: Sequence[Span], context: ErrorContext) -> list[TextChange]:
    in_document = context.document.text
    changes = []
    for name in names:
        others = [other for other in _list_outside(name, context) if other not in in_document]
        if others:
            changes.append(TextChange(name.start_char, name.end_char, context.draw(others)))
    return changes


def _list_outside(name: Span, context: ErrorContext) -> Sequence[str]:
    """Names from outside that can stand where this one stands: a person by two words has a given name."""
    tables = outside_names()
    label = name.root.ent_type_
    if label == "PERSON":
        family = tables["family"]
        return family if len(name) == 1 else [f"{context.draw(tables['given'])} {last}" for last in family]
    others = tables.get(_OUTSIDE_LISTS.get(label, ""), ())
    has_article = name.start > 0 and name.doc[name.start - 1].lower_ in ("the", "a", "an")
    return [other.removeprefix("the ") for other in others] if has_article else others


def _find_speakers(doc: Doc) -> list[Span]:
    """The subjects of verbs of saying, as phrases."""
    verbs = frozenset(read_tables()["speech"]["verbs"].split())
    chunks = {chunk.root.i: chunk for chunk in doc.noun_chunks}
    speakers = []
    for word in doc:
        if word.lemma_ not in verbs or word.pos_ != "VERB":
            continue
        for child in word.children:
            chunk = chunks.get(child.i)
            is_phrase = chunk is not None and child.dep_ in _SUBJECTS and child.pos_ in ("NOUN", "PROPN")
            if chunk is not None and is_phrase and len(chunk) <= _MAX_SPEAKER_WORDS:
                speakers.append(chunk)
    return speakers
