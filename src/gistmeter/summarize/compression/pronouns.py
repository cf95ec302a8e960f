"""Pronouns: who is meant, said by name wherever the summary has not named them just before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.summarize.compression.agreeing import (
    THIRD_PERSON,
    agrees,
    expand_ending,
    has_near_subject,
    is_quoted,
    is_subject,
)
from gistmeter.summarize.compression.document import ReadMention

if TYPE_CHECKING:
    from collections.abc import Collection

    from spacy.tokens import Doc, Token

    from gistmeter.summarize.compression.document import ReadDocument

_POSSESSIVE = frozenset({"his", "her", "their", "its", "hers", "theirs"})
_LONGEST_NAME = 5
"""Words of a name or noun phrase that may take the place of a pronoun."""

MOST_SENTENCES_BACK = 4
"""How many sentences with the same pronoun as their subject may lie between it and who is meant."""

REACH_SENTENCES = 1
"""How many sentences of a summary before its own a pronoun may look back."""


class Antecedents:
    """For one document: what stands for whom, and what a summary has named so far."""

    def __init__(self, document: ReadDocument) -> None:
        self._document = document
        self._group_at = {
            (mention.sentence, mention.start, mention.end): number
            for number, group in enumerate(document.groups)
            for mention in group
        }
        self._named: dict[int, int] = {}
        """The sentence of the summary, counted from 0, that last named each group."""

        self._written = 0
        self._last_sentence = -1
        """The sentence of the document that was written last."""

    def list_named(self, number: int, remaining: Collection[int]) -> frozenset[int]:
        """The groups that the words of a sentence that stay name."""
        return frozenset(
            group
            for group, mentions in enumerate(self._document.groups)
            for mention in mentions
            if mention.sentence == number and self._is_kept(mention, remaining) and not self._is_pronoun(mention)
        )

    def list_replaced(self, number: int, replaced: Collection[int]) -> frozenset[int]:
        """The groups of some pronouns of a sentence; minus its number where they take up the sentence before it."""
        doc = self._document.sentences[number].doc
        pronouns = (position for position in replaced if doc[position].lower_ in THIRD_PERSON)
        groups = (self._find_group(number, position) for position in pronouns)
        return frozenset(-number if group is None else group for group in groups)

    def replace_pronouns(self, number: int, remaining: Collection[int]) -> dict[int, str]:
        """Names for those pronouns of a sentence that would not be understood; the sentence counts as written."""
        doc = self._document.sentences[number].doc
        positions = set(remaining)
        replaced: dict[int, str] = {}
        for position in sorted(positions):
            group = self._find_group(number, position)
            if group is not None and self._is_open(group, number, position, positions):
                name = self._find_name(group, number, position)
                if name is not None:
                    replaced |= _replace(name, doc, position)
                    self._named[group] = self._written
            elif group is None and (name := self._find_topic(number, position)) is not None:
                replaced |= _replace(name, doc, position)
        self._note_named(number, positions)
        self._written += 1
        self._last_sentence = number
        return replaced

    def _find_group(self, number: int, position: int) -> int | None:
        """The group of a third-person pronoun."""
        if self._document.sentences[number].doc[position].lower_ not in THIRD_PERSON:
            return None
        return self._group_at.get((number, position, position + 1))

    def _is_open(self, group: int, number: int, position: int, remaining: Collection[int]) -> bool:
        """Whether neither this sentence nor the one written before it names whom a pronoun means."""
        last = self._named.get(group)
        if last is not None and self._written - last <= REACH_SENTENCES:
            return False
        here = [mention for mention in self._document.groups[group] if mention.sentence == number]
        named_here = [
            mention for mention in here if not self._is_pronoun(mention) and self._is_kept(mention, remaining)
        ]
        doc = self._document.sentences[number].doc
        if any(mention.start < position for mention in named_here) or is_quoted(doc, position):
            return False
        if has_near_subject(doc, position, remaining):
            return False
        return not any(self._stands_before_name(position, mention) for mention in named_here)

    def _find_topic(self, number: int, position: int) -> str | None:
        """What a pronoun at the start of a sentence most likely means where coreference does not say: the subject
        of the sentence before, unless that was just written; where that is a pronoun, too, that of one before it."""
        doc = self._document.sentences[number].doc
        if number == 0 or self._last_sentence == number - 1 or not _opens_sentence(doc, position):
            return None
        for earlier in range(number - 1, max(number - 1 - MOST_SENTENCES_BACK, -1), -1):
            before = self._document.sentences[earlier].doc
            subject = next((word for word in before if is_subject(word) and word.head.dep_ == "ROOT"), None)
            if subject is None or is_quoted(before, subject.i):
                return None
            if subject.lower_ != doc[position].lower_:
                return self._name_subject(earlier, subject, doc[position])
        return None

    def _name_subject(self, number: int, subject: Token, pronoun: Token) -> str | None:
        """The subject of a sentence, where it is a name or noun that a pronoun of a later one can mean."""
        mention = ReadMention(number, subject.left_edge.i, subject.i + 1)
        is_person = subject.ent_type_ == "PERSON"
        if subject.pos_ == "PRON" or not self._agrees(pronoun, mention) or (pronoun.dep_ != "poss" and not is_person):
            return None
        return self._write_short(mention) or None

    def _stands_before_name(self, position: int, mention: ReadMention) -> bool:
        """Whether a pronoun looks ahead, from a clause before the name: `After his race, Bo`."""
        doc = self._document.sentences[mention.sentence].doc
        return position < mention.start and doc[mention.end - 1].dep_ in ("nsubj", "nsubjpass")

    def _find_name(self, group: int, number: int, position: int) -> str | None:
        """What to say for a pronoun: the group's name, else its noun, as it stands nearest before."""
        doc = self._document.sentences[number].doc
        before = [
            mention
            for mention in self._document.groups[group]
            if (mention.sentence, mention.start) < (number, position)
            and not self._is_pronoun(mention)
            and self._agrees(doc[position], mention)
        ]
        named = [(mention, text) for mention in before if (text := self._write_short(mention))]
        here = {
            (mention.start, mention.end)
            for mention in self._document.groups[group]
            if mention.sentence == number and mention.start < position
        }
        names = [
            text
            for mention, text in named
            if self._head(mention).pos_ == "PROPN" and not _is_named_otherwise(doc, text, here)
        ]
        if names:
            return max(names, key=lambda text: (len(text.split()) <= 3, len(text)))
        if any(self._head(mention).pos_ == "PROPN" for mention, _ in named):
            return None  # who is named here is somebody else
        if doc[position].lower_ == "it":
            return None  # it may mean what was said before, and no thing
        nouns = [
            text for mention, text in named if is_subject(self._head(mention)) or self._head(mention).dep_ == "appos"
        ]
        return nouns[-1] if nouns else None

    def _agrees(self, pronoun: Token, mention: ReadMention) -> bool:
        head = self._head(mention)
        doc = self._document.sentences[mention.sentence].doc
        return agrees(pronoun, head, [word.lower_ for word in doc[mention.start : head.i + 1]])

    def _write_short(self, mention: ReadMention) -> str:
        """A mention without what follows its head; nothing where that is long or a pronoun stands in it."""
        doc = self._document.sentences[mention.sentence].doc
        head = self._head(mention)
        start = max(mention.start, min((child.left_edge.i for child in head.lefts), default=head.i))
        words = [word for word in doc[start : head.i + 1] if not word.is_space]
        if len(words) > _LONGEST_NAME or any(word.pos_ == "PRON" or word.is_punct for word in words):
            return ""
        text = doc[start : head.i + 1].text
        if words and words[0].lower_ in ("a", "an", "some", "another", "one"):
            return "" if len(words) == 1 else "the " + doc[words[1].i : head.i + 1].text
        if words and words[0].dep_ == "det" and words[0].lower_ in ("this", "these", "that", "those", "the"):
            return "the " + doc[words[1].i : head.i + 1].text if len(words) > 1 else ""
        return text

    def _head(self, mention: ReadMention) -> Token:
        doc = self._document.sentences[mention.sentence].doc
        return doc[mention.start : mention.end].root

    def _is_pronoun(self, mention: ReadMention) -> bool:
        return self._head(mention).pos_ == "PRON" or self._head(mention).lower_ in THIRD_PERSON

    def _is_kept(self, mention: ReadMention, remaining: Collection[int]) -> bool:
        return self._head(mention).i in remaining

    def _note_named(self, number: int, remaining: Collection[int]) -> None:
        for group in self.list_named(number, remaining):
            self._named[group] = self._written


