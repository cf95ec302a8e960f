"""Conflicts: where a statement is at odds with a text, though the text is about the same.

The text's sentence that shares most content words with the statement is the one that may contradict it; a number, a
name or a meaning that stands anywhere in the text is not at odds with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from gistmeter.linguistics.contrasts.statements import Statement, Token, read_statement
from gistmeter.linguistics.contrasts.verbs import is_passive, list_sides, may_be_verb, takes_object
from gistmeter.linguistics.contrasts.words import (
    bound_words,
    list_words,
    meanings_of,
    measured_sections,
    number_words,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.linguistics.contrasts.statements import Number
    from gistmeter.linguistics.contrasts.words import Meaning

ConflictKind = Literal[
    "number",
    "other number",
    "quantity",
    "date",
    "name",
    "direction",
    "negation",
    "negated statement",
    "certainty",
    "role",
]
CONFLICT_KINDS: tuple[ConflictKind, ...] = get_args(ConflictKind)
Mark = Literal["negations", "hedges"]
_REACHES: dict[Mark, int] = {"negations": 3, "hedges": 2}
"""How many words before a word a negation or a hedge may stand."""
_NEIGHBOURS = 6
"""How many words on either side of a word are its neighbours."""
_CLEARLY_MORE = 2
"""How many more neighbours a word must share with the statement's than a word that means the same."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """What of a statement is at odds with what of a text."""

    kind: ConflictKind
    stated: str
    text: str


def find_conflicts(text: str, statement: str) -> tuple[Conflict, ...]:
    """Where a statement is at odds with a text, kind by kind.

    >>> find_conflicts("The work cost 8.6 million crowns.", "It cost 6.8 million crowns.")
    (Conflict(kind='number', stated='6.8 million', text='8.6 million'),)
    >>> find_conflicts("The firm left its forecast unchanged.", "The firm raised its forecast.")
    (Conflict(kind='direction', stated='raised', text='unchanged'),)
    """
    comparison = _Comparison(read_statement(text), read_statement(statement))
    return tuple(comparison.find())


def weigh_conflicts(text: str, statement: str) -> dict[ConflictKind, float]:
    """For each kind of conflict that a statement has with a text, how much else of the statement the text has.

    That is the share of the other content words that stand in the sentence which is about the same: two statements that
    share nothing but a number contradict each other less than two that share all but a number.

    >>> weigh_conflicts("The firm left its forecast unchanged.", "The firm raised its profit forecast.")
    {'direction': 0.6666666666666666}
    """
    comparison = _Comparison(read_statement(text), read_statement(statement))
    share = comparison.share_matched()
    return {conflict.kind: share for conflict in comparison.find()}


