"""`gistmeter insight`: what a metric measures."""

import typer

from gistmeter.cli.insight.categories import categories

app = typer.Typer(help="What a metric measures: topic, information or stop words.", no_args_is_help=True)
app.command()(categories)


@app.callback()
def _group() -> None:
    """Keep `categories` a command of its own while it is the only one."""
