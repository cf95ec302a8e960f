"""How many raters must judge each summary, from a pilot with several raters."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from gistmeter.errors import DataError
from gistmeter.stats.planning.pilot import make_pilot
from gistmeter.stats.planning.plan import PlanPoint, Target, make_plan
from gistmeter.stats.resampling.trials import run_trials
from gistmeter.stats.tables import check_counts, check_share

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike

    from gistmeter.stats.planning.plan import Plan
    from gistmeter.stats.resampling.samples import Resampling
    from gistmeter.stats.resampling.trials import Progress
    from gistmeter.stats.tables import Coefficient, Level, Undefined

_PANELS_RATIO = 5
"""A replicate of the pilot takes this many times fewer panels than the pilot."""


def plan_raters(
    ratings: ArrayLike,
    *,
    reliability: float = 0.9,
    level: Level = "summary",
    coefficient: Coefficient = "pearson",
    method: Resampling = "both",
    panels: int = 100,
    replicates: int = 100,
    undefined: Undefined = "drop",
    seed: int = 0,
    workers: int = 1,
    progress: Progress | None = None,
) -> Plan:
    """How many raters of each summary make means that correlate so well with the means of as many other raters.

    The raters of each summary are split at random into two panels, and the correlation of the panels' means is carried
    to other sizes by Spearman and Brown's formula, n r / (1 + (n - 1) r).

    Parameters
    ----------
    ratings : array_like
        Systems x documents x raters, NaN where a rater is missing; raters need not be the same people throughout.
    reliability : float
        The correlation to reach.
    level, coefficient, undefined
        Which correlation of the panels is taken, as in `correlate`. The formula is exact for Pearson's only.
    method : {"systems", "documents", "both"}
        What other pilots like this one draw anew.
    panels : int
        How many times the raters are split into panels.
    replicates, seed, workers, progress
        As in `plan_width`.

    Returns
    -------
    Plan

    Raises
    ------
    ArgumentError
        A choice does not exist, or a number is out of its range.
    DataError
        There are no summaries with two ratings, or the raters' agreement is undefined.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(1)
    >>> quality = rng.normal(size=(30, 50, 1))
    >>> plan_raters(quality + rng.normal(size=(30, 50, 4)), reliability=0.78, replicates=20).needed
    4
    """
    check_share("reliability", reliability)
    check_counts(panels=panels, replicates=replicates)
    pilot = make_pilot(
        None, (), ratings, unit="raters", level=level, coefficient=coefficient, method=method, undefined=undefined
    )
    half = pilot.size // 2

    def measure(number: int, rng: np.random.Generator) -> list[float]:
        """The agreement of panels: of all sizes for the pilot itself (number 0), of half the raters for a replicate."""
        if number:
            return [pilot.resample(rng).panel_agreement(half, -(-panels // _PANELS_RATIO), rng)]
        return [pilot.panel_agreement(size, panels, rng) for size in range(1, half + 1)]

    agreements, *replicated = run_trials(replicates + 1, measure, seed=seed, workers=workers, progress=progress)
    if math.isnan(agreements[-1]):
        raise DataError("the raters' agreement is undefined: a panel of them gives all summaries the same rating")
    # The formula turned round: the reliability of a single rater from the agreement of two panels.
    single, *replicated_single = (values[-1] / (half - (half - 1) * values[-1]) for values in (agreements, *replicated))
    curve = tuple(
        PlanPoint(size, value, size * single / (1 + (size - 1) * single))
        for size, value in enumerate(agreements, start=1)
    )
    numbers = [_raters_needed(value, reliability) for value in (single, *replicated_single) if not math.isnan(value)]
    caveat = "" if coefficient == "pearson" else "Spearman and Brown's formula is exact for Pearson only. "
    target = Target("reliability", reliability, caveat)
    return make_plan(target, pilot, numbers=numbers, curve=curve, limit=1.0 if single > 0 else 0.0)


def _raters_needed(single: float, target: float) -> float:
    """How many raters reach the target when a single one has this reliability; infinite if that is not above 0."""
    if single <= 0:
        return math.inf
    # Rounding must not ask for one more.
    return max(1.0, math.ceil(target * (1 - single) / (single * (1 - target)) - 1e-9))
