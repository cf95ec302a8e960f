"""Metric: the one protocol every measure of a summary follows.

A metric is a frozen dataclass: its fields are its settings, and its settings are its signature. It scores a
batch of examples into an array with one row per example and one column per score. It never depends on what
else is in the batch.
"""

from __future__ import annotations

import dataclasses
import functools
import typing
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self

from gistmeter.errors import MetricError
from gistmeter.metrics.packages import find_package
from gistmeter.metrics.settings import list_number_settings
from gistmeter.metrics.spelling import add_quotes, join_texts
from gistmeter.signature import format_signature, format_value
from gistmeter.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.evidence import Evidence
    from gistmeter.evidence.alignment import Alignment
    from gistmeter.example import Example
    from gistmeter.metrics.extracts import ExtractScorer


Need = Literal["references", "document", "units"]
Better = Literal["higher", "lower", "neither"]


@dataclass(frozen=True, slots=True)
class Column:
    """One score a metric returns. `better` says which way is good; "neither" describes and does not judge.

    A `pooled` column has no value for one summary: it is computed for a system from the sums of the metric's
    `parts` (corpus BLEU is one), so it stands in rankings and not in the table of summaries.
    """

    name: str
    about: str
    better: Better = "higher"
    pooled: bool = False


class Metric(ABC):
    """A measure of summaries.

    Subclasses are frozen dataclasses. They set `name`, `columns` and `needs` (class attributes, or properties
    where these depend on settings), `paper`, and write `score`.
    """

    __slots__ = ()

    paper: ClassVar[str] = ""
    """Where the measure is defined."""

    version: ClassVar[str] = __version__
    """The `v:` of signatures; a metric of another package that sets none gets that package's name and version, too."""

    cheap: ClassVar[bool] = False
    """Whether scoring a summary takes less time than looking its score up, so that the cache keeps whole batches."""

    slow: ClassVar[bool] = False
    """Whether scoring a summary takes milliseconds, not microseconds: batches are small, so that progress shows."""

    model_roles: ClassVar[frozenset[str]] = frozenset()
    """Roles of models (`gistmeter.models.roles`) that it may ask, by default or under some setting."""

    missing: ClassVar[str] = "there was nothing to measure"
    """Why a summary that has all that is needed may have no score, and what can be done; shown as a note."""

    def __init_subclass__(cls, **arguments: Any) -> None:
        """Have the settings of every metric checked when it is made, whatever else it checks of its own."""
        super().__init_subclass__(**arguments)
        own_check = cls.__dict__.get("__post_init__")
        if own_check is not None and not hasattr(own_check, "__wrapped__"):

            @functools.wraps(own_check)
            def check(metric: Metric) -> None:
                check_settings(metric)
                own_check(metric)

            cls.__post_init__ = check  # type: ignore[method-assign, assignment]

    def __post_init__(self) -> None:
        check_settings(self)

    @property
    @abstractmethod
    def name(self) -> str:
        """The registered name, such as `rouge2`."""

    @property
    @abstractmethod
    def columns(self) -> tuple[Column, ...]:
        """The scores returned."""

    @property
    @abstractmethod
    def needs(self) -> frozenset[Need]:
        """What an example must carry besides its summary."""

    @property
    def reads(self) -> frozenset[Need]:
        """What it takes into account where an example carries it: all that it needs, and perhaps more."""
        return self.needs

    def is_reference_free(self, column: str) -> bool:  # noqa: ARG002
        """Whether the column of that name looks at nothing that a person wrote: no reference, and no units of one."""
        return not {"references", "units"} & self.needs

    @property
    def leaves_own_reference_out(self) -> bool:
        """Whether a summary that is itself one of its references is compared with the others alone."""
        return False

    @property
    def rewards_own_reference(self) -> bool:
        """Whether a summary that is itself one of its references is compared with itself, and so scores highest."""
        return "references" in self.needs and not self.leaves_own_reference_out

    @property
    def parts(self) -> tuple[str, ...]:
        """Additive parts returned after the columns, from whose sums `pool` computes the pooled columns."""
        return ()

    @abstractmethod
    def score(self, examples: Sequence[Example]) -> FloatArray:
        """Score a batch: one row per example; the per-summary columns, then the parts."""

    def pool(self, sums: FloatArray) -> FloatArray:
        """The pooled columns (last axis) from sums of parts (last axis). Only for metrics with parts."""
        raise TypeError(f"{self.name} has no pooled columns (asked with shape {sums.shape})")

    def traits(self, example: Example) -> Mapping[str, str]:  # noqa: ARG002
        """What the data decides about the measure for this example; it joins the signature."""
        return {}

    def facts(self) -> Mapping[str, str]:
        """The releases and digests of what it runs on (models, libraries); they join signature and cache key."""
        return {}

    @property
    def fits(self) -> bool:
        """Whether the whole run must be read once before any of it is scored, as for idf over all references."""
        return False

    def fit(self, examples: Iterable[Example]) -> Self:  # noqa: ARG002
        """This metric, fitted to the run that it will score. Only for metrics that fit."""
        return self

    @property
    def explains(self) -> bool:
        """Whether it can say why a summary scores as it does: by an `explain` of its own, or by what it aligns."""
        return type(self).explain is not Metric.explain or type(self).align is not Metric.align

    def explain(self, example: Example) -> Evidence | None:
        """Why `example` scores as it does, or None when this metric cannot say; by default what `align` matches."""
        from gistmeter.evidence.aligned import show_alignments

        (alignments,) = self.align([example])
        return show_alignments(self.spelling, alignments)

    def align(self, examples: Sequence[Example]) -> list[tuple[Alignment, ...]]:
        """For each example which tokens of its summary are held against which of each other text, as the score counts.

        Empty where this metric does not compare tokens. What `explain` marks is drawn from the same edges.
        """
        return [()] * len(examples)

    def read_extracts(self, example: Example, sentences: Sequence[str]) -> ExtractScorer | None:  # noqa: ARG002
        """What scores extracts of the example's document, choices among these sentences of it, each read once.

        None where there is no shorter way than to score each extract as a summary.
        """
        return None

    def generate(self, example: Example) -> str | None:  # noqa: ARG002
        """The summary of the example's document that this metric's own model writes; None where it has none."""
        return None

    def prepare_explanations(self, examples: Sequence[Example]) -> None:  # noqa: B027
        """Score together what `explain` will ask for of each of these examples, where scores are reused."""

    def lacking(self, example: Example) -> Need | None:
        """What this metric needs and the example does not carry, if anything."""
        for need in self.needs:
            if not getattr(example, "documents" if need == "document" else need):
                return need
        return None

    def check_language(self, code: str) -> None:  # noqa: B027
        """Refuse a language that this metric does not read, before anything is scored; it reads all unless it says."""

    def why_missing(self, example: Example) -> str:  # noqa: ARG002
        """Why an example that carries all that is needed has no score; the note counts each reason."""
        return self.missing

    @property
    def summary_columns(self) -> tuple[Column, ...]:
        """The columns that have a value for each summary."""
        return tuple(column for column in self.columns if not column.pooled)

    @property
    def pooled_columns(self) -> tuple[Column, ...]:
        """The columns that have a value for a system only."""
        return tuple(column for column in self.columns if column.pooled)

    @property
    def width(self) -> int:
        """How many numbers `score` returns for one example."""
        return len(self.summary_columns) + len(self.parts)

    @property
    def settings(self) -> dict[str, Any]:
        """All settings with their values, except those that the name already says."""
        hidden = self._named_fields()
        return {f.name: getattr(self, f.name) for f in _setting_fields(self) if f.name not in hidden}

    @property
    def spelling(self) -> str:
        """The shortest text that gives this metric back: its name and the settings that are not defaults."""
        defaults = {f.name: f.default for f in _setting_fields(self)}
        changed = [
            f"{key}={spell_value(value)}"
            for key, value in sorted(self.settings.items())
            if value != defaults.get(key, dataclasses.MISSING)
        ]
        return f"{self.name}({','.join(changed)})" if changed else self.name

    def signature(self, traits: Mapping[str, Iterable[str]] | None = None) -> str:
        """The signature; facts and `traits` (what the data decided) override settings of the same name."""
        values: dict[str, Any] = {**self.settings, **self.facts()}
        for key, observed in (traits or {}).items():
            values[key] = "+".join(sorted(set(observed)))
        package = find_package(type(self)) if self.version == __version__ else ""
        return format_signature(self.name, values, version=f"{self.version}+{package}" if package else self.version)

    def __str__(self) -> str:
        return self.spelling

    @classmethod
    def _named_fields(cls) -> frozenset[str]:
        """Fields that are part of the name, such as the 2 of rouge2."""
        return frozenset()


