"""Coreference in English: which names, nouns and pronouns of a text speak of the same person or thing.

Rules find the mentions, what each may stand for and which earlier ones it may go back to; a small network
(`gistmeter train coreference` made it) weighs what speaks for each of them and for none.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from gistmeter.errors import MetricError
from gistmeter.linguistics.coreference import RULES_VERSION
from gistmeter.linguistics.coreference.features import (
    PERSON_KINDS,
    contains,
    describe_clauses,
    describe_new_mention,
    describe_pair,
    find_candidates,
)
from gistmeter.linguistics.coreference.mentions import find_mentions
from gistmeter.linguistics.coreference.names import link_names, may_be_same_name
from gistmeter.linguistics.network_file import NetworkFormat
from gistmeter.linguistics.parser import load_parser
from gistmeter.linguistics.people.words import people_words
from gistmeter.text.languages import language_code
from gistmeter.weights import EMBEDDED, digest_files

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from spacy.tokens import Doc

    from gistmeter.arrays import SingleArray
    from gistmeter.linguistics.coreference.mentions import Mention

    Clusters = list[list[tuple[int, int]]]

CAUTION = -0.5
"""How much more, in logits, must speak for a link than for none. Less finds more: -1 gives the best CoNLL score on
GUM's dev (.547 for .537), but more wrong links, which make false units."""

DESCRIPTION_REACH_SENTENCES = 2
"""How many sentences back a person may be named whom a description such as `the coach` means."""

BARRED_RELATIONS = ("same subject", "same inner subject", "with subject", "with inner subject")
"""Relations to a subject in its own clause in which it cannot be named again: `she thanked her coach`."""

_FORMAT = NetworkFormat("coreference network", "gistmeter train coreference", ("table", "bias", "out"))


@dataclass(frozen=True, slots=True)
class Choice:
    """A mention, the earlier ones it may go back to, and what speaks for none (first) and for each of them."""

    mention: Mention
    others: list[Mention]
    features: list[list[str]]


@dataclass(frozen=True, slots=True)
class Linker:
    """The network: the sum of a row for each feature, one hidden layer, and one number out of it."""

    rows: Mapping[str, int]
    table: SingleArray
    """A row for each feature; its last number goes straight to the result."""

    bias: SingleArray
    out: SingleArray
    digest: str

    def scores(self, feature_lists: Sequence[Sequence[str]]) -> SingleArray:
        """The score of each list of features, in logits: how much it speaks for a link."""
        row_lists = [[self.rows[name] for name in features if name in self.rows] for features in feature_lists]
        starts = [0, *accumulate(len(rows) for rows in row_lists)][:-1]
        flat_rows = np.array([row for rows in row_lists for row in rows] + [0], np.int64)
        sums = np.add.reduceat(self.table[flat_rows], starts, axis=0) if row_lists else self.table[:0]
        sums[np.array([not rows for rows in row_lists], bool)] = 0
        hidden = np.maximum(sums[:, :-1] + self.bias, 0)
        total: SingleArray = hidden @ self.out + sums[:, -1]
        return total


def find_clusters(sentences: Sequence[str], name: str = EMBEDDED, language: str = "en") -> Clusters:
    """The mentions of each thing that is mentioned more than once, as spans of the words of all sentences.

    Words are those of `gistmeter.linguistics.roles.labeller.label_roles`, counted through all sentences.

    >>> find_clusters(["Ann Lee won the race in May.", "She thanked her coach."])
    [[(0, 2), (8, 9), (10, 11)]]
    """
    code = language_code(language)
    if code != "en":
        raise MetricError(f"the embedded coreference reads English only, not {code!r}: give it in a file instead")
    return link_mentions(load_parser(name, language).parse(sentences, entities=True), load_linker())


def link_mentions(docs: Sequence[Doc], network: Linker, *, caution: float = CAUTION) -> Clusters:
    """The mentions of each thing that parsed sentences mention more than once, as spans of their words.

    `network` weighs the features; `caution` is how much more, in logits, must speak for a link than for none.
    """
    choices = list_choices(docs)
    if not choices:
        return []
    scores = network.scores([features for choice in choices for features in choice.features])
    group_of: dict[int, list[Mention]] = {}
    for choice, choice_scores in zip(choices, np.split(scores, _feature_bounds(choices)), strict=True):
        group = _choose_group(choice, choice_scores, group_of, caution)
        if group is None:
            group = _find_namesake(choice.mention, group_of) or _find_described_person(choice.mention, group_of)
        if group is None:
            group_of[choice.mention.number] = [choice.mention]
        else:
            group.append(choice.mention)
            group_of[choice.mention.number] = group
    distinct = {id(members): members for members in group_of.values() if len(members) > 1}
    return [[(mention.start, mention.end) for mention in members] for members in distinct.values()]


