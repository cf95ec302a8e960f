"""Does one metric agree with people better than another? A test of two metrics, or of all pairs at once."""

# ruff: noqa: PT028  (the function is the question `test`, not a test case)

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, cast

from gistmeter import stats
from gistmeter.errors import ArgumentError
from gistmeter.meta.comparisons import AllPairsTest, PairTest, note_test
from gistmeter.meta.options import CorrelationOptions
from gistmeter.meta.sources import name_list, study_of
from gistmeter.meta.study.directions import LEFT_OUT, choose_ranked, note_columns, note_few_systems
from gistmeter.meta.study.skipping import SkippedMetrics
from gistmeter.stats.comparison import pair_effects
from gistmeter.stats.hypothesis import Alternative
from gistmeter.stats.resampling.samples import WHOLE_SYSTEMS, Resampling
from gistmeter.stats.tables import check_choice, check_share

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from gistmeter.meta.sources import JudgmentSource, ScoreSource
    from gistmeter.stats import TestResult
    from gistmeter.stats.comparison import Correction
    from gistmeter.stats.resampling.samples import SwapMethod
    from gistmeter.stats.tables import Coefficient, Level, Undefined

TestName = Literal["permutation", "bootstrap", "williams"]
"""Which test: by swapping scores, by resampling, or Williams' for normal scores."""


