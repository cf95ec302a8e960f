"""Metrics by level and coefficient: the values of `correlate`, the best, and what `test` does not tell from it.

People rank six systems 1 to 6 on both documents. The metric `same` says the same, `near` swaps the last two systems,
`against` turns the order round. Swapping systems of `same` and `near` changes something for two systems only: of the 4
ways that differ at least 1 is as extreme, so p >= 1/4. Of the 64 ways to swap systems of `same` and `against` only the
one that swaps none has a difference of 2: p = 1/64, corrected for two tests 1/32, two-sided 2/64.
"""

import io

import numpy as np
import pytest
from rich.console import Console

from gistmeter import meta
from gistmeter.errors import ArgumentError
from gistmeter.report.sheets.meta import result_sheet
from gistmeter.report.tables.sheet import console

RANKS = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
SCORES = {"near": [1.0, 2.0, 3.0, 4.0, 6.0, 5.0], "same": RANKS, "against": RANKS[::-1]}


def make_study(systems=6, **more):
    """The same scores on both documents, and tables of both."""
    tables = {name: np.column_stack([column, column]) for name, column in {**SCORES, "rated": RANKS}.items()}
    tables |= {name: np.array(table) for name, table in more.items()}
    better = dict.fromkeys([*SCORES, *more], "higher")
    return meta.Study.from_tables(
        {name: table[:systems] for name, table in tables.items()}, aspects=["rated"], better=better
    )


def test_the_best_and_its_ties_are_as_by_hand():
    answer = meta.table(make_study())
    assert [column.name for column in answer.columns] == [
        f"{level} {coefficient}"
        for level in ("system", "summary")
        for coefficient in ("pearson", "spearman", "kendall")
    ]
    for column in answer.columns:
        assert (column.best, column.tied) == (("same",), ("near",))
    kendall = answer.columns[2]
    assert kendall.values == pytest.approx((13 / 15, 1, -1))  # one of 15 pairs is the other way round
    assert kendall.test.comparison.pvalues[1, 2] == pytest.approx(1 / 64)
    assert kendall.test.comparison.pvalues[1, 0] >= 1 / 4


def test_values_are_those_of_correlate_and_ties_those_of_test():
    rng = np.random.default_rng(5)
    people = rng.normal(size=(12, 10))
    tables = {f"noise {n}": people + n * rng.normal(size=(12, 10)) for n in (1, 2, 9)}
    study = meta.Study.from_tables({**tables, "rated": people}, aspects=["rated"])
    answer = meta.table(study, permutations=100)
    frame = meta.correlate(study).to_frame()
    for column in answer.columns:
        kind = {"level": column.level, "coefficient": column.coefficient}
        assert list(column.values) == [
            row["value"] for row in frame.iter_rows(named=True) if kind.items() <= row.items()
        ]
        tested = meta.test(study, permutations=100, **kind)
        beaten = tested.beaten_by(tested.order[0])
        assert set(column.best) | set(column.tied) == set(tables) - set(beaten)
    assert any(column.tied for column in answer.columns)
    assert any(not column.tied for column in answer.columns)


@pytest.mark.parametrize(("other", "tied"), [("near", ("near",)), ("against", ())])
def test_two_metrics_are_tested_as_test_does(other, tied):
    answer = meta.table(make_study(), metrics=["same", other], level="system", coefficient="kendall")
    [column] = answer.columns
    assert (column.best, column.tied) == (("same",), tied)
    assert "all 64 ways to swap, two-sided, alpha 0.05" in result_sheet(answer).caption


def test_with_too_few_systems_all_are_tied_and_a_note_says_so():
    answer = meta.table(make_study(systems=4), level="summary", coefficient=["pearson", "pearson"])
    [column] = answer.columns
    # The first four systems are the same for `near`; of 16 ways the least p is 1/16, and 2/16 for two tests.
    assert (column.best, column.tied, column.test) == (("near", "same"), ("against",), None)
    [note] = answer.notes
    assert "4 systems can be swapped in 16 ways only" in note
    assert "all are marked as tied" in note
    pair = meta.table(make_study(systems=4), metrics=["same", "against"], level="summary", coefficient="pearson")
    assert (pair.columns[0].best, pair.columns[0].tied) == (("same",), ("against",))
    assert "none reaches alpha 0.05" in pair.notes[0]


def test_a_metric_without_a_correlation_at_one_level_has_an_empty_cell_there():
    turned = np.column_stack([RANKS, RANKS[::-1]])  # its means are all 3.5; with people it is 1 and -1
    answer = meta.table(make_study(turned=turned), coefficient="pearson")
    system, summary = answer.columns
    assert np.isnan(system.values[3])
    assert summary.values[3] == pytest.approx(0)
    assert (system.best, system.tied) == (("same",), ("near",))
    assert any("turned" in note for note in answer.notes)
    assert result_sheet(answer).format_row(result_sheet(answer).rows[3])[1:] == ["–", "0.000"]


def test_marks_and_the_caption_of_the_sheet():
    sheet = result_sheet(meta.table(make_study(), level="system"))
    assert sheet.columns == ("metric", "system r", "system ρ", "system τ")
    assert sheet.marks == {(row, column): mark for column in (1, 2, 3) for row, mark in enumerate(["tied", "best"])}
    how = "by scaled-systems, all 64 ways to swap, one-sided, bonferroni-metric correction, alpha 0.05"
    assert how in sheet.caption
    drawn = meta.table(make_study(), level="system", method="both", permutations=50, seed=3)
    assert "by both, 50 permutations, seed 3, one-sided" in result_sheet(drawn).caption


def test_the_terminal_underlines_numbers_and_not_the_blanks_before_them():
    terminal = Console(force_terminal=True, color_system="standard", width=100, file=io.StringIO())
    terminal.print(console(result_sheet(meta.table(make_study(), level="system", coefficient="kendall"))))
    near, same, against = (line.split() for line in terminal.file.getvalue().splitlines()[2:5])
    assert near == ["near", "\x1b[4m0.867\x1b[0m"]
    assert same == ["same", "\x1b[1m1.000\x1b[0m"]
    assert against == ["against", "−1.000"]


def test_one_metric_is_no_table():
    with pytest.raises(ArgumentError, match="at least two metrics, but there is same only"):
        meta.table(make_study(), metrics=["same", "same"])
