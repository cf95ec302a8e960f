"""Systems scored, ranked and reported in one go: what all three need is read, fitted and ranked once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from gistmeter.api.reports import write_report
from gistmeter.api.scoring import ScoringOptions, score_with_options, stream_with_options
from gistmeter.models.runtime.settings import use_settings
from gistmeter.ranking.means import SystemMeans, measure_means
from gistmeter.ranking.rank import Ranking, rank
from gistmeter.scores import Scores
from gistmeter.scoring.explain import fit_metrics
from gistmeter.scoring.inputs import as_run

if TYPE_CHECKING:
    from collections.abc import Callable

    from gistmeter.io.runs import Run
    from gistmeter.scores import ScoreColumn
    from gistmeter.scoring.inputs import Metrics, RunLike

MOST_RANKED_ROWS = 100_000
"""Summaries of a file that are ranked at once, with intervals and tests; of more there are means alone."""


@dataclass(frozen=True, kw_only=True)
class ScoredSystems:
    """A run after scoring. The table, the order of the systems and a report are made when they are asked for."""

    run: Run
    metrics: Metrics
    """As they scored: where a report was announced, fitted to the run."""

    table: Scores | Path
    """The scores, or the file that they were written to."""

    columns: tuple[ScoreColumn, ...]
    summaries: int
    options: ScoringOptions
    earlier: tuple[str, ...] = ()
    """The metrics that the file had before, which stay beside the new ones."""

    @cached_property
    def scores(self) -> Scores:
        """All scores, read from their file where they are in one."""
        return Scores.of(self.table)

    @cached_property
    def standings(self) -> Ranking | SystemMeans:
        """The ranking of the systems; of a file that is too long to rank at once, the means of each system."""
        return self._measure_standings(None)

    def rank_systems(self, progress: Callable[[float], None] | None = None) -> Ranking | SystemMeans:
        """The `standings`, with the share of the work that is done told to `progress` now and then."""
        if "standings" not in self.__dict__:
            self.__dict__["standings"] = self._measure_standings(progress)
        return self.standings

    def _measure_standings(self, progress: Callable[[float], None] | None) -> Ranking | SystemMeans:
        if isinstance(self.table, Path) and self.is_long:
            return measure_means(self.table, self.columns, summaries=self.summaries)
        return rank(self.scores, progress=progress)

    @property
    def is_long(self) -> bool:
        """Whether the scores are in a file of more rows than are ranked at once."""
        return isinstance(self.table, Path) and self.summaries > MOST_RANKED_ROWS

    def write_report(self, path: str | Path) -> None:
        """Write the HTML report of these scores, with the texts and the evidence of the run that was scored."""
        ranking = self.standings if not self.is_long else None
        with use_settings(self.options.runtime):
            write_report(
                self.scores,
                path,
                run=self.run,
                ranking=ranking if isinstance(ranking, Ranking) else None,
                metrics=self.metrics,
                cache=self.options.cache,
            )


def score_systems(
    run: RunLike,
    metrics: Metrics,
    *,
    output: str | Path | None = None,
    report: bool = False,
    options: ScoringOptions | None = None,
) -> ScoredSystems:
    """Score a run for a leaderboard, and for a report if there is to be one.

    Parameters
    ----------
    run, metrics, output
        As for `score`.
    report
        Whether `write_report` of the result will be called: the run is then kept so that it can be read again, and
        metrics that depend on the whole run are fitted once, for the scores and for the page.
    options
        How the run is scored; by default in this process, with the score cache.

    Returns
    -------
    ScoredSystems
        The scores, their `standings` (a ranking, or means where the run is long), and `write_report`.

    Raises
    ------
    ArgumentError, MetricError, DataError
        As by `score`.

    >>> from gistmeter.example import Example
    >>> texts = {"a": "It rained.", "b": "Snow fell."}
    >>> run = [Example(doc_id="1", system=name, summary=text, references=("It rained a lot.",))
    ...        for name, text in texts.items()]
    >>> scored = score_systems(run, "rouge1", options=ScoringOptions(cache=False))
    >>> scored.summaries, [ranked.system for ranked in scored.standings.leading.systems]
    (2, ['a', 'b'])
    """
    options = options or ScoringOptions()
    opened = as_run(run)
    if report:
        opened = opened.rereadable()
        with use_settings(options.runtime):
            metrics = fit_metrics(opened, metrics)
    if output is None:
        scores = score_with_options(opened, metrics, options)
        return ScoredSystems(
            run=opened,
            metrics=metrics,
            table=scores,
            columns=scores.columns,
            summaries=len(scores),
            options=options,
        )
    outcome = stream_with_options(opened, metrics, output, options)
    return ScoredSystems(
        run=opened,
        metrics=metrics,
        table=Path(output),
        columns=outcome.columns,
        summaries=outcome.rows,
        options=options,
        earlier=outcome.earlier,
    )
