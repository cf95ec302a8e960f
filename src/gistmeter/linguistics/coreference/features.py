"""What speaks for two mentions being of the same thing: the candidates of a mention, and features of each pair."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.linguistics.coreference.names import is_initials, may_be_same_name
from gistmeter.linguistics.coreference.syntax import SUBJECTS
from gistmeter.linguistics.coreference.words import coreference_words
from gistmeter.linguistics.people.words import people_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from spacy.tokens import Token

    from gistmeter.linguistics.coreference.mentions import Mention

_REACH = {"pronoun": 3, "name": 10_000, "noun": 10_000}
"""How many sentences back a mention may be meant. Names and nouns need a word in common, or stand near."""

_NEAR = 3
_MOST = 50

PEOPLE = frozenset({"PERSON", "person", "male", "female"})
_GROUPS = frozenset({"ORG", "group", "GPE", "NORP"})


def find_candidates(found: Sequence[Mention], place: int) -> list[Mention]:
    """The earlier mentions that a mention may go back to, the nearest first."""
    mention = found[place]
    chosen: list[Mention] = []
    for other in reversed(found[:place]):
        if mention.sentence - other.sentence > _REACH[mention.kind] or len(chosen) == _MOST:
            break
        if _may_be(other, mention):
            chosen.append(other)
    return chosen


def _may_be(other: Mention, mention: Mention) -> bool:
    if contains(other, mention):
        return False
    if not set(other.genders) & set(mention.genders) or not set(other.numbers) & set(mention.numbers):
        return False
    if mention.is_pronoun:
        return _pronoun_may_be(other, mention)
    if other.is_pronoun:
        cataphor = other.type not in ("demonstrative",) and other.sentence == mention.sentence
        return (cataphor and other.quoted == mention.quoted) or mention.speaker_of(other)
    if shares_word(other, mention) or may_be_same_name(other, mention):
        return True
    near = mention.sentence - other.sentence <= _NEAR
    return near and mention.definite in ("the", "this", "possessive", "bare") and _same_sort(other, mention)


def contains(other: Mention, mention: Mention) -> bool:
    """Whether a phrase holds a mention, so that they cannot be one; a pronoun in a clause after the noun may be."""
    if not (other.start <= mention.start and mention.end <= other.end):
        return False
    if not mention.is_pronoun or mention.head.i < other.head.i or other.type == "joined":
        return True
    inner = [word for word in mention.head.ancestors if word.i > other.head.i and word.head.i <= other.head.i]
    return not any(word.dep_ in ("relcl", "acl", "appos") and word != mention.head for word in inner)


def _pronoun_may_be(other: Mention, mention: Mention) -> bool:
    if mention.type in ("first_singular", "second", "first_plural"):
        return other.type == mention.type or not other.is_pronoun or other.quoted != mention.quoted
    if other.type in ("first_singular", "second", "first_plural"):
        return other.quoted != mention.quoted
    return (other.type == "demonstrative") <= (mention.type in ("neuter", "demonstrative"))


def _same_sort(other: Mention, mention: Mention) -> bool:
    sorts = (other.type, mention.type)
    return any(all(sort in kinds for sort in sorts) for kinds in (PEOPLE, _GROUPS))


def shares_word(other: Mention, mention: Mention) -> bool:
    """Whether the head of one is a word of the other."""
    return (
        mention.lemma == other.lemma
        or mention.lower in other.full
        or (other.lower in mention.words)
        or (len(mention.words) == 1 and is_initials(mention, other))
        or (len(other.words) == 1 and is_initials(other, mention))
    )


def describe_new_mention(mention: Mention) -> list[str]:
    """What speaks for a mention being new, or of nothing that is mentioned again."""
    sort = _sort(mention)
    head = mention.head
    found = [
        f"new {sort}",
        f"new {sort} {mention.definite}",
        f"new {sort} {mention.role}",
        f"new {mention.kind} {mention.type} {mention.numbers}",
        f"new {sort} first {mention.sentence == 0} quoted {bool(mention.quoted)}",
    ]
    if mention.is_pronoun:
        found += [
            f"new {mention.lower}",
            f"new {mention.lower} {mention.role}",
            f"new {mention.lower} before {_next(head)}",
        ]
        if mention.type in ("neuter", "demonstrative"):
            found.append(f"new it {_is_empty(head)}")
            found.append(f"new it {mention.above}")
    else:
        found += [f"new length {min(len(mention.words), 4)} {sort}", f"new rest {mention.rest} {mention.definite}"]
    return found


def describe_pair(other: Mention, mention: Mention) -> list[str]:
    """What speaks for a mention going back to another."""
    sort, before = _sort(mention), _sort(other)
    both = f"{sort}<{before}"
    far = mention.sentence - other.sentence
    near = _bucket(mention.place - other.place)
    found = [
        both,
        f"{both} sentences {min(far, 4)}",
        f"{sort} mentions {near}",
        f"{both} mentions {near}",
        f"{sort} {min(far, 2)} {mention.role}<{other.role}",
        f"{sort} {before} {other.role} {min(far, 2)}",
        f"{sort} same role {mention.role == other.role} {min(far, 2)}",
        f"{sort} type {mention.type}<{other.type}",
        f"{sort} definite {mention.definite}<{other.definite}",
        f"{sort} genders {mention.genders}<{other.genders}",
        f"{sort} hint {other.hint} {other.type}",
        f"{sort} numbers {mention.numbers}<{other.numbers}",
        f"{sort} quoted {_quotation(other, mention)}",
        f"{sort} seen {min(other.seen, 3)}",
        f"{sort} clause {describe_clauses(other, mention)}",
        f"{sort} speaker {mention.speaker_of(other) or other.speaker_of(mention)}",
        f"{sort} first {other.first} {min(far, 2)}",
    ]
    if mention.is_pronoun:
        found.append(f"{mention.lower}<{other.lower if other.is_pronoun else before}")
        found.append(f"{sort} inner {other.inner} {min(far, 2)}")
        found.append(f"{sort} verb {mention.above == other.above}")
        found.append(f"{sort} length {_bucket(other.end - other.start)}")
    else:
        found += _word_features(other, mention, sort, far)
    return found


def _word_features(other: Mention, mention: Mention, sort: str, far: int) -> Iterator[str]:
    """What the words of two nouns or names say."""
    ours, theirs = set(mention.words), set(other.words)
    same = mention.words == other.words
    yield f"{sort} equal {same} {mention.definite} {min(len(mention.words), 3)}"
    yield f"{sort} equal {same} far {_bucket(far)}"
    yield f"{sort} full {mention.full == other.full} {mention.rest} {other.rest}"
    yield f"{sort} head {mention.lemma == other.lemma} inside {ours <= theirs} {theirs <= ours}"
    yield f"{sort} head in {mention.lower in other.full} {other.lower in mention.words}"
    yield f"{sort} name {may_be_same_name(other, mention)} {mention.type} {other.type}"
    yield f"{sort} all in {ours <= theirs | set(other.full)} {mention.definite}"
    yield f"{sort} inside {mention.start < other.end}"
    yield f"{sort} initials {len(ours) == 1 and is_initials(mention, other)}"
    ones, twos = (frozenset(word for word in one.full if word.isdigit()) for one in (mention, other))
    yield f"{sort} figures {ones == twos} {bool(ones)} {bool(twos)}"
    yield f"{sort} same definite {mention.definite == other.definite} {mention.possessor == other.possessor}"


def describe_clauses(other: Mention, mention: Mention) -> str:
    """How two mentions of a sentence stand to each other: which may not be one, and which must."""
    if other.head.doc is not mention.head.doc or other.sentence != mention.sentence:
        return "apart"
    if mention.start < other.end:
        return "inside"
    one, two = other.head, mention.head
    if two.dep_ == "appos" and two.head == one:
        return "appos"
    reflexive = two.lower_ in people_words("pronouns", "reflexive")
    above, below = _verb(one), _verb(two)
    if two.dep_ == "attr" and above == below:
        return "attribute"
    if above == below:
        place = "possessor" if two.dep_ == "poss" else "with" if two.head.dep_ == "prep" else "same"
        return f"{place} {other.role}{' reflexive' if reflexive else ''}"
    if above is not None and below is not None and above in below.ancestors:
        return f"below {other.role} {below.dep_}"
    if above is not None and below is not None and below in above.ancestors:
        return "above"
    return "beside"


def _verb(word: Token) -> Token | None:
    return next((above for above in word.ancestors if above.pos_ in ("VERB", "AUX")), None)


def _sort(mention: Mention) -> str:
    """The short name of what a mention is."""
    if mention.is_pronoun:
        return mention.type
    if mention.kind == "name":
        return "person name" if mention.type == "PERSON" else "name"
    return "people" if mention.type in PEOPLE else "noun"


def _bucket(number: int) -> str:
    for limit in (0, 1, 2, 3, 4, 6, 9, 14, 24, 49):
        if number <= limit:
            return str(limit)
    return "more"


def _quotation(other: Mention, mention: Mention) -> str:
    if other.quoted == mention.quoted:
        return "same" if other.quoted else "none"
    return f"{bool(other.quoted)} {bool(mention.quoted)}"


def _next(head: Token) -> str:
    return str(head.nbor().lemma_) if head.i + 1 < len(head.doc) else ""


def _is_empty(head: Token) -> bool:
    """Whether an `it` stands for nothing: `it is good that`, `it seems`."""
    verb = head.head
    if head.dep_ not in SUBJECTS:
        return False
    if verb.lemma_ in coreference_words("pleonastic_verbs"):
        return True
    return (verb.lemma_ == "be" and any(child.dep_ in ("ccomp", "xcomp", "advcl") for child in verb.rights)) or any(
        child.dep_ in ("ccomp", "xcomp")
        for word in verb.rights
        if word.dep_ in ("acomp", "attr")
        for child in word.rights
    )
