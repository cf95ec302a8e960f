"""The presence role: does a summary state a content unit?

The embedded judge is two that gistmeter trained itself, heard together (`presence_combination`). A few small networks
(`gistmeter train presence`) read how the tokens of a unit match those of a summary (`presence_features`) and run with
numpy alone; only the states of the texts come from the embedded encoder, each text encoded once. And the entailment
model, fine-tuned on the same labels (`gistmeter train entailment --presence`), reads each unit together with the two
sentences that match it best.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np

from gistmeter.errors import MetricError
from gistmeter.models.entailment.model import entailment, p2c
from gistmeter.models.presence.combination import REFERENCE, read_combination
from gistmeter.models.presence.described import sides
from gistmeter.models.presence.features import CONTEXT_FEATURES, compare, context_of
from gistmeter.models.presence.networks import read_networks
from gistmeter.models.presence.premises import premise
from gistmeter.models.runtime.locate import locate
from gistmeter.weights import EMBEDDED, files_digest, header

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.arrays import FloatArray, SingleArray
    from gistmeter.models.presence.combination import StoredCombination
    from gistmeter.models.presence.described import Side
    from gistmeter.models.presence.networks import Networks


_SUMMARIES_AT_ONCE = 256
_SUFFIX = ".safetensors"


class Presence(Protocol):
    """What gives the probability that a summary states a unit."""

    name: str

    def probabilities(self, pairs: Sequence[tuple[str, str]], *, references: Sequence[str] | None = None) -> FloatArray:
        """For each (summary, unit) the probability; `references` are the texts that the units come from."""
        ...

    def found(self, summary: str, unit: str) -> int | None:
        """Which sentence of the summary carries the unit most, counted from 0; None where there is nothing to find."""
        ...

    def identity(self) -> Mapping[str, str]:
        """What a signature says of the judge."""
        ...


@functools.lru_cache(maxsize=4)
def presence(model: str = EMBEDDED) -> Presence:
    """The judge of that name, read once a process: `embedded`, or a file that `gistmeter train presence` wrote.

    A file is the networks alone; so is `str(shipped_file())`, quicker than `embedded` and less sure.

    >>> judge = presence()
    >>> said, unsaid = judge.probabilities([("The mayor opened a new bridge on Monday.", "A bridge was opened."),
    ...                                     ("Cats sleep all day long.", "A bridge was opened.")])
    >>> bool(said > 0.5 > unsaid)
    True
    """
    if model == EMBEDDED:
        networks = Judge(EMBEDDED, read_networks(shipped_file()))
        return BothJudges(EMBEDDED, networks, reader_file(), read_combination(combination_file()))
    if model.endswith(_SUFFIX):
        return Judge(model, read_networks(model))
    raise MetricError(f"there is no presence judge {model!r}: name `embedded` or a {_SUFFIX} file of gistmeter train")


def is_presence_file(model: str) -> bool:
    """Whether a name is that of a file which `gistmeter train presence` wrote."""
    file = Path(model).expanduser() if model.endswith(_SUFFIX) else None
    return file is not None and file.is_file() and "context.mean" in header(file)


def shipped_file() -> Path:
    """Where the networks that come with gistmeter lie."""
    return Path(__file__).parent / f"weights{_SUFFIX}"


def reader_file() -> Path:
    """Where the weights of the entailment model lie that learned which units summaries state."""
    return Path(__file__).parent / f"entailment{_SUFFIX}"


def combination_file() -> Path:
    """Where it is written how both are heard together."""
    return Path(__file__).parent / "combination.json"


@dataclass(frozen=True, slots=True, eq=False)
class Heard:
    """What the networks say of pairs, and how much of its reference the summary of each has (NaN without one)."""

    probabilities: FloatArray
    context: FloatArray
    """Pairs x `CONTEXT_FEATURES`."""


class Judge:
    """The networks on the features of pairs. A pair's probability depends on the pair and its reference alone."""

    def __init__(self, name: str, networks: Networks) -> None:
        self.name = name
        self.digest = networks.digest
        self._networks = networks

    def identity(self) -> Mapping[str, str]:
        """The judge and the digests of its weights and its encoder's, found without loading the encoder."""
        return {"presence": self.name, "digest": f"{self.digest}+{locate(EMBEDDED).digest}"}

    def probabilities(self, pairs: Sequence[tuple[str, str]], *, references: Sequence[str] | None = None) -> FloatArray:
        """The probabilities; 0 for an empty summary, and missing (NaN) for a unit without any token.

        `references`, one for each pair, lets the judge see how much of the whole reference the summary has.
        """
        return self.heard(pairs, references=references).probabilities

    def heard(self, pairs: Sequence[tuple[str, str]], *, references: Sequence[str] | None = None) -> Heard:
        """The same, and how much of the reference the summary of each pair has."""
        around = references or [""] * len(pairs)
        groups: dict[tuple[str, str], list[int]] = {}
        for row, ((summary, _), reference) in enumerate(zip(pairs, around, strict=True)):
            groups.setdefault((summary, reference), []).append(row)
        found, context = np.full(len(pairs), np.nan), np.full((len(pairs), len(CONTEXT_FEATURES)), np.nan)
        several = list(groups.items())
        for first in range(0, len(several), _SUMMARIES_AT_ONCE):
            some = several[first : first + _SUMMARIES_AT_ONCE]
            texts = [text for (summary, reference), rows in some for text in (summary, reference, *_units(pairs, rows))]
            known = sides(texts)
            for (summary, reference), rows in some:
                seen = None
                if len(known[summary]) and len(known[reference]):
                    context[rows] = seen = context_of(known[summary], known[reference])
                found[rows] = self._of_one(known, summary, _units(pairs, rows), seen)
        return Heard(found, context)

    def found(self, summary: str, unit: str) -> int | None:
        """The sentence whose tokens match those of the unit best."""
        known = sides([summary, unit])
        if not len(known[summary]) or not len(known[unit]):
            return None
        return int(compare(known[summary], [known[unit]]).sentence[0])

    def _of_one(
        self, known: Mapping[str, Side], summary: str, units: Sequence[str], context: SingleArray | None
    ) -> FloatArray:
        distinct = [unit for unit in dict.fromkeys(units) if len(known[unit])]
        said = dict.fromkeys(units, np.nan)
        if distinct and not len(known[summary]):
            said.update(dict.fromkeys(distinct, 0.0))
        elif distinct:
            compared = compare(known[summary], [known[unit] for unit in distinct])
            said.update(zip(distinct, self._networks.probabilities(compared, context).tolist(), strict=True))
        return np.array([said[unit] for unit in units])


