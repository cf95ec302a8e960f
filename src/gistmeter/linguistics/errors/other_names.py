"""Names and what may take their place: other names of the same kind from the document."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span

_LABELS = frozenset(["PERSON", "ORG", "GPE", "LOC", "NORP", "FAC", "EVENT", "PRODUCT"])
_MOST_FROM_DOCUMENT = 8
_SHARED_LETTERS = 4


def find_names(doc: Doc) -> list[Span]:
    """The names in a text, without articles before and possessives after them."""
    names = []
    for entity in doc.ents:
        name = entity
        while len(name) and (name[0].pos_ == "DET" or name[0].is_punct):
            name = name[1:]
        while len(name) and (name[-1].tag_ == "POS" or name[-1].is_punct):
            name = name[:-1]
        if len(name) and entity.label_ in _LABELS and name.text[0].isupper() and any(map(str.isalpha, name.text)):
            names.append(name)
    return names


def list_other_names(name: Span, document_names: list[Span]) -> list[str]:
    """Names of the kind that share no word with this one and that the summary does not have.

    A person by one word is replaced by the last word of another person's name.
    """
    label = name.root.ent_type_
    summary_words = {word.lower_ for word in name.doc}
    others: dict[str, None] = {}
    for other in document_names:
        words = other[-1:] if label == "PERSON" and len(name) == 1 else other
        is_like = other.root.ent_type_ == label and (label != "PERSON" or len(words) == len(name))
        is_short_form = other.text[:_SHARED_LETTERS].lower() == name.text[:_SHARED_LETTERS].lower()  # Barça, Barcelona
        if (
            is_like
            and not is_short_form
            and not any(word.lower_ in summary_words for word in other if not word.is_stop)
        ):
            others[" ".join(words.text.split())] = None
    return list(others)[:_MOST_FROM_DOCUMENT]
