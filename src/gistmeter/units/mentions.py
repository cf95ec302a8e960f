"""One name for one person or thing: later mentions are replaced by the first name (Zhang and Bansal, 2021, 3.2).

The paper replaces every mention. A confident replacement leaves alone what may be wrong or reads badly: a unit names
a thing once, so that `The club fined its captain` stays; the name is the first mention up to a comma or a bracket; a
possessive pronoun becomes a possessive; speakers (`I`, `you`) stay; and another noun takes the name, or is stated
of it, only where the first mention is a proper name.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from gistmeter.errors import DataError
from gistmeter.text.words import split_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from gistmeter.linguistics.roles.labeller import LabelledSentence

    Span = tuple[int, int]
    Clusters = Sequence[Sequence[Span]]

_SPEAKERS = frozenset(
    word
    for words in (
        ("i", "me", "my", "mine", "myself", "we", "us", "our", "ours", "ourselves"),
        ("you", "your", "yours", "yourself"),
    )
    for word in words
)
_OWNERS = frozenset({"his", "her", "its", "their"})
_PRONOUNS = _SPEAKERS | frozenset(
    word
    for words in (
        ("he", "him", "his", "himself", "she", "her", "hers", "herself", "it", "its", "itself", "one"),
        ("they", "them", "their", "theirs", "themselves", "this", "that", "these", "those"),
        ("who", "whom", "whose", "which"),
    )
    for word in words
)
_POSSESSIVE = ("'s", "’s", "'", "’")
_CUT_NEGATIONS = ("n't", "n’t")
_NAME_ENDS = (",", "(", "[", "–", "—", ";", ":", "who", "which", "that")
"""Words before which a name ends: `Ann Lee` of `Ann Lee, 43, from Leeds`."""

MIN_SHARED_WORDS = 0.5
"""A mention with at least this share of its words in the name says nothing new: `Rose` beside `Justin Rose`."""


class _Mention(NamedTuple):
    """A mention: the number of its thing, its words in a sentence, their text, and what is written for them."""

    thing: int
    sentence: int
    start: int
    end: int
    text: str
    """Without a possessive ending."""
    name: str | None = None
    """What is written for it; None where its own words stay."""

    @property
    def is_pronoun(self) -> bool:
        return self.text.lower() in _PRONOUNS


@dataclass(frozen=True, slots=True)
class NamedSentences:
    """Sentences whose texts use one name for one person or thing.

    `mentions` gives the mentions of each sentence, those that begin first and the longest of them before others;
    `statements` are the units `name is other name` with their sentences. With `once` a text names a thing once.
    """

    sentences: Sequence[LabelledSentence]
    mentions: Mapping[int, Sequence[_Mention]]
    statements: tuple[tuple[int, str], ...]
    once: bool = False

    @classmethod
    def of(
        cls, sentences: Sequence[LabelledSentence], clusters: Clusters, *, confident: bool = False
    ) -> NamedSentences:
        """Find what to replace. Clusters of pronouns alone stay as they are."""
        mentions: dict[int, list[_Mention]] = {}
        statements: dict[str, tuple[int, str]] = {}
        for cluster in _locate_mentions(sentences, clusters):
            first = next((mention for mention in cluster if not mention.is_pronoun), None)
            if first is None:
                continue
            name = _shorten_name(sentences[first.sentence], first) if confident else first.text
            mentions.setdefault(first.sentence, []).append(first)
            for mention in cluster:
                if mention is first or (confident and not _takes_name(mention, first, name)):
                    continue
                written = _write_possessive(sentences[mention.sentence], mention, name) if confident else name
                mentions.setdefault(mention.sentence, []).append(mention._replace(name=written))
                if not mention.is_pronoun and not _adds_nothing(mention.text, name):
                    text = f"{name} is {mention.text}"
                    statements.setdefault(text.lower(), (mention.sentence, text))
        for beginning in mentions.values():
            beginning.sort(key=lambda mention: (mention.start, -mention.end))
        return cls(sentences, mentions, tuple(statements.values()), once=confident)

    def text(self, sentence_number: int, *spans: Span) -> str:
        """The words of a sentence in spans (start, end), one after the other, mentions replaced where they lie inside.

        Spans are joined by a blank, or by none where the sentence has none between them: `wo` and `n't` give `won't`.
        A `n't` that has lost its verb is `not`, except where every mention is replaced, as in the paper.
        """
        sentence = self.sentences[sentence_number]
        inside = [
            mention
            for mention in self.mentions.get(sentence_number, ())
            if any(start <= mention.start and mention.end <= end for start, end in spans)
        ]
        if self.once:
            inside = list(_choose_carriers(inside))
        texts: list[str] = []
        previous_end = -1
        for start, end in spans:
            text = _write_span(sentence, start, end, inside)
            if self.once and start != previous_end and text.lower() in _CUT_NEGATIONS:
                text = "not"
            joins = not texts or (start == previous_end and not sentence.spaces[start - 1])
            texts.append(text if joins else f" {text}")
            previous_end = end
        return "".join(texts)


def _write_span(sentence: LabelledSentence, start: int, end: int, mentions: Sequence[_Mention]) -> str:
    parts = []
    word = start
    while word < end:
        word, text = next(
            (
                (mention.end, mention.name)
                for mention in mentions
                if mention.start == word and mention.end <= end and mention.name is not None
            ),
            (word + 1, sentence.words[word]),
        )
        parts.append(text + sentence.spaces[word - 1])
    return "".join(parts).strip()


def _choose_carriers(mentions: Sequence[_Mention]) -> Iterator[_Mention]:
    """Of the mentions of each thing in a text the one that names it: its first, else a noun, else a pronoun."""
    for thing in dict.fromkeys(mention.thing for mention in mentions):
        of_thing = [mention for mention in mentions if mention.thing == thing]
        yield min(of_thing, key=lambda mention: (mention.name is not None, mention.is_pronoun))


def _takes_name(mention: _Mention, first: _Mention, name: str) -> bool:
    """Whether a name is surely better than a mention's own words: for pronouns, for nouns where it is a proper one."""
    if mention.sentence == first.sentence and first.start <= mention.start < first.end:  # `the chef accused by his son`
        return False
    if mention.is_pronoun:
        return mention.text.lower() not in _SPEAKERS
    return _is_proper(name)


