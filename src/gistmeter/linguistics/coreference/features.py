"""What speaks for two mentions being of the same person or thing: candidates of a mention, and features of pairs.

A feature is a short text; the network has a row of weights for each text that it met in training.
"""

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

REACH_SENTENCES = {"pronoun": 3, "name": 10_000, "noun": 10_000}
"""How many sentences back a mention may be meant. Names and nouns need a word in common, or stand near."""

NEAR_SENTENCES = 3
"""Nouns without a word in common may be of the same person or group up to so many sentences apart."""

MAX_CANDIDATES = 50

PERSON_KINDS = frozenset({"PERSON", "person", "male", "female"})
GROUP_KINDS = frozenset({"ORG", "group", "GPE", "NORP"})


def find_candidates(mentions: Sequence[Mention], number: int) -> list[Mention]:
    """The earlier mentions that a mention may go back to, the nearest first."""
    mention = mentions[number]
    candidates: list[Mention] = []
    for other in reversed(mentions[:number]):
        if mention.sentence - other.sentence > REACH_SENTENCES[mention.kind] or len(candidates) == MAX_CANDIDATES:
            break
        if _may_corefer(other, mention):
            candidates.append(other)
    return candidates


def _may_corefer(other: Mention, mention: Mention) -> bool:
    """Whether rules allow that a mention goes back to an earlier one: by gender, number, quotation and words."""
    if contains(other, mention):
        return False
    if not set(other.genders) & set(mention.genders) or not set(other.numbers) & set(mention.numbers):
        return False
    if mention.is_pronoun:
        return _pronoun_may_corefer(other, mention)
    if other.is_pronoun:
        is_cataphor = other.type not in ("demonstrative",) and other.sentence == mention.sentence
        return (is_cataphor and other.quotation == mention.quotation) or mention.is_speaker_of(other)
    if shares_word(other, mention) or may_be_same_name(other, mention):
        return True
    is_near = mention.sentence - other.sentence <= NEAR_SENTENCES
    return is_near and mention.determiner in ("the", "this", "possessive", "bare") and _have_same_kind(other, mention)


def contains(other: Mention, mention: Mention) -> bool:
    """Whether a phrase holds a mention, so that both cannot be the same; a pronoun in a clause after the noun may."""
    if not (other.start <= mention.start and mention.end <= other.end):
        return False
    if not mention.is_pronoun or mention.head.i < other.head.i or other.type == "joined":
        return True
    inner = [word for word in mention.head.ancestors if word.i > other.head.i and word.head.i <= other.head.i]
    return not any(word.dep_ in ("relcl", "acl", "appos") and word != mention.head for word in inner)


def _pronoun_may_corefer(other: Mention, mention: Mention) -> bool:
    if mention.type in ("first_singular", "second", "first_plural"):
        return other.type == mention.type or not other.is_pronoun or other.quotation != mention.quotation
    if other.type in ("first_singular", "second", "first_plural"):
        return other.quotation != mention.quotation
    return (other.type == "demonstrative") <= (mention.type in ("neuter", "demonstrative"))


def _have_same_kind(other: Mention, mention: Mention) -> bool:
    types = (other.type, mention.type)
    return any(all(kind in group for kind in types) for group in (PERSON_KINDS, GROUP_KINDS))


def shares_word(other: Mention, mention: Mention) -> bool:
    """Whether the head of either mention is a word of the other, or its initials."""
    return (
        mention.lemma == other.lemma
        or mention.lower in other.content_words
        or (other.lower in mention.words)
        or (len(mention.words) == 1 and is_initials(mention, other))
        or (len(other.words) == 1 and is_initials(other, mention))
    )


def describe_new_mention(mention: Mention) -> list[str]:
    """The features that speak for a mention being new, or of nothing that is mentioned again."""
    kind = _name_kind(mention)
    head = mention.head
    names = [
        f"new {kind}",
        f"new {kind} {mention.determiner}",
        f"new {kind} {mention.role}",
        f"new {mention.kind} {mention.type} {mention.numbers}",
        f"new {kind} first {mention.sentence == 0} quoted {bool(mention.quotation)}",
    ]
    if mention.is_pronoun:
        names += [
            f"new {mention.lower}",
            f"new {mention.lower} {mention.role}",
            f"new {mention.lower} before {_next_lemma(head)}",
        ]
        if mention.type in ("neuter", "demonstrative"):
            names.append(f"new it {_is_pleonastic(head)}")
            names.append(f"new it {mention.head_lemma}")
    else:
        names += [
            f"new length {min(len(mention.words), 4)} {kind}",
            f"new rest {mention.has_postmodifier} {mention.determiner}",
        ]
    return names


