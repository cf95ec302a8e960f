"""Options that the `meta` commands share."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from gistmeter.cli import options as o

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from gistmeter.meta.study import Matrices
    from gistmeter.report.tables.sheet import Sheet

LevelName = Literal["system", "summary", "pooled", "per-system"]
CoefficientName = Literal["pearson", "spearman", "kendall", "kendall-c"]

File = Annotated[
    Path,
    typer.Argument(
        metavar="FILE",
        help="A matrix file (.json), a file of scores (with --judgments), or a run whose records carry `human`.",
    ),
]
JudgmentFile = Annotated[
    Path | None, typer.Option("--judgments", metavar="FILE", help="Where people's judgments are: records with `human`.")
]
UnitFiles = Annotated[
    list[str] | None,
    typer.Option("--units", metavar="FILE", help="Content units of a run, by document id, for metrics that need them."),
]
MetricNames = Annotated[
    list[str] | None, typer.Option("--metric", metavar="NAME", help="A score, e.g. rouge2.recall; repeat for more.")
]
MetricName = Annotated[str, typer.Option("--metric", metavar="NAME", help="The score to look at, e.g. rouge2.recall.")]
HumanName = Annotated[str | None, typer.Option("--human", metavar="NAME", help="The judgment to compare with.")]
Levels = Annotated[
    list[str] | None, typer.Option("--level", help="system, summary, pooled or per-system; repeat for more.")
]
Level = Annotated[LevelName, typer.Option("--level", help="Level of the correlation.")]
Coefficients = Annotated[
    list[str] | None, typer.Option("--coefficient", help="pearson, spearman, kendall, kendall-c; repeat for more.")
]
Coefficient = Annotated[CoefficientName, typer.Option("--coefficient", help="Coefficient of correlation.")]
UndefinedPolicy = Annotated[
    Literal["drop", "zero", "error"], typer.Option("--undefined", help="What to do with constant documents.")
]
Method = Annotated[Literal["systems", "documents", "both"], typer.Option("--method", help="What is resampled.")]
Workers = Annotated[int, typer.Option("--workers", min=1, help="Threads; the result is the same for any number.")]
Trials = Annotated[int, typer.Option("--trials", min=2, help="How many simulated trials.")]
FigureFile = Annotated[
    Path | None, typer.Option("--figure", metavar="FILE", help="Also draw the figure: .svg, .png or .html.")
]


def opened(file: Path, judgments: Path | None, metrics: Sequence[str] | None, units: Sequence[str] | None) -> Matrices:
    """The scores and judgments these options speak of; what joining left out is said on standard error."""
    from gistmeter.meta.evaluation import open_matrices

    found = open_matrices(file, judgments=judgments, columns=metrics or (), units=units or ())
    for note in found.notes:
        o.say(f"note: {note}")
    return found


def levels(asked: list[str] | None) -> list[Any]:
    """The levels asked for; the two usual ones by default. The statistics refuse an unknown word."""
    return list(asked or ["system", "summary"])


def named_folds(matrices: Matrices, asked: str, by: Literal["examples", "systems"], seed: int) -> list[list[int]]:
    """The folds asked for, by a file or by their number, as places among the documents or systems."""
    from gistmeter.io.folds import drawn_folds, placed_folds, read_folds

    names = matrices.documents if by == "examples" else matrices.systems
    folds = drawn_folds(names, int(asked), seed=seed) if asked.isdecimal() else read_folds(asked, by)
    return placed_folds(folds, names)


def checked_figure(path: Path | None) -> None:
    """Refuse a figure that cannot be drawn before any long work."""
    if path is not None:
        from gistmeter.io.tables import check_writable
        from gistmeter.report.figures import check_figure_path

        check_figure_path(path)
        check_writable(path)


def show(sheet: Sheet, *, latex: bool, markdown: bool, json: bool) -> None:
    """A sheet in the form asked for."""
    from gistmeter.report.tables import sheet as forms

    form = o.chosen_form(latex=latex, markdown=markdown, json=json)
    if form is None:
        o.console().print(forms.console(sheet))
    else:
        typer.echo({"latex": forms.latex, "markdown": forms.markdown, "json": forms.json}[form](sheet))


def draw(chart: Callable[[], Any], path: Path | None) -> None:
    """Write the figure, if one was asked for."""
    if path is not None:
        from gistmeter.report.figures import write_figure

        write_figure(chart(), path)
        o.say(f"figure: {path}")


@contextlib.contextmanager
def progress(what: str) -> Iterator[Callable[[int, int], None] | None]:
    """A bar on a terminal for work that takes a while; nothing in a pipe."""
    console = o.console(stderr=True)
    if not console.is_terminal:
        yield None
        return
    from rich.progress import Progress

    with Progress(console=console, transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
