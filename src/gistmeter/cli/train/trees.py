"""`gistmeter train trees`: the network that turns dependencies into phrase trees."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gistmeter.cli import options as o


def trees(
    out: Annotated[
        Path, typer.Argument(metavar="OUT", help="The .safetensors file to write; its card is written beside it.")
    ],
    data: Annotated[str, typer.Option(metavar="FILE", help="Trees to learn from, one in brackets a line (.gz too).")],
    documents: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="JSON: the documents of the trees with licences; nc ones are left out."),
    ] = None,
    test: Annotated[list[str] | None, typer.Option(metavar="FILE", help="Trees to measure on; repeat.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same weights.")] = 0,
) -> None:
    """Train the network behind the embedded phrase trees and write it with its model card."""
    from rich.progress import Progress

    from gistmeter.training.trees.training import Recipe, train_trees

    with Progress(console=o.console(stderr=True), transient=True) as bar:
        task = bar.add_task("training", total=None)
        trained = train_trees(
            out,
            data,
            documents=documents,
            tests=test or (),
            recipe=Recipe(seed=seed),
            progress=lambda done, total: bar.update(task, completed=done, total=total),
        )
    figures = ", ".join(f"{name} {one.brackets.f1:.3f}" for name, one in trained.figures.items()) or "none"
    o.say(f"{trained.file}: F1 of labelled brackets on held-out trees: {figures}; card: {trained.card}")
