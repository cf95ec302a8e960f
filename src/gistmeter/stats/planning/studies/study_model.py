"""A model of studies, fitted to a pilot: what systems, documents and single summaries add to scores.

    score = mean + system + document + rest

Each part has a value in the tables of two metrics and in that of the judges, and those go together: covariances of the
parts are estimated by the method of moments. Means over documents hold the rest, divided by their number; what they
hold of it in the pilot is taken off, so that a study of more documents has systems that are told apart more clearly.

Systems and documents that a study shares with the pilot have the effects estimated for them, shrunk to the covariance
of true effects; others are drawn from a normal law. The rest is drawn from a system's own residuals in the pilot.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.arrays import FloatArray, IntArray
    from gistmeter.stats.tables import Level


@dataclass(frozen=True, slots=True, eq=False)
class Effects:
    """What each system (or each document) adds to the scores of several tables."""

    axes: FloatArray
    """Directions in which the pilot's means have variance 1, and noise none in common, tables x directions."""
    noise: FloatArray
    """How much of that variance is noise; above 1 if the means differ by less than noise alone would let them."""
    positions: FloatArray
    """The pilot's means in these directions, directions x systems."""

    @property
    def root(self) -> FloatArray:
        """A root of the covariance of true effects, tables x tables."""
        return np.asarray(self.axes * np.sqrt(np.clip(1 - self.noise, 0.0, 1.0)))

    @property
    def estimates(self) -> FloatArray:
        """Effects of those in the pilot, tables x systems, shrunk."""
        return np.asarray(self.root @ self.positions)

    @property
    def covariance(self) -> FloatArray:
        """The covariance of true effects between tables."""
        return np.asarray(self.root @ self.root.T)

    def draw(self, size: int, rng: np.random.Generator) -> FloatArray:
        """Effects of others, tables x size."""
        return np.asarray(self.root @ rng.standard_normal((self.root.shape[1], size)))

    def draw_pilot(self, rng: np.random.Generator, *, same: bool) -> Effects:
        """What another pilot like this says of effects, from means with as much noise, of the same or other systems."""
        count = None if same else self.positions.shape[1]
        means = self.draw_means(count, 1.0, 1, rng)[:, 0]
        return _shrink(means - means.mean(axis=1, keepdims=True), (self.axes * self.noise) @ self.axes.T)

    def draw_means(self, count: int | None, ratio: float, studies: int, rng: np.random.Generator) -> FloatArray:
        """Means with noise in so many studies, tables x studies x systems, of others or (None) of the pilot's own.

        `ratio` is how much larger the variance of noise is than in the pilot. Where means of the pilot differ by less
        than noise alone would let them, noise is made smaller.
        """
        effects = np.clip(1 - self.noise, 0.0, 1.0)
        spread = np.sqrt(np.maximum(0.0, np.minimum(1 - self.noise, 0.0) + ratio * self.noise))
        shape = (len(self.noise), studies, self.positions.shape[1] if count is None else count)
        drawn = spread[:, None, None] * rng.standard_normal(shape)
        own = self.positions[:, None] if count is None else rng.standard_normal(shape)
        return np.asarray(np.einsum("td,dsk->tsk", self.axes, drawn + np.sqrt(effects)[:, None, None] * own))


