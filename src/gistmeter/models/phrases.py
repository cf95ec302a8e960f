"""Answer selection: the phrases of a text that questions are asked about (paper 004, sections 4.3.1 and 4.5).

Three ways to choose them, all over the spaCy parse: named entities; noun phrase chunks (the noun with what stands
before it); maximal noun phrases (down the dependency tree to the first noun, with all that hangs on it). Pronouns are
never chosen: what answers a question by `she` cannot be looked for in another text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

from gistmeter.errors import MetricError, suggestion

if TYPE_CHECKING:
    from collections.abc import Iterator

    from spacy.tokens import Doc, Span, Token

Answers = Literal["chunks", "entities", "maximal"]
ANSWERS: tuple[Answers, ...] = get_args(Answers)

_NOUNS = frozenset({"NOUN", "PROPN"})
_ARGUMENTS = frozenset({"nsubj", "nsubjpass", "dobj", "pobj", "attr", "dative"})
_WHOLE = frozenset({"DATE", "TIME", "MONEY", "PERCENT", "QUANTITY"})
_ENDINGS = frozenset({"'s", "’s", "'", "’"})


def phrases(doc: Doc, kind: Answers = "chunks") -> list[Span]:
    """The phrases of a parsed text in their order, without the punctuation around them.

    Entities need a document that was parsed with `entities=True`.

    >>> from gistmeter.models.parser import parser
    >>> (doc,) = parser().docs(["The mayor of Lyon, a former nurse, met Ann's sister."], entities=True)
    >>> for kind in ("chunks", "entities", "maximal"):
    ...     print([phrase.text for phrase in phrases(doc, kind)])
    ['The mayor', 'Lyon', 'a former nurse', "Ann's sister"]
    ['Lyon', 'Ann']
    ['The mayor of Lyon, a former nurse', "Ann's sister"]
    """
    found = _SELECTED[checked_answers(kind)](doc)
    trimmed = (_trimmed(doc, start, end) for start, end in found)
    return [span for span in trimmed if span is not None]


def checked_answers(kind: str) -> Answers:
    """The way to choose answers, or a sentence that lists them."""
    for known in ANSWERS:
        if kind == known:
            return known
    raise MetricError(f"answers are {', '.join(ANSWERS)}, not {kind!r}{suggestion(kind, ANSWERS)}")


def _entities(doc: Doc) -> Iterator[tuple[int, int]]:
    for entity in doc.ents:
        yield entity.start, entity.end


def _chunks(doc: Doc) -> Iterator[tuple[int, int]]:
    """spaCy's chunks, and numbers that stand where nouns do; a part of a date or sum gives way to the whole."""
    found = [(chunk.start, chunk.end) for chunk in doc.noun_chunks if _is_noun(chunk.root)]
    covered = {place for start, end in found for place in range(start, end)}
    found += [_figure(word) for word in doc if word.i not in covered and _is_figure(word)]
    whole = {place: entity for entity in doc.ents if entity.label_ in _WHOLE for place in range(entity.start, entity.end)}
    spans = {_widened(start, end, whole.get(end - 1)) for start, end in found}
    last = 0
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        if start >= last:
            yield start, end
            last = end


def _is_noun(root: Token) -> bool:
    return bool(root.pos_ != "PRON" and not root.tag_.startswith("W"))


def _is_figure(word: Token) -> bool:
    return word.pos_ in ("NUM", "SYM") and word.dep_ in _ARGUMENTS


def _figure(word: Token) -> tuple[int, int]:
    """A number with what stands before it: `about $ 5 million`."""
    return word.left_edge.i, word.i + 1


def _widened(start: int, end: int, entity: Span | None) -> tuple[int, int]:
    return (start, end) if entity is None else (min(start, entity.start), max(end, entity.end))


def _maximal(doc: Doc) -> Iterator[tuple[int, int]]:
    for sentence in doc.sents:
        yield from sorted(_below(sentence.root))


def _below(word: Token) -> Iterator[tuple[int, int]]:
    """The first nouns on every way down from a word. A noun at the root is its whole sentence: go on below it."""
    if word.pos_ in _NOUNS and word.head != word:
        yield word.left_edge.i, word.right_edge.i + 1
        return
    for child in word.children:
        yield from _below(child)


_SELECTED = {"entities": _entities, "chunks": _chunks, "maximal": _maximal}


def _trimmed(doc: Doc, start: int, end: int) -> Span | None:
    """A span without punctuation and possessive endings around it; none if nothing with a letter or digit is left."""
    while start < end and _loose(doc[start]):
        start += 1
    while end > start and (_loose(doc[end - 1]) or doc[end - 1].text in _ENDINGS):
        end -= 1
    return doc[start:end] if any(letter.isalnum() for letter in doc[start:end].text) else None


def _loose(word: Token) -> bool:
    if word.text in (")", "]") or word.is_currency:
        return False
    return bool(word.is_punct or word.is_space or word.is_quote)
