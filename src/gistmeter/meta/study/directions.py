"""Directions: which way is good for each table of a study, and what a reader is told of it.

A direction is stated by a file of scores, by `better` in a matrix file, or by the user; a name of gistmeter's registry
(`js.divergence`) has its own. Any other score is taken as higher is better, and a note says so: nearly all published
scores are, and an absolute value would hide a score that goes against people.

A score of which lower is better has its sign turned before anything is correlated, ranked or tested. One of which
neither is (`length.words`) has no right sign: alone it is taken the way it goes with people, so that |r| is shown;
it is not ranked among others unless the user says which way is good.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

from gistmeter.errors import ArgumentError, DataError, suggestion
from gistmeter.scores import Better, note_assumed_directions
from gistmeter.wording import join_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from gistmeter.meta.study.study import Study

FEWEST_SYSTEMS = 5
"""With fewer systems a reader is warned of correlations at system level."""

GO_WITH_PEOPLE = "taken the way {they} {go} with people, so |r| is shown"
GO_WITH_PEOPLE_OVERALL = "taken the way {they} {go} with people over all folds together"
GO_ONE_WAY = "taken one way in all groups, that in which {they} {go} with people on the whole"
AS_IS = "{their} sign{s} {are} not turned"
LEFT_OUT = "{they} {are} left out"


def check_directions(better: Any, names: Iterable[str], label: str) -> dict[str, Better]:
    """Directions as stated: one for all names, or a mapping from some of them.

    >>> check_directions("higher", ["a", "b"], "study.json")
    {'a': 'higher', 'b': 'higher'}
    """
    table_names = tuple(names)
    if isinstance(better, str):
        better = dict.fromkeys(table_names, better)
    if not isinstance(better, dict):
        raise DataError(f"`better` of {label} is a direction, or maps names to directions: higher, lower or neither")
    for name, direction in better.items():
        if name not in table_names:
            hint = suggestion(str(name), table_names)
            raise DataError(f"`better` of {label} names {name!r}, but there is no such table{hint}")
        if direction not in get_args(Better):
            raise DataError(f"`better` of {name!r} in {label} is higher, lower or neither, not {direction!r}")
    return dict(better)


def stated_directions(
    better: Mapping[str, Better], *, lower: Sequence[str], higher: Sequence[str], resolve: Callable[[str], str]
) -> dict[str, Better]:
    """The directions of scores with those that the user states; `resolve` gives the whole name for a short one."""
    lower_names, higher_names = tuple(map(resolve, lower)), tuple(map(resolve, higher))
    both = [name for name in lower_names if name in higher_names]
    if both:
        raise ArgumentError(f"{both[0]} is in `lower` and in `higher`: only one of them is better")
    by_user: dict[str, Better] = {**dict.fromkeys(lower_names, "lower"), **dict.fromkeys(higher_names, "higher")}
    return {**better, **by_user}


def choose_ranked(study: Study, aspect: str, names: Sequence[str] = ()) -> tuple[str, ...]:
    """The metrics that can be ranked by how they agree with an aspect: all that have a direction, or those named.

    Raises
    ------
    ArgumentError
        The aspect, or a metric that was named, has no direction.
    """
    chosen = study.choose_metrics(names)
    ranked = tuple(name for name in chosen if study.direction(name) != "neither")
    without = next((name for name in (aspect, *chosen) if study.direction(name) == "neither"), None)
    if without is not None and (names or not ranked or without == aspect):
        raise ArgumentError(
            f"of {without} neither high nor low is better, so it cannot be ranked: say which with `lower={without}` or "
            f"`higher={without}`"
        )
    return ranked


def note_columns(study: Study, names: Iterable[str], *, undirected: str = GO_WITH_PEOPLE) -> tuple[str, ...]:
    """What a reader is told of the directions of these names; `undirected` says what became of those without.

    >>> from gistmeter.meta import Study
    >>> tables = {"js.divergence": [[1], [2]], "length.words": [[9], [8]], "own": [[1], [3]], "rated": [[5], [4]]}
    >>> study = Study.from_tables(tables, aspects=["rated"])
    >>> for note in note_columns(study, tables):
    ...     print(note)
    js.divergence: lower is better, its sign is turned
    length.words: neither high nor low is better; taken the way it goes with people, so |r| is shown (`lower` or ...
    own: nothing says which way is good, so higher is taken to be better (`lower=own` says otherwise)
    """
    distinct = tuple(dict.fromkeys(names))
    lower = [name for name in distinct if study.direction(name) == "lower"]
    neither = [name for name in distinct if study.direction(name) == "neither"]
    unstated = [name for name in distinct if name not in study.aspects and not study.has_direction(name)]
    notes = []
    if lower:
        notes.append(f"{join_names(lower)}: lower is better, " + _inflect("{their} sign{s} {are} turned", lower))
    if neither:
        outcome = f"{_inflect(undirected, neither)} (`lower` or `higher` gives a sign)"
        notes.append(f"{join_names(neither)}: neither high nor low is better; {outcome}")
    return (*notes, *note_assumed_directions(unstated))


def note_few_systems(study: Study, levels: Iterable[str]) -> tuple[str, ...]:
    """A warning where means of very few systems are correlated: two of them correlate perfectly, or perfectly badly."""
    if "system" not in levels or len(study.systems) >= FEWEST_SYSTEMS:
        return ()
    return (f"there are {len(study.systems)} systems only: a correlation of fewer than {FEWEST_SYSTEMS} says little",)


_SINGULAR = {"they": "it", "their": "its", "are": "is", "go": "goes", "s": ""}
_PLURAL = {"they": "they", "their": "their", "are": "are", "go": "go", "s": "s"}


def _inflect(text: str, names: Sequence[str]) -> str:
    words: Mapping[str, str] = _SINGULAR if len(names) == 1 else _PLURAL
    return text.format_map(words)
