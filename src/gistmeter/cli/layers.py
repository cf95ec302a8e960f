"""`gistmeter layers`: which layer of a model agrees best with people."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from gistmeter.cli import options as o
from gistmeter.cli import output
from gistmeter.cli.meta import options as m
from gistmeter.errors import GistmeterError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from gistmeter.insight.layer_models import RunSettings
    from gistmeter.report.tables.sheet import Sheet
    from gistmeter.stats.correlation import Coefficient


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
        typer.Option(
            help="By the mean rank over groups (Koto et al., 2022) or the mean correlation (Koto et al., 2021)."
        ),
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
    fields: o.FieldMap = None,
    figure: output.FigureFile = None,
    latex: o.AsLatex = False,
    html: o.AsHtml = False,
    markdown: o.AsMarkdown = False,
    json: o.AsJson = False,
) -> None:
    """Correlate every layer of a model with people in one pass, and choose one by its mean rank over groups.

    --aspect consistency draws ESTIME by layer instead: summaries pooled, a curve for each setting, count and judgment.
    """
    output.check_figure(figure)
    run = _JudgedRun(
        data=tuple(data),
        layers=layer,
        coefficient=coefficient,
        lower=lower,
        sources={
            "judgments": judgments,
            "groups": group,
            "references": references or (),
            "documents": documents or (),
            "language": language,
            "fields": o.parse_fields(fields),
        },
    )
    shown = _Shown(latex=latex, html=html, markdown=markdown, json=json, figure=figure)
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
        settings = metric or [f"estime(model={name})" for name in model or ()]
        _draw_estime(run, shown, settings=settings, counts=count or (), humans=human or ("consistency",), level=level)
    else:
        _refuse({"--metric": metric, "--count": count, "--level": level != "pooled"}, "only --aspect consistency takes")
        search = _Search(
            models=model or ("embedded",),
            aspects=aspect or ("focus",),
            human=m.single_human(human),
            idf=idf,
            choose=choose,
            resamples=resamples,
            seed=seed,
            long=long,
            dtype=dtype,
            keep=keep,
        )
        _search_layers(run, shown, search)


@dataclass(frozen=True, slots=True, kw_only=True)
class _JudgedRun:
    """Summaries that people judged, which layers are compared on them, and how."""

    data: Sequence[str]
    layers: Sequence[int] | None
    coefficient: Coefficient
    lower: bool
    sources: RunSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shown:
    """How the answer is shown."""

    latex: bool
    html: bool
    markdown: bool
    json: bool
    figure: Path | None

    def show(self, sheet: Sheet, chart: Callable[[], Any]) -> None:
        """Print the table, and write the figure if one is asked for."""
        output.show_sheet(sheet, latex=self.latex, html=self.html, markdown=self.markdown, json=self.json)
        output.draw_chart(chart, self.figure)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Search:
    """What `search_models` compares, and how a layer is chosen."""

    models: Sequence[str]
    aspects: Sequence[str]
    human: str | None
    idf: Literal["background", "none"]
    choose: Literal["rank", "mean"]
    resamples: int
    seed: int
    long: Literal["windows", "truncate"]
    dtype: Literal["fp32", "bf16", "fp16"]
    keep: bool


def _search_layers(run: _JudgedRun, shown: _Shown, search: _Search) -> None:
    """The layers of encoders by BERTScore or FA, and the one chosen."""
    from gistmeter.insight import keep_searches, search_models
    from gistmeter.report.sheets.insight.layers import layers_chart, layers_sheet, models_layers_sheet

    with output.progress_bar("encoding") as progress:
        searches = search_models(
            run.data,
            models=search.models,
            aspects=search.aspects,
            human=search.human,
            layers=run.layers,
            idf=search.idf,
            coefficient=run.coefficient,
            lower=run.lower,
            choose=search.choose,
            resamples=search.resamples,
            seed=search.seed,
            long=search.long,
            dtype=search.dtype,
            progress=progress,
            **run.sources,
        )
    sheet = layers_sheet(searches[0]) if len(searches) == 1 else models_layers_sheet(searches)
    shown.show(sheet, lambda: layers_chart(searches))
    if search.keep:
        table = keep_searches(searches, chosen_on=", ".join(Path(path).name for path in run.data))
        o.say(f"layers kept: {table}; metrics with these models read them from now on")


def _draw_estime(
    run: _JudgedRun,
    shown: _Shown,
    *,
    settings: Sequence[str],
    counts: Sequence[str],
    humans: Sequence[str],
    level: Literal["pooled", "system"],
) -> None:
    """The layers of ESTIME: a curve for each setting, count and judgment."""
    from gistmeter.insight.estime_layers import DEFAULT_SETTINGS, check_score, draw_estime_layers
    from gistmeter.report.sheets.insight.estime_layers import estime_layers_chart, estime_layers_sheet

    with output.progress_bar("masking") as progress:
        drawn = draw_estime_layers(
            run.data,
            metrics=settings or DEFAULT_SETTINGS,
            scores=[check_score(name) for name in counts or ("alarms", "winners")],
            humans=humans,
            layers=run.layers,
            coefficient=run.coefficient,
            level=level,
            lower=run.lower,
            progress=progress,
            **run.sources,
        )
    shown.show(estime_layers_sheet(drawn), lambda: estime_layers_chart(drawn))


def _refuse(given: Mapping[str, object], sentence: str) -> None:
    """Refuse options that would do nothing."""
    names = [name for name, value in given.items() if value]
    if names:
        raise GistmeterError(f"{sentence} {', '.join(names)}")
