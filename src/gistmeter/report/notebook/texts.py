"""Results as plain text, for `print` and for prompts: what the commands print where no terminal says how wide it is."""

from __future__ import annotations

import io
from functools import singledispatch
from typing import TYPE_CHECKING, Any

from rich.console import Console

from gistmeter.evidence import Evidence, Explanations
from gistmeter.ranking.compare import Comparison
from gistmeter.ranking.rank import Ranking
from gistmeter.report.console import comparison_table, ranking_table
from gistmeter.report.notebook.frames import make_frame
from gistmeter.report.notebook.tables import count_scored, find_sheet
from gistmeter.report.plain_evidence import evidence_text
from gistmeter.report.tables import sheet as forms
from gistmeter.scores import Scores
from gistmeter.scoring.explain import ExplainedSummary
from gistmeter.wording import replace_controls

if TYPE_CHECKING:
    from rich.console import RenderableType

_COLUMNS = 120
"""How wide a table may be."""


@singledispatch
def show_text(result: Any) -> str:
    """A result as the terminal shows it, without colours; control characters in names are replaced."""
    return _write_plain(forms.console(find_sheet(result)))


@show_text.register
def _(result: Ranking) -> str:
    return _write_plain(ranking_table(result))


@show_text.register
def _(result: Comparison) -> str:
    return _write_plain(comparison_table(result))


@show_text.register
def _(result: Scores) -> str:
    """The rows: unlike the leaderboard they cost nothing, and a prompt or a debugger asks often."""
    return f"{count_scored(result)}\n{replace_controls(str(make_frame(result)))}"


@show_text.register
def _(result: Evidence) -> str:
    return replace_controls(evidence_text(result))


@show_text.register
def _(result: Explanations) -> str:
    return "\n".join(map(show_text, result.values()))


@show_text.register
def _(result: ExplainedSummary) -> str:
    numbers = ", ".join(f"{name} {value:.4f}" for name, value in result.scores.items())
    notes = [f"note: {note}" for note in result.notes]
    texts = [show_text(evidence) for evidence in result.evidence.values()]
    return "\n".join([replace_controls(f"{result.example.name}: {numbers}"), *texts, *map(replace_controls, notes)])


def _write_plain(table: RenderableType) -> str:
    console = Console(file=io.StringIO(), width=_COLUMNS, color_system=None, highlight=False, force_jupyter=False)
    with console.capture() as captured:
        console.print(table)
    return "\n".join(line.rstrip() for line in captured.get().splitlines())
