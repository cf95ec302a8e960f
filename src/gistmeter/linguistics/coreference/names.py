"""Names of the same person or thing: in full, by last or first name, by initials; they share their gender."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.linguistics.people.words import people_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.linguistics.coreference.mentions import Mention


def link_names(mentions: Sequence[Mention]) -> None:
    """Write into each name the first mention of that name and how often it came before, and share genders."""
    groups: dict[int, list[Mention]] = {}
    for mention in mentions:
        if mention.kind != "name":
            continue
        earlier = next(
            (other for group in reversed(groups.values()) for other in group if may_be_same_name(other, mention)), None
        )
        mention.first_named = mention.number if earlier is None else earlier.first_named
        group = groups.setdefault(mention.first_named, [])
        mention.earlier_names = len({(other.start, other.head.i) for other in group})
        group.append(mention)
    for group in groups.values():
        _share_gender(group)


def may_be_same_name(mention: Mention, other: Mention) -> bool:
    """Whether two names can be the same: equal, the last or first word of a person's full name, or initials.

    `mention` is the earlier of the two.
    """
    if mention.kind != "name" or other.kind != "name":
        return False
    genders_fit = bool(set(mention.genders) & set(other.genders))
    if mention.words == other.words:
        return genders_fit
    short, long = sorted((mention, other), key=lambda name: len(name.words))
    if len(long.words) == len(short.words) or _is_inside(mention, other):
        return False
    if len(short.words) > 1:
        return genders_fit and long.words[-len(short.words) :] == short.words
    if is_initials(short, long):
        return True
    if short.words[0] == long.words[-1]:  # A last name says no gender: `Rose` after `Justin Rose`.
        return _is_person(long) and (genders_fit or short.words == (short.lower,))
    return genders_fit and _is_person(long) and short.words[0] == _first_name(long)


def _is_person(mention: Mention) -> bool:
    first = mention.words[0]
    is_first_name = first in people_words("names", "male") or first in people_words("names", "female")
    return mention.type == "PERSON" or (is_first_name and mention.type in ("-", "ORG", "GPE", "NORP"))


def is_initials(short: Mention, long: Mention) -> bool:
    """Whether a word in capitals has the initials of a longer name: `BBC`."""
    word = short.words[0].replace(".", "")
    if len(word) < 2 or len(long.words) < 2 or not short.head.text.replace(".", "").isupper():
        return False
    return word == "".join(part[0] for part in long.words if part not in ("of", "and", "for", "the"))


def _first_name(mention: Mention) -> str:
    names = [word for word in mention.words if word not in people_words("titles", "person")]
    return names[0] if names else ""


def _is_inside(mention: Mention, other: Mention) -> bool:
    """Whether a mention holds a later one; of two with one start the longer comes first."""
    return mention.start <= other.start and other.end <= mention.end


def _share_gender(group: Sequence[Mention]) -> None:
    """Take from all mentions of a name the genders that one of them rules out, unless none would be left.

    Full names count before single words.
    """
    longest = max(len(mention.words) for mention in group)
    genders = set("mfn")
    for mention in group:
        if longest == 1 or len(mention.words) > 1:
            genders &= set(mention.genders)
    if genders:
        hint = next((mention.gender_hint for mention in group if len(mention.words) > 1 and mention.gender_hint), "")
        for mention in group:
            mention.genders = "".join(letter for letter in "mfn" if letter in genders)
            mention.gender_hint = hint or mention.gender_hint