def _is_proper(name: str) -> bool:
    """Whether the last word of a name, and another one where it has several, are written as a proper name's."""
    words = name.split()
    capitals = [word for word in words if word[:1].isupper()]
    return words[-1][:1].isupper() and len(capitals) >= min(2, len(words))


def _shorten_name(sentence: LabelledSentence, mention: _Mention) -> str:
    """The text of a mention up to a comma, a bracket or a relative clause."""
    stops = [word for word in range(mention.start + 1, mention.end) if sentence.words[word].lower() in _NAME_ENDS]
    return sentence.text(mention.start, stops[0]) if stops else mention.text


def _write_possessive(sentence: LabelledSentence, mention: _Mention, name: str) -> str:
    """A name with the possessive ending of the mention that it stands for."""
    last = sentence.words[mention.end - 1]
    if last in _POSSESSIVE:
        return name + last
    if mention.text.lower() in _OWNERS:
        return f"{name}'s"
    return name


def _locate_mentions(sentences: Sequence[LabelledSentence], clusters: Clusters) -> list[list[_Mention]]:
    """The mentions of each cluster in the order of the text."""
    starts = [0, *accumulate(len(sentence.words) for sentence in sentences)]
    return [
        [_locate_mention(sentences, starts, span, thing) for span in sorted(set(cluster))]
        for thing, cluster in enumerate(clusters)
    ]


def _locate_mention(sentences: Sequence[LabelledSentence], starts: Sequence[int], span: Span, thing: int) -> _Mention:
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
    return _Mention(thing=thing, sentence=number, start=start, end=end, text=sentence.text(start, name_end))


def _adds_nothing(mention: str, name: str) -> bool:
    """Whether a mention contains the name, or has too many words in common with it to say anything new.

    >>> _adds_nothing("Nevin,", "Catherine Nevin"), _adds_nothing("the baker", "Catherine Nevin")
    (True, False)
    """
    mention_words, name_words = set(split_words(mention)), set(split_words(name))
    shared = len(mention_words & name_words)
    return name.lower() in mention.lower() or shared >= MIN_SHARED_WORDS * len(mention_words)
