"""Changes: a statement with one thing changed, so that it is at odds with what it was, and still reads well.

Each function changes one kind of thing and says what it changed; where there is nothing of the kind, it gives None.
They serve to train judges of content units, and whoever wants summaries with errors of a known kind.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from gistmeter.linguistics.contrasts.statements import YEAR
from gistmeter.linguistics.contrasts.words import (
    list_alternatives,
    list_own_words,
    list_words,
    meanings_of,
    number_words,
    opposite_certainty,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import numpy as np

    from gistmeter.linguistics.contrasts.words import ExclusiveKind, Meaning

ChangeKind = Literal["number", "quantity", "date", "name", "direction", "negation", "certainty", "role"]
CHANGE_KINDS: tuple[ChangeKind, ...] = get_args(ChangeKind)

_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)*")
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][\w'-]+(?: [A-Z][\w'-]+)*")
_AUXILIARY = re.compile(r"\b(is|are|was|were|will|has|have|had|can|could|should|would|may|might|must|did|does|do)\b")
_NEGATION = re.compile(r"\b(?:not|never) |n['’]t\b|\bno (?=[a-z])")
_MAX_ROLE_WORDS = 4
_MAX_YEARS = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A changed text: which kind of thing was changed, what it was, what it is now, and where (in the old text)."""

    kind: ChangeKind
    text: str
    original: str
    replacement: str
    start: int


def find_names(text: str) -> list[str]:
    """The names within the sentences of a text: words with a capital after another word, but no days and months.

    >>> find_names("The mayor of Port Ellery, Jo Wray, resigned on Monday.")
    ['Port Ellery', 'Jo Wray']
    """
    return [match.group() for match in _match_names(text)]


def change_number(text: str, rng: np.random.Generator) -> Change | None:
    """A number changed: digits exchanged, one digit more, or another number word; years are left to `change_date`.

    >>> import numpy as np
    >>> change_number("It cost 6.8 million.", np.random.default_rng(0)).text
    'It cost 8.6 million.'
    """
    words = [match for match in _WORD.finditer(text) if _is_number(match.group()) and not YEAR.fullmatch(match.group())]
    if not words:
        return None
    match = words[rng.integers(len(words))]
    return _replace("number", text, match, _change_digits(match.group(), rng))


def change_quantity(text: str, rng: np.random.Generator) -> Change | None:
    """A period, a length, a currency, a share and the like exchanged for another."""
    return _change_meaning("quantity", text, rng)


def change_date(text: str, rng: np.random.Generator) -> Change | None:
    """A weekday, month, season or year exchanged for another."""
    years = list(YEAR.finditer(text))
    if years and (rng.random() < 0.5 or not _find_meanings("date", text)):
        match = years[rng.integers(len(years))]
        shift = int(rng.integers(1, _MAX_YEARS)) * (1 if rng.random() < 0.5 else -1)
        return _replace("date", text, match, str(int(match.group()) + shift))
    return _change_meaning("date", text, rng)


def change_name(text: str, rng: np.random.Generator, *, names: Sequence[str] = ()) -> Change | None:
    """A name within a sentence exchanged for another of `names`, which are those of the document, say."""
    own = _match_names(text)
    others = [name for name in names if name not in text]
    if not own or not others:
        return None
    match = own[rng.integers(len(own))]
    return _replace("name", text, match, others[rng.integers(len(others))])


def change_direction(text: str, rng: np.random.Generator) -> Change | None:
    """A word exchanged for its opposite: rose and fell, accepted and rejected, open and closed.

    >>> import numpy as np
    >>> change_direction("The union accepted the offer.", np.random.default_rng(0)).text
    'The union rejected the offer.'
    """
    return _change_meaning("direction", text, rng)


def change_negation(text: str, rng: np.random.Generator) -> Change | None:
    """A negation taken out, or `not` put after an auxiliary.

    >>> import numpy as np
    >>> change_negation("The drug is safe.", np.random.default_rng(0)).text
    'The drug is not safe.'
    >>> change_negation("They found no trace.", np.random.default_rng(0)).text
    'They found trace.'
    """
    negations, auxiliaries = list(_NEGATION.finditer(text)), list(_AUXILIARY.finditer(text))
    if negations:
        return _replace("negation", text, negations[rng.integers(len(negations))], "")
    if auxiliaries:
        match = auxiliaries[0]
        return _replace("negation", text, match, f"{match.group()} not")
    return None


def change_certainty(text: str, rng: np.random.Generator) -> Change | None:
    """A hedge exchanged for its opposite: may and will, likely and unlikely, accused and cleared."""
    hedges = [match for match in _WORD.finditer(text) if match.group() in opposite_certainty()]
    if not hedges:
        return None
    match = hedges[rng.integers(len(hedges))]
    return _replace("certainty", text, match, opposite_certainty()[match.group()])


def swap_roles(text: str, rng: np.random.Generator) -> Change | None:  # noqa: ARG001
    """Who did it to whom exchanged: the words before a verb and the object after it.

    >>> import numpy as np
    >>> swap_roles("The dog bit the postman on Monday.", np.random.default_rng(0)).text
    'The postman bit the dog on Monday.'
    """
    words = list(_WORD.finditer(text))
    for position, verb in enumerate(words[1:-1], start=1):
        subject, rest = words[:position], words[position + 1 :]
        starts_object = rest[0].group()[0].isupper() or rest[0].group() in (
            "the",
            "a",
            "an",
            "his",
            "her",
            "its",
            "their",
        )
        is_phrase = len(subject) <= _MAX_ROLE_WORDS and _starts_phrase(subject[0].group())
        if not (starts_object and is_phrase and _is_verb(verb.group()) and _is_plain(subject[-1].group())):
            continue
        end = _object_end(text, rest)
        before, after = text[subject[0].start() : subject[-1].end()], text[rest[0].start() : end]
        turned = f"{_capitalise(after)}{text[subject[-1].end() : rest[0].start()]}{_decapitalise(before)}"
        start = subject[0].start()
        return Change(
            kind="role",
            text=text[:start] + turned + text[end:],
            original=text[start:end],
            replacement=turned,
            start=start,
        )
    return None


