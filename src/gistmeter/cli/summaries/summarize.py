"""`gistmeter summarize`: summaries that say what is marked."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from gistmeter.cli import options as o
from gistmeter.cli.door.files import WRITES_FILE
from gistmeter.cli.door.terminal import tell
from gistmeter.cli.probe.options import explain_stop
from gistmeter.cli.spans import options as s
from gistmeter.errors import ArgumentError
from gistmeter.weights import EMBEDDED
from gistmeter.wording import format_count


def summarize(
    run: s.DocumentRun = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Write the summaries here, as a run that `gistmeter score` reads."),
        WRITES_FILE,
    ] = None,
    spans: s.SpanSource = None,
    k: s.MostSpans = None,
    marks: Annotated[
        list[str] | None,
        typer.Option("--mark", metavar="WORDS", help="Say these words of the document in any case; repeat for more."),
    ] = None,
    words: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N", help="Most words of a summary; default as many as it takes, of whole sentences 85."
        ),
    ] = None,
    keep: Annotated[
        Literal["marked", "sentences"] | None,
        typer.Option(
            help="What stays of a sentence: what the marks need, or all of it. Default whole sentences for predicted "
            "spans, else what is marked."
        ),
    ] = None,
    page: Annotated[
        Path | None,
        typer.Option(
            "--page", metavar="FILE", help="Write a page (.html) on which clicking phrases rewrites the summary."
        ),
        WRITES_FILE,
    ] = None,
    model: Annotated[
        str, typer.Option(metavar="NAME", help="embedded, or a model taught with `gistmeter train summarizer`.")
    ] = "embedded",
    predictor: Annotated[
        str, typer.Option(metavar="FILE", help="Who predicts: embedded, or a file of `gistmeter train salience`.")
    ] = "embedded",
    system: Annotated[str, typer.Option(metavar="NAME", help="The name of the system in the run.")] = "spansum",
    references: o.ReferenceFiles = None,
    documents: o.DocumentFiles = None,
    language: o.Language = None,
    fields: o.FieldMap = None,
    no_cache: o.NoCache = False,
    device: o.Device = None,
    threads: o.Threads = None,
    json: o.AsJson = False,
) -> None:
    """Summarize documents so that the summaries say what is marked in them.

    The embedded summarizer takes the sentences with marks and leaves out what these do not need; it adds nothing. Of
    predicted spans, which are guesses, it keeps whole sentences (`--keep`).
    """
    from gistmeter import summarize as summarizing
    from gistmeter.cli import output as out
    from gistmeter.report.page.marking import check_page_path, write_marking_page

    if page is not None:
        if model != EMBEDDED:
            raise ArgumentError("`page` is of the embedded summarizer, which rewrites as you click: leave `model` out")
        check_page_path(page)
    opened = o.open_run_files(run, None, references, documents, language, fields=fields).rereadable()
    with out.share_progress("writing") as show_share, explain_stop(cache=not no_cache), o.notes_on_stderr():
        written = summarizing.summarize(
            opened,
            spans=spans,
            k=k,
            marks=marks or (),
            words=words,
            keep=keep,
            model=model,
            predictor=predictor,
            system=system,
            output=output,
            cache=not no_cache,
            progress=lambda done, total: show_share(done / total),
            runtime=o.runtime_settings(device=device, threads=threads),
        )
    if page is not None:
        write_marking_page(summarizing.make_markable_documents(opened, written), page)
        o.say(f"page written: {page}")
    if json:
        tell(written.to_json())
    elif output is None and page is None:
        for summary in written.summaries:
            covered = f"{len(summary.covered)} of {len(summary.marked)} marked spans, {summary.words} words"
            tell(f"{summary.doc_id} ({covered})\n{summary.text}\n")
    if output is not None:
        o.say(f"{format_count(len(written.summaries), 'summary')} written: {output}")
