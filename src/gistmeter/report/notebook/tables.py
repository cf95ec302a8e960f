"""Results as HTML, which a notebook shows, and as LaTeX: by the functions that the commands print with."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

from gistmeter.errors import ArgumentTypeError, GistmeterError
from gistmeter.evidence import Evidence, Explanations
from gistmeter.probe.attacks import AttackEffects
from gistmeter.probe.findings import ProbeReport
from gistmeter.ranking.columns import main_columns
from gistmeter.ranking.compare import Comparison
from gistmeter.ranking.gate import GateResult
from gistmeter.ranking.means import average_systems
from gistmeter.ranking.rank import Ranking, rank
from gistmeter.report.latex import tables as latex
from gistmeter.report.latex.tables import LatexOptions
from gistmeter.report.notebook.evidence import show_evidence
from gistmeter.report.notebook.frames import make_frame
from gistmeter.report.page.markup import html_text
from gistmeter.report.sheets.gate import gate_sheet
from gistmeter.report.sheets.human import result_sheet
from gistmeter.report.sheets.meta import caption
from gistmeter.report.sheets.probe.attacks import attacks_sheet
from gistmeter.report.sheets.probe.findings import findings_sheet
from gistmeter.report.tables import plain
from gistmeter.report.tables import sheet as forms
from gistmeter.report.tables.means import means_sheet
from gistmeter.report.tables.numbers import format_count
from gistmeter.report.tables.sheet import Sheet
from gistmeter.result import Result
from gistmeter.scores import Scores
from gistmeter.scoring.explain import ExplainedSummary

MOST_RANKED_ROWS = 100_000
"""Summaries that are ranked when scores are shown; of more there are means alone."""


@singledispatch
def show_html(result: Any) -> str:
    """A result as HTML that needs no style sheet and no script; all text of users is escaped."""
    return forms.html(find_sheet(result))


def write_latex(result: Any, **options: Any) -> str:
    """A result as the LaTeX table that its command prints; `options` are those of `LatexOptions`."""
    try:
        chosen = LatexOptions(**options)
    except TypeError as error:
        raise ArgumentTypeError(f"to_latex: {error}".replace("LatexOptions.__init__() ", "")) from None
    ranked = rank_main(result) if isinstance(result, Scores) else result
    return latex.write_latex(ranked if isinstance(ranked, Ranking | Comparison) else find_sheet(ranked), chosen)


def count_scored(scores: Scores) -> str:
    """What was scored, in a line.

    >>> import polars as pl
    >>> count_scored(Scores(pl.DataFrame({"doc_id": ["1", "2"], "system": ["a", "a"]}), ()))
    'Scores: 2 summaries, 2 documents, 1 system'
    """
    counts = (
        format_count(len(scores), "summary"),
        format_count(len(scores.documents), "document"),
        format_count(len(scores.systems), "system"),
    )
    return f"Scores: {', '.join(counts)}"


@singledispatch
def find_sheet(result: Any) -> Sheet:
    """The table of a result."""
    raise NotImplementedError(f"no table of {type(result).__name__}")


@find_sheet.register
def _(result: GateResult) -> Sheet:
    return gate_sheet(result)


@find_sheet.register
def _(result: Result) -> Sheet:
    if caption.dispatch(type(result)) is caption.dispatch(object):  # no command prints it
        return Sheet.of(result.records(), notes=result.notes)
    return result_sheet(result)


@find_sheet.register
def _(result: AttackEffects) -> Sheet:
    return attacks_sheet(result)


@find_sheet.register
def _(result: ProbeReport) -> Sheet:
    return findings_sheet(result)


@find_sheet.register
def _(result: Evidence) -> Sheet:
    if result.table is not None:
        return Sheet(result.table.header, result.table.rows, caption=f"{result.metric}: {result.headline}.")
    return Sheet.of(make_frame(result).to_dicts(), caption=f"{result.metric}: {result.headline}.")


@show_html.register(Ranking)
@show_html.register(Comparison)
def _(result: Ranking | Comparison) -> str:
    return plain.html(result)


@show_html.register
def _(result: Scores) -> str:
    """The leaderboard with intervals; of a table that cannot be ranked, the reason."""
    return f"<p>{count_scored(result)}.</p>\n{_show_standings(result)}"


@show_html.register
def _(result: Evidence) -> str:
    return show_evidence(result)


@show_html.register
def _(result: Explanations) -> str:
    return "\n".join(map(show_evidence, result.values())) or "<p>No metric here can explain itself.</p>"


@show_html.register
def _(result: ExplainedSummary) -> str:
    numbers = ", ".join(f"{name} {value:.4f}" for name, value in result.scores.items())
    notes = [f"<p>Note: {html_text(note)}</p>" for note in result.notes]
    shown = map(show_evidence, result.evidence.values())
    return "\n".join([f"<p><strong>{html_text(result.example.name)}</strong> {html_text(numbers)}</p>", *shown, *notes])


def _show_standings(scores: Scores) -> str:
    if len(scores) > MOST_RANKED_ROWS:
        means = average_systems(scores.table.lazy(), scores.columns, summaries=len(scores))
        return forms.html(means_sheet(means))
    try:
        return plain.html(rank_main(scores))
    except GistmeterError as error:
        return f"<p>There is no leaderboard: {html_text(str(error))}.</p>"


def rank_main(scores: Scores) -> Ranking:
    """The ranking by the scores that a leaderboard shows."""
    names = [column.name for column in main_columns(scores.columns)]
    return rank(scores, columns=names or None)
