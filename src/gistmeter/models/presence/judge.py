"""The presence role: does a summary state a content unit?

The embedded judge is two that gistmeter trained itself, combined (`combination`). A few small networks
(`gistmeter train presence`) read how the tokens of a unit match those of a summary (`features`) and run with
numpy alone; only the states of the texts come from the embedded encoder, each text encoded once. And the entailment
model, fine-tuned on the same labels (`gistmeter train entailment --presence`), reads each unit together with the two
sentences that match it best. Numbers, names, directions and the like in which a unit is at odds with the summary count
against it.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np

from gistmeter.errors import MetricError
from gistmeter.models.entailment.model import load_entailment, p2c
from gistmeter.models.presence import RULES_VERSION
from gistmeter.models.presence.combination import REFERENCE_FEATURE, describe_conflicts, read_combination
from gistmeter.models.presence.features import CONTEXT_FEATURES, compare_units, measure_context
from gistmeter.models.presence.networks import read_networks
from gistmeter.models.presence.premises import choose_premise
from gistmeter.models.presence.texts import describe_texts
from gistmeter.models.runtime.locate import locate
from gistmeter.weights import EMBEDDED, digest_files, read_header

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.arrays import FloatArray, SingleArray
    from gistmeter.models.presence.combination import StoredCombination
    from gistmeter.models.presence.networks import Networks
    from gistmeter.models.presence.texts import DescribedText


_BATCH_SUMMARIES = 256
_SUFFIX = ".safetensors"


class Presence(Protocol):
    """What gives the probability that a summary states a unit."""

    def probabilities(self, pairs: Sequence[tuple[str, str]], *, references: Sequence[str] | None = None) -> FloatArray:
        """For each (summary, unit) the probability; `references` are the texts that the units come from."""
        ...

    def identity(self) -> Mapping[str, str]:
        """What a signature says of the judge."""
        ...


@functools.lru_cache(maxsize=4)
def load_presence(model: str = EMBEDDED) -> Presence:
    """The judge of that name, read once a process: `embedded`, or a file that `gistmeter train presence` wrote.

    A file is the networks alone; so is `str(networks_file())`, quicker than `embedded` and less sure.

    >>> stated, absent = load_presence().probabilities(
    ...     [("The mayor opened a new bridge on Monday.", "A bridge was opened."),
    ...      ("Cats sleep all day long.", "A bridge was opened.")])
    >>> bool(stated > 0.5 > absent)
    True
    """
    if model == EMBEDDED:
        networks = NetworkJudge(read_networks(networks_file()))
        return CombinedJudge(networks, reader_file(), read_combination(combination_file()))
    if model.endswith(_SUFFIX):
        return NetworkJudge(read_networks(model))
    raise MetricError(f"there is no presence judge {model!r}: name `embedded` or a {_SUFFIX} file of gistmeter train")


def is_presence_file(model: str) -> bool:
    """Whether a name is that of a file which `gistmeter train presence` wrote."""
    file = Path(model).expanduser() if model.endswith(_SUFFIX) else None
    return file is not None and file.is_file() and "context.mean" in read_header(file)


def networks_file() -> Path:
    """The networks that come with gistmeter."""
    return Path(__file__).parent / f"weights{_SUFFIX}"


def reader_file() -> Path:
    """The weights of the entailment model that learned which units summaries state."""
    return Path(__file__).parent / f"entailment{_SUFFIX}"


def combination_file() -> Path:
    """The weights by which the networks and the entailment model are combined."""
    return Path(__file__).parent / "combination.json"


@dataclass(frozen=True, slots=True, eq=False)
class PairJudgments:
    """What the networks say of pairs, and how much of its reference the summary of each has (NaN without one)."""

    probabilities: FloatArray
    context: FloatArray
    """Pairs x `CONTEXT_FEATURES`."""


class NetworkJudge:
    """The networks on the features of pairs. A pair's probability depends on the pair and its reference alone."""

    def __init__(self, networks: Networks) -> None:
        self.digest = networks.digest
        self._networks = networks

    def identity(self) -> Mapping[str, str]:
        """The version of the rules and the digests of the weights and the encoder's, found without loading it."""
        return {"presence": RULES_VERSION, "digest": f"{self.digest}+{locate(EMBEDDED).digest}"}

    def probabilities(self, pairs: Sequence[tuple[str, str]], *, references: Sequence[str] | None = None) -> FloatArray:
        """The probabilities; 0 for an empty summary, and missing (NaN) for a unit without any token.

        `references`, one for each pair, lets the judge see how much of the whole reference the summary has.
        """
        return self.judge_pairs(pairs, references=references).probabilities

    def judge_pairs(
        self, pairs: Sequence[tuple[str, str]], *, references: Sequence[str] | None = None
    ) -> PairJudgments:
        """The probability of each (summary, unit), and how much of its reference the summary has."""
        rows_of: dict[tuple[str, str], list[int]] = {}
        for row, ((summary, _), reference) in enumerate(zip(pairs, references or [""] * len(pairs), strict=True)):
            rows_of.setdefault((summary, reference), []).append(row)
        probabilities = np.full(len(pairs), np.nan)
        context = np.full((len(pairs), len(CONTEXT_FEATURES)), np.nan)
        groups = list(rows_of.items())
        for start in range(0, len(groups), _BATCH_SUMMARIES):
            batch = groups[start : start + _BATCH_SUMMARIES]
            described = describe_texts(
                [text for (summary, reference), rows in batch for text in (summary, reference, *_units(pairs, rows))]
            )
            for (summary, reference), rows in batch:
                own_context = None
                if len(described[summary]) and len(described[reference]):
                    context[rows] = own_context = measure_context(described[summary], described[reference])
                probabilities[rows] = self._judge_units(described, summary, _units(pairs, rows), own_context)
        return PairJudgments(probabilities, context)

    def _judge_units(
        self,
        described: Mapping[str, DescribedText],
        summary: str,
        units: Sequence[str],
        context: SingleArray | None,
    ) -> FloatArray:
        """The probability of each unit of one summary."""
        distinct = [unit for unit in dict.fromkeys(units) if len(described[unit])]
        probability_of = dict.fromkeys(units, np.nan)
        if distinct and not len(described[summary]):
            probability_of.update(dict.fromkeys(distinct, 0.0))
        elif distinct:
            features = compare_units(described[summary], [described[unit] for unit in distinct])
            probabilities = self._networks.probabilities(features, context).tolist()
            probability_of.update(zip(distinct, probabilities, strict=True))
        return np.array([probability_of[unit] for unit in units])


