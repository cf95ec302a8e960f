"""A column of scores: its name, its signature, and which way is good."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from gistmeter.wording import join_names

if TYPE_CHECKING:
    from collections.abc import Sequence

Better = Literal["higher", "lower", "neither"]
UNKNOWN_SIGNATURE = "unknown"
"""The signature of a column of a table that says nothing of its columns."""
DIAGNOSTIC_MARK = "°"
"""What stands after the name of a score that judges without a reference."""


@dataclass(frozen=True, slots=True)
class ScoreColumn:
    """A column of scores: its name in the table, its signature, which way is good."""

    name: str
    signature: str
    better: Better = "higher"
    about: str = ""
    parts: tuple[str, ...] = ()
    """For a pooled column: the table columns of additive parts that it is computed from."""
    direction_stated: bool = False
    """For a column without a signature: whether `better` is stated all the same, by the table or by the user."""
    reference_free: bool | None = None
    """Whether its metric looks at no reference, by what it declares to need; None where nothing says."""

    @property
    def stated(self) -> bool:
        """Whether the table says what the column is."""
        return self.signature != UNKNOWN_SIGNATURE

    @property
    def has_direction(self) -> bool:
        """Whether it is stated which way is good; if not, `better` is a guess."""
        return self.stated or self.direction_stated

    @property
    def is_diagnostic(self) -> bool:
        """Whether it judges a summary without looking at a reference, so that the summary can be made to please it."""
        return self.reference_free is True and self.better != "neither"

    @property
    def marked_name(self) -> str:
        """The name as tables have it, with the mark of a diagnostic.

        >>> ScoreColumn("js.divergence", "js|v:0", "lower", reference_free=True).marked_name
        'js.divergence°'
        """
        return f"{self.name}{DIAGNOSTIC_MARK}" if self.is_diagnostic else self.name

    @property
    def metric(self) -> str:
        """The metric as the user wrote it."""
        return self.name.rpartition(".")[0]

    @property
    def short(self) -> str:
        """The column's own name, such as `f1`."""
        return self.name.rpartition(".")[2]

    def take_direction(self, other: ScoreColumn | None) -> ScoreColumn:
        """This column with the direction that another table states for it, where its own states none."""
        if self.has_direction or other is None or not other.has_direction:
            return self
        return replace(self, better=other.better, direction_stated=True)


def note_assumed_directions(names: Sequence[str]) -> tuple[str, ...]:
    """What a reader is told of scores of which nothing says which way is good; nothing if there are none.

    >>> print(*note_assumed_directions(["own"]))
    own: nothing says which way is good, so higher is taken to be better (`lower=own` says otherwise)
    """
    if not names:
        return ()
    example = names[0] if len(names) == 1 else "NAME"
    guess = "nothing says which way is good, so higher is taken to be better"
    return (f"{join_names(names)}: {guess} (`lower={example}` says otherwise)",)
