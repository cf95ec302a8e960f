"""`gistmeter models`: the models that metrics run on, whether they work, their cards and baselines."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from gistmeter.cli import options as o
from gistmeter.cli.door.files import READS, WRITES_FILE
from gistmeter.cli.door.terminal import tell

app = typer.Typer(help="The models that metrics run on.", invoke_without_command=True)


@app.callback()
def models(
    context: typer.Context,
    check: Annotated[
        bool, typer.Option("--check", help="Load each and see that it answers; takes half a minute.")
    ] = False,
    latex: o.AsLatex = False,
    html: o.AsHtml = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """List the models by role: what is installed, where it came from, size, licence and digest."""
    if context.invoked_subcommand is not None:
        return
    from gistmeter.cli.output import show_sheet
    from gistmeter.report.sheets.models import models_sheet

    report = models_sheet(check=check, in_full=json)
    show_sheet(report.sheet, latex=latex, html=html, markdown=markdown, json=json)
    if report.failures:
        raise typer.Exit(1)


@app.command()
def show(
    role: Annotated[str, typer.Argument(metavar="ROLE", help="A role that `gistmeter models` lists.")],
) -> None:
    """Print the model card of weights that gistmeter trained: data, recipe and held-out figures."""
    from gistmeter.models.roles import read_card

    tell(read_card(role))


@app.command()
def recommended(
    language: Annotated[
        str | None, typer.Option("--language", metavar="xx", help="Only those that read this language.")
    ] = None,
    latex: o.AsLatex = False,
    html: o.AsHtml = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """List the models that the papers recommend, by name: their sizes and layers, and the presets that use them."""
    from gistmeter.cli.output import show_sheet
    from gistmeter.models.encoder.recommended import list_recommended
    from gistmeter.report.sheets.models import recommended_sheet
    from gistmeter.text.languages import language_code

    models = list_recommended(None if language is None else language_code(language))
    show_sheet(recommended_sheet(models), latex=latex, html=html, markdown=markdown, json=json)


@app.command()
def baseline(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="embedded, a folder or a Hugging Face name.")],
    text: Annotated[
        Path, typer.Option(metavar="FILE", help="Text to take sentences from: any, thousands of them (.gz too)."), READS
    ],
    layer: Annotated[
        list[int] | None, typer.Option("--layer", min=0, help="Only this layer; repeat for more; default all.")
    ] = None,
    idf: Annotated[
        Literal["none", "background"] | None,
        typer.Option(help="Weights of tokens that the baseline is for; default both."),
    ] = None,
    language: Annotated[str, typer.Option(metavar="xx", help="Language of the text.")] = "en",
    sentences: Annotated[int, typer.Option(min=100, help="At most so many sentences.")] = 10_000,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Where to write; default where bertscore(baseline=rescale) looks."),
        WRITES_FILE,
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the pairing.")] = 0,
    latex: o.AsLatex = False,
    html: o.AsHtml = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """Compute what unrelated sentences score with a model, so that bertscore(baseline=rescale) can call it 0."""
    from gistmeter.cli.output import show_sheet
    from gistmeter.models.encoder.make_baselines import make_baselines
    from gistmeter.report.sheets.models import baseline_sheet

    written = make_baselines(
        model, text, layers=layer, idf=idf, language=language, sentences=sentences, seed=seed, output=output
    )
    show_sheet(baseline_sheet(written), latex=latex, html=html, markdown=markdown, json=json)
