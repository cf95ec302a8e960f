"""`gistmeter corrupt`: summaries with subtle errors, and which metrics notice them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

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
        str, typer.Option(help="What to corrupt: the summaries, or the references of each document.")
    ] = "summaries",
    model: Annotated[str, typer.Option(help="The masked-word model: embedded, a folder or a name.")] = "embedded",
    seed: Annotated[int, typer.Option(min=0, help="Seed of the words drawn; the same seed draws the same.")] = 0,
    test: Annotated[
        list[str] | None,
        typer.Option("--test", "-t", metavar="M,...", help="Metrics to test: do they notice the errors?"),
    ] = None,
    golden: Annotated[
        str, typer.Option(help="What to correlate with: presence of errors, or their number.")
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
    from gistmeter.io.runs import Run
    from gistmeter.io.tables import check_writable
    from gistmeter.probe import measure_detection, write_labelled_run
    from gistmeter.report.sheets.detection import detection_sheet
    from gistmeter.report.tables.numbers import counted

    if output is None and not test:
        raise GistmeterError("say where to write the corrupted summaries (--output), or which metrics to --test")
    if of not in ("summaries", "references"):
        raise GistmeterError(f"there is no --of {of} (summaries or references)")
    if golden not in ("presence", "number"):
        raise GistmeterError(f"there is no --golden {golden} (presence or number)")
    if output is not None:
        if output.suffix not in (".jsonl", ".ndjson"):
            raise GistmeterError(f"cannot write {output}: a labelled run is JSON lines, name it .jsonl")
        check_writable(output)
    if test:
        api.labels(test)  # refuse a wrong name before any long work
    summaries = _labelled(run, references, documents, language, of=of, errors=errors or [3], seed=seed, model=model)
    if output is not None:
        o.say(f"{counted(write_labelled_run(summaries, output), 'summary')} written: {output}")
    if test:
        tested = Run(memory=[one.example for one in summaries])
        with progress_bar(tested) as advance, o.notes_on_stderr():
            scores = api.score(tested, test, progress=advance)
        found = measure_detection(summaries, scores, golden=golden)  # type: ignore[arg-type]  # checked above
        show_sheet(detection_sheet(found), latex=latex, markdown=markdown, json=json)


def _labelled(
    run: list[str] | None,
    references: list[str] | None,
    documents: list[str] | None,
    language: str | None,
    *,
    of: str,
    errors: list[int],
    seed: int,
    model: str,
) -> list[LabelledSummary]:
    """The summaries of a labelled run, or those of any other run, clean and corrupted."""
    from gistmeter.cli.output import progress_bar
    from gistmeter.probe import corrupt as corrupted
    from gistmeter.probe import read_labelled_run, turn_references_into_summaries

    opened = o.opened_run(run, None, references, documents, language)
    known = read_labelled_run(run) if run and "-" not in run else None
    if known is not None:
        return known
    examples = list(opened.examples() if of == "summaries" else turn_references_into_summaries(opened.examples()))
    found: list[LabelledSummary] = []
    done = 0
    with progress_bar("corrupting") as advance:
        for one in corrupted(examples, errors=errors, seed=seed, model=model):
            found.append(one)
            done += not one.errors
            if advance is not None:
                advance(done, len(examples))
    if not any(one.errors for one in found):
        raise GistmeterError(f"there are no {of} with a word to replace in the run")
    return found