@dataclass(frozen=True, slots=True, eq=False)
class StudyModel:
    """What the scores of studies like a pilot are made of; the last table is the judges'."""

    systems: Effects
    documents: Effects
    residuals: FloatArray
    """Tables x systems x documents; those of a system that are missing stand last."""
    counts: IntArray
    """How many residuals each system has."""
    residual_covariance: FloatArray

    def draw(
        self,
        systems: int | None,
        documents: int | None,
        rng: np.random.Generator,
        *,
        judge_noise: float = 0.0,
    ) -> FloatArray:
        """The tables of a study, tables x systems x documents, with so many drawn anew; None takes the pilot's own.

        `judge_noise` is the deviation of more noise in the judges' table, as of fewer raters.
        """
        of_systems = self.systems.estimates if systems is None else self.systems.draw(systems, rng)
        owners = np.arange(len(self.counts))
        if systems is not None:
            owners = rng.integers(len(owners), size=systems)
        of_documents = self.documents.estimates if documents is None else self.documents.draw(documents, rng)
        picked = (rng.random((len(owners), of_documents.shape[1])) * self.counts[owners, None]).astype(np.int64)
        tables = self.residuals[:, owners[:, None], picked]
        tables += of_systems[:, :, None]
        tables += of_documents[:, None, :]
        if judge_noise:
            tables[-1] += judge_noise * rng.standard_normal(tables[-1].shape)
        return np.asarray(tables)

    def slopes(self, level: Level) -> FloatArray:
        """By how much each table grows with the judges', at a level."""
        documents = self.residuals.shape[2]
        share = 1 / documents if level == "system" else 1.0
        covariance = share * self.residual_covariance
        if level != "per-system":
            covariance = covariance + self.systems.covariance
        if level in ("pooled", "per-system"):
            covariance = covariance + self.documents.covariance
        variance = covariance[-1, -1]
        return np.asarray(covariance[-1] / variance if variance > 0 else covariance[-1] * 0.0)


def fit_study_model(tables: Sequence[FloatArray]) -> StudyModel:
    """The model of tables of the same summaries, systems x documents, NaN in the same cells."""
    scores = np.stack(tables)
    present = ~np.isnan(scores[0])
    scored = np.ix_(present.any(axis=1), present.any(axis=0))
    present = present[scored]
    scores = np.stack([table[scored] for table in tables])
    systems, documents = present.shape
    if systems < 2 or documents < 2:
        raise DataError("the pilot is too small to plan from: it needs at least 2 systems and 2 documents")
    system_means, document_means, residuals = _take_apart(scores, present)
    cells = residuals[:, present]
    # As many cells as there are, less what systems and documents were estimated from.
    freedom = max(1, int(present.sum()) - systems - documents + 1)
    covariance = cells @ cells.T / freedom
    order = np.argsort(~present, axis=1, kind="stable")
    residuals = np.where(present, residuals, 0.0) * np.sqrt(present.sum() / freedom)
    return StudyModel(
        systems=_shrink(system_means, covariance * np.mean(1 / present.sum(axis=1))),
        documents=_shrink(document_means, covariance * np.mean(1 / present.sum(axis=0))),
        residuals=np.take_along_axis(residuals, np.broadcast_to(order, residuals.shape), axis=2),
        counts=present.sum(axis=1),
        residual_covariance=covariance,
    )


def _take_apart(scores: FloatArray, present: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Effects of systems and of documents, each around 0, and what they leave of the scores (NaN where missing)."""
    rest = scores - scores[:, present].mean(axis=1)[:, None, None]
    of_systems, of_documents = np.zeros(scores.shape[:2]), np.zeros((len(scores), scores.shape[2]))
    # Without gaps once is enough; with gaps the two are not orthogonal, and are taken off in turns.
    for _ in range(1 if present.all() else 20):
        step = np.nanmean(rest, axis=2)
        of_systems, rest = of_systems + step, rest - step[:, :, None]
        step = np.nanmean(rest, axis=1)
        of_documents, rest = of_documents + step, rest - step[:, None, :]
    centres = of_systems.mean(axis=1, keepdims=True), of_documents.mean(axis=1, keepdims=True)
    return of_systems - centres[0], of_documents - centres[1], rest


def _shrink(means: FloatArray, noise: FloatArray) -> Effects:
    """The effects behind means (tables x units) that hold noise of this covariance."""
    count = means.shape[1]
    total = means @ means.T / (count - 1)
    scale = np.sqrt(np.maximum(np.diag(total), np.finfo(float).tiny))
    # Means of few units, or equal ones, have no covariance to divide by: a little is added.
    total = total + 1e-9 * np.diag(scale**2)
    lower = np.linalg.cholesky(total)
    inverse = np.linalg.inv(lower)
    shares, axes = np.linalg.eigh(inverse @ noise @ inverse.T)
    return Effects(axes=np.asarray(lower @ axes), noise=shares, positions=np.asarray(axes.T @ inverse @ means))