def describe_pair(other: Mention, mention: Mention) -> list[str]:
    """The features that speak for a mention going back to another."""
    kind, other_kind = _name_kind(mention), _name_kind(other)
    kinds = f"{kind}<{other_kind}"
    sentences = mention.sentence - other.sentence
    mentions = _bucket(mention.number - other.number)
    names = [
        kinds,
        f"{kinds} sentences {min(sentences, 4)}",
        f"{kind} mentions {mentions}",
        f"{kinds} mentions {mentions}",
        f"{kind} {min(sentences, 2)} {mention.role}<{other.role}",
        f"{kind} {other_kind} {other.role} {min(sentences, 2)}",
        f"{kind} same role {mention.role == other.role} {min(sentences, 2)}",
        f"{kind} type {mention.type}<{other.type}",
        f"{kind} definite {mention.determiner}<{other.determiner}",
        f"{kind} genders {mention.genders}<{other.genders}",
        f"{kind} hint {other.gender_hint} {other.type}",
        f"{kind} numbers {mention.numbers}<{other.numbers}",
        f"{kind} quoted {_compare_quotations(other, mention)}",
        f"{kind} seen {min(other.earlier_names, 3)}",
        f"{kind} clause {describe_clauses(other, mention)}",
        f"{kind} speaker {mention.is_speaker_of(other) or other.is_speaker_of(mention)}",
        f"{kind} first {other.starts_sentence} {min(sentences, 2)}",
    ]
    if mention.is_pronoun:
        names.append(f"{mention.lower}<{other.lower if other.is_pronoun else other_kind}")
        names.append(f"{kind} inner {other.is_nested} {min(sentences, 2)}")
        names.append(f"{kind} verb {mention.head_lemma == other.head_lemma}")
        names.append(f"{kind} length {_bucket(other.end - other.start)}")
    else:
        names += _describe_words(other, mention, kind, sentences)
    return names


def _describe_words(other: Mention, mention: Mention, kind: str, sentences: int) -> Iterator[str]:
    """The features of the words of two nouns or names; `sentences` is how many sentences they are apart."""
    words, other_words = set(mention.words), set(other.words)
    are_equal = mention.words == other.words
    yield f"{kind} equal {are_equal} {mention.determiner} {min(len(mention.words), 3)}"
    yield f"{kind} equal {are_equal} far {_bucket(sentences)}"
    have_same_content = mention.content_words == other.content_words
    yield f"{kind} full {have_same_content} {mention.has_postmodifier} {other.has_postmodifier}"
    yield f"{kind} head {mention.lemma == other.lemma} inside {words <= other_words} {other_words <= words}"
    yield f"{kind} head in {mention.lower in other.content_words} {other.lower in mention.words}"
    yield f"{kind} name {may_be_same_name(other, mention)} {mention.type} {other.type}"
    yield f"{kind} all in {words <= other_words | set(other.content_words)} {mention.determiner}"
    yield f"{kind} inside {mention.start < other.end}"
    yield f"{kind} initials {len(words) == 1 and is_initials(mention, other)}"
    figures = {word for word in mention.content_words if word.isdigit()}
    other_figures = {word for word in other.content_words if word.isdigit()}
    yield f"{kind} figures {figures == other_figures} {bool(figures)} {bool(other_figures)}"
    yield f"{kind} same definite {mention.determiner == other.determiner} {mention.possessor == other.possessor}"


def describe_clauses(other: Mention, mention: Mention) -> str:
    """How two mentions of a sentence stand to each other: some relations rule out that they are the same."""
    if other.head.doc is not mention.head.doc or other.sentence != mention.sentence:
        return "apart"
    if mention.start < other.end:
        return "inside"
    other_head, head = other.head, mention.head
    if head.dep_ == "appos" and head.head == other_head:
        return "appos"
    is_reflexive = head.lower_ in people_words("pronouns", "reflexive")
    other_verb, verb = _find_verb(other_head), _find_verb(head)
    if head.dep_ == "attr" and other_verb == verb:
        return "attribute"
    if other_verb == verb:
        relation = "possessor" if head.dep_ == "poss" else "with" if head.head.dep_ == "prep" else "same"
        return f"{relation} {other.role}{' reflexive' if is_reflexive else ''}"
    if other_verb is not None and verb is not None and other_verb in verb.ancestors:
        return f"below {other.role} {verb.dep_}"
    if other_verb is not None and verb is not None and verb in other_verb.ancestors:
        return "above"
    return "beside"


def _find_verb(word: Token) -> Token | None:
    return next((above for above in word.ancestors if above.pos_ in ("VERB", "AUX")), None)


def _name_kind(mention: Mention) -> str:
    """The kind of a mention, as features name it."""
    if mention.is_pronoun:
        return mention.type
    if mention.kind == "name":
        return "person name" if mention.type == "PERSON" else "name"
    return "people" if mention.type in PERSON_KINDS else "noun"


def _bucket(number: int) -> str:
    """The range that a number falls into, by its upper limit."""
    for limit in (0, 1, 2, 3, 4, 6, 9, 14, 24, 49):
        if number <= limit:
            return str(limit)
    return "more"


def _compare_quotations(other: Mention, mention: Mention) -> str:
    if other.quotation == mention.quotation:
        return "same" if other.quotation else "none"
    return f"{bool(other.quotation)} {bool(mention.quotation)}"


def _next_lemma(head: Token) -> str:
    return str(head.nbor().lemma_) if head.i + 1 < len(head.doc) else ""


def _is_pleonastic(head: Token) -> bool:
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
