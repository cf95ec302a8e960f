"""Measure, and write docs/test-numbers.md: `python -m bench.figures.metric_tests [SECTION...]`.

Sections: level, power, data, plan. With some named, the others stay as they stand on the page.
"""

from __future__ import annotations

import functools
import itertools
import re
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from bench.figures.page import Table
from bench.figures.runs import DATA
from bench.figures.simulated_metrics import Metrics, draw_metrics
from gistmeter import stats
from gistmeter.errors import DataError
from gistmeter.meta import Study
from gistmeter.stats.resampling.trials import run_trials

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gistmeter.stats.tables import Coefficient, Level

    Case = tuple[Level, Coefficient, int, int]

OUTPUT = Path(__file__).parent.parent.parent / "docs" / "test-numbers.md"
TEXT = """# Tests in figures

How often tests between metrics find a difference that is not there (their level, which should be 5%), and one that is
there (their power). `make figures` measures it and writes this page. Simulated judges have a value for each system and
one for each summary, both with deviation 1. A metric is the judges' value with errors: on single summaries
(*independent errors*), or on single summaries and on whole systems, which it favours or not (*system effects*; the two
kinds of error have the same size). Tests are two-sided at alpha .05, with 199 permutations or resamples.
"""
_TRIALS = 100
_DRAWS = 199
_CASES: tuple[Case, ...] = (
    ("system", "pearson", 12, 40),
    ("system", "pearson", 16, 100),
    ("system", "pearson", 25, 100),
    ("system", "spearman", 16, 100),
    ("system", "kendall", 12, 40),
    ("system", "kendall", 16, 100),
    ("summary", "pearson", 12, 40),
    ("summary", "pearson", 16, 100),
    ("summary", "pearson", 25, 100),
    ("summary", "kendall", 12, 40),
    ("summary", "kendall", 16, 100),
)
_TESTS = (
    "perm-scaled-systems",
    "perm-systems",
    "perm-both",
    "perm-crossed",
    "boot-both",
    "boot-systems",
    "williams",
)
_SUMMEVAL = (
    "bertscore_recall",
    "qa-eval_f1",
    "METEOR",
    "MoverScore",
    "s3_resp",
    "BEwTE_recall",
    "rouge-1_f1",
    "rouge-2_f1",
    "rouge-l_f1",
    "rouge-su4_f1",
)
_REALSUMM = ("bert_recall_score", "mover_score", "js-2", "rouge_1_recall", "rouge_2_recall", "rouge_l_recall")


def main() -> None:
    """Write the page."""
    from bench.figures.planned_power import planned_power

    sections = {
        "level": ("Equally good metrics", levels),
        "power": ("A metric that is worse", powers),
        "data": ("On research data", research_data),
        "plan": ("Planned and simulated power", planned_power),
    }
    asked = sys.argv[1:] or list(sections)
    text = OUTPUT.read_text("utf-8") if OUTPUT.exists() else ""
    before = dict(re.findall(r"^## (.+)\n((?:(?!## ).*\n?)*)", text, flags=re.MULTILINE))
    for name, (heading, tables) in sections.items():
        if name in asked:
            start = time.perf_counter()
            before[heading] = "\n" + "\n".join(map(str, tables()))
            print(f"{heading}: {time.perf_counter() - start:.0f} s", file=sys.stderr, flush=True)
        pending = f"\nNot measured yet: `python -m bench.figures.metric_tests {name}` does it."
        before.setdefault(heading, pending)
        parts = [f"## {title}\n{before.get(title, '').rstrip()}\n" for title, _ in sections.values()]
        OUTPUT.write_text("\n".join([TEXT, *parts]), encoding="utf-8")


def levels() -> Iterator[Table]:
    """How often each test rejects that equally good metrics are equally good."""
    for effects in (False, True):
        yield Table(
            _title(effects),
            f"Shares of {_TRIALS} data sets; the standard error of .050 is .022.",
            ["", *_TESTS],
            [[_label(case), *_shares(case, Metrics(effects=effects))] for case in _CASES],
        )


