"""`python -m bench.ranking`: ranking by means against the test that takes any pooled score, as ratios in one run.

The general test pools every permutation of every pair, score by score; the one for means is two products of matrices
and a comparison. Both draw the same permutations and give the same p-values, which is checked here.
"""

from __future__ import annotations

import os

# One core for both: numpy's own threads would count twice in CPU time.
os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import time
from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from gistmeter import stats
from gistmeter.ranking.rank import rank
from gistmeter.scores import ScoreColumn, Scores

if TYPE_CHECKING:
    from collections.abc import Callable

GOAL = 5
ROUNDS = 5
COLUMNS = [f"{metric}.{part}" for metric in ("rouge1", "rouge2", "rougeL") for part in ("precision", "recall", "f1")]
RUNS = {"complete": 0.0, "one summary in twenty missing": 0.05}


def main(systems: int = 25, documents: int = 100) -> None:
    """Print the table."""
    print(
        f"{systems} systems x {documents} documents x {len(COLUMNS)} scores; CPU seconds on one core, best of {ROUNDS}"
    )
    print("\n| run | the general test | rank | ratio |\n| --- | --- | --- | --- |")
    for name, missing in RUNS.items():
        scores = random_scores(systems, documents, missing)
        permutations = rank(scores).permutations
        check_equal(scores, permutations)
        general, fast = interleave(lambda scores=scores, p=permutations: plain(scores, p), lambda s=scores: rank(s))
        print(f"| {name} | {general:.2f} s | {fast:.2f} s | {general / fast:.1f}x (goal {GOAL}x) |", flush=True)


def random_scores(systems: int, documents: int, missing: float) -> Scores:
    """Scores of systems that differ a little, on documents that differ more."""
    rng = np.random.default_rng(0)
    quality = rng.normal(0.3, 0.03, size=(systems, 1, 1)) + rng.normal(0.0, 0.08, size=(1, documents, 1))
    values = np.clip(quality + rng.normal(0.0, 0.08, size=(systems, documents, len(COLUMNS))), 0.0, 1.0)
    values[rng.random((systems, documents)) < missing] = np.nan
    table = pl.DataFrame(
        {
            "doc_id": [f"d{document}" for _ in range(systems) for document in range(documents)],
            "system": [f"s{system}" for system in range(systems) for _ in range(documents)],
            **{name: values[..., index].ravel() for index, name in enumerate(COLUMNS)},
        }
    )
    return Scores(table, tuple(ScoreColumn(name, "rouge|v:0") for name in COLUMNS))


def plain(scores: Scores, permutations: int) -> list[np.ndarray]:
    """Intervals and p-values, one score at a time."""
    tables = []
    for column in scores.columns:
        parts = scores.parts(column.name)
        stats.bootstrap_interval(parts, stats.ratio)
        tables.append(stats.pairwise_pvalues(parts, stats.ratio, permutations=permutations))
    return tables


def check_equal(scores: Scores, permutations: int) -> None:
    """Both ways must give the same p-values, to the last bit."""
    values = np.stack([scores.matrix(column.name).values for column in scores.columns])
    fast = stats.pairwise_mean_pvalues(values, permutations=permutations)
    np.testing.assert_array_equal(fast, np.stack(plain(scores, permutations)))


def interleave(general: Callable[[], object], fast: Callable[[], object]) -> tuple[float, float]:
    """The best CPU time of each, measured in turns."""
    best = [float("inf"), float("inf")]
    for _ in range(ROUNDS):
        for index, run in enumerate((general, fast)):
            start = time.process_time()
            run()
            best[index] = min(best[index], time.process_time() - start)
    return best[0], best[1]


if __name__ == "__main__":
    main()
