"""The judge of consistency: for each claim its passages, its plain features, and how surely the document supports it.

gistmeter's own network is combined with plain features, and not asked about a claim whose words the document has in a
row; any other network answers alone.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.models.consistency import RULES_VERSION
from gistmeter.models.consistency.combination import read_combination
from gistmeter.models.consistency.measuring import lay_claims, measure_laid
from gistmeter.models.consistency.reader import WEIGHTS, is_own, load_support_reader, reader_identity
from gistmeter.weights import EMBEDDED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.models.consistency.combination import StoredCombination
    from gistmeter.models.consistency.measuring import LaidClaim
    from gistmeter.models.runtime.load import Dtype


@dataclass(frozen=True, slots=True)
class ClaimJudgment:
    """A claim, the numbers of the document's sentences laid beside it, and how surely they support it."""

    claim: str
    passages: tuple[int, ...]
    probability: float


class ConsistencyJudge:
    """How surely documents support claims, by a network on passages and, for gistmeter's own, plain features."""

    def __init__(self, model: str = EMBEDDED, labels: Sequence[str] | None = None, *, dtype: Dtype = "fp32") -> None:
        self._model, self._labels, self._dtype = model, labels, dtype

    def judge(self, claims: Sequence[tuple[str, str]], language: str = "en") -> list[ClaimJudgment]:
        """For each (document, claim) the judgment; it depends on that pair alone."""
        laid = lay_claims(claims, language)
        return [
            ClaimJudgment(claim=claim.text, passages=claim.passages, probability=float(probability))
            for claim, probability in zip(laid, self._judge_laid(laid), strict=True)
        ]

    def identity(self) -> Mapping[str, str]:
        """The version of the rules, the model and the digests of its weights, found without loading it."""
        name, digest = reader_identity(self._model)
        combination = self._read_combination()
        digests = digest if combination is None else f"{digest}+{combination.digest}"
        return {"model": name, "passages": RULES_VERSION, "weights": digests}

    def _judge_laid(self, laid: Sequence[LaidClaim]) -> FloatArray:
        combination = self._read_combination()
        if combination is None:
            return self._read_margins_alone(laid)
        return combination.weights(*measure_laid(laid, self._ask_network))

    def _read_margins_alone(self, laid: Sequence[LaidClaim]) -> FloatArray:
        """The probabilities of a network by name, which is asked about every claim."""
        if not laid:
            return np.zeros(0)
        margins = self._ask_network([claim.pair for claim in laid])
        return np.asarray(1 / (1 + np.exp(-margins)))

    def _ask_network(self, pairs: Sequence[tuple[str, str]]) -> FloatArray:
        return load_support_reader(self._model, self._labels, dtype=self._dtype).margins(pairs)

    def _read_combination(self) -> StoredCombination | None:
        if not is_own(self._model):
            return None
        return _read_combination(_combination_file(self._model))


def _combination_file(model: str) -> Path:
    """The combination that stands beside the weights of gistmeter's own network."""
    weights = WEIGHTS if model == EMBEDDED else Path(model).expanduser()
    return weights.with_name("combination.json" if model == EMBEDDED else f"{weights.stem}.json")


@functools.lru_cache(maxsize=4)
def _read_combination(file: Path) -> StoredCombination:
    return read_combination(file)
