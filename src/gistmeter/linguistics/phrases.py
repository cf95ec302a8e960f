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
_ARGUMENT_DEPENDENCIES = frozenset({"nsubj", "nsubjpass", "dobj", "pobj", "attr", "dative"})
_WHOLE_ENTITIES = frozenset({"DATE", "TIME", "MONEY", "PERCENT", "QUANTITY"})
_BRACKETS = {")": "(", "]": "["}
_FIGURE_WORDS = frozenset({"percent", "per", "cent", "m", "bn", "am", "pm", "a.m.", "p.m."})
_CONTRACTIONS = frozenset({"n't", "n’t", "'s", "’s", "'re", "'ve", "'ll", "'d", "'m"})
_POSSESSIVE_ENDINGS = frozenset({"'s", "’s", "'", "’"})


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
    spans = _SPAN_FINDERS[check_phrase_kind(kind)](doc)
    trimmed_spans = (_trim(doc, start, end) for start, end in spans)
    return [span for span in trimmed_spans if span is not None and not _is_asking(span)]


def check_phrase_kind(kind: str) -> PhraseKind:
    """The kind of phrases that a text names, or an error that lists the kinds."""
    for phrase_kind in PHRASE_KINDS:
        if kind == phrase_kind:
            return phrase_kind
    raise MetricError(f"answers are {', '.join(PHRASE_KINDS)}, not {kind!r}{suggestion(kind, PHRASE_KINDS)}")


def _find_entities(doc: Doc) -> Iterator[tuple[int, int]]:
    for entity in doc.ents:
        yield entity.start, entity.end


def _find_chunks(doc: Doc) -> Iterator[tuple[int, int]]:
    """spaCy's chunks, and numbers that stand where nouns do; a part of a date or sum gives way to the whole."""
    spans: list[tuple[int, int]] = []
    for chunk in doc.noun_chunks:
        if spans and _continues_noun(doc, spans[-1], chunk):
            spans[-1] = (spans[-1][0], chunk.end)
        elif _is_noun(chunk):
            spans.append((chunk.start, chunk.end))
    covered = {index for start, end in spans for index in range(start, end)}
    spans += [_figure_span(word) for word in doc if word.i not in covered and _is_figure(word)]
    entity_at = {
        index: entity
        for entity in doc.ents
        if entity.label_ in _WHOLE_ENTITIES
        for index in range(entity.start, entity.end)
    }
    distinct = {_widen(start, end, entity_at.get(end - 1)) for start, end in spans}
    last_end = 0
    for start, end in sorted(distinct, key=lambda span: (span[0], -span[1])):
        if start >= last_end:
            yield start, end
            last_end = end


def _is_noun(chunk: Span) -> bool:
    return chunk.root.pos_ in (*_NOUNS, "NUM", "SYM")


def _is_asking(span: Span) -> bool:
    """Whether a phrase asks or refers back itself: `which road`, `whose sister`."""
    return any(child.tag_ in ("WP", "WDT", "WP$", "WRB") for child in (span.root, *span.root.lefts))


def _continues_noun(doc: Doc, last: tuple[int, int], chunk: Span) -> bool:
    """Whether a name goes on with the noun straight before it, which the parser cut off: `her husband` `Tom`."""
    start, end = last
    is_name = all(word.pos_ == "PROPN" for word in chunk) and chunk.root.ent_type_ not in _WHOLE_ENTITIES
    return end == chunk.start and is_name and doc[end - 1].tag_ == "NN" and start < end


def _is_figure(word: Token) -> bool:
    return word.pos_ in ("NUM", "SYM") and word.dep_ in _ARGUMENT_DEPENDENCIES


def _figure_span(word: Token) -> tuple[int, int]:
    """A number with what stands before it: `about $ 5 million`."""
    return word.left_edge.i, word.i + 1


def _widen(start: int, end: int, entity: Span | None) -> tuple[int, int]:
    """A span with the figures of its date or sum around it: `Jan.` and `7, 2005`."""
    if entity is None or not all(map(_is_of_figure, entity.doc[end : entity.end])):
        return start, end
    if not all(map(_is_of_figure, entity.doc[entity.start : start])):
        return start, entity.end
    return min(start, entity.start), entity.end


def _is_of_figure(word: Token) -> bool:
    return bool(word.like_num or word.text in (",", "%", ":") or word.is_currency or word.lower_ in _FIGURE_WORDS)


def _find_maximal(doc: Doc) -> Iterator[tuple[int, int]]:
    for sentence in doc.sents:
        yield from sorted(_find_first_nouns(sentence.root))


def _find_first_nouns(word: Token) -> Iterator[tuple[int, int]]:
    """The phrases of the first nouns on every way down from a word.

    A noun at the root has the sentence as its phrase: the search goes on below it.
    """
    if word.pos_ in _NOUNS and word.head != word:
        yield word.left_edge.i, word.right_edge.i + 1
        return
    for child in word.children:
        yield from _find_first_nouns(child)


_SPAN_FINDERS = {"entities": _find_entities, "chunks": _find_chunks, "maximal": _find_maximal}


def _trim(doc: Doc, start: int, end: int) -> Span | None:
    """A span without punctuation and possessive endings around it; none if only little words are left."""
    while start < end and _is_loose(doc[start]):
        start += 1
    while end > start and (_is_loose(doc[end - 1]) or doc[end - 1].text in _POSSESSIVE_ENDINGS):
        end -= 1
    if end < len(doc) and doc[end].text in _BRACKETS and _BRACKETS[doc[end].text] in doc[start:end].text:
        end += 1
    return doc[start:end] if any(map(_is_telling, doc[start:end])) else None


def _is_telling(word: Token) -> bool:
    """Whether a word says something of its own: a number, or more than a letter and no stop word."""
    if not any(map(str.isalnum, word.text)) or word.lower_ in _CONTRACTIONS:
        return False
    return bool(word.like_num or (len(word) > 1 and not word.is_stop))


def _is_loose(word: Token) -> bool:
    if word.text in _BRACKETS or word.text == "%" or word.is_currency:
        return False
    return bool(word.is_punct or word.is_space or word.is_quote)
