"""Errors of putting together: a phrase of another sentence in the place of one of this, and two facts made one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.linguistics.contrasts.clauses import TextChange
from gistmeter.linguistics.errors.context import fit_first_letter

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span

    from gistmeter.linguistics.errors.context import ErrorContext

_OBJECTS = ("dobj", "obj", "pobj", "attr")
_SUBJECTS = ("nsubj", "nsubjpass")
_MAX_WORDS = 7
_NUMBER_LABELS = frozenset(["DATE", "TIME", "CARDINAL", "MONEY", "PERCENT", "ORDINAL", "QUANTITY"])


def find_elsewhere(doc: Doc, context: ErrorContext) -> list[TextChange]:
    """Objects exchanged for things of the document that this text does not name: right words in a wrong place."""
    return _exchange_chunks(doc, context, _OBJECTS)


def find_merged(doc: Doc, context: ErrorContext) -> list[TextChange]:
    """Two facts merged: the subject of another sentence of the document in the place of the subject of this one."""
    return _exchange_chunks(doc, context, _SUBJECTS)


def _exchange_chunks(doc: Doc, context: ErrorContext, dependencies: tuple[str, ...]) -> list[TextChange]:
    """Phrases in these positions exchanged for phrases in like positions of the document."""
    chunks = _list_chunks(doc, dependencies)
    if not chunks:
        return []
    lemmas = {word.lemma_.lower() for word in doc if not word.is_stop}
    others = [chunk for chunk in _list_chunks(context.document, dependencies) if _is_new(chunk, lemmas)]
    changes = []
    for chunk in chunks:
        fitting = [" ".join(other.text.split()) for other in others if _may_stand_for(other, chunk)]
        if fitting:
            text = fit_first_letter(context.draw(fitting), chunk)
            changes.append(TextChange(chunk.start_char, chunk.end_char, text))
    return changes


def _list_chunks(doc: Doc, dependencies: tuple[str, ...]) -> list[Span]:
    return [chunk for chunk in doc.noun_chunks if chunk.root.dep_ in dependencies and _is_thing(chunk)]


def _is_thing(chunk: Span) -> bool:
    root = chunk.root
    is_noun = root.pos_ in ("NOUN", "PROPN") and root.ent_type_ not in _NUMBER_LABELS
    return is_noun and len(chunk) <= _MAX_WORDS and "\n" not in chunk.text


def _is_new(chunk: Span, lemmas: set[str]) -> bool:
    """Whether a phrase names something, and shares no content word with the text."""
    words = [word.lemma_.lower() for word in chunk if not word.is_stop and word.is_alpha]
    return bool(words) and lemmas.isdisjoint(words)


def _may_stand_for(other: Span, chunk: Span) -> bool:
    """Whether a phrase is of the number and sort of another, in its position and after the same preposition."""
    first, second = other.root, chunk.root
    is_alike = first.pos_ == second.pos_ and first.ent_type_ == second.ent_type_
    if not is_alike or first.morph.get("Number", []) != second.morph.get("Number", []):
        return False
    if second.dep_ in _SUBJECTS:
        return True
    heads = first.head, second.head
    after_like = all(head.pos_ != "ADP" for head in heads) or heads[0].lower_ == heads[1].lower_
    return first.dep_ == second.dep_ and after_like