CHANGES: Mapping[ChangeKind, Callable[[str, np.random.Generator], Change | None]] = {
    "number": change_number,
    "quantity": change_quantity,
    "date": change_date,
    "name": change_name,
    "direction": change_direction,
    "negation": change_negation,
    "certainty": change_certainty,
    "role": swap_roles,
}


def _match_names(text: str) -> list[re.Match[str]]:
    return [match for match in _NAME.finditer(text) if not meanings_of(match.group().split()[0].lower())]


def _replace(kind: ChangeKind, text: str, match: re.Match[str], replacement: str) -> Change:
    changed = text[: match.start()] + replacement + text[match.end() :]
    return Change(kind=kind, text=changed, original=match.group(), replacement=replacement, start=match.start())


def _is_number(word: str) -> bool:
    return word[0].isdigit() or (word.lower() in number_words() and word.lower() != "one")


def _change_digits(word: str, rng: np.random.Generator) -> str:
    if not word[0].isdigit():
        others = [other for other in number_words() if other not in (word.lower(), "zero", "one")]
        other = others[rng.integers(len(others))]
        return other.capitalize() if word[0].isupper() else other
    digits = [position for position, letter in enumerate(word) if letter.isdigit()]
    mirrored = list(word)
    for position, opposite in zip(digits, reversed(digits), strict=True):
        mirrored[position] = word[opposite]
    if mirrored != list(word) and mirrored[0] != "0":
        return "".join(mirrored)
    changed = list(word)
    position = digits[int(rng.integers(len(digits)))]
    changed[position] = str((int(word[position]) + int(rng.integers(1, 9))) % 9 + 1)
    return "".join(changed) if changed != list(word) else f"1{word}"


def _find_meanings(kind: ExclusiveKind, text: str) -> list[re.Match[str]]:
    return [
        match
        for match in _WORD.finditer(text)
        if any(_has_form(meaning, match.group(), kind) for meaning in meanings_of(match.group().lower()))
    ]


def _has_form(meaning: Meaning, word: str, kind: ExclusiveKind) -> bool:
    """Whether a word is used in a meaning of that kind: weekdays and months are written with a capital."""
    return meaning.kind == kind and (meaning.section not in ("weekday", "month") or word[0].isupper())


def _change_meaning(kind: ExclusiveKind, text: str, rng: np.random.Generator) -> Change | None:
    """A word exchanged for the word in its position in the list of another meaning, or one with the same ending.

    A list of less than half as many words has other parts of speech: `flat` does not stand for `rose`.
    """
    matches = _find_meanings(kind, text)
    if not matches:
        return None
    match = matches[rng.integers(len(matches))]
    word = match.group().lower()
    meaning = next(meaning for meaning in meanings_of(word) if meaning.kind == kind)
    own = list_own_words(meaning)
    fitting = [
        other
        for words in list_alternatives(meaning)
        if 2 * len(words) >= len(own) and (other := fit_word(word, own.index(word), words)) is not None
    ]
    if not fitting:
        return None
    other = fitting[rng.integers(len(fitting))]
    return _replace(kind, text, match, other.capitalize() if match.group()[0].isupper() else other)


def fit_word(word: str, position: int, others: Sequence[str]) -> str | None:
    """The word in this position of another list, if it ends as the word does, or the first that does."""
    alike = [other for other in others if _ending(other) == _ending(word)]
    if position < len(others) and others[position] in alike:
        return others[position]
    return alike[0] if alike else None


def _ending(word: str) -> str:
    """The ending that decides where a word fits: -ing, -ed, -s, -er, -est, or none."""
    return next((ending for ending in ("ing", "ed", "est", "er", "s") if word.endswith(ending)), "")


def _starts_phrase(word: str) -> bool:
    return len(word) > 1 and word[0].isupper() and word.lower() not in list_words("pronouns")


def _is_verb(word: str) -> bool:
    """Whether a word is a verb in the past or present, by its ending or the list of irregular ones."""
    return word.endswith(("ed", "es")) or word in list_words("past_verbs")


def _is_plain(word: str) -> bool:
    """Whether a word is neither an auxiliary nor one that announces another."""
    return (
        not _AUXILIARY.fullmatch(word)
        and word not in list_words("before_nouns")
        and word not in list_words("negations")
    )


def _object_end(text: str, words: Sequence[re.Match[str]]) -> int:
    """Where the object ends that starts with the first of these words: before a sign or a word that starts another."""
    end = words[0].end()
    for word in words[1:_MAX_ROLE_WORDS]:
        if (
            text[end : word.start()] != " "
            or not _is_plain(word.group())
            or word.group() in list_words("after_objects")
        ):
            break
        end = word.end()
    return end


def _capitalise(text: str) -> str:
    return text[0].upper() + text[1:]


def _decapitalise(text: str) -> str:
    """The first letter small, if the first word is no name."""
    first = text.split(maxsplit=1)[0].lower()
    return text[0].lower() + text[1:] if first in list_words("before_nouns") else text
