"""Markable documents: every phrase of a document, and what each sentence becomes for whichever of them are marked.

The summary for any marks is then put together from ready sentences, without a parser: this is what the page of marks
does in a browser.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from gistmeter.linguistics.phrases import find_phrases
from gistmeter.summarize.compression.document import read_document
from gistmeter.summarize.compression.pronouns import Antecedents
from gistmeter.summarize.compression.pruning import prune_sentence
from gistmeter.summarize.compression.writing import write_sentence

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gistmeter.summarize.compression.document import ReadDocument, ReadSentence
    from gistmeter.summarize.spans import Span

MOST_FREE_PHRASES = 6
"""Phrases of a sentence up to which every choice of them is written; of more each, each two, and all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceVariant:
    """What a sentence becomes when some of its phrases are marked."""

    phrases: tuple[int, ...]
    """The marked phrases, by their positions in the sentence's list."""

    text: str
    """With names in the place of pronouns that would not be understood alone."""

    following: str
    """The same after a sentence that names whom its pronouns mean."""

    needs: tuple[int, ...]
    """What the sentence before must name for `following`, by number; -n stands for the nth sentence itself."""

    names: tuple[int, ...]
    """What this sentence names, by number; the first is the sentence itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkableSentence:
    """A sentence of a document: where it stands, its phrases, and what it becomes."""

    start: int
    end: int
    phrases: tuple[tuple[int, int], ...]
    marked: tuple[int, ...]
    """The phrases that are marked at first."""

    variants: tuple[SentenceVariant, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkableDocument:
    """A document whose summary can be put together for any marks."""

    doc_id: str
    text: str
    sentences: tuple[MarkableSentence, ...]


def make_markable(doc_id: str, text: str, spans: Sequence[Span]) -> MarkableDocument:
    """A document with ready sentences; the phrases that overlap `spans` are marked at first.

    >>> document = make_markable("1", "Ann Lee, a nurse, won in Rome.", [])
    >>> [(variant.phrases, variant.text) for variant in document.sentences[0].variants[:2]]
    [((0,), 'Ann Lee won in Rome.'), ((1,), 'Ann Lee, a nurse, won in Rome.')]
    """
    document = read_document(text)
    sentences = (_make_sentence(document, sentence, spans) for sentence in document.sentences)
    return MarkableDocument(doc_id=doc_id, text=text, sentences=tuple(sentences))


def put_together(document: MarkableDocument, marked: Sequence[Sequence[int]]) -> str:
    """The summary for the marked phrases of each sentence.

    >>> document = make_markable("1", "Ann Lee, a nurse, won in Rome. She was glad of the help.", [])
    >>> put_together(document, [[2], [0]]), put_together(document, [[], [0]])
    ('Ann Lee won in Rome. She was glad of the help.', 'Ann Lee was glad of the help.')
    """
    written: list[str] = []
    named: frozenset[int] = frozenset()
    for sentence, phrases in zip(document.sentences, marked, strict=True):
        if not phrases:
            continue
        chosen = tuple(sorted(phrases))
        by_phrases = {variant.phrases: variant for variant in sentence.variants}
        variant = by_phrases.get(chosen) or sentence.variants[-1]
        written.append(variant.following if named.issuperset(variant.needs) else variant.text)
        named = frozenset((*variant.names, *variant.needs))
    return " ".join(text for text in written if text)


def _make_sentence(document: ReadDocument, sentence: ReadSentence, spans: Sequence[Span]) -> MarkableSentence:
    doc, at = sentence.doc, sentence.start
    phrases = find_phrases(doc)
    ends = tuple((at + phrase.start_char, at + phrase.end_char) for phrase in phrases)
    words = [frozenset(range(phrase.start, phrase.end)) for phrase in phrases]
    variants = []
    for chosen in _list_choices(len(phrases)):
        remaining = prune_sentence(doc, frozenset().union(*(words[number] for number in chosen)))
        antecedents = Antecedents(document)
        replaced = antecedents.replace_pronouns(sentence.number, remaining)
        variants.append(
            SentenceVariant(
                phrases=chosen,
                text=write_sentence(doc, remaining, replaced),
                following=write_sentence(doc, remaining),
                needs=tuple(sorted(antecedents.list_replaced(sentence.number, replaced))),
                names=(-sentence.number - 1, *sorted(antecedents.list_named(sentence.number, remaining))),
            )
        )
    marked = tuple(
        number
        for number, (start, end) in enumerate(ends)
        if any(start < span.end and span.start < end for span in spans)
    )
    return MarkableSentence(
        start=at, end=at + len(doc.text.rstrip()), phrases=ends, marked=marked, variants=tuple(variants)
    )


def _list_choices(count: int) -> Iterator[tuple[int, ...]]:
    """The choices of phrases that are written, those of one phrase first and that of all last."""
    most = count if count <= MOST_FREE_PHRASES else 2
    for size in range(1, most + 1):
        yield from combinations(range(count), size)
    if count > MOST_FREE_PHRASES:
        yield tuple(range(count))
