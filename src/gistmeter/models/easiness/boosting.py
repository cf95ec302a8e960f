"""Boosted regression trees in XGBoost's JSON, read and asked without XGBoost."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from gistmeter.errors import MetricError
from gistmeter.models.runtime.stored_json import read_weights_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from gistmeter.arrays import FloatArray


WEIGHTS = Path(__file__).parent / "weights.json.gz"
_CONTENT = "a regressor as XGBoost writes it in JSON"
_NO_CHILD = -1
_MOST_FEATURES = 10_000
_LARGEST_CONDITION = float(np.finfo(np.float32).max)
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


class _Objective(msgspec.Struct):
    name: str


class _LearnerSettings(msgspec.Struct):
    """Texts, as XGBoost writes numbers here; newer versions write a list of one base score."""

    base_score: str
    num_feature: str


class _StoredTree(msgspec.Struct):
    """A tree as XGBoost writes it, a list for each property of nodes."""

    split_indices: list[int]
    split_conditions: list[float]
    left_children: list[int]
    right_children: list[int]
    default_left: list[int | bool]
    split_type: list[int] = []


class _StoredForest(msgspec.Struct):
    trees: list[_StoredTree]


class _Booster(msgspec.Struct):
    model: _StoredForest


class _Learner(msgspec.Struct):
    objective: _Objective
    learner_model_param: _LearnerSettings
    gradient_booster: _Booster


class _StoredModel(msgspec.Struct):
    learner: _Learner


def read_boosted_trees(path: str | Path) -> BoostedTrees:
    """The regressor in a file that XGBoost wrote: .json, or .json.gz.

    Raises
    ------
    MetricError
        There is no such file, or it is no such regressor: a field is missing or of another type, or a tree leads
        nowhere, in a circle, or asks for a feature that there is not.
    """
    file = Path(path).expanduser()
    if not file.is_file():
        raise MetricError(f"there is no regressor {file}")
    stored = read_weights_json(file, _CONTENT, _StoredModel)
    try:
        return _make_trees(stored)
    except _WrongTreesError as error:
        raise MetricError(f"{file} is not {_CONTENT}: {error}") from None


def parse_boosted_trees(model: dict[str, Any]) -> BoostedTrees:
    """The regressor from decoded JSON."""
    return _make_trees(msgspec.convert(model, _StoredModel))


class _WrongTreesError(Exception):
    """Trees that cannot be asked."""


def _make_trees(model: _StoredModel) -> BoostedTrees:
    learner = model.learner
    if learner.objective.name not in _OBJECTIVES:
        raise MetricError(
            f"the regressor was trained for {learner.objective.name}; squared error (reg:squarederror) is expected"
        )
    settings = learner.learner_model_param
    try:
        base, features = float(settings.base_score.strip("[]")), int(settings.num_feature)
    except ValueError:
        raise _WrongTreesError("`base_score` and `num_feature` are numbers") from None
    if not math.isfinite(base) or not 0 < features <= _MOST_FEATURES:
        raise _WrongTreesError(f"`base_score` is {base} and `num_feature` {features}")
    trees = learner.gradient_booster.model.trees
    return BoostedTrees(base, features, tuple(_tree(tree, number, features) for number, tree in enumerate(trees)))


def _tree(stored: _StoredTree, number: int, features: int) -> _RegressionTree:
    """A tree after it was checked: every node is reached once at most, so that each row comes to a leaf."""
    if any(stored.split_type):
        raise MetricError("the regressor splits by categories, which easiness has none of")
    left, right = stored.left_children, stored.right_children
    nodes = len(left)
    columns = (right, stored.split_indices, stored.split_conditions, stored.default_left)
    if not nodes or any(len(column) != nodes for column in columns):
        raise _WrongTreesError(f"tree {number} has no nodes, or lists of different lengths")
    if any((first == _NO_CHILD) != (second == _NO_CHILD) for first, second in zip(left, right, strict=True)):
        raise _WrongTreesError(f"tree {number} has a node with one child")
    children = [child for pair in zip(left, right, strict=True) for child in pair if child != _NO_CHILD]
    if any(not 0 < child < nodes for child in children) or len(set(children)) != len(children):
        raise _WrongTreesError(f"tree {number} leads to a node twice, or to one that there is not")
    if any(not 0 <= feature < features for feature in stored.split_indices):
        raise _WrongTreesError(f"tree {number} asks for a feature that there is not (there are {features})")
    if any(abs(condition) > _LARGEST_CONDITION for condition in stored.split_conditions):
        raise _WrongTreesError(f"tree {number} has a number that single precision cannot hold")
    return _RegressionTree(
        feature=np.array(stored.split_indices, np.int64),
        threshold=np.array(stored.split_conditions, np.float32),
        left=np.array(left, np.int64),
        right=np.array(right, np.int64),
        missing_left=np.array(stored.default_left, np.bool_),
    )
