"""Markable documents: every phrase of a document, and what each sentence becomes for whichever of them are marked.

The summary for any marks is then put together from ready sentences, without a parser: this is what the page of marks
does in a browser.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from gistmeter.linguistics.phrases import find_phrases
from gistmeter.summarize.compression.document import read_document
from gistmeter.summarize.compression.pronouns import Antecedents
from gistmeter.summarize.compression.summarizer import write_context
from gistmeter.summarize.compression.verifying import compress_sentence
from gistmeter.summarize.compression.writing import write_sentence

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gistmeter.summarize.compression.document import ReadDocument, ReadSentence
    from gistmeter.summarize.spans import Span

MOST_FREE_PHRASES = 8
"""Phrases of a sentence up to which every choice of them is written; of more each, each two and three, and all."""

MOST_CHOSEN_TOGETHER = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class SentenceVariant:
    """What a sentence becomes when some of its phrases are marked."""

    choices: tuple[tuple[int, ...], ...]
    """The choices of phrases that make it so, by their positions in the sentence's list."""

    text: str
    """With names in the place of pronouns that would not be understood alone, or after what says whom they mean."""

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

    What is marked and is no noun phrase becomes a phrase of its own, so that it can be clicked as well.

    >>> document = make_markable("1", "Ann Lee, a nurse, won in Rome.", [])
    >>> [(variant.choices[:2], variant.text) for variant in document.sentences[0].variants]
    [(((0,), (2,)), 'Ann Lee won in Rome.'), (((1,), (0, 1)), 'Ann Lee, a nurse, won in Rome.')]
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
        variant = pick_variant(sentence, frozenset(phrases))
        written.append(variant.following if named.issuperset(variant.needs) else variant.text)
        named = frozenset((*variant.names, *variant.needs))
    return " ".join(text for text in written if text)


def pick_variant(sentence: MarkableSentence, marked: frozenset[int]) -> SentenceVariant:
    """What a sentence becomes for its marks: what was written for the fewest phrases that have them all among them."""
    choices = ((choice, variant) for variant in sentence.variants for choice in variant.choices)
    covering = [(len(choice), variant) for choice, variant in choices if marked <= frozenset(choice)]
    return min(covering, key=lambda pair: pair[0])[1]


class _Phrase(NamedTuple):
    """A phrase of a sentence: its characters in the document, and its words."""

    start: int
    end: int
    words: frozenset[int]


def _make_sentence(document: ReadDocument, sentence: ReadSentence, spans: Sequence[Span]) -> MarkableSentence:
    phrases = _list_phrases(sentence, spans)
    marked = tuple(
        number
        for number, phrase in enumerate(phrases)
        if any(phrase.start < span.end and span.start < phrase.end for span in spans)
    )
    return MarkableSentence(
        start=sentence.start,
        end=sentence.start + len(sentence.doc.text.rstrip()),
        phrases=tuple((phrase.start, phrase.end) for phrase in phrases),
        marked=marked,
        variants=_list_variants(document, sentence, phrases),
    )


def _list_phrases(sentence: ReadSentence, spans: Sequence[Span]) -> list[_Phrase]:
    """The noun phrases of a sentence, and what is marked beside them."""
    doc, at = sentence.doc, sentence.start
    phrases = [
        _Phrase(at + phrase.start_char, at + phrase.end_char, frozenset(range(phrase.start, phrase.end)))
        for phrase in find_phrases(doc)
    ]
    for span in spans:
        words = sentence.find_words(span)
        if words and not any(words & phrase.words for phrase in phrases):
            first, last = doc[min(words)], doc[max(words)]
            phrases.append(_Phrase(at + first.idx, at + last.idx + len(last), words))
    return sorted(phrases)


def _list_variants(
    document: ReadDocument, sentence: ReadSentence, phrases: Sequence[_Phrase]
) -> tuple[SentenceVariant, ...]:
    """What a sentence becomes for the choices of its phrases; choices that leave the same words are one variant."""
    choices_of: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
    for chosen in _list_choices(len(phrases)):
        words = frozenset().union(*(phrases[number].words for number in chosen))
        choices_of.setdefault(tuple(compress_sentence(sentence.doc, words)), []).append(chosen)
    return tuple(_write_variant(document, sentence, remaining, choices) for remaining, choices in choices_of.items())


def _write_variant(
    document: ReadDocument, sentence: ReadSentence, remaining: Sequence[int], choices: Sequence[tuple[int, ...]]
) -> SentenceVariant:
    antecedents = Antecedents(document)
    context = write_context(document, antecedents, sentence.number, remaining, _compress, room=None)
    speaker = antecedents.find_speaker(sentence.number)
    replaced = antecedents.replace_pronouns(sentence.number, remaining)
    plain = write_sentence(sentence.doc, remaining, replaced)
    needs = antecedents.list_replaced(sentence.number, replaced) | ({-sentence.number} if context else set())
    turn = {len(document.groups) + sentence.turn.speaker_number} if sentence.turn is not None else set()
    return SentenceVariant(
        choices=tuple(choices),
        text=" ".join([*context, f"{speaker}: {plain}" if speaker and plain else plain]),
        following=write_sentence(sentence.doc, remaining),
        needs=tuple(sorted(needs | turn)),
        names=(-sentence.number - 1, *sorted(antecedents.list_named(sentence.number, remaining) | turn)),
    )


def _compress(sentence: ReadSentence, words: frozenset[int]) -> list[int]:
    return compress_sentence(sentence.doc, words)


def _list_choices(count: int) -> Iterator[tuple[int, ...]]:
    """The choices of phrases that are written, those of one phrase first and that of all last."""
    most = count if count <= MOST_FREE_PHRASES else MOST_CHOSEN_TOGETHER
    for size in range(1, most + 1):
        yield from combinations(range(count), size)
    if count > most:
        yield tuple(range(count))
