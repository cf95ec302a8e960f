"""Metrics whose code fails: which metric, of which package, on which summary."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from gistmeter.errors import FailedMetricError, GistmeterError
from gistmeter.metrics.packages import describe_import_error, find_package

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.example import Example
    from gistmeter.metrics.metric import Metric

    Describe = Callable[[Example], str]
    """What messages call an example: its system, its document and where it stands."""

_OWN_CONDITIONS = (OSError, EOFError, RecursionError)
"""What the commands explain by themselves where gistmeter's own code raises it."""


def name_example(example: Example) -> str:
    """An example in memory, by document and system."""
    return f"document {example.doc_id} of system {example.system}"


@contextlib.contextmanager
def name_failure(label: str, metric: Metric, task: Callable[[], str]) -> Iterator[None]:
    """Errors of a metric's code as one that names the metric, its package, and what it was doing.

    >>> from gistmeter.metrics import parse_metric
    >>> with name_failure("rouge1", parse_metric("rouge1"), lambda: "scoring document 7 of system lead"):
    ...     1 / 0
    Traceback (most recent call last):
    gistmeter.errors.FailedMetricError: rouge1 (of gistmeter) failed when scoring document 7 of system lead:
    ZeroDivisionError: division by zero; leave it out to have the other metrics
    """
    try:
        yield
    except (GistmeterError, MemoryError):
        raise
    except Exception as error:
        if is_own(metric) and isinstance(error, _OWN_CONDITIONS):
            raise
        raise FailedMetricError(
            f"{label} (of {describe_maker(metric)}) failed when {task()}: {describe_import_error(error)}; "
            "leave it out to have the other metrics"
        ) from error


def score_or_name(label: str, metric: Metric, examples: Sequence[Example], describe: Describe) -> FloatArray:
    """The scores of a batch; if the metric fails, an error that names the first example that it fails on alone."""
    try:
        return metric.score(examples)
    except (GistmeterError, MemoryError):
        raise
    except Exception as error:
        if is_own(metric) and isinstance(error, _OWN_CONDITIONS):
            raise
        failing = _find_failing(metric, examples)
        if failing is None:
            task = f"scoring {len(examples):,} summaries together, from {describe(examples[0])} on"
        else:
            task = f"scoring {describe(failing)}"
        with name_failure(label, metric, lambda: task):
            raise


def describe_maker(metric: Metric) -> str:
    """The package that a metric comes from, or the module where no package has it."""
    if is_own(metric):
        return "gistmeter"
    package = find_package(type(metric))
    return f"the package {package}" if package else f"the module {type(metric).__module__}"


def is_own(metric: Metric) -> bool:
    """Whether a metric is gistmeter's own."""
    return type(metric).__module__.partition(".")[0] == "gistmeter"


def _find_failing(metric: Metric, examples: Sequence[Example]) -> Example | None:
    """An example that a metric fails on alone, found by halving: about as much work as the batch itself."""
    while len(examples) > 1:
        middle = len(examples) // 2
        examples = examples[:middle] if _fails(metric, examples[:middle]) else examples[middle:]
    return examples[0] if examples and _fails(metric, examples) else None


def _fails(metric: Metric, examples: Sequence[Example]) -> bool:
    try:
        metric.score(examples)
    except Exception:
        return True
    return False
