"""One name for one thing: later mentions are replaced by the name that comes first (Zhang and Bansal, 2021, 3.2)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from gistmeter.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.linguistics.roles.labeller import Roles

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
_ALIKE = 0.5
"""A mention with at least this share of its words in the name says nothing new: `Rose` beside `Justin Rose`."""


class _Mention(NamedTuple):
    """A mention in a sentence: where it is, and its text as a name, without a possessive ending."""

    place: int
    start: int
    end: int
    name: str

    @property
    def is_pronoun(self) -> bool:
        return self.name.lower() in _PRONOUNS


@dataclass(frozen=True, slots=True)
class Names:
    """Sentences whose texts use one name for one thing.

    `replaced` gives for each sentence and first word the mentions to replace there, as (end, name), longest first;
    `statements` are the units `name is other name` with their sentences.
    """

    sentences: Sequence[Roles]
    replaced: Mapping[tuple[int, int], Sequence[tuple[int, str]]]
    statements: tuple[tuple[int, str], ...]

    @classmethod
    def of(cls, sentences: Sequence[Roles], clusters: Clusters) -> Names:
        """Find what to replace. Mentions that are only pronouns stay as they are."""
        replaced: dict[tuple[int, int], list[tuple[int, str]]] = {}
        statements: dict[str, tuple[int, str]] = {}
        for mentions in _mentions(sentences, clusters):
            first = next((mention for mention in mentions if not mention.is_pronoun), None)
            if first is None:
                continue
            for mention in mentions:
                if mention is first:
                    continue
                replaced.setdefault((mention.place, mention.start), []).append((mention.end, first.name))
                if not mention.is_pronoun and not _is_alike(mention.name, first.name):
                    text = f"{first.name} is {mention.name}"
                    statements.setdefault(text.lower(), (mention.place, text))
        for ends in replaced.values():
            ends.sort(reverse=True)
        return cls(sentences, replaced, tuple(statements.values()))

    def text(self, place: int, start: int, end: int) -> str:
        """The words of a sentence from `start` up to `end`, mentions replaced where they lie inside."""
        sentence = self.sentences[place]
        if not self.replaced:
            return sentence.text(start, end)
        parts = []
        at = start
        while at < end:
            mentions = self.replaced.get((place, at), ())
            stop, word = next(((stop, name) for stop, name in mentions if stop <= end), (at + 1, sentence.words[at]))
            parts.append(word + sentence.spaces[stop - 1])
            at = stop
        return "".join(parts).strip()


def _mentions(sentences: Sequence[Roles], clusters: Clusters) -> list[list[_Mention]]:
    """The mentions of each cluster in the order of the text."""
    starts = [0, *accumulate(len(sentence.words) for sentence in sentences)]
    return [[_mention(sentences, starts, span) for span in sorted(set(cluster))] for cluster in clusters]


def _mention(sentences: Sequence[Roles], starts: Sequence[int], span: tuple[int, int]) -> _Mention:
    start, end = span
    if not 0 <= start < end <= starts[-1]:
        raise DataError(f"the mention ({start}, {end}) is not inside the {starts[-1]} words of its reference")
    place = max(index for index, begin in enumerate(starts[:-1]) if begin <= start and len(sentences[index].words))
    if end > starts[place + 1]:
        raise DataError(
            f"the mention ({start}, {end}) goes beyond sentence {place}, which ends at word {starts[place + 1]}"
        )
    start, end = start - starts[place], end - starts[place]
    sentence = sentences[place]
    last = end - 1 if end - start > 1 and sentence.words[end - 1] in _POSSESSIVE else end
    return _Mention(place, start, end, sentence.text(start, last))


def _is_alike(other: str, name: str) -> bool:
    words, known = set(other.lower().split()), set(name.lower().split())
    return name.lower() in other.lower() or len(words & known) >= _ALIKE * len(words)
