"""The score that is probed: a metric, one of its columns, and which way that is good."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from gistmeter.errors import DataError, GistmeterError, MetricError, suggestion
from gistmeter.metrics.metric import Metric
from gistmeter.metrics.registry import parse_metrics
from gistmeter.scoring.run import fit_metric
from gistmeter.text.languages import language_code

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gistmeter.example import Example
    from gistmeter.io.runs import Run
    from gistmeter.metrics.metric import Column


@dataclass(frozen=True, slots=True)
class Target:
    """A metric and the position of the one of its columns that counts."""

    metric: Metric
    label: str
    """The metric as it was written."""
    position: int

    @classmethod
    def of(cls, given: str | Metric) -> Target:
        """The score that a name stands for: a metric's main one, or the one named after a dot.

        >>> Target.of("simetrix.cosine").column.name, Target.of("questeval").column.name, Target.of("js").better
        ('cosine', 'f1', 'lower')
        """
        label, metric, wanted = _parse(given)
        names = [column.name for column in metric.summary_columns]
        if not names:
            raise MetricError(f"{label} has no score for one summary: probes look at one summary after the other")
        if wanted is None:
            wanted = next((name for name in (metric.name, "f1") if name in names), names[0])
        if wanted not in names:
            raise MetricError(f"{label} has no score {wanted!r}{suggestion(wanted, names)} (it has {', '.join(names)})")
        target = cls(metric, label, names.index(wanted))
        if target.column.better == "neither":
            raise MetricError(f"{target.name} says neither that higher nor that lower is better: nothing is best by it")
        return target

    @property
    def column(self) -> Column:
        """The column that counts."""
        return self.metric.summary_columns[self.position]

    @property
    def name(self) -> str:
        """The score as files of scores call it."""
        return f"{self.label}.{self.column.name}"

    @property
    def better(self) -> Literal["higher", "lower"]:
        """Which way is good."""
        return "lower" if self.column.better == "lower" else "higher"

    @property
    def sign(self) -> float:
        """What a score is multiplied with, so that higher is better."""
        return -1.0 if self.better == "lower" else 1.0

    def fit(self, run: Run) -> Target:
        """The same with a metric that has read the run, where it depends on the whole of it."""
        return replace(self, metric=fit_metric(self.label, self.metric, run))

    def check_free(self) -> None:
        """Refuse a metric that needs references or content units, which nobody has when a summary is made."""
        for need, noun in (("references", "references"), ("units", "content units")):
            if need in self.metric.needs:
                raise MetricError(
                    f"{self.label} needs {noun}, which are not there when a summary is chosen: a probe is for metrics "
                    "that read the document alone, such as js, supert or questeval"
                )

    def check_languages(self, languages: Iterable[str]) -> None:
        """Refuse a language that the metric does not read, before any work."""
        for code in dict.fromkeys(map(language_code, languages)):
            self.metric.check_language(code)

    def check_examples(self, examples: Sequence[Example]) -> None:
        """Refuse examples that lack what the metric needs."""
        for example in examples:
            if need := self.metric.lacking(example):
                raise DataError(f"{self.label} needs `{need}`, but {example.name} has none")


def _parse(given: str | Metric) -> tuple[str, Metric, str | None]:
    """The metric as it was written, the metric, and the name of the column if one was named."""
    if isinstance(given, Metric):
        return given.spelling, given, None
    label, dot, column = given.rpartition(".")
    if dot and ")" not in column:
        try:
            ((label, metric),) = parse_metrics(label).items()
        except (GistmeterError, ValueError):
            pass  # no metric and column, but perhaps a name with a dot
        else:
            return label, metric, column
    parsed = parse_metrics(given)
    if len(parsed) > 1:
        raise MetricError(f"a probe looks at one metric at a time, not at {', '.join(parsed)}")
    ((label, metric),) = parsed.items()
    return label, metric, None