class _Comparison:
    """A statement beside a text, and the sentence of the text that is about the same."""

    def __init__(self, text: Statement, statement: Statement) -> None:
        self.text, self.statement = text, statement
        self.best = _best_sentence(text, statement)
        self.sentence = [token for token in text.tokens if token.sentence == self.best]
        self.sentence_numbers = [number for number in text.numbers if text.tokens[number.start].sentence == self.best]
        self.stems = {token.stem for token in text.tokens}
        self.stated_stems = {token.stem for token in statement.tokens}

    def find(self) -> list[Conflict]:
        """All conflicts."""
        if not self.text.tokens or not self.statement.tokens:
            return []
        roles = self._compare_roles()
        exclusive = self._compare_meanings()
        is_negated, is_text_negated = (
            bool(_find_marks(tokens, "negations")) for tokens in (self.statement.tokens, self.sentence)
        )
        if roles.is_converse or is_negated != is_text_negated:  # "A beat B" is "B lost to A"; warm is "not cold"
            exclusive = [conflict for conflict in exclusive if conflict.kind != "direction"]
        conflicts = [*self._compare_numbers(), *self._compare_names(), *exclusive]
        if not self._implies_negation() and not any(conflict.kind == "direction" for conflict in exclusive):
            conflicts += self._compare_reach("negations", "negation") or self._find_lone_negation()
        return [*conflicts, *self._compare_reach("hedges", "certainty"), *roles.conflicts]

    def _implies_negation(self) -> bool:
        """Whether either says no without a negation, such as `ruled out`."""
        return any(token.lower in list_words("implied_negations") for token in (*self.statement.tokens, *self.sentence))

    def share_matched(self) -> float:
        """The share of the statement's content words in the sentence, leaving out those that may be at odds with it."""
        stems = {token.stem for token in self.sentence}
        wanted = {
            token.stem
            for token in self.statement.tokens
            if token.is_content and not (token.stem not in stems and (token.is_name or meanings_of(token.lower)))
        }
        return len(wanted & stems) / len(wanted) if wanted else 0.5

    def _compare_numbers(self) -> list[Conflict]:
        conflicts = []
        for number in self.statement.numbers:
            equal = [other for other in self.text.numbers if number.agrees_with(other)]
            if equal:
                conflicts += _compare_measures(number, equal)
                continue
            others = [
                other
                for other in self.sentence_numbers
                if not any(other.agrees_with(stated) for stated in self.statement.numbers)
                and _comparable(number, other)
            ]
            same = [
                other
                for other in others
                if other.counted == number.counted and (number.counted or number.kind != "plain")
            ]
            if same:
                conflicts.append(Conflict("number", number.text, same[0].text))
            elif others:
                conflicts.append(Conflict("other number", number.text, others[0].text))
        return conflicts

    def _compare_names(self) -> list[Conflict]:
        names = [token for token in self.statement.tokens if token.is_name and token.is_content]
        missing = [token for token in names if token.stem not in self.stems]
        others = [
            token
            for token in self.sentence
            if token.is_name and token.is_content and token.stem not in self.stated_stems
        ]
        if missing and others:
            return [Conflict("name", missing[0].text, others[0].text)]
        return []

    def _compare_meanings(self) -> list[Conflict]:
        """Words whose meaning excludes that of the word in their position in the text: rose, where it has fell."""
        conflicts: list[Conflict] = []
        sections: set[str] = set()
        for position, token in enumerate(self.statement.tokens):
            for meaning in meanings_of(token.lower):
                if meaning.section in sections or meaning.section in measured_sections():
                    continue
                other = self._find_excluded(position, meaning)
                if other is not None:
                    sections.add(meaning.section)
                    conflicts.append(Conflict(meaning.kind, token.text, other.text))
        return conflicts

    def _find_excluded(self, position: int, meaning: Meaning) -> Token | None:
        """The word of the sentence that excludes a meaning and has more of its neighbours than a word that means it."""
        stated = {own for token in self.statement.tokens for own in meanings_of(token.lower)}
        around = _neighbours(self.statement.tokens, position)
        shared_by_like = max(
            (
                len(around & _neighbours(self.text.tokens, other))
                for other, token in enumerate(self.text.tokens)
                if meaning in meanings_of(token.lower)
            ),
            default=-1,
        )
        excluding = [
            (len(around & _neighbours(self.sentence, other)), -other, token)
            for other, token in enumerate(self.sentence)
            if any(own.section == meaning.section and own not in stated for own in meanings_of(token.lower))
        ]
        shared, _, token = max(excluding, key=lambda entry: entry[:2], default=(-2, 0, None))
        return token if shared >= shared_by_like + (_CLEARLY_MORE if shared_by_like >= 0 else 0) else None

    def _compare_reach(self, name: Mark, kind: ConflictKind) -> list[Conflict]:
        """Words of both that stand within reach of a negation, or a hedge, in one of them alone."""
        ours = self.statement.tokens
        stated, in_sentence = _find_marks(ours, name), _find_marks(self.sentence, name)
        if bool(stated) == bool(in_sentence) or (stated and name == "hedges"):  # who states less is not at odds
            return []
        tokens, marks, others = (ours, stated, self.sentence) if stated else (self.sentence, in_sentence, ours)
        shared = {
            token.stem
            for position, token in enumerate(others)
            if token.is_content and not token.is_name and (name == "negations" or may_be_verb(others, position))
        }
        for position, token in enumerate(tokens):
            mark = _reached(tokens, position, marks, _REACHES[name])
            if mark is not None and token.stem in shared and not token.is_name:
                return [Conflict(kind, *((mark.text, token.text) if stated else (token.text, mark.text)))]
        return []

    def _find_lone_negation(self) -> list[Conflict]:
        """A negation in the statement, and none in the sentence."""
        stated, in_sentence = _find_marks(self.statement.tokens, "negations"), _find_marks(self.sentence, "negations")
        if stated and not in_sentence:
            return [Conflict("negated statement", self.statement.tokens[min(stated)].text, "")]
        return []

    def _compare_roles(self) -> _Roles:
        """Whether what stands before and after a verb in the statement stands the other way round in the text."""
        ours, sentence = self.statement.tokens, self.sentence
        is_converse = False
        for middle, verb in enumerate(ours):
            if not verb.is_content or not takes_object(ours, middle):
                continue
            before, after = list_sides(ours, middle)
            for position, token in enumerate(sentence):
                is_same = token.stem == verb.stem and takes_object(sentence, position)
                if not is_same and not _exclude(token, verb):
                    continue
                left, right = list_sides(sentence, position)
                is_crossed = bool(before & right - left) and bool(after & left - right)
                is_straight = bool(before & left - right) and bool(after & right - left)
                is_turned = is_passive(ours, middle) != is_passive(sentence, position)
                if is_same and (is_straight if is_turned else is_crossed):
                    return _Roles((Conflict("role", verb.text, token.text),), is_converse)
                is_converse |= not is_same and (is_straight if is_turned else is_crossed)
        return _Roles((), is_converse)


