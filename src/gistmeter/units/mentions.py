"""One name for one person or thing: later mentions are replaced by the first name (Zhang and Bansal, 2021, 3.2)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from gistmeter.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.linguistics.roles.labeller import LabelledSentence

    Clusters = Sequence[Sequence[tuple[int, int]]]

_PRONOUNS = frozenset(
    word
    for words in (
        ("i", "me", "my", "mine", "myself", "we", "us", "our", "ours", "ourselves", "you", "your", "yours", "yourself"),
        ("he", "him", "his", "himself", "she", "her", "hers", "herself", "it", "its", "itself", "one"),
        ("they", "them", "their", "theirs", "themselves", "this", "that", "these", "those"),
        ("who", "whom", "whose", "which"),
    )
    for word in words
)
_POSSESSIVE = ("'s", "’s", "'", "’")
MIN_SHARED_WORDS = 0.5
"""A mention with at least this share of its words in the name says nothing new: `Rose` beside `Justin Rose`."""


class _NamedMention(NamedTuple):
    """A mention: its sentence, the words of it there, and its text as a name, without a possessive ending."""

    sentence: int
    start: int
    end: int
    name: str

    @property
    def is_pronoun(self) -> bool:
        return self.name.lower() in _PRONOUNS


@dataclass(frozen=True, slots=True)
class NamedSentences:
    """Sentences whose texts use one name for one person or thing.

    `replacements` gives for each sentence and first word the mentions to replace there, as (end, name), longest first;
    `statements` are the units `name is other name` with their sentences.
    """

    sentences: Sequence[LabelledSentence]
    replacements: Mapping[tuple[int, int], Sequence[tuple[int, str]]]
    statements: tuple[tuple[int, str], ...]

    @classmethod
    def of(cls, sentences: Sequence[LabelledSentence], clusters: Clusters) -> NamedSentences:
        """Find what to replace. Clusters of pronouns alone stay as they are."""
        replacements: dict[tuple[int, int], list[tuple[int, str]]] = {}
        statements: dict[str, tuple[int, str]] = {}
        for mentions in _locate_mentions(sentences, clusters):
            first = next((mention for mention in mentions if not mention.is_pronoun), None)
            if first is None:
                continue
            for mention in mentions:
                if mention is first:
                    continue
                replacements.setdefault((mention.sentence, mention.start), []).append((mention.end, first.name))
                if not mention.is_pronoun and not _adds_nothing(mention.name, first.name):
                    text = f"{first.name} is {mention.name}"
                    statements.setdefault(text.lower(), (mention.sentence, text))
        for ends_and_names in replacements.values():
            ends_and_names.sort(reverse=True)
        return cls(sentences, replacements, tuple(statements.values()))

    def text(self, sentence_number: int, start: int, end: int) -> str:
        """The words of a sentence from `start` up to `end`, mentions replaced where they lie inside."""
        sentence = self.sentences[sentence_number]
        if not self.replacements:
            return sentence.text(start, end)
        parts = []
        word = start
        while word < end:
            mentions = self.replacements.get((sentence_number, word), ())
            word, text = next(
                ((stop, name) for stop, name in mentions if stop <= end), (word + 1, sentence.words[word])
            )
            parts.append(text + sentence.spaces[word - 1])
        return "".join(parts).strip()


def _locate_mentions(sentences: Sequence[LabelledSentence], clusters: Clusters) -> list[list[_NamedMention]]:
    """The mentions of each cluster in the order of the text."""
    starts = [0, *accumulate(len(sentence.words) for sentence in sentences)]
    return [[_locate_mention(sentences, starts, span) for span in sorted(set(cluster))] for cluster in clusters]


def _locate_mention(
    sentences: Sequence[LabelledSentence], starts: Sequence[int], span: tuple[int, int]
) -> _NamedMention:
    """The mention of a span that counts the words of all sentences; `starts` are the first words of sentences."""
    start, end = span
    if not 0 <= start < end <= starts[-1]:
        raise DataError(f"the mention ({start}, {end}) is not inside the {starts[-1]} words of its reference")
    number = max(index for index, first in enumerate(starts[:-1]) if first <= start and len(sentences[index].words))
    if end > starts[number + 1]:
        raise DataError(
            f"the mention ({start}, {end}) goes beyond sentence {number}, which ends at word {starts[number + 1]}"
        )
    start, end = start - starts[number], end - starts[number]
    sentence = sentences[number]
    name_end = end - 1 if end - start > 1 and sentence.words[end - 1] in _POSSESSIVE else end
    return _NamedMention(sentence=number, start=start, end=end, name=sentence.text(start, name_end))


def _adds_nothing(mention: str, name: str) -> bool:
    """Whether a mention contains the name, or has too many words in common with it to say anything new."""
    mention_words, name_words = set(mention.lower().split()), set(name.lower().split())
    shared = len(mention_words & name_words)
    return name.lower() in mention.lower() or shared >= MIN_SHARED_WORDS * len(mention_words)
