"""Skipping: a metric that has no answer, such as one that is the same for all summaries, does not stop the others."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from gistmeter import stats
from gistmeter.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator, Sequence, Sized

    from gistmeter.meta.options import CorrelationOptions
    from gistmeter.meta.study.study import Study
    from gistmeter.stats.tables import Undefined

Answer = TypeVar("Answer")


class SkippedMetrics:
    """Which metrics have no answer, and why.

    Parameters
    ----------
    strict
        Raise the first error instead of noting it, as for `undefined="error"`.

    Examples
    --------
    >>> skipped = SkippedMetrics()
    >>> with skipped.noting("flat"):
    ...     raise DataError("the scores are all the same")
    >>> skipped.notes
    ('flat is left out: the scores are all the same',)
    """

    def __init__(self, *, strict: bool = False) -> None:
        self.strict = strict
        self._names_by_reason: dict[tuple[str, str], list[str]] = {}
        self._first: DataError | None = None

    @contextmanager
    def noting(self, name: str, part: str = "") -> Iterator[None]:
        """Note a DataError in the block as the reason why a metric, or a part of its answer, is left out."""
        try:
            yield
        except DataError as error:
            named = DataError(f"{name}: {error}")
            if self.strict:
                raise named from None
            self._first = self._first or named
            names = self._names_by_reason.setdefault((part, str(error)), [])
            if name not in names:
                names.append(name)

    def attempt(self, name: str, part: str, compute: Callable[[], Answer]) -> Answer | None:
        """A part of the answer for a metric; None, which is noted, where it cannot be computed."""
        with self.noting(name, part):
            return compute()
        return None

    @property
    def notes(self) -> tuple[str, ...]:
        """Who is left out, or lacks a part of the answer, and why."""
        return tuple(_note(names, part, reason) for (part, reason), names in self._names_by_reason.items())

    def notes_beside(self, answered: Container[str]) -> tuple[str, ...]:
        """The same, where a metric that is not among those answered lacks all parts, and so is left out.

        >>> skipped = SkippedMetrics()
        >>> for name, part in (("flat", "system pearson"), ("flat", "summary pearson"), ("rough", "system pearson")):
        ...     with skipped.noting(name, part):
        ...         raise DataError("the scores are all the same")
        >>> for note in skipped.notes_beside({"rough"}):
        ...     print(note)
        flat is left out: the scores are all the same
        rough: no system pearson: the scores are all the same
        """
        parts_by_name: dict[tuple[str, str], list[str]] = {}
        for (part, reason), names in self._names_by_reason.items():
            for name in names:
                parts_by_name.setdefault((name, reason), []).append(part)
        names_by_parts: dict[tuple[str, str], list[str]] = {}
        for (name, reason), parts in parts_by_name.items():
            lacking = ", ".join(parts) if name in answered else ""
            names_by_parts.setdefault((lacking, reason), []).append(name)
        return tuple(_note(names, parts, reason) for (parts, reason), names in names_by_parts.items())

    def drop_constant(self, study: Study, names: Sequence[str], undefined: Undefined = "drop") -> tuple[str, ...]:
        """The names whose scores are not all the same; of the others that is noted, unless they count as 0."""
        if undefined == "zero":
            return tuple(names)
        varied = []
        for name in names:
            with self.noting(name):
                present = study[name][~np.isnan(study[name])]
                if not len(present) or (present == present[0]).all():
                    what = "judgments" if name in study.aspects else "scores"
                    raise DataError(f"all {what} are the same" if len(present) else f"there are no {what}")
                varied.append(name)
        return tuple(varied)

    def check_aspects(self, study: Study, aspects: Sequence[str], undefined: Undefined = "drop") -> tuple[str, ...]:
        """The aspects whose judgments are not all the same, with which no metric could be correlated.

        Raises
        ------
        DataError
            There is none.
        """
        varied = self.drop_constant(study, aspects, undefined)
        self.check(varied)
        return varied

    def keep_correlated(
        self, study: Study, names: Sequence[str], aspect: str, options: CorrelationOptions
    ) -> tuple[str, ...]:
        """The names that have a correlation with an aspect; of the others it is noted why they have none.

        Raises
        ------
        DataError
            None of them has.
        """
        correlated = []
        for name in names:
            with self.noting(name):
                stats.correlate(study.oriented(name), study.oriented(aspect), **options.keywords())
                correlated.append(name)
        self.check(correlated)
        return tuple(correlated)

    def check(self, answers: Sized) -> None:
        """Raise the first error if nothing has an answer.

        Raises
        ------
        DataError
            No metric has an answer.
        """
        if not len(answers) and self._first is not None:
            raise self._first


def _note(names: Sequence[str], part: str, reason: str) -> str:
    """That metrics lack a part of the answer or, with no part named, that they are left out."""
    what = f": no {part}" if part else f" {'is' if len(names) == 1 else 'are'} left out"
    return f"{', '.join(names)}{what}: {reason}"


@contextmanager
def naming(name: str) -> Iterator[None]:
    """Put the name of a metric before the message of a DataError in the block."""
    try:
        yield
    except DataError as error:
        raise DataError(f"{name}: {error}") from None