def list_choices(docs: Sequence[Doc]) -> list[Choice]:
    """What is to be decided in a text, mention by mention: which earlier one each goes back to, if any."""
    mentions = find_mentions(docs)
    link_names(mentions)
    choices = []
    for mention in mentions:
        others = find_candidates(mentions, mention.number)
        features = [describe_new_mention(mention), *(describe_pair(other, mention) for other in others)]
        choices.append(Choice(mention, others, features))
    return choices


def _feature_bounds(choices: Sequence[Choice]) -> list[int]:
    return list(accumulate(len(choice.features) for choice in choices))[:-1]


def _choose_group(
    choice: Choice, scores: SingleArray, group_of: Mapping[int, list[Mention]], caution: float
) -> list[Mention] | None:
    """The group with the highest score of all its mentions together, if that is more than the score for none."""
    sums: dict[int, float] = {}
    for other, score in zip(choice.others, scores[1:], strict=True):
        key = id(group_of[other.number])
        sums[key] = float(np.logaddexp(sums.get(key, -np.inf), score))
    groups = {id(group_of[other.number]): group_of[other.number] for other in choice.others}
    for key in sorted(sums, key=lambda key: -sums[key]):
        if sums[key] <= scores[0] + caution:
            return None
        if not _is_impossible(choice.mention, groups[key]):
            return groups[key]
    return None


def _find_namesake(mention: Mention, group_of: Mapping[int, list[Mention]]) -> list[Mention] | None:
    """The group that has a person's name already."""
    if mention.first_named in (-1, mention.number) or mention.is_inner_name:
        return None
    group = group_of[mention.first_named]
    is_person = any(
        member.type == "PERSON" for member in (mention, *group) if member.first_named == mention.first_named
    )
    return group if is_person and not _is_impossible(mention, group) else None


def _find_described_person(mention: Mention, group_of: Mapping[int, list[Mention]]) -> list[Mention] | None:
    """The group of the only person who was named so far, for `the 43-year-old` and, if near, `the coach`."""
    is_description = (
        mention.determiner == "the"
        and mention.type in PERSON_KINDS
        and mention.kind == "noun"
        and not mention.has_postmodifier
    )
    if mention.numbers != "s" or not (mention.is_age or is_description):
        return None
    named_groups = {id(group): group for group in group_of.values() if any(member.type == "PERSON" for member in group)}
    possible_groups = [group for group in named_groups.values() if not _is_impossible(mention, group)]
    if len(possible_groups) != 1 or (len(named_groups) != 1 and not mention.is_age):
        return None
    distance = mention.sentence - possible_groups[0][-1].sentence
    return possible_groups[0] if distance <= DESCRIPTION_REACH_SENTENCES else None


def _is_impossible(mention: Mention, group: Sequence[Mention]) -> bool:
    """Whether a mention cannot be of a group: by gender, by another name, or by its relation in the sentence."""
    genders = set(mention.genders)
    for other in group:
        genders &= set(other.genders)
    if not genders:
        return True
    if mention.kind == "name":
        names = [other for other in group if other.kind == "name"]
        return bool(names) and not any(may_be_same_name(other, mention) for other in names)
    if any(contains(other, mention) for other in group):
        return True
    if mention.lower in people_words("pronouns", "reflexive"):
        return False
    barred_relations = BARRED_RELATIONS[:2] if mention.is_pronoun else BARRED_RELATIONS
    return any(describe_clauses(other, mention) in barred_relations for other in group)


def coreference_identity() -> str:
    """What decides the clusters, beside the parser: the version of the rules and a digest of the network."""
    return f"{RULES_VERSION}+{digest_files([coreference_file()])}"


def coreference_file() -> Path:
    """The file of the network that comes with gistmeter."""
    return Path(__file__).parent / "weights.safetensors"


@functools.lru_cache(maxsize=2)
def load_linker(path: str | Path | None = None) -> Linker:
    """The network that comes with gistmeter, or one from a file."""
    file = coreference_file() if path is None else Path(path).expanduser()
    stored = _FORMAT.read(file)
    try:
        names = msgspec.json.decode(stored.metadata.get("features", "[]"), type=list[str])
    except (msgspec.DecodeError, RecursionError):
        names = []
    _FORMAT.check(file, fits=len(names) == len(stored.arrays["table"]))
    return make_linker(names, stored.arrays, stored.digest)


def make_linker(names: Sequence[str], arrays: Mapping[str, SingleArray], digest: str) -> Linker:
    """A network from the names of its features and its weights."""
    rows = {name: row for row, name in enumerate(names)}
    return Linker(rows=rows, table=arrays["table"], bias=arrays["bias"], out=arrays["out"], digest=digest)
