"""`gistmeter qa evaluate`: how good an answerer is on questions in SQuAD's format."""

from __future__ import annotations

from typing import Annotated

import typer

from gistmeter.cli import options as o
from gistmeter.cli import output


def evaluate(
    data: Annotated[str, typer.Argument(metavar="DATA", help="Questions in SQuAD's format: .json, .json.gz.")],
    model: Annotated[
        str, typer.Option(help="embedded, slots, weights (.safetensors), or a question-answering checkpoint.")
    ] = "embedded",
    threshold: Annotated[
        float | None, typer.Option(min=0, max=1, help="Answer up to this probability of 'not answerable'.")
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, metavar="N", help="So many questions, drawn at random.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the draw.")] = 0,
    language: Annotated[str, typer.Option(metavar="xx", help="Language of the answers, for their articles.")] = "en",
    device: o.Device = None,
    threads: o.Threads = None,
    latex: o.AsLatex = False,
    html: o.AsHtml = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """Evaluate an answerer: does it know what can be answered, and does it answer that right?

    This is Table 8 of Deutsch et al. (2021), the paper of QAEval.
    """
    from gistmeter.qa.evaluate import evaluate_answerer
    from gistmeter.report.sheets.questions import answering_sheet

    with output.progress_bar("answering") as progress:
        figures = evaluate_answerer(
            data,
            model=model,
            threshold=threshold,
            limit=limit,
            seed=seed,
            language=language,
            progress=progress,
            runtime=o.runtime_settings(device=device, threads=threads),
        )
    output.show_sheet(answering_sheet(figures, model), latex=latex, html=html, markdown=markdown, json=json)
