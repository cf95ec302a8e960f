"""Coreference in English: which names, nouns and pronouns of a text speak of the same person or thing.

Rules find the mentions, what each may stand for and which earlier ones it may go back to; a small network
(`gistmeter train coreference` made it) weighs what speaks for each of them and for none.
"""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import MetricError
from gistmeter.extras import require
from gistmeter.linguistics.coreference import RULES_VERSION
from gistmeter.linguistics.coreference.features import (
    PEOPLE,
    contains,
    describe_clauses,
    describe_new_mention,
    describe_pair,
    find_candidates,
)
from gistmeter.linguistics.coreference.mentions import find_mentions
from gistmeter.linguistics.coreference.names import link_names, may_be_same_name
from gistmeter.linguistics.parser import load_parser
from gistmeter.linguistics.people.words import people_words
from gistmeter.text.languages import language_code
from gistmeter.weights import EMBEDDED, files_digest

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from spacy.tokens import Doc

    from gistmeter.arrays import SingleArray
    from gistmeter.linguistics.coreference.mentions import Mention

    Clusters = list[list[tuple[int, int]]]

CAUTION = -0.5
"""How much more, in logits, must speak for a link than for none. Less finds more: -1 gives the best CoNLL score on
GUM's dev (.547 for .537), but more wrong links, which make false units."""

_NEAR = 2
_BARRED = ("same subject", "same inner subject", "with subject", "with inner subject")
"""Places in the clause of a subject where it cannot be named again: `she thanked her coach`."""

_ARRAYS = {"table", "bias", "out"}


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

    def scores(self, found: Sequence[Sequence[str]]) -> SingleArray:
        """How much speaks for each list of features."""
        lists = [[self.rows[name] for name in one if name in self.rows] for one in found]
        starts = [0, *accumulate(len(one) for one in lists)][:-1]
        flat = np.array([row for one in lists for row in one] + [0], np.int64)
        sums = np.add.reduceat(self.table[flat], starts, axis=0) if lists else self.table[:0]
        sums[np.array([not one for one in lists], bool)] = 0
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
    """The same of parsed sentences, by any network."""
    made = list_choices(docs)
    scores = iter(np.split(network.scores([one for choice in made for one in choice.features]), _cuts(made)))
    owner: dict[int, list[Mention]] = {}
    for choice in made:
        chosen = _chosen(choice, next(scores), owner, caution)
        if chosen is None:
            chosen = _named(choice.mention, owner) or _described(choice.mention, owner)
        if chosen is None:
            owner[choice.mention.place] = [choice.mention]
        else:
            chosen.append(choice.mention)
            owner[choice.mention.place] = chosen
    distinct = {id(group): group for group in owner.values() if len(group) > 1}
    return [[(mention.start, mention.end) for mention in group] for group in distinct.values()]


def list_choices(docs: Sequence[Doc]) -> list[Choice]:
    """What is to be decided in a text, mention by mention."""
    found = find_mentions(docs)
    link_names(found)
    made = []
    for mention in found:
        others = find_candidates(found, mention.place)
        made.append(
            Choice(mention, others, [describe_new_mention(mention), *(describe_pair(one, mention) for one in others)])
        )
    return made


def _cuts(made: Sequence[Choice]) -> list[int]:
    return list(accumulate(len(choice.features) for choice in made))[:-1]


def _chosen(
    choice: Choice, scores: SingleArray, owner: Mapping[int, list[Mention]], caution: float
) -> list[Mention] | None:
    """The cluster with the most for all its mentions together, if that is more than what speaks for none."""
    sums: dict[int, float] = {}
    for other, score in zip(choice.others, scores[1:], strict=True):
        key = id(owner[other.place])
        sums[key] = float(np.logaddexp(sums.get(key, -np.inf), score))
    groups = {id(owner[other.place]): owner[other.place] for other in choice.others}
    for key in sorted(sums, key=lambda key: -sums[key]):
        if sums[key] <= scores[0] + caution:
            return None
        if not _clash(choice.mention, groups[key]):
            return groups[key]
    return None


def _named(mention: Mention, owner: Mapping[int, list[Mention]]) -> list[Mention] | None:
    """Who was named so before, for a person's name."""
    if mention.name in (-1, mention.place) or mention.inner_name:
        return None
    group = owner[mention.name]
    is_person = any(one.type == "PERSON" for one in (mention, *group) if one.name == mention.name)
    return group if is_person and not _clash(mention, group) else None


def _described(mention: Mention, owner: Mapping[int, list[Mention]]) -> list[Mention] | None:
    """The one person who was named so far, for `the 43-year-old` and, if near, `the coach`."""
    described = mention.definite == "the" and mention.type in PEOPLE and mention.kind == "noun" and not mention.rest
    if mention.numbers != "s" or not (mention.age or described):
        return None
    named = {id(group): group for group in owner.values() if any(one.type == "PERSON" for one in group)}
    fitting = [group for group in named.values() if not _clash(mention, group)]
    if len(fitting) != 1 or (len(named) != 1 and not mention.age):
        return None
    return fitting[0] if mention.sentence - fitting[0][-1].sentence <= _NEAR else None


def _clash(mention: Mention, group: Sequence[Mention]) -> bool:
    """Whether a mention cannot be of a group: by gender, by another name, or by its place in the sentence."""
    left = set(mention.genders)
    for other in group:
        left &= set(other.genders)
    if not left:
        return True
    if mention.kind == "name":
        named = [other for other in group if other.kind == "name"]
        return bool(named) and not any(may_be_same_name(other, mention) for other in named)
    if any(contains(other, mention) for other in group):
        return True
    if mention.lower in people_words("pronouns", "reflexive"):
        return False
    barred = _BARRED[:2] if mention.is_pronoun else _BARRED
    return any(describe_clauses(other, mention) in barred for other in group)


def coreference_identity() -> str:
    """What decides the clusters, beside the parser: the version of the rules and a digest of the network."""
    return f"{RULES_VERSION}+{files_digest([coreference_file()])}"


def coreference_file() -> Path:
    """Where the network lies that comes with gistmeter."""
    return Path(__file__).parent / "weights.safetensors"


@functools.lru_cache(maxsize=2)
def load_linker(path: str | Path | None = None) -> Linker:
    """The network that comes with gistmeter, or one from a file."""
    file = coreference_file() if path is None else Path(path).expanduser()
    if not file.is_file():
        raise MetricError(f"there is no {file.name} in {file.parent}: `gistmeter train coreference` writes one")
    safetensors = require("safetensors", "coreference")
    try:
        with safetensors.safe_open(file, framework="np") as stored:
            arrays = {name: stored.get_tensor(name).astype(np.float32) for name in stored.keys()}  # noqa: SIM118
            names = json.loads((stored.metadata() or {}).get("features", "[]"))
    except safetensors.SafetensorError:
        raise MetricError(f"{file.name} in {file.parent} is not a safetensors file") from None
    if set(arrays) != _ARRAYS or len(names) != len(arrays["table"]):
        raise MetricError(f"{file.name} in {file.parent} is not what `gistmeter train coreference` wrote")
    return make_linker(names, arrays, files_digest([file]))


def make_linker(names: Sequence[str], arrays: Mapping[str, SingleArray], digest: str) -> Linker:
    """A network from the names of its features and its weights."""
    rows = {name: row for row, name in enumerate(names)}
    return Linker(rows, arrays["table"], arrays["bias"], arrays["out"], digest)
