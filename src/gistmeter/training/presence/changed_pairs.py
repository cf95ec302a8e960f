"""Changed pairs: entailed hypotheses with one thing changed, which their premises contradict, beside the originals.

They teach what a conflict between unit and summary counts when nearly all else matches, which summaries that people
labelled show too seldom. The changes are rules (`gistmeter.linguistics.contrasts.changes`); contradictions that people
wrote join them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import DataError
from gistmeter.linguistics.contrasts.changes import CHANGES, change_name, find_names
from gistmeter.models.presence.combination import describe_conflicts, logit
from gistmeter.training.entailment.nli_pairs import LABELS, read_nli_pairs

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.training.entailment.nli_pairs import NliPair

CHANGED_SETS = ("mnli", "mnli_ni", "rte", "snli", "snli_counterfactual", "scitail_ni", "conjnli", "fever_symmetric")
"""Sets whose pairs are changed: plain sentences, under licences that allow weights."""

_HYPOTHESIS_WORDS = (4, 30)
_PREMISE_WORDS = 60


@dataclass(frozen=True, slots=True)
class ChangedPair:
    """A premise and a hypothesis: entailed as it was (present), or changed or written to contradict (absent)."""

    premise: str
    hypothesis: str
    is_present: bool
    kind: str
    source: str


@dataclass(frozen=True, slots=True, eq=False)
class JudgedChanges:
    """Changed pairs as the combination learns from them: the mean logit of both judges, conflicts, labels, shares."""

    logits: FloatArray
    conflicts: FloatArray
    labels: FloatArray
    shares: FloatArray
    """What each pair counts: kinds count alike, and add up to 1."""


def make_changed_pairs(
    files: Sequence[str], *, most: int = 200, seed: int = 1, refused: frozenset[int] = frozenset()
) -> tuple[ChangedPair, ...]:
    """At most `most` changed pairs of each kind with their originals, and twice as many written contradictions.

    Parameters
    ----------
    files
        Entailment pairs (.jsonl) of sets whose licence is known; those of `CHANGED_SETS` are used.
    most
        How many hypotheses to change in each way.
    seed
        Of the pairs and changes drawn.
    refused
        Runs of words of texts that gistmeter is evaluated on, which are not learned from.
    """
    pairs = [pair for pair in read_nli_pairs(files, refused=refused).train if pair.source in CHANGED_SETS]
    rng = np.random.default_rng(seed)
    entailed = [pair for pair in pairs if LABELS[pair.label] == "entailment" and _is_plain(pair)]
    if not entailed:
        raise DataError(f"no entailed pair to change in {', '.join(files)}")
    names = sorted({name for pair in entailed for name in find_names(pair.premise)})
    by_kind: dict[str, list[ChangedPair]] = defaultdict(list)
    for number in rng.permutation(len(entailed)).tolist():
        pair = entailed[number]
        for kind, change in CHANGES.items():
            if len(by_kind[kind]) >= 2 * most:
                continue
            changed = change_name(pair.hypothesis, rng, names=names) if kind == "name" else change(pair.hypothesis, rng)
            if changed is not None:
                original = ChangedPair(
                    premise=pair.premise, hypothesis=pair.hypothesis, is_present=True, kind=kind, source=pair.source
                )
                by_kind[kind] += [original, replace(original, hypothesis=changed.text, is_present=False)]
    written = [pair for pair in pairs if LABELS[pair.label] == "contradiction" and _is_plain(pair)]
    chosen = [written[number] for number in rng.permutation(len(written))[: 2 * most].tolist()]
    by_kind["contradiction"] = [
        ChangedPair(
            premise=pair.premise,
            hypothesis=pair.hypothesis,
            is_present=False,
            kind="contradiction",
            source=pair.source,
        )
        for pair in chosen
    ]
    return tuple(pair for of_kind in by_kind.values() for pair in of_kind)


def judge_changed_pairs(
    pairs: Sequence[ChangedPair],
    networks: Callable[[Sequence[tuple[str, str]]], FloatArray],
    reader: Callable[[Sequence[tuple[str, str]]], FloatArray],
) -> JudgedChanges:
    """What both judges say of changed pairs (probabilities), and their conflicts."""
    texts = [(pair.premise, pair.hypothesis) for pair in pairs]
    sizes: Mapping[str, int] = Counter(pair.kind for pair in pairs)
    return JudgedChanges(
        logits=(logit(networks(texts)) + logit(reader(texts))) / 2,
        conflicts=describe_conflicts(texts),
        labels=np.array([float(pair.is_present) for pair in pairs]),
        shares=np.array([1 / (sizes[pair.kind] * len(sizes)) for pair in pairs]),
    )


def _is_plain(pair: NliPair) -> bool:
    """Whether a pair is of the length of summaries and units, and states something."""
    low, high = _HYPOTHESIS_WORDS
    is_short = low <= len(pair.hypothesis.split()) <= high and len(pair.premise.split()) <= _PREMISE_WORDS
    return is_short and not pair.hypothesis.endswith("?")