class CombinedJudge:
    """The networks and an entailment model that reads unit and summary together, combined as `Combination` tells.

    A pair's probability depends on the pair and its reference alone.
    """

    def __init__(self, networks: NetworkJudge, reader: Path, combination: StoredCombination) -> None:
        self._networks, self._reader, self._combination = networks, reader, combination

    def identity(self) -> Mapping[str, str]:
        """The version of the rules and the digests of all weights and the encoder's, found without loading it."""
        own_digests = (self._networks.digest, digest_files([self._reader]), self._combination.digest)
        return {"presence": RULES_VERSION, "digest": "+".join((*own_digests, locate(EMBEDDED).digest))}

    def probabilities(self, pairs: Sequence[tuple[str, str]], *, references: Sequence[str] | None = None) -> FloatArray:
        """The probabilities; 0 for an empty summary, and missing (NaN) for a unit without any token.

        The references are for the networks and the combination; the entailment model does not see them.
        """
        judgments = self._networks.judge_pairs(pairs, references=references)
        probabilities = judgments.probabilities
        rows = np.flatnonzero(probabilities > 0).tolist()
        if rows:
            entailed = judge_by_reader([pairs[row] for row in rows], self._reader)
            context = judgments.context[rows, REFERENCE_FEATURE]
            conflicts = describe_conflicts([pairs[row] for row in rows])
            probabilities[rows] = self._combination.weights(probabilities[rows], entailed, context, conflicts)
        return probabilities


def judge_by_reader(pairs: Sequence[tuple[str, str]], reader: Path | None = None) -> FloatArray:
    """What the entailment model says of (summary, unit), reading the two best sentences; by default the shipped one."""
    premises = [(choose_premise(summary, unit), unit) for summary, unit in pairs]
    return p2c(load_entailment(str(reader or reader_file())).logits(premises))


def _units(pairs: Sequence[tuple[str, str]], rows: Sequence[int]) -> list[str]:
    return [pairs[row][1] for row in rows]
