"""Options of LaTeX in tables whose cells are numbers with intervals or signs: gates, and answers by groups."""

import pytest

from gistmeter import meta
from gistmeter.demo import demo_judgments
from gistmeter.ranking.gate import gate
from gistmeter.report.latex.tables import LatexOptions, write_latex
from gistmeter.report.sheets.gate import gate_sheet
from gistmeter.report.sheets.groups import grouped_sheet
from gistmeter.report.tables import sheet as sheets
from gistmeter.report.tables.board import BoardStyle
from gistmeter.report.tables.numbers import NumberCell
from gistmeter.report.tables.sheet import Sheet


def write(sheet, **style):
    return write_latex(sheet, LatexOptions(narrow=False, style=BoardStyle(**style)))


@pytest.fixture(scope="module")
def gated(demo_scores):
    return gate_sheet(gate(demo_scores, demo_scores, columns=["rouge1.f1"], resamples=200, permutations=200))


@pytest.fixture(scope="module")
def grouped(demo_scores):
    names = {doc_id: "en" if doc_id < "m" else "de" for doc_id in demo_scores.documents}
    study = meta.open_study(demo_scores, demo_judgments())
    return grouped_sheet(
        meta.by_group(
            meta.interval,
            study,
            group="language",
            groups={"language": names},
            metrics=["rouge1.f1", "rouge2.f1"],
            level="pooled",
            resamples=20,
        )
    )


def test_digits_are_those_of_all_scores_of_a_gate(gated):
    row = next(line for line in write(gated, digits=2).splitlines() if line.strip().startswith("careful"))
    base, new, difference, interval = row.split(" & ")[2:6]
    assert base == new == "0.63"
    assert (difference, interval) == ("0.00", "[0.00, 0.00]")
    assert "& 62.9 & 62.9 & 0.00 & [0.00, 0.00] &" in write(gated, points=True)


def test_points_multiply_all_scores_of_a_gate_or_none():
    def gate_of(base):
        row = {"system": "a", "base": base, "new - base": NumberCell(0.01, decimals=4, sign=True), "p": 0.02}
        return Sheet(tuple(row), (tuple(row.values()),), one_scale=("base", "new - base"))

    assert "a & 30.0 & +1.00 & 0.020" in write(gate_of(0.3), points=True)
    assert "a & 40.000 & +0.0100 & 0.020" in write(gate_of(40.0), points=True)  # differences are of the same words


def test_groups_with_intervals_have_points_and_digits(grouped):
    texts = [cell for row in grouped.rows for cell in row if isinstance(cell, NumberCell)]
    assert len(texts) == 4
    whole = write(grouped, points=True, digits=2)
    for cell in texts:
        assert f"{100 * cell.value:.2f} [{100 * cell.low:.2f}, {100 * cell.high:.2f}]".replace("-", "$-$") in whole
    assert "Times 100: en, de, mean" in whole
    assert f"{texts[0].value:.3f} [{texts[0].low:.2f}, {texts[0].high:.2f}]".replace("-", "$-$") in write(grouped)


def test_other_forms_have_the_cell_as_it_was():
    sheet = Sheet.of([{"metric": "m", "en": NumberCell(0.5, 0.41, 0.62, bounds=2)}])
    assert "| m | 0.500 [0.41, 0.62] |" in sheets.markdown(sheet).replace("\\", "")
    assert '"en": "0.500 [0.41, 0.62]"' in sheets.json(sheet)


def test_a_column_with_decimals_of_its_own_is_no_score():
    """Half an hour is not 50 hours, and money has two decimals."""
    sheet = Sheet(
        columns=("task", "hours", "pay", "f1"), rows=(("a", 0.5, 8.1, 0.25),), decimals={"hours": 1, "pay": 2}
    )
    assert sheet.format_row(sheet.rows[0]) == ["a", "0.5", "8.10", "0.250"]
    assert "a & 0.5 & 8.10 & 25.0" in write(sheet, points=True)


def test_the_parts_of_a_wide_table_tell_rows_apart():
    """What names a row is as many texts as it takes: a metric alone would stand there twice."""
    rows = [
        {"metric": metric, "level": level, **{f"a long title {number}": 0.5 for number in range(12)}}
        for metric in ("rouge1", "rouge2")
        for level in ("system", "summary")
    ]
    text = write_latex(Sheet.of(rows), LatexOptions(narrow=True))
    assert text.count("\\midrule") > 1
    for part in text.split("\\midrule")[1:]:
        assert "rouge1 & system &" in part
        assert "rouge1 & summary &" in part
