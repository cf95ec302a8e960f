"""The presence role: does a summary state a content unit?

The embedded judge is two that gistmeter trained itself, heard alike. A few small networks (`gistmeter train presence`)
read how the tokens of a unit match those of a summary (`presence_features`) and run with numpy alone; only the states
of the texts come from the embedded encoder, each text encoded once. And the entailment model, fine-tuned on the same
labels (`gistmeter train entailment --presence`), reads each unit together with the two sentences that match it best.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np

from gistmeter.errors import MetricError
from gistmeter.models.entailment import entailment, p2c
from gistmeter.models.extras import require
from gistmeter.models.locate import EMBEDDED, files_digest, header, locate, shipped
from gistmeter.models.premises import premise
from gistmeter.models.presence_features import (
    CONTEXT_FEATURES,
    PAIR_FEATURES,
    TOKEN_FEATURES,
    Compared,
    compare,
    context_of,
)
from gistmeter.models.presence_sides import Side, sides

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    FloatArray = NDArray[np.float64]
    SingleArray = NDArray[np.float32]

_SUMMARIES_AT_ONCE = 256
_SUFFIX = ".safetensors"
_SUREST = 1e-4
"""No judge is taken to be surer than this, so that one alone does not decide."""


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
        return BothJudges(EMBEDDED, Judge(EMBEDDED, read_networks(shipped_file())), reader_file())
    if model.endswith(_SUFFIX):
        return Judge(model, read_networks(model))
    raise MetricError(f"there is no presence judge {model!r}: name `embedded` or a {_SUFFIX} file of gistmeter train")


def is_presence_file(model: str) -> bool:
    """Whether a name is that of a file which `gistmeter train presence` wrote."""
    file = Path(model).expanduser() if model.endswith(_SUFFIX) else None
    return file is not None and file.is_file() and "context.mean" in header(file)


def combined(*probabilities: FloatArray) -> FloatArray:
    """What several judges say together: the mean of their logits, as a probability.

    >>> combined(np.array([0.5, 0.9]), np.array([0.5, 0.1])).round(3).tolist()
    [0.5, 0.5]
    """
    every = np.clip(np.stack(probabilities), _SUREST, 1 - _SUREST)
    return np.asarray(1 / (1 + np.exp(-np.log(every / (1 - every)).mean(axis=0))))


def shipped_file() -> Path:
    """Where the networks that come with gistmeter lie."""
    return shipped(f"presence{_SUFFIX}")


def reader_file() -> Path:
    """Where the weights of the entailment model lie that learned which units summaries state."""
    return shipped(f"entailment-presence{_SUFFIX}")


@dataclass(frozen=True, slots=True, eq=False)
class Networks:
    """The arrays of some networks of one shape; the first axis of a weight is the network."""

    arrays: Mapping[str, SingleArray]
    digest: str

    def probabilities(self, compared: Compared, context: SingleArray | None) -> FloatArray:
        """For each unit the probability, averaged over the networks; without context, as for a middling one."""
        weights = self.arrays
        tokens = (compared.tokens - weights["token.mean"]) / weights["token.scale"]
        pairs = (compared.pairs - weights["pair.mean"]) / weights["pair.scale"]
        around = np.zeros(len(CONTEXT_FEATURES), np.float32)
        if context is not None:
            around = (context - weights["context.mean"]) / weights["context.scale"]
        known = np.concatenate([pairs, np.broadcast_to(around, (len(pairs), len(around)))], axis=1)
        logits = [self._logits(net, tokens, known, compared) for net in range(len(weights["out.bias"]))]
        return np.asarray(np.mean([1 / (1 + np.exp(-one.astype(np.float64))) for one in logits], axis=0))

    def _logits(self, net: int, tokens: SingleArray, known: SingleArray, compared: Compared) -> SingleArray:
        starts, weights = compared.starts, {name: array[net] for name, array in self.arrays.items() if array.ndim > 1}
        out_bias = self.arrays["out.bias"][net]
        lengths = np.diff(np.append(starts, len(tokens)))
        states = np.maximum(tokens @ weights["first.weight"] + weights["first.bias"], 0)
        states = states + np.maximum(states @ weights["second.weight"] + weights["second.bias"], 0)
        heard = states @ weights["attention.weight"] + weights["attention.bias"]
        heard = np.exp(heard + attention_prior(compared.rarity)[:, None])
        heard = heard / np.repeat(np.add.reduceat(heard, starts), lengths, axis=0)
        views = [np.add.reduceat(states * heard[:, [head]], starts) for head in range(heard.shape[1])]
        views.append(np.maximum.reduceat(states, starts))
        joined = np.concatenate([*views, known], axis=1)
        hidden = np.maximum(joined @ weights["joint.weight"] + weights["joint.bias"], 0)
        return np.concatenate([hidden, known], axis=1) @ weights["out.weight"] + out_bias  # type: ignore[no-any-return]


def attention_prior(rarity: FloatArray) -> SingleArray:
    """What a token is heard for its rarity, before the network says more; a logarithm."""
    return np.log(rarity / 10 + 0.02).astype(np.float32)


def read_networks(path: str | Path) -> Networks:
    """Networks from their file."""
    file = Path(path).expanduser()
    if not file.is_file():
        raise MetricError(f"there is no presence judge {path}: `gistmeter train presence` writes one")
    safetensors = require("safetensors", "a presence judge")
    try:
        with safetensors.safe_open(file, framework="np") as stored:
            arrays = {name: stored.get_tensor(name).astype(np.float32) for name in stored.keys()}  # noqa: SIM118
    except safetensors.SafetensorError:
        raise MetricError(f"{path} is not a safetensors file") from None
    shapes = {"token.mean": TOKEN_FEATURES, "pair.mean": PAIR_FEATURES, "context.mean": CONTEXT_FEATURES}
    if any(name not in arrays or arrays[name].shape != (len(known),) for name, known in shapes.items()):
        raise MetricError(f"{path} is not a presence judge that this version of gistmeter wrote")
    return Networks(arrays, files_digest([file]))


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
        around = references or [""] * len(pairs)
        groups: dict[tuple[str, str], list[int]] = {}
        for row, ((summary, _), reference) in enumerate(zip(pairs, around, strict=True)):
            groups.setdefault((summary, reference), []).append(row)
        found = np.full(len(pairs), np.nan)
        several = list(groups.items())
        for first in range(0, len(several), _SUMMARIES_AT_ONCE):
            some = several[first : first + _SUMMARIES_AT_ONCE]
            texts = [text for (summary, reference), rows in some for text in (summary, reference, *_units(pairs, rows))]
            known = sides(texts)
            for (summary, reference), rows in some:
                found[rows] = self._of_one(known, summary, reference, _units(pairs, rows))
        return found

    def found(self, summary: str, unit: str) -> int | None:
        """The sentence whose tokens match those of the unit best."""
        known = sides([summary, unit])
        if not len(known[summary]) or not len(known[unit]):
            return None
        return int(compare(known[summary], [known[unit]]).sentence[0])

    def _of_one(self, known: Mapping[str, Side], summary: str, reference: str, units: Sequence[str]) -> FloatArray:
        distinct = [unit for unit in dict.fromkeys(units) if len(known[unit])]
        said = dict.fromkeys(units, np.nan)
        if distinct and not len(known[summary]):
            said.update(dict.fromkeys(distinct, 0.0))
        elif distinct:
            around = context_of(known[summary], known[reference]) if len(known[reference]) else None
            compared = compare(known[summary], [known[unit] for unit in distinct])
            said.update(zip(distinct, self._networks.probabilities(compared, around).tolist(), strict=True))
        return np.array([said[unit] for unit in units])


class BothJudges:
    """The networks, and an entailment model that reads unit and summary together: the mean of their logits."""

    def __init__(self, name: str, networks: Judge, reader: Path) -> None:
        self.name = name
        self._networks, self._reader = networks, reader

    def identity(self) -> Mapping[str, str]:
        """The judge and the digests of both weights and the encoder's, found without loading it."""
        digests = (self._networks.digest, files_digest([self._reader]), locate(EMBEDDED).digest)
        return {"presence": self.name, "digest": "+".join(digests)}

    def probabilities(self, pairs: Sequence[tuple[str, str]], *, references: Sequence[str] | None = None) -> FloatArray:
        """The probabilities; 0 for an empty summary, and missing (NaN) for a unit without any token.

        The references are for the networks; the entailment model does not see them.
        """
        found = self._networks.probabilities(pairs, references=references)
        asked = np.flatnonzero(found > 0).tolist()
        if asked:
            read = [(premise(*pairs[row]), pairs[row][1]) for row in asked]
            found[asked] = combined(found[asked], p2c(entailment(str(self._reader)).logits(read)))
        return found

    def found(self, summary: str, unit: str) -> int | None:
        """The sentence whose tokens match those of the unit best."""
        return self._networks.found(summary, unit)


def _units(pairs: Sequence[tuple[str, str]], rows: Sequence[int]) -> list[str]:
    return [pairs[row][1] for row in rows]
