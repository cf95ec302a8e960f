"""The table of metrics by level and coefficient as a sheet: the best in bold, what is tied with it underlined."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gistmeter.meta import PairTest
from gistmeter.report.tables.numbers import format_count
from gistmeter.report.tables.sheet import Sheet

if TYPE_CHECKING:
    from gistmeter import meta
    from gistmeter.report.tables.sheet import Mark


_VALUE_COLUMN = 3
"""Where the correlation stands among the columns of a detailed table."""
_SYMBOLS = {"pearson": "r", "spearman": "ρ", "kendall": "τ", "kendall-c": "τ-c"}


def levels_sheet(result: meta.CorrelationTable) -> Sheet:
    """The table, with its marks; coefficients are headed by their symbols."""
    if result.is_detailed:
        return _detailed_sheet(result)
    marks: dict[tuple[int, int], Mark] = {}
    for position, column in enumerate(result.columns, 1):
        for row, metric in enumerate(result.metrics):
            if metric in column.best or metric in column.tied:
                marks[row, position] = "best" if metric in column.best else "tied"
    headings = (f"{column.level} {_SYMBOLS[column.coefficient]}" for column in result.columns)
    sheet = Sheet.of(result.records(), caption=levels_caption(result), notes=result.notes)
    return replace(sheet, columns=("metric", *headings), marks=marks)


def _detailed_sheet(result: meta.CorrelationTable) -> Sheet:
    """A row for each correlation, with its interval and the test against the baseline."""
    marks: dict[tuple[int, int], Mark] = {}
    for row, (metric, column, _) in enumerate(result.cells()):
        if metric in column.best or metric in column.tied:
            marks[row, _VALUE_COLUMN] = "best" if metric in column.best else "tied"
    sheet = Sheet.of(result.records(), caption=levels_caption(result), notes=result.notes)
    return replace(sheet, marks=marks)


def levels_caption(result: meta.CorrelationTable) -> str:
    """What was correlated with what, what is marked, and how that was tested."""
    extent = f"{format_count(result.systems, 'system')}, {format_count(result.documents, 'document')}"
    coefficients = dict.fromkeys(column.coefficient for column in result.columns)
    symbols = ", ".join(f"{_SYMBOLS[coefficient]} {coefficient}" for coefficient in coefficients)
    tests = dict.fromkeys(_describe_test(column.test) for column in result.columns if column.test is not None)
    untested = "two-sided" if len(result.metrics) == 2 else f"one-sided, {result.correction} correction"
    how = f"permutation tests by {result.method}, {' or '.join(tests) or untested}, alpha {result.alpha:g}"
    return (
        f"Correlation with {result.aspect} ({symbols}); {extent}. Bold: the best of the column; underlined: not "
        f"significantly different from it ({how}).{_describe_details(result)}"
    )


def _describe_details(result: meta.CorrelationTable) -> str:
    """How intervals and p-values against the baseline were made."""
    text = ""
    if result.confidence is not None:
        text += (
            f" Intervals: {100 * result.confidence:g}%, percentile bootstrap of systems and documents, "
            f"{result.resamples:,} resamples, seed {result.seed}."
        )
    if result.baseline is not None:
        text += (
            f" p: against {result.baseline}, two-sided permutation test by {result.method}; corrected: by Holm, for "
            "the metrics of a level and coefficient."
        )
    return text


def _describe_test(test: meta.PairTest | meta.AllPairsTest) -> str:
    described = test.details()
    drawn = f"{described['permutations']:,} permutations, seed {described['seed']}"
    draws = f"all {described['permutations']:,} ways to swap" if described["exact"] else drawn
    sides = (
        test.test.alternative if isinstance(test, PairTest) else f"one-sided, {test.comparison.correction} correction"
    )
    return f"{draws}, {sides}"
