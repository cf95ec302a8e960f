"""`python -m bench.resampling`: bootstrap intervals and permutation tests against nlpstats, as ratios."""

from __future__ import annotations

import os

# One core for both: numpy's own threads would count twice in CPU time.
os.environ.setdefault("OMP_NUM_THREADS", "1")

import resource
import time
import warnings
from typing import TYPE_CHECKING

import numpy as np

from gistmeter import stats

if TYPE_CHECKING:
    from collections.abc import Callable

SHAPES = ((16, 100), (25, 100), (58, 48))
COEFFICIENTS = ("pearson", "spearman", "kendall")
# What nlpstats does in a reasonable time; its time is scaled to as many draws as ours. It is a plain loop.
THEIR_DRAWS = {"summary": 8, "system": 120}
DRAWS = 1000
GOALS = {"summary": 100, "system": 20}
ROUNDS = 3


def main() -> None:
    """Print the table of ratios, the gain of two workers and the memory of a large run."""
    warnings.filterwarnings("ignore")  # scipy's, on constant resamples of nlpstats
    print(
        f"CPU seconds on one core for {DRAWS:,} draws of systems and inputs, the best of {ROUNDS} interleaved rounds;"
    )
    print(
        f"nlpstats is timed on {THEIR_DRAWS['summary']} draws (system level {THEIR_DRAWS['system']}) and scaled up.\n"
    )
    print("| level | what | systems x documents | coefficient | nlpstats | gistmeter | ratio |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    worst = dict.fromkeys(GOALS, float("inf"))
    for level, goal in GOALS.items():
        for what in ("bootstrap", "permutation"):
            for shape in SHAPES:
                for coefficient in COEFFICIENTS:
                    peer, mine = interleaved(*runs(what, shape, level, coefficient))
                    peer *= DRAWS / THEIR_DRAWS[level]
                    worst[level] = min(worst[level], peer / mine)
                    size = f"{shape[0]} x {shape[1]}"
                    times = f"{peer:.2f} s | {mine:.4f} s | {peer / mine:.0f}x (goal {goal}x)"
                    print(f"| {level} | {what} | {size} | {coefficient} | {times} |", flush=True)
    print("\nThe least ratio:", ", ".join(f"{ratio:.0f}x at {level} level" for level, ratio in worst.items()))
    workers()
    memory()


def tables(shape: tuple[int, int]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Two metrics and the judges, on a scale of five with a third between: mean of three raters."""
    rng = np.random.default_rng(0)
    raw = 3 + rng.normal(size=(shape[0], 1)) + rng.normal(size=shape)
    z = np.clip(np.round(3 * raw) / 3, 1, 5)
    return z + rng.normal(size=shape), z + rng.normal(size=shape), z


def runs(
    what: str, shape: tuple[int, int], level: str, coefficient: str
) -> tuple[Callable[[], object], Callable[[], object]]:
    """The same work for nlpstats (fewer draws) and for gistmeter."""
    from nlpstats import correlations as nlpstats

    x, y, z = tables(shape)
    theirs, few = {"summary": "input", "system": "system"}[level], THEIR_DRAWS[level]
    if what == "bootstrap":
        return (
            lambda: nlpstats.bootstrap(x, z, theirs, coefficient, "both", n_resamples=few),
            lambda: stats.bootstrap(x, z, level=level, coefficient=coefficient, method="both", resamples=DRAWS),
        )
    return (
        lambda: nlpstats.permutation_test(x, y, z, theirs, coefficient, "both", n_resamples=few),
        lambda: stats.permutation_test(
            x, y, z, level=level, coefficient=coefficient, method="both", permutations=DRAWS
        ),
    )


def interleaved(peer: Callable[[], object], mine: Callable[[], object]) -> tuple[float, float]:
    """The best CPU time of each, taken in turns so that a busy machine hurts both."""
    mine()  # compile, or read what was compiled, first
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(ROUNDS):
        for run, taken in zip((peer, mine), times, strict=True):
            start = time.process_time()
            run()
            taken.append(time.process_time() - start)
    return min(times[0]), min(times[1])


def workers() -> None:
    """Wall time with one worker and with two."""
    x, y, z = tables((58, 48))
    taken: dict[int, float] = {}
    for count in (1, 2) * ROUNDS:
        start = time.perf_counter()
        stats.permutation_test(x, y, z, coefficient="kendall", permutations=10_000, workers=count)
        taken[count] = min(taken.get(count, float("inf")), time.perf_counter() - start)
    gain = taken[1] / taken[2]
    print(f"10,000 permutations, Kendall, 58 x 48: {taken[1]:.2f} s, with two workers {taken[2]:.2f} s ({gain:.1f}x)")


def memory() -> None:
    """The most memory this process ever had, after 10,000 resamples."""
    x, _, z = tables((58, 48))
    stats.bootstrap(x, z, coefficient="kendall", resamples=10_000)
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"Memory after 10,000 resamples of 58 x 48: at most {most:.0f} MB, Python and nlpstats included (goal 1 GB)")


if __name__ == "__main__":
    main()
