"""Any result as a table of a paper: `write_latex` is what `--latex` prints and `to_latex` gives."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from gistmeter.errors import ArgumentError
from gistmeter.ranking.compare import Comparison
from gistmeter.ranking.rank import Ranking
from gistmeter.report.latex.layout import LatexTable, TableCell, TableColumn, write_table
from gistmeter.report.latex.titles import ScoreTitle, title_scores
from gistmeter.report.tables.board import (
    ARROWS,
    BoardStyle,
    describe_intervals,
    describe_letters,
    describe_means,
    describe_points,
    describe_test,
    ranking_board,
)
from gistmeter.report.tables.differences import comparison_caption, comparison_rows, describe_difference_points
from gistmeter.report.tables.numbers import NumberCell, format_number
from gistmeter.report.tables.sheet import Sheet
from gistmeter.scores import DIAGNOSTIC_MARK

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.report.tables.board import Board, Cell
    from gistmeter.report.tables.sheet import Mark
    from gistmeter.result import Result
    from gistmeter.scores import Better, ScoreColumn

Significance = Literal["letters", "daggers", "none"]
_LABEL = re.compile(r"[\w:.+/-]+", re.ASCII)
_MOST_DIGITS = 10
_FORMS: Mapping[Mark, str] = {"best": "\\textbf{{{}}}", "tied": "\\underline{{{}}}"}
_BOLD = _FORMS["best"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LatexOptions:
    """How a table of a paper is written.

    `style` says which scores, times 100 or not, with how many digits and under which names. `caption` is plain text
    and stands in the place of the one that says how the numbers came about, which then is a comment. `narrow` tables
    fit a column, others the page; None takes intervals along where they fit a column. `significance` is shown by the
    letters of groups, or by daggers on what differs from the best.
    """

    style: BoardStyle = BoardStyle()  # noqa: RUF009  (frozen)
    label: str = ""
    caption: str = ""
    narrow: bool | None = None
    significance: Significance = "letters"

    def __post_init__(self) -> None:
        if self.label and not _LABEL.fullmatch(self.label):
            raise ArgumentError(f"`label` is of letters, digits and : . - _ + /, such as tab:main, not {self.label!r}")
        digits = self.style.digits
        if digits is not None and not 0 <= digits <= _MOST_DIGITS:
            raise ArgumentError(f"`digits` is a number from 0 to {_MOST_DIGITS}, not {digits}")


def write_latex(result: Ranking | Comparison | Result | Sheet, options: LatexOptions | None = None) -> str:
    r"""A result as a LaTeX table that compiles as it is (with booktabs), with signatures and notes as comments.

    Parameters
    ----------
    result
        A ranking, a comparison, an answer of `gistmeter.meta` or `gistmeter.human`, or any other sheet.
    options
        How it is written; by default as narrow as a column of a two-column paper.

    Raises
    ------
    ArgumentError
        If there are not as many names as scores.

    >>> import polars as pl
    >>> from gistmeter.ranking.rank import rank
    >>> from gistmeter.scores import ScoreColumn, Scores
    >>> table = pl.DataFrame({"doc_id": [*"12"], "system": ["lead_3"] * 2, "rouge2.f1": [0.2, 0.4]})
    >>> print(write_latex(rank(Scores(table, (ScoreColumn("rouge2.f1", "rouge2|v:0"),))), LatexOptions(label="tab:x")))
    % needs \usepackage{booktabs} in the preamble
    % ROUGE-2 is rouge2.f1: rouge2|v:0
    \begin{table}
      \centering
      \begin{tabular}{@{}lr@{}}
        \toprule
        System & ROUGE-2 \\
        \midrule
        lead\_3 & 0.300 {\footnotesize [0.20, 0.40]} \\
        \bottomrule
      \end{tabular}
      \caption{95\% intervals: bootstrap over 2 documents, 1,000 resamples, seed 0.}
      \label{tab:x}
    \end{table}
    """
    options = options or LatexOptions()
    if isinstance(result, Ranking):
        table = _describe_ranking(result, options)
    elif isinstance(result, Comparison):
        table = _describe_comparison(result, options)
    else:
        from gistmeter.report.sheets.human import result_sheet

        table = _describe_sheet(result if isinstance(result, Sheet) else result_sheet(result), options)
    if options.caption:
        explanation = f"how the numbers came about: {table.caption}"
        table = replace(
            table,
            caption=options.caption,
            caption_without_asides=options.caption,
            comments=(*table.comments, explanation) if table.caption else table.comments,
        )
    return write_table(replace(table, label=options.label), narrow=options.narrow)


def _describe_ranking(ranking: Ranking, options: LatexOptions) -> LatexTable:
    board = ranking_board(ranking, options.style)
    titles = title_scores(column.name for column in board.columns)
    columns = [TableColumn(label.capitalize(), numeric=False) for label in board.labels]
    columns += _title_columns(board, titles, options.style.names)
    rows = []
    for row in board.rows:
        names = [TableCell(name) for name in board.name_row(row)]
        cells = [
            TableCell(
                cell.value,
                raised=_choose_mark(cell, options.significance),
                aside=cell.interval,
                form=_BOLD if cell.best else "{}",
            )
            for cell in row.cells
        ]
        rows.append((*names, *cells))
    tested = any(cell.letters for row in board.rows for cell in row.cells)
    marks = {
        "letters": describe_letters(ranking),
        "daggers": f"† differs significantly from the best {describe_test(ranking)}.",
        "none": "",
    }[options.significance]
    bold = f"Bold: not significantly worse than the best{'' if marks else f' {describe_test(ranking)}'}."
    parts = (marks if tested else "", bold if tested else "", describe_points(board), describe_mark(board.columns))
    rest = " ".join(part for part in parts if part)
    return LatexTable(
        columns=tuple(columns),
        rows=tuple(rows),
        caption=f"{describe_intervals(ranking)}. {rest}".rstrip(),
        caption_without_asides=f"{describe_means(ranking)}. {rest}".rstrip(),
        comments=(
            *_sign_columns(board.columns, titles, options.style.names),
            *(f"note: {note}" for note in board.notes),
        ),
        leading=len(board.labels),
    )


def _choose_mark(cell: Cell, significance: Significance) -> str:
    """What is raised beside a score: its letters, or a dagger where it differs from the best."""
    if significance == "letters":
        return cell.letters
    return "†" if significance == "daggers" and cell.letters and not cell.best else ""


def _title_columns(board: Board, titles: Mapping[str, ScoreTitle], names: Sequence[str]) -> list[TableColumn]:
    """The titles of scores: those that were asked for, or as people write them."""
    arrows = _choose_arrows([column.better for column in board.columns])
    described = []
    for number, column in enumerate(board.columns):
        arrow = arrows[number]
        title = titles.get(column.name)
        mark = DIAGNOSTIC_MARK if column.is_diagnostic else ""
        if names or title is None:
            name = f"{names[number] if names else column.name}{mark}"
            described.append(TableColumn(f"{name}{arrow}", f"{name}{arrow}"))
        else:
            settings = f"({', '.join(title.settings)})" if title.settings else ""
            score = f" {title.score}" if title.score else ""
            ending = f"{score}{mark}{arrow}"
            described.append(TableColumn(f"{title.title}{ending}", f"{title.short}{ending}", settings))
    return described


def _choose_arrows(directions: Sequence[Better]) -> list[str]:
    """Which way is good, where not all scores are good when they are high."""
    if all(better == "higher" for better in directions):
        return [""] * len(directions)
    return [f" {ARROWS[better]}".rstrip() for better in directions]


def _describe_comparison(comparison: Comparison, options: LatexOptions) -> LatexTable:
    style = options.style
    rows = comparison_rows(comparison, style)
    titles = title_scores(row.column.name for row in rows)
    arrows = _choose_arrows([row.column.better for row in rows])
    written = []
    for number, (row, arrow) in enumerate(zip(rows, arrows, strict=True)):
        if style.names:
            name = style.names[number]
        else:
            name = titles[row.column.name].text if row.column.name in titles else row.column.name
        raised = "†" if options.significance != "none" and row.significant else ""
        mark = DIAGNOSTIC_MARK if row.column.is_diagnostic else ""
        written.append(
            (
                TableCell(f"{name}{mark}{arrow}"),
                TableCell(row.a),
                TableCell(row.b),
                TableCell(row.difference, raised=raised, aside=row.interval),
                TableCell(row.pvalue),
            )
        )
    described = comparison_caption(comparison)
    tests = described.partition("; p: ")[2]  # nothing for a single document, which has neither intervals nor a test
    daggers = " † p below .05." if any(cell.raised for row in written for cell in row) else ""
    points = f" {describe_difference_points(rows)} {describe_mark([row.column for row in rows])}".rstrip()
    return LatexTable(
        columns=(
            TableColumn("Score", numeric=False),
            TableColumn(comparison.system_a),
            TableColumn(comparison.system_b),
            TableColumn("Difference", "Diff."),
            TableColumn("p"),
        ),
        rows=tuple(written),
        caption=f"{described}{daggers}{points}",
        caption_without_asides=f"{f'p: {tests}' if tests else described}{daggers}{points}",
        comments=(
            *_sign_columns([row.column for row in rows], titles, style.names),
            *(f"note: {note}" for note in comparison.notes),
        ),
    )


def describe_mark(columns: Sequence[ScoreColumn]) -> str:
    """What the mark of diagnostics means, where there are any."""
    marked = any(column.is_diagnostic for column in columns)
    return f"{DIAGNOSTIC_MARK} looks at no reference: a diagnostic." if marked else ""


def _describe_sheet(sheet: Sheet, options: LatexOptions) -> LatexTable:
    texts = [value for row in sheet.rows for value in row if isinstance(value, str)]
    titles = title_scores([*sheet.columns, *(text.rstrip(" ↑↓") for text in texts)])
    times = _choose_factors(sheet) if options.style.points else [1] * len(sheet.columns)
    columns = []
    for number, name in enumerate(sheet.columns):
        numeric = sheet.is_numeric(number)
        title = titles.get(name)
        if title is None:
            columns.append(TableColumn(name, numeric=numeric))
        else:
            settings = f"({', '.join(title.settings)})" if title.settings else ""
            score = f" {title.score}" if title.score else ""
            columns.append(TableColumn(f"{title.title}{score}", f"{title.short}{score}", settings, numeric=numeric))
    rows = []
    for number, row in enumerate(sheet.rows):
        shown = sheet.format_row(row)
        cells = []
        for column, (value, text) in enumerate(zip(row, shown, strict=True)):
            mark = sheet.marks.get((number, column))
            written = _write_value(value, text, sheet.columns[column], times[column], options.style.digits, titles)
            cells.append(TableCell(written, form=_FORMS[mark] if mark else "{}"))
        rows.append(tuple(cells))
    caption = sheet.caption
    if any(factor != 1 for factor in times):
        multiplied = [name for name, factor in zip(sheet.columns, times, strict=True) if factor != 1]
        caption = f"{caption} Times 100: {', '.join(multiplied)}.".lstrip()
    return LatexTable(
        columns=tuple(columns),
        rows=tuple(rows),
        caption=caption,
        caption_without_asides=caption,
        comments=tuple(f"note: {note}" for note in sheet.notes),
        leading=_count_naming_columns(sheet),
    )


def _count_naming_columns(sheet: Sheet) -> int:
    """How many of the first columns, which are texts, it takes to tell the rows apart; one at least."""
    for count, values in enumerate(zip(*sheet.rows, strict=True)):
        told_apart = len({row[:count] for row in sheet.rows}) == len(sheet.rows)
        if count and (told_apart or not all(isinstance(value, str) for value in values)):
            return count
    return 1


def _choose_factors(sheet: Sheet) -> list[int]:
    """For each column 100 if its numbers are from -1 to 1 and no p-values, and so are those on one scale with it."""
    factors = {name: _choose_factor(sheet, column) for column, name in enumerate(sheet.columns)}
    together = [factors[name] for name in sheet.one_scale if name in factors]
    return [min(together) if name in sheet.one_scale else factor for name, factor in factors.items()]


def _choose_factor(sheet: Sheet, column: int) -> int:
    cells = [row[column] for row in sheet.rows]
    values = [number for cell in cells if isinstance(cell, NumberCell) for number in cell.numbers]
    values += [cell for cell in cells if isinstance(cell, float) and not math.isnan(cell)]
    name = sheet.columns[column]
    is_score = name not in sheet.decimals and not _is_pvalue(name)
    return 100 if is_score and values and all(abs(value) <= 1 for value in values) else 1


def _is_pvalue(column: str) -> bool:
    return column == "p" or column.endswith(" p")


def _write_value(
    value: Any, shown: str, column: str, times: int, digits: int | None, titles: Mapping[str, ScoreTitle]
) -> str:
    if isinstance(value, NumberCell):
        return value.write(times=times, digits=digits)
    if isinstance(value, float) and not _is_pvalue(column) and (times != 1 or digits is not None):
        return format_number(value * times, digits if digits is not None else 1 if times != 1 else 3)
    if isinstance(value, str) and (title := titles.get(value.rstrip(" ↑↓"))):
        return shown.replace(value.rstrip(" ↑↓"), title.text, 1)
    return shown


def _sign_columns(columns: Sequence[ScoreColumn], titles: Mapping[str, ScoreTitle], names: Sequence[str]) -> list[str]:
    """The signature of each score, under the name that the table has for it: a given one, or the usual one."""
    usual = [titles[column.name].text if column.name in titles else "" for column in columns]
    return [
        f"{f'{name} is ' if name else ''}{column.name}: {column.signature}"
        for column, name in zip(columns, names or usual, strict=True)
    ]
