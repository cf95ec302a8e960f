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

PhraseKind = Literal["chunks", "entities", "maximal"]
PHRASE_KINDS: tuple[PhraseKind, ...] = get_args(PhraseKind)

_NOUNS = frozenset({"NOUN", "PROPN"})
_ARGUMENTS = frozenset({"nsubj", "nsubjpass", "dobj", "pobj", "attr", "dative"})
_WHOLE = frozenset({"DATE", "TIME", "MONEY", "PERCENT", "QUANTITY"})
_BRACKETS = {")": "(", "]": "["}
_FIGURED = frozenset({"percent", "per", "cent", "m", "bn", "am", "pm", "a.m.", "p.m."})
_SCRAPS = frozenset({"n't", "n’t", "'s", "’s", "'re", "'ve", "'ll", "'d", "'m"})
_ENDINGS = frozenset({"'s", "’s", "'", "’"})


def find_phrases(doc: Doc, kind: PhraseKind = "chunks") -> list[Span]:
    """The phrases of a parsed text in their order, without the punctuation around them.

    Entities need a document that was parsed with `entities=True`.

    >>> from gistmeter.linguistics.parser import load_parser
    >>> (doc,) = load_parser().parse(["The mayor of Lyon, a former nurse, met Ann's sister."], entities=True)
    >>> for kind in ("chunks", "entities", "maximal"):
    ...     print([phrase.text for phrase in find_phrases(doc, kind)])
    ['The mayor', 'Lyon', 'a former nurse', "Ann's sister"]
    ['Lyon', 'Ann']
    ['The mayor of Lyon, a former nurse', "Ann's sister"]
    """
    found = _SELECTED[check_phrase_kind(kind)](doc)
    trimmed = (_trimmed(doc, start, end) for start, end in found)
    return [span for span in trimmed if span is not None and not _asks(span)]


def check_phrase_kind(kind: str) -> PhraseKind:
    """The way to choose answers, or a sentence that lists them."""
    for known in PHRASE_KINDS:
        if kind == known:
            return known
    raise MetricError(f"answers are {', '.join(PHRASE_KINDS)}, not {kind!r}{suggestion(kind, PHRASE_KINDS)}")


def _entities(doc: Doc) -> Iterator[tuple[int, int]]:
    for entity in doc.ents:
        yield entity.start, entity.end


def _chunks(doc: Doc) -> Iterator[tuple[int, int]]:
    """spaCy's chunks, and numbers that stand where nouns do; a part of a date or sum gives way to the whole."""
    found: list[tuple[int, int]] = []
    for chunk in doc.noun_chunks:
        if found and _goes_on(doc, found[-1], chunk):
            found[-1] = (found[-1][0], chunk.end)
        elif _is_noun(chunk):
            found.append((chunk.start, chunk.end))
    covered = {place for start, end in found for place in range(start, end)}
    found += [_figure(word) for word in doc if word.i not in covered and _is_figure(word)]
    whole = {
        place: entity for entity in doc.ents if entity.label_ in _WHOLE for place in range(entity.start, entity.end)
    }
    spans = {_widened(start, end, whole.get(end - 1)) for start, end in found}
    last = 0
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        if start >= last:
            yield start, end
            last = end


def _is_noun(chunk: Span) -> bool:
    return chunk.root.pos_ in (*_NOUNS, "NUM", "SYM")


def _asks(span: Span) -> bool:
    """Whether a phrase asks or refers back itself: `which road`, `whose sister`."""
    return any(child.tag_ in ("WP", "WDT", "WP$", "WRB") for child in (span.root, *span.root.lefts))


def _goes_on(doc: Doc, last: tuple[int, int], chunk: Span) -> bool:
    """Whether a name goes on with the noun straight before it, which the parser cut off: `her husband` `Tom`."""
    start, end = last
    named = all(word.pos_ == "PROPN" for word in chunk) and chunk.root.ent_type_ not in _WHOLE
    return end == chunk.start and named and doc[end - 1].tag_ == "NN" and start < end


def _is_figure(word: Token) -> bool:
    return word.pos_ in ("NUM", "SYM") and word.dep_ in _ARGUMENTS


def _figure(word: Token) -> tuple[int, int]:
    """A number with what stands before it: `about $ 5 million`."""
    return word.left_edge.i, word.i + 1


def _widened(start: int, end: int, entity: Span | None) -> tuple[int, int]:
    """A span with the figures of its date or sum around it: `Jan.` and `7, 2005`."""
    if entity is None or not all(map(_is_of_figure, entity.doc[end : entity.end])):
        return start, end
    if not all(map(_is_of_figure, entity.doc[entity.start : start])):
        return start, entity.end
    return min(start, entity.start), entity.end


def _is_of_figure(word: Token) -> bool:
    return bool(word.like_num or word.text in (",", "%", ":") or word.is_currency or word.lower_ in _FIGURED)


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
    """A span without punctuation and possessive endings around it; none if only little words are left."""
    while start < end and _loose(doc[start]):
        start += 1
    while end > start and (_loose(doc[end - 1]) or doc[end - 1].text in _ENDINGS):
        end -= 1
    if end < len(doc) and doc[end].text in _BRACKETS and _BRACKETS[doc[end].text] in doc[start:end].text:
        end += 1
    return doc[start:end] if any(map(_is_telling, doc[start:end])) else None


def _is_telling(word: Token) -> bool:
    if not any(map(str.isalnum, word.text)) or word.lower_ in _SCRAPS:
        return False
    return bool(word.like_num or (len(word) > 1 and not word.is_stop))


def _loose(word: Token) -> bool:
    if word.text in _BRACKETS or word.text == "%" or word.is_currency:
        return False
    return bool(word.is_punct or word.is_space or word.is_quote)
