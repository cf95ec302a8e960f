"""`gistmeter layers`: which layer of a model agrees best with people."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from gistmeter.cli import options as o
from gistmeter.cli import output
from gistmeter.cli.meta import options as m
from gistmeter.errors import GistmeterError

if TYPE_CHECKING:
    from collections.abc import Mapping


def layers(
    data: Annotated[
        list[str], typer.Option("--data", metavar="RUN", help="A run whose records carry `human`; repeat for more.")
    ],
    model: Annotated[
        list[str] | None, typer.Option(help="embedded (default), a folder or a Hugging Face name; repeat for more.")
    ] = None,
    aspect: Annotated[
        list[str] | None,
        typer.Option(
            metavar="focus|coverage|faithfulness|consistency",
            help="What is scored: BERTScore's precision (focus, the default), its recall, or FA (top 3) against the "
            "document; repeat for more. consistency draws ESTIME's alarms and winners.",
        ),
    ] = None,
    human: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="The judgment to compare with; default that of the aspect; consistency takes several."
        ),
    ] = None,
    metric: Annotated[
        list[str] | None,
        typer.Option(
            "--metric",
            "-m",
            metavar="M,...",
            help="For consistency: settings of estime to draw; default estime and estime(normalise=yes).",
        ),
    ] = None,
    count: Annotated[
        list[str] | None,
        typer.Option(
            metavar="alarms|rate|winners", help="For consistency: what is counted; default alarms and winners."
        ),
    ] = None,
    level: Annotated[
        Literal["pooled", "system"], typer.Option(help="For consistency: over summaries, or over means of systems.")
    ] = "pooled",
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
    choose: Annotated[
        Literal["rank", "mean"],
        typer.Option(help="By the mean rank over groups (FFCI) or by the mean correlation (eight languages' paper)."),
    ] = "rank",
    resamples: Annotated[
        int, typer.Option(min=0, help="Resamples of documents for the lead of the layer chosen; 0: none.")
    ] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the resamples.")] = 0,
    keep: Annotated[
        bool, typer.Option("--keep", help="Put the layers into your own table, from where metrics take them.")
    ] = False,
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
    """Correlate every layer of a model with people in one pass, and choose one by its mean rank over groups.

    --aspect consistency draws ESTIME by layer instead: summaries pooled, a curve for each setting, count and judgment.
    """
    from gistmeter.insight import keep_searches, search_models
    from gistmeter.insight.estime_layers import DEFAULT_SETTINGS, check_score, draw_estime_layers
    from gistmeter.report.sheets.estime_layers import estime_layers_chart, estime_layers_sheet
    from gistmeter.report.sheets.layers import layers_chart, layers_sheet, models_layers_sheet

    output.check_figure(figure)
    if "consistency" in (aspect or ()):
        ignored = {
            "other aspects": len(aspect or ()) > 1,
            "--group": group,
            "--idf": idf != "none",
            "--choose": choose != "rank",
            "--keep": keep,
            "--model (a setting of --metric)": model and metric,
        }
        _refuse(ignored, "consistency draws the layers of ESTIME over all summaries: leave out")
        with output.progress_bar("masking") as progress:
            drawn = draw_estime_layers(
                data,
                metrics=metric or [f"estime(model={name})" for name in model or ()] or DEFAULT_SETTINGS,
                scores=[check_score(name) for name in count or ("alarms", "winners")],
                humans=human or ["consistency"],
                layers=layer,
                coefficient=coefficient,
                level=level,
                lower=lower,
                judgments=judgments,
                references=references or [],
                documents=documents or [],
                language=language,
                progress=progress,
            )
        output.show_sheet(estime_layers_sheet(drawn), latex=latex, html=html, markdown=markdown, json=json)
        output.draw_chart(lambda: estime_layers_chart(drawn), figure)
        return
    _refuse({"--metric": metric, "--count": count, "--level": level != "pooled"}, "only --aspect consistency takes")
    with output.progress_bar("encoding") as progress:
        searches = search_models(
            data,
            models=model or ["embedded"],
            aspects=aspect or ["focus"],
            human=m.single_human(human),
            layers=layer,
            idf=idf,
            coefficient=coefficient,
            lower=lower,
            choose=choose,
            resamples=resamples,
            seed=seed,
            long=long,
            dtype=dtype,
            judgments=judgments,
            groups=group,
            references=references or [],
            documents=documents or [],
            language=language,
            progress=progress,
        )
    sheet = layers_sheet(searches[0]) if len(searches) == 1 else models_layers_sheet(searches)
    output.show_sheet(sheet, latex=latex, html=html, markdown=markdown, json=json)
    output.draw_chart(lambda: layers_chart(searches), figure)
    if keep:
        table = keep_searches(searches, chosen_on=", ".join(Path(path).name for path in data))
        o.say(f"layers kept: {table}; metrics with these models read them from now on")


def _refuse(given: Mapping[str, object], sentence: str) -> None:
    """Refuse options that would do nothing."""
    names = [name for name, value in given.items() if value]
    if names:
        raise GistmeterError(f"{sentence} {', '.join(names)}")
