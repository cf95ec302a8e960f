"""`gistmeter spans evaluate`: spans compared with those that people marked."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from gistmeter.cli import options as o
from gistmeter.cli import output as out
from gistmeter.cli.door.files import READS
from gistmeter.errors import GistmeterError


def evaluate(
    files: Annotated[list[Path], typer.Argument(metavar="SPANS...", help="Files of spans to compare."), READS],
    gold: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Spans that people marked (`gistmeter annotate export --as spans`)."),
        READS,
    ] = None,
    match: Annotated[
        Literal["exact", "overlap"],
        typer.Option(help="When a span is the same: both its ends are, or half of the characters are common."),
    ] = "exact",
    top: Annotated[
        int | None, typer.Option("-k", min=1, metavar="K", help="Only the first K spans of a document, of each file.")
    ] = None,
    permutations: o.Permutations = 10_000,
    resamples: o.Resamples = 1000,
    seed: o.Seed = 0,
    figure: out.FigureFile = None,
    json: o.AsJson = False,
    markdown: o.AsMarkdown = False,
    html: o.AsHtml = False,
    latex: o.AsLatex = False,
) -> None:
    """Compare spans with those that people marked: precision, recall and F1, and a permutation test.

    This is Table 15 of Deutsch (2022). Each file is tested against the first. `--figure` draws precision and recall of
    the first k spans of each document (Fig. 36).
    """
    out.check_figure(figure)
    from gistmeter import summarize
    from gistmeter.report.sheets.spans import agreement_sheet

    if gold is None:
        raise GistmeterError("say which spans people marked, for example --gold gold.jsonl")
    names = dict(zip(map(str, files), files, strict=True))
    if repeated := next((name for name in names if list(map(str, files)).count(name) > 1), None):
        raise GistmeterError(f"{repeated} is given twice: compare each file once")
    spans = {name: [document.take(top) for document in summarize.read_spans(path)] for name, path in names.items()}
    marked = summarize.read_spans(gold)
    compared = summarize.compare_with_gold(
        spans,
        marked,
        match=match,
        resamples=resamples,
        permutations=permutations,
        seed=seed,
    )
    out.show_sheet(agreement_sheet(compared), latex=latex, html=html, markdown=markdown, json=json)
    if figure is not None:
        from gistmeter.report.span_charts import draw_tracing
        from gistmeter.summarize.tracing import trace_agreement

        traced = trace_agreement(spans, marked, match=match, resamples=resamples, seed=seed)
        out.draw_chart(lambda: draw_tracing(traced), figure)
