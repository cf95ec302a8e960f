"""Pronouns: who is meant, said by name wherever the summary has not named them just before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.summarize.compression.agreeing import (
    THIRD_PERSON,
    agrees,
    has_near_subject,
    is_quoted,
    is_subject,
    replace_pronoun,
)
from gistmeter.summarize.compression.document import ReadMention
from gistmeter.summarize.compression.openings import (
    PERSONAL,
    find_main_subject,
    find_named_person,
    find_opening,
    find_pointing,
    find_topic,
    is_expletive,
    is_owner,
    list_articles,
    may_explain,
    opens_clause,
    speaks_of_itself,
)

if TYPE_CHECKING:
    from collections.abc import Collection

    from spacy.tokens import Doc, Token

    from gistmeter.summarize.compression.document import ReadDocument

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
        groups = (
            None if self._find_rival(number, doc[position]) is not None else self._find_group(number, position)
            for position in replaced
            if doc[position].lower_ in THIRD_PERSON
        )
        return frozenset(-number if group is None else group for group in groups)

    def replace_pronouns(self, number: int, remaining: Collection[int]) -> dict[int, str]:
        """Names for those pronouns of a sentence that would not be understood; the sentence counts as written."""
        doc = self._document.sentences[number].doc
        positions = set(remaining)
        replaced: dict[int, str] = {}
        understood: set[int] = set()
        for position in sorted(position for position in positions if doc[position].lower_ in THIRD_PERSON):
            group = self._find_group(number, position)
            name = None if group in understood else self._find_replacement(number, position, positions)
            if name is not None:
                replaced |= replace_pronoun(name, doc, position)
                if group is not None:
                    self._named[group] = self._written
            elif group is not None and not is_quoted(doc, position):
                understood.add(group)
        opening = find_opening(doc, positions)
        if opening is not None and opening.i not in replaced and not self._is_understood(number, opening):
            replaced |= list_articles(doc, opening)
        self._note_named(number, positions)
        self._written += 1
        self._last_sentence = number
        return replaced

    def find_speaker(self, number: int) -> str:
        """Who says a sentence of a conversation, unless the one written last is theirs, too."""
        sentences = self._document.sentences
        turn, last = sentences[number].turn, sentences[self._last_sentence].turn if self._last_sentence >= 0 else None
        return "" if turn is None or (last is not None and turn.speaker == last.speaker) else turn.speaker

    def find_context(self, number: int, remaining: Collection[int]) -> int | None:
        """The sentence before, where that alone says what the words which stay begin with, or their `this`, means."""
        doc = self._document.sentences[number].doc
        openings = [word for word in (find_opening(doc, remaining), find_pointing(doc, remaining)) if word is not None]
        if number == 0 or not any(self._needs_context(number, word, remaining) for word in openings):
            return None
        return number - 1 if may_explain(self._document.sentences[number - 1].doc) else None

    def _needs_context(self, number: int, opening: Token, remaining: Collection[int]) -> bool:
        """Whether only the sentence before can say what a word takes up."""
        if self._is_understood(number, opening) or list_articles(opening.doc, opening):
            return False
        return self._find_replacement(number, opening.i, set(remaining)) is None

    def _is_understood(self, number: int, opening: Token) -> bool:
        """Whether the sentence written before says what the pronoun means that another begins with."""
        group = self._find_group(number, opening.i)
        return self._last_sentence == number - 1 or (group is not None and self._is_recent(group))

    def _find_replacement(self, number: int, position: int, positions: Collection[int]) -> str | None:
        """What to say for a pronoun that would not be understood."""
        pronoun = self._document.sentences[number].doc[position]
        if pronoun.lower_ not in THIRD_PERSON:
            return None
        rival = self._find_rival(number, pronoun)
        if rival is not None:
            return None if self._last_sentence == number - 1 else self._write_person(rival)
        group = self._find_group(number, position)
        if group is None:
            return self._find_topic(number, pronoun, positions)
        return self._find_name(group, number, position) if self._is_open(group, number, position, positions) else None

    def _find_rival(self, number: int, pronoun: Token) -> ReadMention | None:
        """The person whom the sentence before is about, where coreference takes the first pronoun of the next one for
        somebody of whom that sentence says nothing."""
        group = self._find_group(number, pronoun.i)
        if number == 0 or group is None or pronoun.lower_ not in PERSONAL or not self._is_first(pronoun):
            return None
        before = self._document.sentences[number - 1].doc
        there = (mention for mention in self._document.groups[group] if mention.sentence == number - 1)
        if not all(self._is_pronoun(mention) and speaks_of_itself(before, mention.start) for mention in there):
            return None
        person = find_named_person(before, pronoun)
        return None if person is None else ReadMention(number - 1, person.left_edge.i, person.i + 1)

    def _is_first(self, pronoun: Token) -> bool:
        """Whether a pronoun begins a clause, and nobody whom it may mean stands before it in its sentence."""
        doc = pronoun.doc
        if pronoun.dep_ not in ("nsubj", "nsubjpass") or is_quoted(doc, pronoun.i):
            return opens_clause(pronoun)
        before = any(word.lower_ in PERSONAL or word.ent_type_ == "PERSON" for word in doc[: pronoun.i])
        return opens_clause(pronoun) or not (before or has_near_subject(doc, pronoun.i, range(len(doc))))

    def _find_group(self, number: int, position: int) -> int | None:
        """The group of a third-person pronoun."""
        if self._document.sentences[number].doc[position].lower_ not in THIRD_PERSON:
            return None
        return self._group_at.get((number, position, position + 1))

    def _is_open(self, group: int, number: int, position: int, remaining: Collection[int]) -> bool:
        """Whether neither this sentence nor the one written before it names whom a pronoun means."""
        if self._is_recent(group):
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

    def _is_recent(self, group: int) -> bool:
        """Whether one of the last sentences written names a group."""
        last = self._named.get(group)
        return last is not None and self._written - last <= REACH_SENTENCES

    def _find_topic(self, number: int, pronoun: Token, positions: Collection[int]) -> str | None:
        """What a pronoun at the start of a sentence most likely means where coreference does not say: the subject
        of the sentence before, unless that was just written; where that is a pronoun, too, that of one before it."""
        opening = find_opening(pronoun.doc, positions)
        if number == 0 or opening is None or opening.i != pronoun.i:
            return None
        topic = find_topic(self._document.sentences[0].doc)
        if topic is not None and number > 1 and self._turns_back(number, pronoun):
            mention = ReadMention(0, topic.left_edge.i, topic.i + 1)
            return (self._write_short(mention) or None) if self._agrees(pronoun, mention) else None
        if self._last_sentence == number - 1:
            return None
        for earlier in range(number - 1, max(number - 1 - MOST_SENTENCES_BACK, -1), -1):
            before = self._document.sentences[earlier].doc
            subject = find_main_subject(before)
            if subject is None or is_quoted(before, subject.i):
                return None
            if subject.lower_ != pronoun.lower_ and not is_expletive(subject):
                return self._name_subject(earlier, subject, pronoun)
        return None

    def _turns_back(self, number: int, pronoun: Token) -> bool:
        """Whether `It` or `Its` cannot mean the subject of the sentence before, and so takes up what the text is of."""
        subject = find_main_subject(self._document.sentences[number - 1].doc)
        if pronoun.lower_ not in ("it", "its") or subject is None or subject.pos_ == "PRON":
            return False
        return subject.ent_type_ == "PERSON" or subject.tag_ in ("NNS", "NNPS")

    def _name_subject(self, number: int, subject: Token, pronoun: Token) -> str | None:
        """The subject of a sentence, where it is a name or noun that a pronoun of a later one can mean."""
        named = find_named_person(subject.doc, pronoun) or subject
        mention = ReadMention(number, named.left_edge.i, named.i + 1)
        is_person = named.ent_type_ == "PERSON"
        if named.pos_ == "PRON" or not self._agrees(pronoun, mention) or not (is_person or is_owner(named, pronoun)):
            return None
        return self._write_person(mention) if is_person else self._write_short(mention) or None

    def _write_person(self, mention: ReadMention) -> str | None:
        """A name with what stands before it, or where that is long alone: `91-year-old Ida Greer`, `Ida Greer`."""
        doc = self._document.sentences[mention.sentence].doc
        name = next((name for name in doc.ents if name.start < mention.end <= name.end), None)
        short = self._write_short(mention)
        if short or name is None:
            return short or None
        return self._write_short(ReadMention(mention.sentence, name.start, mention.end)) or None

    def _stands_before_name(self, position: int, mention: ReadMention) -> bool:
        """Whether a pronoun looks ahead, from a clause before the name: `After his race, Bo`."""
        doc = self._document.sentences[mention.sentence].doc
        return position < mention.start and doc[mention.end - 1].dep_ in ("nsubj", "nsubjpass")

    def _find_name(self, group: int, number: int, position: int) -> str | None:
        """What to say for a pronoun: the group's name, else its noun, as it stands nearest before."""
        doc = self._document.sentences[number].doc
        before = [
            mention
            for mention in map(self._prefer_name, self._document.groups[group])
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
            text
            for mention, text in named
            if (is_subject(self._head(mention)) or self._head(mention).dep_ == "appos")
            and (doc[position].dep_ != "poss" or is_owner(self._head(mention), doc[position]))
            and not (doc[position].lower_ in ("they", "them") and self._head(mention).tag_ == "NN")
        ]
        return nouns[-1] if nouns else None

    def _prefer_name(self, mention: ReadMention) -> ReadMention:
        """The name of a person in the place of what they are: `the owner, Jean McPhee`."""
        head = self._head(mention)
        names = (word for word in head.rights if word.dep_ == "appos" and word.ent_type_ == "PERSON")
        name = next((word for word in names if word.pos_ == "PROPN"), None)
        if head.pos_ == "PROPN" or name is None:
            return mention
        return ReadMention(mention.sentence, name.left_edge.i, name.i + 1)

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
        is_name = not words or words[0].pos_ == "PROPN" or words[0].ent_type_ or words[0].i > 0
        return text if is_name or text[:2].isupper() else text[:1].lower() + text[1:]

    def _head(self, mention: ReadMention) -> Token:
        doc = self._document.sentences[mention.sentence].doc
        return doc[mention.start : mention.end].root

    def _is_pronoun(self, mention: ReadMention) -> bool:
        return self._head(mention).pos_ == "PRON" or self._head(mention).lower_ in THIRD_PERSON

    def _is_kept(self, mention: ReadMention, remaining: Collection[int]) -> bool:
        return self._head(mention).i in remaining

    def _note_named(self, number: int, remaining: Collection[int]) -> None:
        """Note whom a sentence names, or goes on speaking of by a pronoun while it names no other person."""
        named = self.list_named(number, remaining)
        taken_up = {self._find_group(number, position) for position in remaining} - {None}
        going_on = {group for group in taken_up if group is not None and self._is_recent(group)}
        if len(going_on) > 1 or any(self._is_person(group) for group in named - going_on):
            going_on = set()
        for group in named | going_on:
            self._named[group] = self._written

    def _is_person(self, group: int) -> bool:
        return any(self._head(mention).ent_type_ == "PERSON" for mention in self._document.groups[group])


def _is_named_otherwise(doc: Doc, name: str, mentions: Collection[tuple[int, int]]) -> bool:
    """Whether a sentence has the last word of a name where somebody else, or nobody, is meant: `Mr Haugh's death`."""
    last = name.rsplit(maxsplit=1)[-1].lower()
    return any(
        word.lower_ == last and not any(start <= word.i < end for start, end in mentions)
        for word in doc
        if word.pos_ == "PROPN"
    )