class BothJudges:
    """The networks, and an entailment model that reads unit and summary together, heard as `Combination` tells.

    A pair's probability depends on the pair and its reference alone.
    """

    def __init__(self, name: str, networks: Judge, reader: Path, combination: StoredCombination) -> None:
        self.name = name
        self._networks, self._reader, self._combination = networks, reader, combination

    def identity(self) -> Mapping[str, str]:
        """The judge and the digests of all weights and the encoder's, found without loading it."""
        ours = (self._networks.digest, files_digest([self._reader]), self._combination.digest)
        return {"presence": self.name, "digest": "+".join((*ours, locate(EMBEDDED).digest))}

    def probabilities(self, pairs: Sequence[tuple[str, str]], *, references: Sequence[str] | None = None) -> FloatArray:
        """The probabilities; 0 for an empty summary, and missing (NaN) for a unit without any token.

        The references are for the networks and the combination; the entailment model does not see them.
        """
        heard = self._networks.heard(pairs, references=references)
        found = heard.probabilities
        asked = np.flatnonzero(found > 0).tolist()
        if asked:
            read = p2c(entailment(str(self._reader)).logits([(premise(*pairs[row]), pairs[row][1]) for row in asked]))
            found[asked] = self._combination.weights(found[asked], read, heard.context[asked, REFERENCE])
        return found

    def found(self, summary: str, unit: str) -> int | None:
        """The sentence whose tokens match those of the unit best."""
        return self._networks.found(summary, unit)


def _units(pairs: Sequence[tuple[str, str]], rows: Sequence[int]) -> list[str]:
    return [pairs[row][1] for row in rows]
