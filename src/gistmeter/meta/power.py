"""How often does a test find a difference between metrics that is there?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, cast

from gistmeter import stats
from gistmeter.meta.options import CorrelationOptions
from gistmeter.meta.sources import study_of
from gistmeter.meta.study.directions import note_columns
from gistmeter.meta.study.skipping import naming
from gistmeter.metrics.overlap.rouge import RougeN
from gistmeter.metrics.registry import parse_metric
from gistmeter.result import Result

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy as np

    from gistmeter.arrays import FloatArray
    from gistmeter.meta.options import Progress
    from gistmeter.meta.sources import JudgmentSource, ScoreSource
    from gistmeter.meta.study import Study
    from gistmeter.stats import PowerCurves
    from gistmeter.stats.planning.power import PowerAlternative
    from gistmeter.stats.tables import Coefficient, Level, Undefined


@dataclass(frozen=True, slots=True)
class TestPower(Result):
    """How often tests find that a metric is better than worse versions of itself."""

    __test__ = False  # no test case, whatever pytest makes of its name

    metric: str
    aspect: str
    curves: PowerCurves
    notes: tuple[str, ...] = ()

    def records(self) -> list[dict[str, Any]]:
        """A row for each share of the metric that is kept: the correlation lost, and the power of each test."""
        return [
            {
                "kept": share,
                "lost correlation": lost,
                **{row.test: row.power[index] for row in self.curves.rows},
            }
            for index, (share, lost) in enumerate(zip(self.curves.shares, self.curves.lost, strict=True))
        ]


@dataclass(frozen=True, slots=True, eq=False)
class ThinnedRouge:
    """ROUGE-1 of a share of the tokens of each summary (the thesis' R_k), mean over references."""

    matches: stats.TokenMatches
    variant: Literal["precision", "recall", "f1"]
    sign: float = 1.0
    """-1 if someone says that less of it is better."""

    def all_tokens(self) -> FloatArray:
        """The scores with all tokens: ROUGE-1."""
        return self.sign * stats.thinned_rouge(self.matches, 1.0, variant=self.variant)

    def draw_tokens(self, share: float, rng: np.random.Generator) -> FloatArray:
        """The scores with a share of the tokens of each summary, drawn at random."""
        return self.sign * stats.thinned_rouge(self.matches, share, variant=self.variant, rng=rng)


def power(
    scores: ScoreSource,
    judgments: JudgmentSource = None,
    *,
    metric: str,
    aspect: str | None = None,
    level: Level = "system",
    coefficient: Coefficient = "pearson",
    trials: int = 200,
    permutations: int = 1000,
    alpha: float = 0.05,
    alternative: PowerAlternative = "greater",
    undefined: Undefined = "drop",
    seed: int = 0,
    workers: int = 1,
    progress: Progress | None = None,
    lower: str | Sequence[str] | None = None,
    higher: str | Sequence[str] | None = None,
    units: Sequence[str | Path] = (),
) -> TestPower:
    """Power of the tests of two metrics against worse versions of one metric (Deutsch 2022, Fig. 27).

    For `rouge1` with the texts at hand (a run), the worse versions keep a share of the tokens, as in the thesis;
    otherwise noise of the size that thinning tokens makes is added to the scores.

    Parameters
    ----------
    scores, judgments
        A `Study`; or scores and judgments, in memory or as files: see `open_study`.
    metric
        The score to make worse versions of. For a run, the one to compute first.
    aspect
        The judgment to compare with; by default the only one there is.
    level
        What is correlated: `system`, `summary`, `pooled` or `per-system`.
    coefficient
        `pearson`, `spearman`, `kendall` or `kendall-c`.
    trials
        How many worse versions of each share are tried.
    permutations
        How many permutations or resamples each test draws.
    alpha
        The level of significance of the tests.
    alternative
        Whether tests ask if the metric is better than its worse version (`greater`, as in the thesis), or if the two
        differ (`two-sided`, as `test` by default).
    undefined
        What becomes of a correlation with a constant: `drop`, `zero` or `error`.
    seed
        Says which worse versions and permutations are drawn.
    workers
        How many threads; the result is the same for any number.
    progress
        Called with how many trials are done, and how many there are.
    lower, higher
        Scores or aspects of which lower, or higher, is better, where nothing says so or otherwise. The sign of the
        former is turned; notes of the result say so.
    units
        For a run, files of content units.

    Returns
    -------
    TestPower
        The power of permutation tests by systems and by summaries, the bootstrap test and Williams' test, for each
        share that is kept.

    Raises
    ------
    ArgumentError, DataError
        As for `correlate`.

    Examples
    --------
    >>> import numpy as np
    >>> from gistmeter import meta
    >>> rng = np.random.default_rng(1)
    >>> people = rng.normal(size=(8, 30))
    >>> study = meta.Study.from_tables({"good": people + rng.normal(size=(8, 30)), "rated": people}, aspects=["rated"])
    >>> answer = meta.power(study, metric="good", level="summary", trials=5, permutations=50)
    >>> answer.to_frame().columns
    ['kept', 'lost correlation', 'perm-scaled-systems', 'perm-both', 'boot-both', 'williams']
    """
    study = study_of(scores, judgments, metrics=[metric], aspects=aspect, units=units, lower=lower, higher=higher)
    metric, chosen = study.resolve(metric), study.choose_aspect(aspect)
    options = CorrelationOptions(level=level, coefficient=coefficient, undefined=undefined)
    with naming(metric):
        thinned = _thin_rouge(study, metric, sign=study.sign_toward(metric, chosen, options))
        curves = stats.power(
            thinned.all_tokens() if thinned else study.oriented_toward(metric, chosen, options),
            study.oriented(chosen),
            thinned.draw_tokens if thinned else None,
            trials=trials,
            draws=permutations,
            alpha=alpha,
            alternative=alternative,
            seed=seed,
            workers=workers,
            progress=progress,
            **options.keywords(),
        )
    return TestPower(metric=metric, aspect=chosen, curves=curves, notes=note_columns(study, (metric, chosen)))


def _thin_rouge(study: Study, column: str, *, sign: float = 1.0) -> ThinnedRouge | None:
    """Worse versions of a rouge1 score, if the texts are known; else None."""
    label, _, variant = column.rpartition(".")
    if study.run is None or not label.startswith("rouge1"):
        return None
    metric = parse_metric(label)
    if not isinstance(metric, RougeN):
        return None
    rows = {system: index for index, system in enumerate(study.systems)}
    columns = {doc_id: index for index, doc_id in enumerate(study.documents)}
    summaries: list[list[list[str] | None]] = [[None] * len(columns) for _ in rows]
    references: list[list[list[str]]] = [[] for _ in columns]
    for example in study.run.examples():
        if example.system in rows and example.doc_id in columns:
            analysis = metric.analysis(example.language)
            summaries[rows[example.system]][columns[example.doc_id]] = analysis.tokens(example.summary)
            references[columns[example.doc_id]] = [analysis.tokens(text) for text in example.references]
    matches = stats.TokenMatches.of(summaries, references)
    return ThinnedRouge(matches, cast('Literal["precision", "recall", "f1"]', variant), sign)
