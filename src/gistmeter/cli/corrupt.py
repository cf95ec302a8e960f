"""`gistmeter corrupt`: summaries with subtle errors, and which metrics notice them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from gistmeter.cli import options as o
from gistmeter.cli.door.completion import complete_metrics
from gistmeter.cli.door.files import WRITES_FILE
from gistmeter.cli.meta import options as m
from gistmeter.errors import GistmeterError


def corrupt(
    run: o.RunFiles = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the labelled run here, as JSON lines."), WRITES_FILE
    ] = None,
    errors: Annotated[
        list[int] | None,
        typer.Option("--errors", "-k", min=1, help="Errors in each summary; default 3; repeat for several versions."),
    ] = None,
    of: Annotated[
        Literal["summaries", "references"],
        typer.Option(help="What to corrupt: the summaries, or the references of each document."),
    ] = "summaries",
    words: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KIND,...",
            help="What to replace: any word (default); content words, names or numbers by others of "
            "their kind; negation or roles turned round; by rules quantities, units, dates, places, modality, "
            "directions, attribution, comparisons, causes, elsewhere, outside, merged. Several kinds make several "
            "versions.",
        ),
    ] = None,
    floor: Annotated[
        float, typer.Option(min=0, max=1, help="How likely what is put in must be, by the model; not with `any`.")
    ] = 0.05,
    model: Annotated[str, typer.Option(help="The masked-word model: embedded, a folder or a name.")] = "embedded",
    seed: Annotated[int, typer.Option(min=0, help="Seed of the words drawn; the same seed draws the same.")] = 0,
    test: Annotated[
        list[str] | None,
        typer.Option(
            *("--test", "-t", "--metric", "-m"),
            metavar="M,...",
            autocompletion=complete_metrics,
            help="Metrics to test: do they notice the errors?",
        ),
    ] = None,
    golden: Annotated[
        Literal["presence", "number"],
        typer.Option(help="What to correlate with: presence of errors, or their number."),
    ] = "presence",
    lower: m.LowerNames = None,
    higher: m.HigherNames = None,
    references: o.ReferenceFiles = None,
    documents: o.DocumentFiles = None,
    language: o.Language = None,
    fields: o.FieldMap = None,
    latex: o.AsLatex = False,
    html: o.AsHtml = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """Put subtle errors into summaries: words replaced by others that read as well.

    Writes the clean and the corrupted summaries (system X and X+3) with the places of the errors. --test says which
    metrics notice them, and with several kinds of --words which kind; a run that `corrupt` wrote before is tested as
    it is.
    """
    from gistmeter.cli import output as out
    from gistmeter.cli.score import progress_bar
    from gistmeter.probe import check_kind, check_labelled_path, corrupt_run, detect_errors
    from gistmeter.report.sheets.detection import detection_sheet
    from gistmeter.report.tables.numbers import format_count
    from gistmeter.scoring.inputs import label_metrics

    if output is None and not test:
        raise GistmeterError("say where to write the corrupted summaries (--output), or which metrics to --test")
    if output is not None:
        check_labelled_path(output)
    kinds = tuple(check_kind(kind.strip()) for text in words or ["any"] for kind in text.split(","))
    metrics = label_metrics(test) if test else {}  # refuse a wrong name before any long work
    opened = o.open_run_files(run, None, references, documents, language, fields=fields)
    with out.progress_bar("corrupting") as progress:
        summaries = corrupt_run(
            opened,
            of=of,
            errors=errors or [3],
            words=kinds,
            floor=floor,
            seed=seed,
            model=model,
            output=output,
            progress=progress,
        )
    if output is not None:
        o.say(f"{format_count(len(summaries), 'summary')} written: {output}")
    if metrics:
        with progress_bar() as advance, o.notes_on_stderr():
            detection = detect_errors(
                summaries, metrics, golden=golden, lower=lower or (), higher=higher or (), progress=advance
            )
        out.show_sheet(detection_sheet(detection), latex=latex, html=html, markdown=markdown, json=json)