def powers() -> Iterator[Table]:
    """How often each test finds that a metric with larger errors is worse."""
    for effects, worse in itertools.product((False, True), ("system", "summary")):
        factor = {("system", False): 3.0, ("summary", False): 1.3}.get((worse, effects), 2.0)
        cases = [case for case in _CASES if case[0] == worse]
        yield Table(
            f"{_title(effects)}, {worse} level",
            f"The errors of one metric are {factor:g} times those of the other. Of tests that do not hold their level "
            "above, no power counts.",
            ["", *_TESTS],
            [[_label(case), *_shares(case, Metrics(effects=effects, worse=factor))] for case in cases],
        )


def research_data() -> Iterator[Table]:
    """System effects of real metrics, and who wins by which method."""
    rows: list[list[str | float | None]] = []
    sets = (("summeval", "expert_relevance", _SUMMEVAL), ("realsumm25", "litepyramid_recall", _REALSUMM))
    for name, aspect, metrics in sets:
        study = Study.read(DATA / "matrices" / f"{name}.json.gz")
        effects = [stats.system_effects(study[x], study[y]) for x, y in itertools.combinations(metrics, 2)]
        significant = sum(effect.pvalue <= 0.05 for effect in effects)
        fs = sorted(effect.f for effect in effects)
        for level, coefficient in (("system", "kendall"), ("system", "pearson"), ("summary", "kendall")):
            wins = [
                str(int(_compare(study, metrics, aspect, level, coefficient, method).significant.sum()))
                for method in ("scaled-systems", "systems", "both")
            ]
            size = f"{name}, {len(metrics)} metrics, {level} level, {coefficient}"
            rows.append([size, f"{significant} of {len(fs)}", f"{fs[0]:.1f} to {fs[-1]:.1f}", *wins])
    yield Table(
        "Wins of all pairs",
        "Pairs of metrics with system effects at alpha .05, the range of their F, and how many of all one-sided tests "
        "are significant after `bonferroni-metric`, by method.",
        ["", "system effects", "F", "scaled-systems", "systems", "both"],
        rows,
    )


def _compare(
    study: Study, metrics: tuple[str, ...], aspect: str, level: Level, coefficient: Coefficient, method: str
) -> stats.MetricComparison:
    return stats.compare_all(
        {name: study[name] for name in metrics},
        study[aspect],
        level=level,
        coefficient=coefficient,
        method=method,
        workers=2,
    )


def _title(effects: bool) -> str:
    return "System effects" if effects else "Independent errors"


def _label(case: Case) -> str:
    level, coefficient, systems, documents = case
    return f"{level}, {coefficient}, {systems} x {documents}"


def _shares(case: Case, metrics: Metrics) -> list[float]:
    """The share of rejections of each test."""
    level, coefficient, systems, documents = case

    def trial(number: int, rng: np.random.Generator) -> list[float]:
        x, y, z = draw_metrics(metrics, systems, documents, rng)
        return [_pvalue(test, x, y, z, level=level, coefficient=coefficient, seed=number) for test in _TESTS]

    pvalues = np.array(run_trials(_TRIALS, trial, seed=0, workers=2))
    return [float(np.mean(column <= 0.05)) for column in pvalues.T]


def _pvalue(test: str, *tables: np.ndarray, level: Level, coefficient: Coefficient, seed: int) -> float:
    """The two-sided p-value; 1 where a test is undefined."""
    kind, _, method = test.partition("-")
    how = functools.partial(_TEST_FUNCTIONS[kind], *tables, level=level, coefficient=coefficient)
    if kind == "williams":
        try:
            return how().pvalue
        except DataError:
            return 1.0
    draws = {"permutations": _DRAWS} if kind == "perm" else {"resamples": _DRAWS}
    return how(method=method, seed=seed, **draws).pvalue


_TEST_FUNCTIONS = {"perm": stats.permutation_test, "boot": stats.bootstrap_test, "williams": stats.williams_test}


if __name__ == "__main__":
    main()
