"""Boosted regression trees in XGBoost's JSON, read and asked without XGBoost."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gistmeter.errors import MetricError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from gistmeter.arrays import FloatArray


WEIGHTS = Path(__file__).parent / "weights.json.gz"
_NO_CHILD = -1
_OBJECTIVES = frozenset({"reg:squarederror", "reg:absoluteerror", "reg:pseudohubererror"})
"""Those whose prediction is the plain sum of the leaves."""


@dataclass(frozen=True, slots=True)
class _RegressionTree:
    """A tree as arrays by node: which feature is compared with what, and where to go; a leaf has no left child."""

    feature: NDArray[np.int64]
    threshold: NDArray[np.float32]
    left: NDArray[np.int64]
    right: NDArray[np.int64]
    missing_left: NDArray[np.bool_]

    def leaves(self, rows: NDArray[np.float32]) -> FloatArray:
        """The value of the leaf that each row reaches."""
        at = np.zeros(len(rows), np.int64)
        while (inner := np.flatnonzero(self.left[at] != _NO_CHILD)).size:
            node = at[inner]
            value = rows[inner, self.feature[node]]
            goes_left = np.where(np.isnan(value), self.missing_left[node], value < self.threshold[node])
            at[inner] = np.where(goes_left, self.left[node], self.right[node])
        return self.threshold[at].astype(np.float64)


@dataclass(frozen=True, slots=True)
class BoostedTrees:
    """A sum of regression trees."""

    base: float
    features: int
    trees: tuple[_RegressionTree, ...]

    def predict(self, rows: Sequence[Sequence[float]] | FloatArray) -> FloatArray:
        """The prediction for each row of features; XGBoost's own, up to the rounding of single precision."""
        table = np.asarray(rows, np.float32).reshape(-1, self.features)
        return self.base + sum((tree.leaves(table) for tree in self.trees), np.zeros(len(table)))


def read_boosted_trees(path: str | Path) -> BoostedTrees:
    """The regressor in a file that XGBoost wrote: .json, or .json.gz."""
    file = Path(path).expanduser()
    if not file.is_file():
        raise MetricError(f"there is no regressor {file}")
    try:
        return parse_boosted_trees(read_json(file))
    except (OSError, ValueError, KeyError, TypeError, IndexError):
        raise MetricError(f"{file} is not a regressor as XGBoost writes it in JSON") from None


def read_json(file: Path) -> Any:
    """What a file of JSON holds, gzipped or not."""
    return json.loads(gzip.decompress(file.read_bytes()) if file.suffix == ".gz" else file.read_bytes())


def parse_boosted_trees(model: dict[str, Any]) -> BoostedTrees:
    """The regressor from decoded JSON."""
    learner = model["learner"]
    objective = learner["objective"]["name"]
    if objective not in _OBJECTIVES:
        raise MetricError(f"the regressor was trained for {objective}; squared error (reg:squarederror) is expected")
    settings = learner["learner_model_param"]
    return BoostedTrees(
        base=float(settings["base_score"].strip("[]")),  # newer versions write a list
        features=int(settings["num_feature"]),
        trees=tuple(map(_tree, learner["gradient_booster"]["model"]["trees"])),
    )


def _tree(stored: dict[str, Any]) -> _RegressionTree:
    if any(stored.get("split_type", ())):
        raise MetricError("the regressor splits by categories, which easiness has none of")
    return _RegressionTree(
        feature=np.array(stored["split_indices"], np.int64),
        threshold=np.array(stored["split_conditions"], np.float32),
        left=np.array(stored["left_children"], np.int64),
        right=np.array(stored["right_children"], np.int64),
        missing_left=np.array(stored["default_left"], np.bool_),
    )
