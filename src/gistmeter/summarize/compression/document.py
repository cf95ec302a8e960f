"""A document made ready for compression: its sentences, parsed, and who or what each mention in them stands for."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from gistmeter.linguistics.coreference.resolver import link_mentions, load_linker
from gistmeter.linguistics.parser import load_parser
from gistmeter.summarize.compression.quotations import find_quotations, note_quotations
from gistmeter.summarize.compression.splitting import find_turns, split_pieces, split_turns
from gistmeter.text.sentences import find_sentences

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spacy.tokens import Doc

    from gistmeter.summarize.compression.splitting import Turn
    from gistmeter.summarize.spans import Span


@dataclass(frozen=True, slots=True)
class ReadMention:
    """A phrase or pronoun that speaks of somebody or something, by the words of its sentence."""

    sentence: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class ReadSentence:
    """A sentence: where it begins in the document, its parse, and in a conversation the turn that it stands in."""

    number: int
    start: int
    doc: Doc
    turn: Turn | None = None
    begins_turn: bool = False

    def find_words(self, span: Span) -> frozenset[int]:
        """The positions of the words that a span of the document has in this sentence.

        The name of a speaker is said with whatever stands of the first sentence of a turn: its main verb.
        """
        if self.begins_turn and self.turn is not None and span.start < self.turn.words and span.end > self.turn.start:
            return frozenset(sent.root.i for sent in self.doc.sents)
        first, last = span.start - self.start, span.end - self.start
        return frozenset(
            word.i for word in self.doc if word.idx < last and word.idx + len(word) > first and not word.is_space
        )


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """The sentences of a document, and its mentions by whom or what they speak of."""

    text: str
    sentences: tuple[ReadSentence, ...]
    groups: tuple[tuple[ReadMention, ...], ...]


def read_document(text: str) -> ReadDocument:
    """Parse a document, and find what its pronouns stand for.

    >>> document = read_document("Ann Lee won. She was glad.")
    >>> [[(mention.sentence, mention.start) for mention in group] for group in document.groups]
    [[(0, 0), (1, 0)]]
    """
    turns = find_turns(text)
    within_turns = [piece for start, end in find_sentences(text) for piece in split_turns(turns, start, end)]
    spans = [piece for start, end in within_turns for piece in split_pieces(text, start, end)]
    parsed = load_parser().parse([text[start:end] for start, end in spans], entities=True)
    # Captions stand in articles without a full stop: the parser tells them from the sentences that follow.
    pieces = [
        (start + sent.start_char, sent.as_doc())
        for (start, _), doc in zip(spans, parsed, strict=True)
        for sent in doc.sents
    ]
    quotations = find_quotations(text)
    for start, doc in pieces:
        note_quotations(doc, start, quotations, text)
    sentences: list[ReadSentence] = []
    for number, (start, doc) in enumerate(pieces):
        turn = next((turn for turn in turns if turn.words <= start < turn.end), None)
        begins = turn is not None and not any(sentence.turn == turn for sentence in sentences[-1:])
        sentences.append(ReadSentence(number, start, doc, turn=turn, begins_turn=begins))
    return ReadDocument(text, tuple(sentences), _find_groups([doc for _, doc in pieces]))


def _find_groups(docs: Sequence[Doc]) -> tuple[tuple[ReadMention, ...], ...]:
    """The mentions that coreference puts together, by sentence."""
    ends = list(accumulate(len(doc) for doc in docs))
    starts = [end - len(doc) for end, doc in zip(ends, docs, strict=True)]
    groups = []
    for cluster in link_mentions(docs, load_linker()):
        group = []
        for start, end in sorted(cluster):
            number = next(number for number, last in enumerate(ends) if start < last)
            group.append(ReadMention(number, start - starts[number], end - starts[number]))
        groups.append(tuple(group))
    return tuple(groups)
