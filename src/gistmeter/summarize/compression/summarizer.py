"""The embedded summarizer: sentences of the document that have marked spans, in their order.

They are pruned to what the marks need, or stay whole. It writes nothing that the document does not say: words are left
out, and names put in the place of pronouns.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Literal

from gistmeter.summarize.compression.choosing import Offer, choose_offers
from gistmeter.summarize.compression.document import read_document
from gistmeter.summarize.compression.openings import list_subjects
from gistmeter.summarize.compression.pronouns import Antecedents
from gistmeter.summarize.compression.verifying import compress_sentence, keep_sentence
from gistmeter.summarize.compression.writing import write_sentence
from gistmeter.text.words import split_words

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from gistmeter.summarize.compression.document import ReadDocument, ReadSentence
    from gistmeter.summarize.spans import Span

Keep = Literal["marked", "sentences"]
"""What stays of a sentence with marks: what these need, or all of it, where early sentences are worth more."""

MIN_WORTH = 0.01
"""What a span is worth at least, however unlikely it was said to be salient."""

MOST_COMBINED_MARKS = 4
"""Marks of a sentence up to which every set of them is offered; of more only the most worthy ones together."""

MOST_CONTEXT_SENTENCES = 2
"""Sentences that may be put before another to say what its first pronoun means."""

MOST_CONTEXT_WORDS = 25
"""Words that such sentences may have: of longer ones the summary would say more than of its marks."""

REPEATED_SHARE = 0.9
"""The share of the words of a sentence that another must have for it to be a repetition."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenSummary:
    """A summary by the embedded summarizer."""

    text: str
    covered: tuple[Span, ...]
    """The marked spans that it says, in the order of the document."""

    sentences: tuple[int, ...]
    """The sentences of the document that it comes from, counted from 0."""


class SpanSummarizer:
    """Summaries of one document for any marks: it is parsed once."""

    def __init__(self, document: str, *, keep: Keep = "marked") -> None:
        self._document: ReadDocument = read_document(document)
        self._prune = keep == "marked"

    def write(self, spans: Sequence[Span], *, words: int | None = None) -> WrittenSummary:
        """A summary that says these spans: all of them, or within so many words those with the highest scores.

        Where whole sentences stay, early ones are preferred within the words.

        >>> from gistmeter.summarize.spans import Span
        >>> document = "On Monday, Ann Lee, a nurse, opened a shop in Rome. It rained. She was glad of the crowd."
        >>> SpanSummarizer(document).write([Span.of(document, 46, 50), Span.of(document, 79, 88)]).text
        'Ann Lee opened a shop in Rome. She was glad of the crowd.'
        """
        marks = list(spans)
        offers = self._list_offers(marks)
        budget = words
        chosen = self._drop_repetitions(choose_offers(offers, budget), marks)
        while budget is not None and words is not None and self._count_words(chosen, marks) > words:
            budget -= 1  # names in the place of pronouns took more words than were counted
            chosen = self._drop_repetitions(choose_offers(offers, budget), marks)
        covered = frozenset(mark for offer in chosen for mark in offer.marks)
        return WrittenSummary(
            text=self._write_explained(chosen, marks, words),
            covered=tuple(span for number, span in enumerate(marks) if number in covered),
            sentences=tuple(offer.sentence for offer in chosen),
        )

    def write_lead(self, words: int) -> str:
        """The first sentences, pruned without any mark, up to so many words: what is written without marks."""
        antecedents = Antecedents(self._document)
        sentences: list[str] = []
        for sentence in self._document.sentences:
            remaining = self._keep(sentence, frozenset())
            text = write_named(self._document, antecedents, sentence.number, remaining)
            if sum(len(written.split()) for written in [*sentences, text]) > words and sentences:
                break
            sentences.append(text)
        return " ".join(sentences)

    def _list_offers(self, marks: Sequence[Span]) -> list[list[Offer]]:
        """For each sentence with marks the ways to say them."""
        offers = []
        for sentence in self._document.sentences:
            words = {number: positions for number, span in enumerate(marks) if (positions := sentence.find_words(span))}
            if words:
                ordered = sorted(words, key=lambda number: -_worth(marks[number], number))
                ways = _list_sets(ordered) if self._prune else [tuple(ordered)]
                written = [
                    self._make_offer(sentence, frozenset(way), frozenset().union(*(words[mark] for mark in way)), marks)
                    for way in ways
                ]
                offers.append([offer for offer in written if offer.words])
        return offers

    def _make_offer(
        self, sentence: ReadSentence, way: frozenset[int], positions: frozenset[int], marks: Sequence[Span]
    ) -> Offer:
        text = write_sentence(sentence.doc, self._keep(sentence, positions))
        worth = sum(_worth(marks[mark], mark) for mark in way)
        if not self._prune:
            worth /= 1 + sentence.number  # early sentences sum articles up: no score of spans alone was as good
        return Offer(sentence=sentence.number, marks=way, words=len(text.split()), worth=worth)

    def _keep(self, sentence: ReadSentence, positions: frozenset[int]) -> list[int]:
        if self._prune:
            return compress_sentence(sentence.doc, positions)
        return keep_sentence(sentence.doc)

    def _keep_offer(self, offer: Offer, marks: Sequence[Span]) -> list[int]:
        sentence = self._document.sentences[offer.sentence]
        return self._keep(sentence, frozenset().union(*(sentence.find_words(marks[mark]) for mark in offer.marks)))

    def _drop_repetitions(self, chosen: Sequence[Offer], marks: Sequence[Span]) -> list[Offer]:
        """The offers without those that another, longer one repeats, marks and all; it then says their marks, too."""
        words = [set(split_words(self._write_offer(offer, marks))) for offer in chosen]
        marked = [
            {word for mark in offer.marks for word in split_words(marks[mark].text)} & own
            for offer, own in zip(chosen, words, strict=True)
        ]
        twins = {number: _find_twin(number, words, marked[number]) for number in range(len(chosen))}
        said_by: dict[int, set[int]] = {}
        for number, offer in enumerate(chosen):
            last = number
            while (twin := twins[last]) is not None:  # each twin is longer or earlier: this ends
                last = twin
            said_by.setdefault(last, set()).update(offer.marks)
        return [
            replace(offer, marks=frozenset(said_by[number]))
            for number, offer in enumerate(chosen)
            if twins[number] is None
        ]

    def _write_offer(self, offer: Offer, marks: Sequence[Span]) -> str:
        return write_sentence(self._document.sentences[offer.sentence].doc, self._keep_offer(offer, marks))

    def _count_words(self, chosen: Sequence[Offer], marks: Sequence[Span]) -> int:
        return len(self._write_text(chosen, marks).split())

    def _write_text(self, chosen: Sequence[Offer], marks: Sequence[Span]) -> str:
        return " ".join(self._write_sentences(chosen, marks, room=0))

    def _write_explained(self, chosen: Sequence[Offer], marks: Sequence[Span], words: int | None) -> str:
        """The text with what explains its pronouns, as far as the words allow: what is marked comes first."""
        plain = self._write_text(chosen, marks)
        room = words if words is None else words - len(plain.split())
        explained = self._write_sentences(chosen, marks, room=room)
        return plain if words is not None and _count_words(explained) > words else " ".join(explained)

    def _write_sentences(self, chosen: Sequence[Offer], marks: Sequence[Span], *, room: int | None) -> list[str]:
        """The sentences, with those before them that say what their first pronouns mean, in at most so many words."""
        antecedents = Antecedents(self._document)
        written: list[str] = []
        for offer in chosen:
            remaining = self._keep_offer(offer, marks)
            context = write_context(self._document, antecedents, offer.sentence, remaining, self._keep, room=room)
            room = room if room is None else room - _count_words(context)
            written += [*context, write_named(self._document, antecedents, offer.sentence, remaining)]
        return [text for text in written if text]


