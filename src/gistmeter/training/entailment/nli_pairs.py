"""Pairs of texts with the relation between them, to learn entailment from; without what must not be learned from.

Left out are sets and records under a non-commercial licence, development and test parts of SNLI and the samples of
MNLI's, pairs whose premise stands in SNLI's, pairs seen before, and pairs that share a run of ten words with a text
that gistmeter is evaluated on. A share of the premises, chosen by their content, is held out.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

import numpy as np

from gistmeter.errors import DataError, suggestion
from gistmeter.io.json_lines import read_json_lines
from gistmeter.training.sources.evaluated import runs_of_words
from gistmeter.training.sources.named_sets import content_key, drawn, known_sets
from gistmeter.training.sources.texts import licence_problem

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

LABELS = ("entailment", "neutral", "contradiction", "not_entailment")
"""The last is that of a set of two classes: one of the two before it."""

_TESTED = {("snli", "dev"), ("snli", "test")}


@dataclass(frozen=True, slots=True)
class NliPair:
    """A premise, a hypothesis, the place of their relation in `LABELS`, and the set they come from."""

    premise: str
    hypothesis: str
    label: int
    source: str


@dataclass(frozen=True, slots=True)
class NliPairs:
    """Pairs to learn from, pairs held out, pairs of the parts that are only tested on, and what was left out."""

    train: tuple[NliPair, ...]
    held_out: tuple[NliPair, ...]
    tests: tuple[NliPair, ...]
    left_out: Mapping[str, int]


def nli_sets() -> Mapping[str, Mapping[str, Any]]:
    """What is known of each set: licence, citation, and whether it may be learned from."""
    return known_sets(Path(__file__).parent / "sets.toml")


def read_nli(
    files: Sequence[str],
    *,
    most: Mapping[str, int] | None = None,
    refused: frozenset[int] = frozenset(),
    held_out: float = 0.02,
    seed: int = 1,
) -> NliPairs:
    """The pairs of these files (JSONL with premise, hypothesis, label and source), at most so many of each set."""
    groups: dict[str, list[NliPair]] = defaultdict(list)
    kept: dict[str, list[NliPair]] = {"held out": [], "tests": []}
    seen: set[bytes] = set()
    left_out: Counter[str] = Counter()
    for file in files:
        for number, record in read_json_lines(file):
            pair = _pair(record, f"line {number} of {PurePath(file).name}")
            key = content_key(f"{pair.premise}\n{pair.hypothesis}")
            reason = _reason(record, pair) or ("seen before" if key in seen else None)
            seen.add(key)
            tested = (pair.source, record.get("split")) in _TESTED or nli_sets()[pair.source].get("test", False)
            if reason is None and refused and not tested and _shares(pair, refused):
                reason = "evaluation text"
            if reason is not None:
                left_out[reason] += 1
            elif tested:
                kept["tests"].append(_named(pair, record))
            elif int.from_bytes(content_key(pair.premise)) / 2**64 < held_out:
                kept["held out"].append(pair)
            else:
                groups[pair.source].append(pair)
    for name in most or {}:
        if name not in groups:
            raise DataError(f"there are no pairs of the set {name!r} to learn from{suggestion(name, groups)}")
    train, left_out["more than asked for"] = drawn(groups, (most or {}).get, seed=seed)
    if not train:
        raise DataError(f"no pair to learn from in {', '.join(files)} (left out: {dict(+left_out)})")
    return NliPairs(tuple(train), tuple(kept["held out"]), tuple(kept["tests"]), dict(+left_out))


def read_tests(files: Sequence[str], *, language: str = "en") -> tuple[NliPair, ...]:
    """Pairs that are only tested on, under whatever licence; the set is called by its name and its part."""
    found: list[NliPair] = []
    for file in files:
        for number, record in read_json_lines(file):
            if record.get("language", "en") == language:
                pair = _pair(record, f"line {number} of {PurePath(file).name}")
                found.append(_named(pair, record))
    return tuple(found)


def with_neighbours(pairs: Sequence[NliPair], share: float, *, seed: int) -> list[NliPair]:
    """A share of the pairs with another premise of the same set before or after their own.

    What a summary says is spread over sentences: the model learns to find the one that matters.
    """
    rng = np.random.default_rng((seed, 5))
    by_source: dict[str, list[int]] = defaultdict(list)
    for i, pair in enumerate(pairs):
        by_source[pair.source].append(i)
    made = list(pairs)
    for i in np.flatnonzero(rng.random(len(pairs)) < share).tolist():
        pair = pairs[i]
        other = pairs[by_source[pair.source][rng.integers(len(by_source[pair.source]))]].premise
        if other != pair.premise:
            both = (pair.premise, other) if rng.random() < 0.5 else (other, pair.premise)
            made[i] = NliPair(" ".join(both), pair.hypothesis, pair.label, pair.source)
    return made


def _pair(record: Mapping[str, Any], place: str) -> NliPair:
    fields = [record.get(field) for field in ("premise", "hypothesis", "label", "source")]
    if not all(isinstance(field, str) and field.strip() for field in fields):
        raise DataError(f"{place} lacks a premise, a hypothesis, a label or a source")
    premise, hypothesis, label, source = (str(field) for field in fields)
    if label not in LABELS:
        raise DataError(f"{place} has the label {label!r}, which is none of {', '.join(LABELS)}")
    if source not in nli_sets():
        raise DataError(f"{place} is of the set {source!r}, whose licence entailment/sets.toml does not give")
    return NliPair(" ".join(premise.split()), " ".join(hypothesis.split()), LABELS.index(label), source)


def _named(pair: NliPair, record: Mapping[str, Any]) -> NliPair:
    """A pair that is only tested on, under the name of its set and part."""
    return NliPair(pair.premise, pair.hypothesis, pair.label, f"{pair.source} {record.get('split', '')}".strip())


def _reason(record: Mapping[str, Any], pair: NliPair) -> str | None:
    if nli_sets()[pair.source].get("nc"):
        return "non-commercial licence"
    if record.get("premise_in_snli_devtest"):
        return "premise in SNLI's development or test part"
    return licence_problem(record)


def _shares(pair: NliPair, refused: frozenset[int]) -> bool:
    return any(not refused.isdisjoint(runs_of_words(text)) for text in (pair.premise, pair.hypothesis))
