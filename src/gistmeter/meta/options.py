"""Options that several questions share, as values that travel together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, TypedDict, TypeVar, cast, get_args

from gistmeter.stats.tables import Coefficient, LabelCoefficient

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gistmeter.stats.tables import Level, Undefined

    Progress = Callable[[int, int], None]

AnyCoefficient: TypeAlias = Coefficient | LabelCoefficient
"""What measures agreement: a coefficient of correlation, or one for judgments that are yes or no."""

Choice = TypeVar("Choice", bound=str)


class CorrelationKeywords(TypedDict):
    """The options of a correlation, as the functions of `gistmeter.stats` take them."""

    level: Level
    coefficient: Coefficient
    undefined: Undefined


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrelationOptions:
    """How a table of scores is correlated with a table of judgments.

    Parameters
    ----------
    level
        What is correlated: the `system` means; the systems' scores on each document, averaged (`summary`); all cells
        (`pooled`); the documents' scores of each system, averaged (`per-system`).
    coefficient
        `pearson`, `spearman`, `kendall` (tau-b) or `kendall-c` (tau-c).
    undefined
        What becomes of a correlation with a constant: `drop` leaves it out, `zero` takes it as 0, `error` refuses.
    """

    level: Level
    coefficient: Coefficient
    undefined: Undefined = "drop"

    @property
    def name(self) -> str:
        """The level and the coefficient, as a column of correlations is headed."""
        return f"{self.level} {self.coefficient}"

    def keywords(self) -> CorrelationKeywords:
        """These options as keyword arguments of the functions of `gistmeter.stats`.

        >>> CorrelationOptions(level="system", coefficient="pearson").keywords()
        {'level': 'system', 'coefficient': 'pearson', 'undefined': 'drop'}
        """
        return {"level": self.level, "coefficient": self.coefficient, "undefined": self.undefined}


def combine_options(
    level: Level | Sequence[Level], coefficient: Coefficient | Sequence[Coefficient], undefined: Undefined
) -> list[CorrelationOptions]:
    """The options for each of the levels with each of the coefficients.

    >>> [(options.level, options.coefficient) for options in combine_options(["system", "pooled"], "kendall", "drop")]
    [('system', 'kendall'), ('pooled', 'kendall')]
    """
    return [
        CorrelationOptions(level=one_level, coefficient=one_coefficient, undefined=undefined)
        for one_level in as_tuple(level)
        for one_coefficient in as_tuple(coefficient)
    ]


def split_coefficients(
    coefficient: AnyCoefficient | Sequence[AnyCoefficient],
) -> tuple[tuple[Coefficient, ...], tuple[LabelCoefficient, ...]]:
    """The coefficients of correlation, and those of labels, among one or several.

    >>> split_coefficients(["pearson", "auc"])
    (('pearson',), ('auc',))
    """
    chosen = as_tuple(coefficient)
    of_labels = cast(
        "tuple[LabelCoefficient, ...]", tuple(kind for kind in chosen if kind in get_args(LabelCoefficient))
    )
    others = cast("tuple[Coefficient, ...]", tuple(kind for kind in chosen if kind not in of_labels))
    return others, of_labels


def as_tuple(choice: Choice | Sequence[Choice]) -> tuple[Choice, ...]:
    """One choice, or several, as a tuple."""
    return (choice,) if isinstance(choice, str) else tuple(choice)


def part_of_progress(progress: Progress | None, part: int, parts: int) -> Progress | None:
    """What reports the progress of one of several equally long parts as progress of the whole.

    >>> part_of_progress(lambda done, total: print(done, "of", total), part=1, parts=2)(5, 10)
    15 of 20
    """
    if progress is None:
        return None
    return lambda done, total: progress(part * total + done, parts * total)
