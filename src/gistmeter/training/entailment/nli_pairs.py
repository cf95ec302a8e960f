"""Pairs of texts with the relation between them, to learn entailment from; without what must not be learned from.

Left out are sets and records under a non-commercial licence, development and test parts of SNLI and the samples of
MNLI's, pairs whose premise stands in SNLI's, pairs seen before, and pairs that share a run of ten words with a text
that gistmeter is evaluated on. A share of the premises, chosen by their content, is held out.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gistmeter.errors import DataError, suggestion
from gistmeter.training.licences import check_set, licence_problem
from gistmeter.training.sources.evaluated import shares_run
from gistmeter.training.sources.named_sets import content_key, draw_from_sets, read_sets
from gistmeter.training.sources.records import read_records

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.training.sources.records import Record

LABELS = ("entailment", "neutral", "contradiction", "not_entailment")
"""The last is that of a set of two classes: one of the two before it."""

_TEST_PARTS = {("snli", "dev"), ("snli", "test")}


@dataclass(frozen=True, slots=True)
class NliPair:
    """A premise, a hypothesis, the number of their relation in `LABELS`, and the set they come from."""

    premise: str
    hypothesis: str
    label: int
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NliPairs:
    """Pairs to learn from, pairs held out, pairs of the parts that are only tested on, and what was left out."""

    train: tuple[NliPair, ...]
    held_out: tuple[NliPair, ...]
    tests: tuple[NliPair, ...]
    left_out: Mapping[str, int]


def nli_sets() -> Mapping[str, Mapping[str, Any]]:
    """What is known of each set: licence, citation, and whether it may be learned from."""
    return read_sets(Path(__file__).parent / "sets.toml")


def read_nli_pairs(
    files: Sequence[str],
    *,
    limits: Mapping[str, int] | None = None,
    refused: frozenset[int] = frozenset(),
    held_out: float = 0.02,
    seed: int = 1,
) -> NliPairs:
    """The pairs of these files (JSONL with premise, hypothesis, label and source), at most so many of each set."""
    groups: dict[str, list[NliPair]] = defaultdict(list)
    held_out_pairs: list[NliPair] = []
    tests: list[NliPair] = []
    keys: set[bytes] = set()
    left_out: Counter[str] = Counter()
    for record in (record for file in files for record in read_records(file)):
        pair = _pair(record)
        key = content_key(f"{pair.premise}\n{pair.hypothesis}")
        reason = _reason(record.fields, pair) or ("seen before" if key in keys else None)
        keys.add(key)
        is_test_part = (pair.source, record.fields.get("split")) in _TEST_PARTS
        is_test = is_test_part or nli_sets().get(pair.source, {}).get("test", False)
        if (
            reason is None
            and not is_test
            and any(shares_run(text, refused) for text in (pair.premise, pair.hypothesis))
        ):
            reason = "evaluation text"
        if reason is not None:
            left_out[reason] += 1
        elif is_test:
            tests.append(_name_part(pair, record))
        elif int.from_bytes(content_key(pair.premise)) / 2**64 < held_out:
            held_out_pairs.append(pair)
        else:
            groups[pair.source].append(pair)
    for name in limits or {}:
        if name not in groups:
            raise DataError(f"there are no pairs of the set {name!r} to learn from{suggestion(name, groups)}")
    train, left_out["more than asked for"] = draw_from_sets(groups, (limits or {}).get, seed=seed)
    if not train:
        raise DataError(f"no pair to learn from in {', '.join(files)} (left out: {dict(+left_out)})")
    return NliPairs(train=tuple(train), held_out=tuple(held_out_pairs), tests=tuple(tests), left_out=dict(+left_out))


def read_test_pairs(files: Sequence[str], *, language: str = "en") -> tuple[NliPair, ...]:
    """Pairs that are only tested on, under whatever licence; the set is called by its name and its part."""
    return tuple(
        _name_part(_pair(record), record)
        for file in files
        for record in read_records(file)
        if record.fields.get("language", "en") == language
    )


def add_neighbours(pairs: Sequence[NliPair], share: float, *, seed: int) -> list[NliPair]:
    """The pairs, a share of them with another premise of the same set before or after their own.

    What a summary says is spread over sentences: the model learns to find the one that matters.
    """
    rng = np.random.default_rng((seed, 5))
    by_source: dict[str, list[int]] = defaultdict(list)
    for i, pair in enumerate(pairs):
        by_source[pair.source].append(i)
    changed = list(pairs)
    for i in np.flatnonzero(rng.random(len(pairs)) < share).tolist():
        pair = pairs[i]
        other = pairs[by_source[pair.source][rng.integers(len(by_source[pair.source]))]].premise
        if other != pair.premise:
            both = (pair.premise, other) if rng.random() < 0.5 else (other, pair.premise)
            changed[i] = replace(pair, premise=" ".join(both))
    return changed


def _pair(record: Record) -> NliPair:
    fields = [record.fields.get(field) for field in ("premise", "hypothesis", "label", "source")]
    if not all(isinstance(field, str) and field.strip() for field in fields):
        raise DataError(f"{record.position} lacks a premise, a hypothesis, a label or a source")
    premise, hypothesis, label, source = (str(field) for field in fields)
    if label not in LABELS:
        raise DataError(f"{record.position} has the label {label!r}, which is none of {', '.join(LABELS)}")
    check_set(source, nli_sets(), record.fields, position=record.position, table_file="entailment/sets.toml")
    return NliPair(
        premise=" ".join(premise.split()),
        hypothesis=" ".join(hypothesis.split()),
        label=LABELS.index(label),
        source=source,
    )


def _name_part(pair: NliPair, record: Record) -> NliPair:
    """A pair that is only tested on, under the name of its set and part."""
    return replace(pair, source=f"{pair.source} {record.fields.get('split', '')}".strip())


def _reason(record: Mapping[str, Any], pair: NliPair) -> str | None:
    """Why a pair is not learned from."""
    if problem := licence_problem(record, nli_sets().get(pair.source)):
        return problem
    if record.get("premise_in_snli_devtest"):
        return "premise in SNLI's development or test part"
    return None