def test(
    scores: ScoreSource,
    judgments: JudgmentSource = None,
    *,
    metrics: str | Sequence[str] | None = None,
    aspect: str | None = None,
    level: Level = "system",
    coefficient: Coefficient = "pearson",
    test: TestName = "permutation",
    method: SwapMethod | None = None,
    alternative: Alternative | None = None,
    correction: Correction = "bonferroni-metric",
    permutations: int = 1000,
    alpha: float = 0.05,
    undefined: Undefined = "drop",
    seed: int = 0,
    workers: int = 1,
    lower: str | Sequence[str] | None = None,
    higher: str | Sequence[str] | None = None,
    units: Sequence[str | Path] = (),
) -> PairTest | AllPairsTest:
    """Test whether one metric agrees with people better than another: two metrics, or all pairs of several.

    Two metrics are tested as `test` and `alternative` say. Of more than two every one is tested against every other
    by one-sided permutation tests, corrected for their number (Deutsch 2022, section 7.4 and Fig. 29). A score of which
    neither high nor low is better (`length.words`) is left out of all pairs, unless `lower` or `higher` names it.

    Parameters
    ----------
    scores, judgments
        A `Study`; or scores and judgments, in memory or as files: see `open_study`.
    metrics
        The metrics to compare; all by default. For a run, those to compute first.
    aspect
        The judgment to compare with; by default the only one there is.
    level
        What is correlated: `system`, `summary`, `pooled` or `per-system`.
    coefficient
        `pearson`, `spearman`, `kendall` or `kendall-c`.
    test
        For two metrics: `permutation` (of their scores), `bootstrap`, or `williams` (for normal scores).
    method
        What is swapped: `scaled-systems` (the default; whole systems, the metrics on the scale of the correlation),
        `systems`, `documents`, `both` (single summaries, as in the thesis: for metrics that favour no systems) or
        `crossed`. What the bootstrap draws anew: `both` (its default), `systems` or `documents`. Williams' test takes
        none.
    alternative
        For two metrics: `two-sided` (the default), `greater` (the first agrees better) or `less`. Of more than two,
        each is tested for being better than each other: `greater`.
    correction
        For more than two: `bonferroni-metric` (for the tests of one metric), `bonferroni-all`, `holm` or `none`.
    permutations
        How many permutations, or resamples of the bootstrap. There are more where so few could give no p-value that
        is significant after the correction.
    alpha
        The level of significance.
    undefined
        What becomes of a correlation with a constant: `drop`, `zero` or `error`.
    seed
        Says which permutations are drawn.
    workers
        How many threads; the result is the same for any number.
    lower, higher
        Scores or aspects of which lower, or higher, is better, where nothing says so or otherwise. The sign of the
        former is turned; notes of the result say so.
    units
        For a run, files of content units.

    Returns
    -------
    PairTest or AllPairsTest
        The former for two metrics.

    Raises
    ------
    ArgumentError
        The bootstrap, Williams' test or another alternative than `greater` was asked for with more than two metrics,
        Williams' test with a method, a metric that was named has no direction, an argument is missing, or there are
        too few systems for any p-value to be significant after the correction.
    DataError
        There is no such score or judgment, fewer than two metrics, or too little data.

    Examples
    --------
    >>> import numpy as np
    >>> from gistmeter import meta
    >>> rng = np.random.default_rng(1)
    >>> people = rng.normal(size=(12, 30))
    >>> tables = {f"noise {n}": people + n * rng.normal(size=(12, 30)) for n in (1, 2, 8)}
    >>> study = meta.Study.from_tables({**tables, "rated": people}, aspects=["rated"])
    >>> meta.test(study, metrics=["noise 1", "noise 2"], level="summary", coefficient="pearson").pvalue
    0.001998...
    >>> table = meta.test(study, level="summary", coefficient="pearson").to_frame()
    >>> table.select("x", "y", "x is better").rows()[0]
    ('noise 1', 'noise 2', 'significant, corrected')
    """
    check_share("alpha", alpha)
    check_choice("alternative", alternative or "two-sided", Alternative)
    if test == "williams" and method:
        raise ArgumentError("Williams' test swaps and resamples nothing: leave `method` out")
    names = name_list(metrics)
    study = study_of(scores, judgments, metrics=names, aspects=aspect, units=units, lower=lower, higher=higher)
    chosen = study.choose_aspect(aspect)
    directions = note_columns(study, (*study.choose_metrics(names), chosen), undirected=LEFT_OUT)
    notes = (*directions, *note_few_systems(study, (level,)))
    names = choose_ranked(study, chosen, names)
    options = CorrelationOptions(level=level, coefficient=coefficient, undefined=undefined)
    skipped = SkippedMetrics(strict=undefined == "error" or len(names) == 2)
    skipped.check_aspects(study, [chosen], undefined)
    names = skipped.keep_correlated(study, names, chosen, options)
    skipped.check(names[1:])  # a test is of two
    notes = (*notes, *skipped.notes)
    if len(names) == 2:
        x, y, z = (study.oriented(name) for name in (*names, chosen))
        effects = by_systems = None
        asked = alternative or "two-sided"
        if test == "williams":
            result = stats.williams_test(x, y, z, alternative=asked, **options.keywords())
        elif test == "bootstrap":
            check_choice("method", method or "both", Resampling)
            result = stats.bootstrap_test(
                x,
                y,
                z,
                alternative=asked,
                resamples=permutations,
                method=cast("Resampling", method or "both"),
                seed=seed,
                workers=workers,
                **options.keywords(),
            )
        else:

            def swap(method: SwapMethod) -> TestResult:
                return stats.permutation_test(
                    x,
                    y,
                    z,
                    alternative=asked,
                    permutations=permutations,
                    method=method,
                    seed=seed,
                    workers=workers,
                    **options.keywords(),
                )

            result = swap(method or "scaled-systems")
            effects = pair_effects(x, y, z)
            if effects and effects.pvalue <= alpha and result.method not in WHOLE_SYSTEMS:
                by_systems = swap("scaled-systems")
        ignored = by_systems is not None
        return PairTest(
            x=names[0],
            y=names[1],
            aspect=chosen,
            test=result,
            alpha=alpha,
            seed=seed,
            effects=effects,
            by_systems=by_systems,
            notes=(*notes, *note_test(result, effects, ignored=ignored, alpha=alpha)),
        )
    if test != "permutation":
        raise ArgumentError(f"`test` {test} compares two metrics; name two, or test all pairs by permutation")
    if alternative not in (None, "greater"):
        raise ArgumentError(
            f"of {len(names)} metrics each is tested for being better than each other (`alternative=greater`); name "
            f"two metrics for a test that is {'two-sided' if alternative == 'two-sided' else 'for less'}"
        )
    comparison = stats.compare_all(
        {name: study.oriented(name) for name in names},
        study.oriented(chosen),
        permutations=permutations,
        correction=correction,
        alpha=alpha,
        method=method or "scaled-systems",
        seed=seed,
        workers=workers,
        **options.keywords(),
    )
    return AllPairsTest(
        aspect=chosen,
        level=level,
        coefficient=coefficient,
        comparison=comparison,
        notes=(*notes, *comparison.notes),
    )