def write_context(
    document: ReadDocument,
    antecedents: Antecedents,
    number: int,
    remaining: Collection[int],
    keep: Callable[[ReadSentence, frozenset[int]], list[int]],
    *,
    room: int | None,
) -> list[str]:
    """The sentences before another without which nobody knows what its first pronoun means; they count as written.

    None where they do not fit into `room` words, or do not explain it either. `keep` says what stays of a sentence.
    """
    context: list[tuple[int, list[int]]] = []
    before = antecedents.find_context(number, remaining)
    while before is not None and len(context) < MOST_CONTEXT_SENTENCES:
        words = keep(document.sentences[before], list_subjects(document.sentences[before].doc))
        context.insert(0, (before, words))
        before = antecedents.find_context(before, words)
    plain = [write_sentence(document.sentences[earlier].doc, words) for earlier, words in context]
    most = MOST_CONTEXT_WORDS if room is None else min(room, MOST_CONTEXT_WORDS)
    if before is not None or _count_words(plain) > most:
        return []
    return [write_named(document, antecedents, earlier, words) for earlier, words in context]


def write_named(document: ReadDocument, antecedents: Antecedents, number: int, remaining: Sequence[int]) -> str:
    """A sentence with names for the pronouns that would not be understood, and in a conversation with who says it; it
    counts as written."""
    speaker = antecedents.find_speaker(number)
    replaced = antecedents.replace_pronouns(number, remaining)
    text = write_sentence(document.sentences[number].doc, remaining, replaced)
    return f"{speaker}: {text}" if speaker and text else text


def _count_words(texts: Sequence[str]) -> int:
    return sum(len(text.split()) for text in texts)


def _worth(span: Span, number: int) -> float:
    """What it is worth to say a span: its score, else 1; of equal spans the first is worth a little more."""
    return (1.0 if span.score is None else max(span.score, MIN_WORTH)) - 1e-6 * number


def _list_sets(marks: Sequence[int]) -> list[tuple[int, ...]]:
    """The sets of marks that a sentence is offered with: all where they are few, else the most worthy ones."""
    if len(marks) <= MOST_COMBINED_MARKS:
        return [way for size in range(1, len(marks) + 1) for way in combinations(marks, size)]
    return [tuple(marks[: size + 1]) for size in range(len(marks))]


def _find_twin(number: int, words: Sequence[set[str]], marked: set[str]) -> int | None:
    """Another sentence that has nearly all words of this one and all that are marked: a longer one, or of two equal
    ones the first."""
    own = words[number]
    for other, others in enumerate(words):
        if other == number or not own or not marked <= others:
            continue
        if len(own & others) >= REPEATED_SHARE * len(own) and (len(others), -other) > (len(own), -number):
            return other
    return None
