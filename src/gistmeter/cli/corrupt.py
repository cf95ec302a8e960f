"""`gistmeter corrupt`: summaries with subtle errors, and which metrics notice them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from gistmeter.cli import options as o
from gistmeter.errors import GistmeterError

if TYPE_CHECKING:
    from gistmeter.probe import LabelledSummary


def corrupt(
    run: o.RunFiles = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the labelled run here, as JSON lines.")
    ] = None,
    errors: Annotated[
        list[int] | None,
        typer.Option("--errors", "-k", min=1, help="Errors in each summary; default 3; repeat for several versions."),
    ] = None,
    of: Annotated[
        Literal["summaries", "references"],
        typer.Option(help="What to corrupt: the summaries, or the references of each document."),
    ] = "summaries",
    model: Annotated[str, typer.Option(help="The masked-word model: embedded, a folder or a name.")] = "embedded",
    seed: Annotated[int, typer.Option(min=0, help="Seed of the words drawn; the same seed draws the same.")] = 0,
    test: Annotated[
        list[str] | None,
        typer.Option("--test", "-t", metavar="M,...", help="Metrics to test: do they notice the errors?"),
    ] = None,
    golden: Annotated[
        Literal["presence", "number"],
        typer.Option(help="What to correlate with: presence of errors, or their number."),
    ] = "presence",
    references: o.ReferenceFiles = None,
    documents: o.DocumentFiles = None,
    language: o.Language = None,
    latex: o.AsLatex = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """Put subtle errors into summaries: random words replaced by what a language model would rather say.

    Writes the clean and the corrupted summaries (system X and X+3) with the places of the errors. --test says which
    metrics notice them; a run that `corrupt` wrote before is tested as it is.
    """
    from gistmeter import api
    from gistmeter.cli.output import show_sheet
    from gistmeter.cli.score import progress_bar
    from gistmeter.io.atomic import check_writable
    from gistmeter.io.runs import Run
    from gistmeter.probe import measure_detection, write_labelled_run
    from gistmeter.report.sheets.detection import detection_sheet
    from gistmeter.report.tables.numbers import format_count

    if output is None and not test:
        raise GistmeterError("say where to write the corrupted summaries (--output), or which metrics to --test")
    if output is not None:
        if output.suffix not in (".jsonl", ".ndjson"):
            raise GistmeterError(f"cannot write {output}: a labelled run is JSON lines, name it .jsonl")
        check_writable(output)
    if test:
        api.label_metrics(test)  # refuse a wrong name before any long work
    summaries = _read_or_corrupt(
        run, references, documents, language, of=of, errors=errors or [3], seed=seed, model=model
    )
    if output is not None:
        o.say(f"{format_count(write_labelled_run(summaries, output), 'summary')} written: {output}")
    if test:
        tested = Run(memory=[summary.example for summary in summaries])
        with progress_bar(tested) as advance, o.notes_on_stderr():
            scores = api.score(tested, test, progress=advance)
        detection = measure_detection(summaries, scores, golden=golden)
        show_sheet(detection_sheet(detection), latex=latex, markdown=markdown, json=json)


def _read_or_corrupt(
    run: list[str] | None,
    references: list[str] | None,
    documents: list[str] | None,
    language: str | None,
    *,
    of: Literal["summaries", "references"],
    errors: list[int],
    seed: int,
    model: str,
) -> list[LabelledSummary]:
    """The summaries of a labelled run, or those of any other run, clean and corrupted."""
    from gistmeter.cli.output import progress_bar
    from gistmeter.probe import corrupt as corrupt_examples
    from gistmeter.probe import read_labelled_run, turn_references_into_summaries

    opened = o.open_run_files(run, None, references, documents, language)
    labelled = read_labelled_run(run) if run and "-" not in run else None
    if labelled is not None:
        return labelled
    examples = list(opened.examples() if of == "summaries" else turn_references_into_summaries(opened.examples()))
    summaries: list[LabelledSummary] = []
    done = 0
    with progress_bar("corrupting") as advance:
        for summary in corrupt_examples(examples, errors=errors, seed=seed, model=model):
            summaries.append(summary)
            done += not summary.errors
            if advance is not None:
                advance(done, len(examples))
    if not any(summary.errors for summary in summaries):
        raise GistmeterError(f"there are no {of} with a word to replace in the run")
    return summaries