class _Roles(NamedTuple):
    """Roles that are exchanged, and whether they are exchanged round verbs that exclude each other (beat, lost to)."""

    conflicts: tuple[Conflict, ...]
    is_converse: bool


def _best_sentence(text: Statement, statement: Statement) -> int:
    wanted = {token.stem for token in statement.tokens if token.is_content}
    shared: dict[int, set[str]] = {number: set() for number in range(text.sentences)}
    for token in text.tokens:
        if token.stem in wanted:
            shared[token.sentence].add(token.stem)
    return max(shared, key=lambda number: (len(shared[number]), -number), default=0)


def _compare_measures(number: Number, equal: Sequence[Number]) -> list[Conflict]:
    """A period, length, currency and the like in which a number differs from all equal numbers of the text."""
    for measure in number.measures:
        others = [[own for own in other.measures if own.section == measure.section] for other in equal]
        if all(others) and not any(measure in measures for measures in others):
            return [Conflict("quantity", f"{number.text} ({measure.name})", f"{equal[0].text} ({others[0][0].name})")]
    return []


def _comparable(number: Number, other: Number) -> bool:
    """Whether two numbers may stand for each other: of one kind."""
    return number.kind == other.kind


def _find_marks(tokens: Sequence[Token], name: Mark) -> set[int]:
    """The positions of negations, or of hedges; May is a month, and nearly 900 is a number."""
    words = list_words(name)
    return {
        position
        for position, token in enumerate(tokens)
        if token.lower in words and not _is_month(tokens, position) and not _bounds_number(tokens, position)
    }


def _bounds_number(tokens: Sequence[Token], position: int) -> bool:
    after = tokens[position + 1].lower if position + 1 < len(tokens) else ""
    return tokens[position].lower in bound_words() and (after[:1].isdigit() or after in number_words())


def _is_month(tokens: Sequence[Token], position: int) -> bool:
    before = tokens[position - 1].lower if position else ""
    if tokens[position].lower != "may" or not before:
        return False
    return (
        tokens[position].text[0].isupper() or before[0].isdigit() or before in ("this", "in", "last", "next", "since")
    )


def _reached(tokens: Sequence[Token], position: int, marks: set[int], reach: int) -> Token | None:
    """The mark that a word is the next content word after: no punctuation between them, and few words."""
    for before in range(position - 1, max(position - 1 - reach, -1), -1):
        if before in marks:
            return tokens[before]
        if tokens[before].is_break or tokens[before].is_content:
            return None
    return None


def _neighbours(tokens: Sequence[Token], position: int) -> set[str]:
    """The stems of content words near a word, within its clause."""
    neighbours: set[str] = set()
    for step in (-1, 1):
        for other in range(position + step, position + step * (_NEIGHBOURS + 1), step):
            if not 0 <= other < len(tokens) or tokens[other].is_break or tokens[other].lower in list_words("clauses"):
                break
            if tokens[other].is_content:
                neighbours.add(tokens[other].stem)
    return neighbours


def _exclude(word: Token, other: Token) -> bool:
    """Whether two words have meanings that exclude each other."""
    return any(
        meaning.section == other_meaning.section and meaning.name != other_meaning.name
        for meaning in meanings_of(word.lower)
        for other_meaning in meanings_of(other.lower)
    )
