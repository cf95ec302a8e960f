"""Options that several commands share, so that one word means one thing everywhere."""

from __future__ import annotations

import contextlib
import re
import warnings
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from gistmeter.arguments import MOST_DRAWS
from gistmeter.cli.door import terminal
from gistmeter.cli.door.completion import complete_metrics, complete_scores
from gistmeter.cli.door.files import READS
from gistmeter.cli.door.latex import choose_latex_options
from gistmeter.cli.door.terminal import draw, tell, tell_json
from gistmeter.cli.door.words import split_score_names
from gistmeter.errors import ArgumentError, GistmeterError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from rich.console import RenderableType

    from gistmeter.io.runs import Run
    from gistmeter.models.runtime.settings import RuntimeSettings
    from gistmeter.ranking.compare import Comparison
    from gistmeter.ranking.rank import Ranking
    from gistmeter.report.tables.board import BoardStyle

    Result = Ranking | Comparison

DEFAULT_METRICS = "rouge1,rouge2,rougeLsum"

say = terminal.say

RunFiles = Annotated[
    list[str] | None,
    typer.Argument(metavar="RUN...", help="Files of summaries: .jsonl, .csv, .tsv, .parquet (.gz too), - for stdin."),
]
Metrics = Annotated[
    list[str] | None,
    typer.Option(
        "--metric",
        "-m",
        metavar="M,...",
        autocompletion=complete_metrics,
        help=f"Metrics, with commas between; default {DEFAULT_METRICS}.",
    ),
]
SummaryFiles = Annotated[
    list[str] | None,
    typer.Option("--summaries", metavar="SYSTEM=FILE", help="Text file, one summary a line; repeat per system."),
]
ReferenceFiles = Annotated[
    list[str] | None,
    typer.Option("--references", metavar="FILE", help="References: lines (with --summaries) or records to join."),
]
DocumentFiles = Annotated[
    list[str] | None,
    typer.Option("--documents", metavar="FILE", help="Documents: lines (with --summaries) or records to join."),
]
UnitFiles = Annotated[
    list[str] | None,
    typer.Option("--units", metavar="FILE", help="Content units: lines (with --summaries), records to join, or .pyr."),
]
LabelFiles = Annotated[
    list[str] | None,
    typer.Option("--labels", metavar="SYSTEM=FILE", help="With --summaries: which units each summary has, 0 or 1."),
]
WeightFile = Annotated[
    str | None,
    typer.Option("--weights", metavar="FILE", help="With --summaries: how much each unit weighs, a number for each."),
]
FieldMap = Annotated[
    list[str] | None,
    typer.Option(
        "--map", metavar="FIELD=COLUMN", help="Where a field of the records is, e.g. summary=output; repeat for more."
    ),
]
Language = Annotated[
    str | None,
    typer.Option("--language", metavar="xx", help="Language of records that do not name theirs; default en."),
]
Device = Annotated[
    str | None, typer.Option(metavar="NAME", help="Where models run: cpu (default), cuda, mps; scores stay the same.")
]
MOST_THREADS = 1024
Threads = Annotated[
    int | None,
    typer.Option(
        min=1, max=MOST_THREADS, metavar="N", help="CPU threads for models; default all, shared among workers."
    ),
]
AllowPickle = Annotated[
    bool, typer.Option("--allow-pickle", help="Read models that have only pickled weights, which can run code.")
]
ScoreFile = Annotated[Path, typer.Argument(metavar="SCORES", help="A file that `gistmeter score` wrote."), READS]
ScoreFiles = Annotated[
    list[Path],
    typer.Argument(metavar="SCORES...", help="Files that `gistmeter score` wrote; several are put together."),
    READS,
]
Columns = Annotated[
    list[str] | None,
    typer.Option(
        "--metric",
        "-m",
        metavar="M,...",
        callback=split_score_names,
        autocompletion=complete_scores,
        help="Only these scores: rouge2 (its f1), rouge2.recall; with commas between, or repeat.",
    ),
]
Lower = Annotated[
    list[str] | None,
    typer.Option("--lower", metavar="NAME", help="Lower values of this score are better; repeat for more."),
]
Higher = Annotated[
    list[str] | None,
    typer.Option("--higher", metavar="NAME", help="Higher values of this score are better; repeat for more."),
]
Every = Annotated[bool, typer.Option("--all", help="Show all columns, precision and recall too.")]
Points = Annotated[bool, typer.Option("--points", help="Write scores times 100, as papers do.")]
TrustTable = Annotated[
    Path | None,
    typer.Option("--table", metavar="FILE", help="Tables of your own, from `gistmeter trust fit`, before ours."),
    READS,
]
TrustOrigin = Annotated[
    bool,
    typer.Option("--trust-origin", help="Read the files that the scores name, also outside this folder and theirs."),
]
AllowModels = Annotated[
    bool,
    typer.Option("--allow-models", help="Load models, files and classes that names of scores name; none is fetched."),
]
NoCache = Annotated[bool, typer.Option("--no-cache", help="Neither use nor fill the score cache.")]
Seed = Annotated[int, typer.Option(min=0, help="Seed of the resampling; the same seed gives the same figures.")]
Resamples = Annotated[int, typer.Option(min=10, max=MOST_DRAWS, help="Bootstrap resamples behind the intervals.")]
Permutations = Annotated[int, typer.Option(min=10, max=MOST_DRAWS, help="Permutations behind the tests.")]
AutoPermutations = Annotated[
    int | None,
    typer.Option(min=10, max=MOST_DRAWS, help="Permutations behind the tests; default 10,000, more for many systems."),
]
MarkerReading = Annotated[
    Literal["read", "keep"],
    typer.Option("--markers", help="<q>, [SEP], -lrb- in texts: read as line ends and brackets, or keep as text."),
]
Confidence = Annotated[float, typer.Option(min=0.5, max=0.999, help="Confidence of the intervals.")]
AsLatex = Annotated[bool, typer.Option("--latex", help="Print a LaTeX table.")]
AsHtml = Annotated[bool, typer.Option("--html", help="Print an HTML table.")]
AsMarkdown = Annotated[bool, typer.Option("--markdown", help="Print a Markdown table.")]
AsCsv = Annotated[bool, typer.Option("--csv", help="Print comma-separated values, in full.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def open_run_files(
    files: list[str] | None,
    summaries: list[str] | None,
    references: list[str] | None,
    documents: list[str] | None,
    language: str | None,
    *,
    units: list[str] | None = None,
    weights: str | None = None,
    labels: list[str] | None = None,
    fields: list[str] | None = None,
) -> Run:
    """The run that these options speak of."""
    from gistmeter.io.aligned_texts import parse_named_files
    from gistmeter.io.runs import open_run
    from gistmeter.text.languages import language_code

    if language is not None:
        language_code(language)  # refuses what is no language, before anything is read
    return open_run(
        files or [],
        summaries=parse_named_files(summaries or []),
        references=references or [],
        documents=documents or [],
        units=units or [],
        weights=[weights] if weights else [],
        labels=parse_named_files(labels or [], "labels"),
        language=language,
        fields=parse_fields(fields),
    )


def parse_fields(given: list[str] | None) -> dict[str, str]:
    """What `--map` says: columns by field.

    >>> parse_fields(["summary=output", "doc_id=article id"])
    {'summary': 'output', 'doc_id': 'article id'}
    """
    fields: dict[str, str] = {}
    for text in given or []:
        field, equals, column = text.partition("=")
        if not equals or not field.strip() or not column.strip():
            raise GistmeterError(f"--map takes FIELD=COLUMN, such as summary=output, not {text!r}")
        if field.strip() in fields:
            raise GistmeterError(f"--map gives {field.strip()} twice: {fields[field.strip()]} and {column.strip()}")
        fields[field.strip()] = column.strip()
    return fields


def use_flags(error: Exception | str, renamed: Mapping[str, str] | None = None) -> str:
    """The message of an error with options of the command line in the place of Python's arguments.

    The library names arguments in backticks: `workers=`, `points=True`, and in an `ArgumentError` also `workers` alone
    (elsewhere that is a field of a record). `renamed` are options with other names than their arguments.

    >>> from gistmeter.errors import ArgumentError, DataError
    >>> print(use_flags(DataError("doc1 has no `references`: give them with `references=`")))
    doc1 has no `references`: give them with --references
    >>> print(use_flags(ArgumentError("`columns` and `points=True` do not go together")))
    --metric and --points do not go together
    >>> print(use_flags(ArgumentError("say which score, for example `metrics=rouge2.recall`"), META_ARGUMENTS))
    say which score, for example --metric rouge2.recall
    """
    options = {**RENAMED_ARGUMENTS, **(renamed or {})}

    def flag(match: re.Match[str]) -> str:
        name, value = match["name"], (match["value"] or "").strip("\"'")
        if not isinstance(error, ArgumentError) and (match["value"] is None or name not in options):
            return match[0]
        if name == "fields":
            value = re.sub(r'[{}"]', "", value).replace(": ", "=")
        option = options.get(name) or f"--{name.replace('_', '-')}"
        return option if value in ("", "True") else f"{option} {value}"

    return re.sub(r"`(?P<name>[a-z_]+)(?:=(?P<value>[^`]*))?`", flag, str(error))


@contextlib.contextmanager
def notes_on_stderr() -> Iterator[None]:
    """Warnings of the library as plain lines, each once."""
    from gistmeter.errors import GistmeterWarning

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", GistmeterWarning)
        yield
    for warning in caught:
        say(f"note: {use_flags(warning.message)}")


def show(
    result: Result,
    table: Callable[..., RenderableType],
    style: BoardStyle,
    *,
    latex: bool,
    html: bool,
    markdown: bool,
    json: bool,
) -> None:
    """A ranking or comparison in the one form asked for, or as the terminal's table."""
    from gistmeter.report.tables import plain

    form = choose_form(latex=latex, html=html, markdown=markdown, json=json)
    result = replace(result, notes=tuple(map(use_flags, result.notes)))
    if form is None:
        draw(table(result, style))
    elif form == "json":
        tell_json(plain.json(result))
    elif form == "latex":
        from gistmeter.report.latex.tables import write_latex

        tell(write_latex(result, choose_latex_options(style)))
    else:
        tell({"html": plain.html, "markdown": plain.markdown}[form](result, style))


def choose_form(*, latex: bool, html: bool, markdown: bool, json: bool) -> str | None:
    """The one plain form asked for, or None for the terminal's table."""
    forms = {"latex": latex, "html": html, "markdown": markdown, "json": json}
    asked = [name for name, wanted in forms.items() if wanted]
    if len(asked) > 1:
        raise GistmeterError(f"choose one of --{' and --'.join(asked)}")
    return asked[0] if asked else None


RENAMED_ARGUMENTS = {
    **{
        name: f"--{name}"
        for name in ("documents", "engine", "judgments", "labels", "references", "summaries", "units", "weights")
    },
    **{
        name: f"--{name}"
        for name in (
            "device",
            "higher",
            "language",
            "lower",
            "names",
            "output",
            "points",
            "replace",
            "threads",
            "workers",
        )
    },
    "allow_models": "--allow-models",
    "allow_pickle": "--allow-pickle",
    "columns": "--metric",
    "evidence_rows": "--evidence",
    "fields": "--map",
    "lower": "--lower",
    "missing": "--missing",
    "run": "--run",
    "systems": "--system",
    "trust_origin": "--trust-origin",
}
"""Options by the argument of the library that they stand for, where any message may name it."""

META_ARGUMENTS = {
    "metrics": "--metric",
    "aspect": "--human",
    "aspects": "--human",
    "gap_from": "--from",
    "gap_to": "--to",
    "everything": "--all-documents",
}
"""The same for questions of `gistmeter.meta` and `gistmeter.human`, where other commands have other options."""


def runtime_settings(
    *, device: str | None = None, threads: int | None = None, allow_pickle: bool = False
) -> RuntimeSettings:
    """How the models of a command run: as its options say, and where they say nothing, as the environment does."""
    from gistmeter.models.runtime.settings import RuntimeSettings

    environment = RuntimeSettings.from_environment()
    return environment.override(device=device, threads=threads, allow_pickle=allow_pickle or None)