def check_settings(metric: Metric) -> None:
    """Refuse a number that is none, or out of its bounds, and a word that is no choice."""
    numbers = list_number_settings(type(metric))
    for field in _setting_fields(metric):
        number = numbers.get(field.name)
        value = getattr(metric, field.name)
        refusal = number.refuse(value) if number else None
        if refusal is None:
            continue
        if field.name in metric._named_fields() and isinstance(value, int):
            raise MetricError(f"there is no {metric.name}: {field.name} is {number and number.bounds}")
        shown = f"{value:g}" if isinstance(value, float) else repr(value) if isinstance(value, str) else str(value)
        raise MetricError(f"{metric.name} cannot have {field.name}={shown}: {refusal}")
    check_choices(metric)


def check_choices(metric: Metric) -> None:
    """Refuse a setting that is none of the words its type allows (in Python nothing else would)."""
    hints = resolve_hints(type(metric))
    for field in _setting_fields(metric):
        hint = hints[field.name]
        allowed = typing.get_args(hint) if typing.get_origin(hint) is Literal else ()
        value = getattr(metric, field.name)
        if allowed and value not in allowed:
            ways = ", ".join(map(str, allowed))
            raise MetricError(f"{metric.name} cannot have {field.name}={value} ({field.name} is one of {ways})")


def collect_inner_facts(metric: Metric, field: str = "metric") -> dict[str, str]:
    """What the signature of a metric built on another says of the inner metric: its name, settings and facts.

    Settings of the inner metric are spelled `metric.layer`, `metric.idf` and so on.
    """
    values = {**metric.settings, **metric.facts()}
    return {field: metric.name, **{f"{field}.{key}": format_value(value) for key, value in values.items()}}


@functools.cache
def resolve_hints(cls: type[Metric]) -> dict[str, Any]:
    """The types of a metric's settings."""
    return typing.get_type_hints(cls)


def _setting_fields(metric: Metric) -> tuple[dataclasses.Field[Any], ...]:
    return tuple(f for f in dataclasses.fields(metric) if not f.metadata.get("state"))  # type: ignore[arg-type]


def spell_value(value: Any) -> str:
    """A setting as `parse_metric` reads it."""
    if isinstance(value, Metric):
        return value.spelling
    if isinstance(value, str):
        return add_quotes(value)
    return join_texts(value) if isinstance(value, tuple) else format_value(value)