def _opens_sentence(doc: Doc, position: int) -> bool:
    """Whether a third-person pronoun is, or belongs to, the subject that a sentence begins with."""
    word = doc[position]
    if position != 0 or word.lower_ not in THIRD_PERSON:
        return False
    return word.dep_ in ("nsubj", "nsubjpass") or (word.dep_ == "poss" and word.head.dep_ in ("nsubj", "nsubjpass"))


def _is_named_otherwise(doc: Doc, name: str, mentions: Collection[tuple[int, int]]) -> bool:
    """Whether a sentence has the last word of a name where somebody else, or nobody, is meant: `Mr Haugh's death`."""
    last = name.rsplit(maxsplit=1)[-1].lower()
    return any(
        word.lower_ == last and not any(start <= word.i < end for start, end in mentions)
        for word in doc
        if word.pos_ == "PROPN"
    )


def _replace(name: str, doc: Doc, position: int) -> dict[int, str]:
    """A name in the place of a pronoun, and what becomes of the short verb after it."""
    replaced = {position: _inflect(name, doc[position])}
    if position + 1 < len(doc) and doc[position].dep_ != "poss":
        ending = expand_ending(doc[position + 1])
        if ending is not None:
            replaced[position + 1] = ending
    return replaced


def _inflect(name: str, pronoun: Token) -> str:
    """A name in the form of the pronoun that it stands for."""
    if pronoun.lower_ in _POSSESSIVE and pronoun.dep_ == "poss":
        name = f"{name}'" if name.endswith("s") else f"{name}'s"
    first = pronoun.i == 0
    return name[:1].upper() + name[1:] if first else name
