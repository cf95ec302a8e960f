"""Three ways to look for the best extract: greedily, with a beam, or by going through all (Deutsch, 2022, 5.4.2)."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

import numpy as np

from gistmeter.errors import ArgumentError
from gistmeter.metrics.extracts import Choice  # noqa: TC001  (what was found is read back by its types)
from gistmeter.stats.tables import check_choice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.probe.search.candidates import Candidates

Search = Literal["greedy", "beam", "exact"]
"""Add the best sentence while that helps; the same with several extracts at a time; or all extracts."""

MOST_EXTRACTS = 200_000
"""How many extracts of one document the exact search goes through at most."""

_BATCH_CHOICES = 4096
_SMALLEST_GAIN = 1e-9
"""Smaller gains are rounding, and no reason to make an extract longer."""


class ScoreChoices(Protocol):
    """What gives values to choices."""

    def __call__(self, choices: Sequence[Choice], *, keep: int, floor: float) -> FloatArray:
        """The values of the `keep` best choices, and of others or NaN; those that are not above `floor` may be NaN."""


class Found(NamedTuple):
    """The best choice, its value (higher is better), and how many choices were looked at."""

    choice: Choice
    value: float
    tried: int


def search_extracts(candidates: Candidates, score: ScoreChoices, *, search: Search, beam: int = 4) -> Found | None:
    """The best choice by `score`, of which higher is better and NaN worst; None where no choice has a score.

    Of equally good choices the one with fewer sentences wins, then the one that comes first in the document.

    >>> from gistmeter.probe.search.candidates import Candidates
    >>> candidates = Candidates.of("It rained. It was cold. Rome was wet.", most_sentences=2)
    >>> def add_up(choices, **_): return np.array([float(sum(choice)) for choice in choices])
    >>> search_extracts(candidates, add_up, search="exact")
    Found(choice=(1, 2), value=3.0, tried=6)
    """
    check_choice("search", search, Search)
    if search == "exact":
        return _search_all(candidates, score)
    best = _search_steps(candidates, score, width=1)
    if search == "greedy" or beam == 1 or best is None:
        return best
    # The greedy path can fall out of a beam, which would then find less.
    wider = _search_steps(candidates, score, width=beam)
    tried = best.tried + (0 if wider is None else wider.tried)
    if wider is not None and wider.value >= best.value - _SMALLEST_GAIN:
        best = wider
    return best._replace(tried=tried)


def _search_steps(candidates: Candidates, score: ScoreChoices, *, width: int) -> Found | None:
    """Longer and longer choices, of which the `width` best are made longer; until nothing gains.

    Where no single sentence has a score, it begins with pairs.
    """
    best: Choice = ()
    best_value = -np.inf
    parents: list[Choice] = [()]
    tried = 0
    while True:
        options = list(dict.fromkeys(longer for choice in parents for longer in candidates.extend(choice)))
        if not options:
            break
        # One that is not better ends the search; with several parents it may still lead to one that is.
        floor = best_value if width == 1 else -np.inf
        values = np.nan_to_num(score(options, keep=width, floor=floor), nan=-np.inf)
        tried += len(options)
        order = np.argsort(-values, kind="stable")[:width]
        top = int(order[0])
        if values[top] == -np.inf and parents == [()]:
            parents = options  # no sentence has a score alone, as where sentences are held against each other
            continue
        if not values[top] > best_value + _SMALLEST_GAIN:
            break
        best, best_value = options[top], float(values[top])
        parents = [options[position] for position in order if values[position] > -np.inf]
    return Found(best, best_value, tried) if best else None


def check_exact(candidates: Candidates, name: str) -> None:
    """Refuse to go through all extracts of a document where there are too many; `name` is that of the document."""
    count = candidates.count_all()
    if count > MOST_EXTRACTS:
        raise ArgumentError(
            f"an exact `search` would go through {count:,} extracts of {name} ({len(candidates.sentences)} sentences), "
            f"more than {MOST_EXTRACTS:,}: take greedy or beam, or fewer `sentences` or `words`"
        )


def _search_all(candidates: Candidates, score: ScoreChoices) -> Found | None:
    best: Choice = ()
    best_value = -np.inf
    tried = 0
    choices = candidates.list_all()
    while batch := list(islice(choices, _BATCH_CHOICES)):
        values = np.nan_to_num(score(batch, keep=1, floor=best_value), nan=-np.inf)
        tried += len(batch)
        top = int(values.argmax())
        if values[top] > best_value + _SMALLEST_GAIN:
            best, best_value = batch[top], float(values[top])
    return Found(best, best_value, tried) if best else None
