"""`gistmeter metrics`: every metric, what it needs and returns, its settings and signature."""

from __future__ import annotations

from typing import Annotated

import typer

from gistmeter.cli import options as o
from gistmeter.cli.door.completion import complete_metrics
from gistmeter.cli.door.terminal import draw, tell, tell_json
from gistmeter.errors import GistmeterError


def metrics(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME", autocompletion=complete_metrics, help="One metric, settings allowed, or a family."
        ),
    ] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print the page of the documentation.")] = False,
    json: o.AsJson = False,
) -> None:
    """List the metrics by family, or show one.

    A family such as rouge is a group, too: `gistmeter score RUN -m rouge` scores with its usual metrics.
    """
    from gistmeter.report import catalogue
    from gistmeter.report.console import metric_page, metrics_table

    if markdown + json + (name is not None) > 1:
        raise GistmeterError("choose one of NAME, --markdown and --json")
    with o.notes_on_stderr():
        group = catalogue.describe_group(name) if name is not None else []
        if group:
            draw(metrics_table(group))
        elif name is not None:
            draw(metric_page(catalogue.describe(name)))
        elif markdown:
            tell(catalogue.catalogue_markdown())
        elif json:
            tell_json(catalogue.catalogue_json())
        else:
            draw(metrics_table(catalogue.pages()))
