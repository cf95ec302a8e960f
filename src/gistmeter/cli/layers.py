"""`gistmeter layers`: which layer of a model agrees best with people."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from gistmeter.cli import options as o
from gistmeter.cli import output
from gistmeter.cli.meta import options as m


def layers(
    data: Annotated[
        list[str], typer.Option("--data", metavar="RUN", help="A run whose records carry `human`; repeat for more.")
    ],
    model: Annotated[str, typer.Option(help="embedded, a folder or a Hugging Face name.")] = "embedded",
    aspect: Annotated[
        Literal["focus", "coverage", "faithfulness"],
        typer.Option(help="What is scored: BERTScore's precision, its recall, or FA (top 3) against the document."),
    ] = "focus",
    human: Annotated[
        str | None, typer.Option(metavar="NAME", help="The judgment to compare with; default that of the aspect.")
    ] = None,
    lower: Annotated[
        bool, typer.Option("--lower", help="Lower judgments are better, as of numbers of errors: turn their sign.")
    ] = False,
    judgments: m.JudgmentFile = None,
    group: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FIELD", help="Group by this; repeat; default subset, language, system; none: all as one."
        ),
    ] = None,
    layer: Annotated[list[int] | None, typer.Option(min=0, help="Only this layer; repeat; default all.")] = None,
    idf: Annotated[
        Literal["background", "none"],
        typer.Option(help="Weights of tokens; `none` is what focus, coverage and faithfulness have."),
    ] = "none",
    coefficient: m.Coefficient = "pearson",
    long: Annotated[
        Literal["windows", "truncate"], typer.Option(help="Texts longer than the model reads.")
    ] = "windows",
    dtype: Annotated[Literal["fp32", "bf16", "fp16"], typer.Option(help="Precision of the network.")] = "fp32",
    references: o.ReferenceFiles = None,
    documents: o.DocumentFiles = None,
    language: o.Language = None,
    figure: output.FigureFile = None,
    latex: o.AsLatex = False,
    html: o.AsHtml = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """Correlate every layer of a model with people in one pass, and choose one by its mean rank over groups."""
    from gistmeter.insight import read_judged_summaries, search_layers
    from gistmeter.report.sheets.layers import layers_chart, layers_sheet

    output.check_figure(figure)
    name = human or aspect
    judged = read_judged_summaries(
        data,
        human=name,
        judgments=judgments,
        groups=group,
        references=references or [],
        documents=documents or [],
        language=language,
    )
    with output.progress_bar("encoding") as progress:
        search = search_layers(
            judged,
            aspect=aspect,
            human=name,
            model=model,
            layers=layer,
            idf=idf,
            coefficient=coefficient,
            better="lower" if lower else "higher",
            long=long,
            dtype=dtype,
            progress=progress,
        )
    output.show_sheet(layers_sheet(search), latex=latex, html=html, markdown=markdown, json=json)
    output.draw_chart(lambda: layers_chart(search), figure)
