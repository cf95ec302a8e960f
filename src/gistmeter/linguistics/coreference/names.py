"""Names that say the same: in full, by last or first name, by initials. What one says of gender, all say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.linguistics.people.words import people_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.linguistics.coreference.mentions import Mention


def link_names(found: Sequence[Mention]) -> None:
    """Write into each name the first mention of that name, and how often it came before; share what is known."""
    groups: dict[int, list[Mention]] = {}
    for mention in found:
        if mention.kind != "name":
            continue
        earlier = next(
            (one for group in reversed(groups.values()) for one in group if may_be_same_name(one, mention)), None
        )
        mention.name = mention.place if earlier is None else earlier.name
        group = groups.setdefault(mention.name, [])
        mention.seen = len({(one.start, one.head.i) for one in group})
        group.append(mention)
    for group in groups.values():
        _share_gender(group)


def may_be_same_name(one: Mention, two: Mention) -> bool:
    """Whether two names can be the same: equal, the last or first word of a person's full name, or initials."""
    if one.kind != "name" or two.kind != "name":
        return False
    genders = bool(set(one.genders) & set(two.genders))
    if one.words == two.words:
        return genders
    short, long = sorted((one, two), key=lambda mention: len(mention.words))
    if len(long.words) == len(short.words) or _is_inside(one, two):
        return False
    if len(short.words) > 1:
        return genders and long.words[-len(short.words) :] == short.words
    if is_initials(short, long):
        return True
    if short.words[0] == long.words[-1]:  # A last name says no gender: `Rose` after `Justin Rose`.
        return _is_person(long) and (genders or short.words == (short.lower,))
    return genders and _is_person(long) and short.words[0] == _first_name(long)


def _is_person(mention: Mention) -> bool:
    first = mention.words[0]
    known = first in people_words("names", "male") or first in people_words("names", "female")
    return mention.type == "PERSON" or (known and mention.type in ("-", "ORG", "GPE", "NORP"))


def is_initials(short: Mention, long: Mention) -> bool:
    """Whether a word in capitals has the initials of a longer name: `BBC`."""
    word = short.words[0].replace(".", "")
    if len(word) < 2 or len(long.words) < 2 or not short.head.text.replace(".", "").isupper():
        return False
    return word == "".join(part[0] for part in long.words if part not in ("of", "and", "for", "the"))


def _first_name(mention: Mention) -> str:
    rest = [word for word in mention.words if word not in people_words("titles", "person")]
    return rest[0] if rest else ""


def _is_inside(one: Mention, two: Mention) -> bool:
    return (one.start <= two.start and two.end <= one.end) or (two.start <= one.start and one.end <= two.end)


def _share_gender(group: Sequence[Mention]) -> None:
    """Take from all what is ruled out by one, unless nothing would be left; full names count before single words."""
    longest = max(len(mention.words) for mention in group)
    left = set("mfn")
    for mention in group:
        if longest == 1 or len(mention.words) > 1:
            left &= set(mention.genders)
    if left:
        hint = next((mention.hint for mention in group if len(mention.words) > 1 and mention.hint), "")
        for mention in group:
            mention.genders = "".join(letter for letter in "mfn" if letter in left)
            mention.hint = hint or mention.hint
