"""`gistmeter metrics`: every metric, what it needs and returns, its settings and signature."""

from __future__ import annotations

from typing import Annotated

import typer

from gistmeter.cli.door.terminal import draw, tell
from gistmeter.cli.options import notes_on_stderr


def metrics(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="One metric, settings allowed.")] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print the page of the documentation.")] = False,
) -> None:
    """List the metrics, or show one."""
    from gistmeter.report import catalogue
    from gistmeter.report.console import metric_page, metrics_table

    with notes_on_stderr():
        if name is not None:
            draw(metric_page(catalogue.describe(name)))
        elif markdown:
            tell(catalogue.catalogue_markdown())
        else:
            draw(metrics_table(catalogue.pages()))
