"""`gistmeter train coreference`: the network that finds what names and pronouns go back to."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gistmeter.cli import options as o


def coreference(
    out: Annotated[
        Path, typer.Argument(metavar="OUT", help="The .safetensors file to write; its card is written beside it.")
    ],
    data: Annotated[
        str,
        typer.Option(
            metavar="FILE", help="Annotated texts (.jsonl, .gz too): tokens, sentence_starts, clusters, split."
        ),
    ],
    gap: Annotated[str, typer.Option(metavar="FILE", help="GAP's pronouns (.jsonl, .gz too).")],
    epochs: Annotated[int | None, typer.Option(min=1, help="How often each mention is seen; default 6.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same weights.")] = 0,
) -> None:
    """Train the coreference network and write it with its model card."""
    from dataclasses import replace

    from rich.progress import Progress

    from gistmeter.training.coreference.fitting import Recipe
    from gistmeter.training.coreference.training import train_coreference

    recipe = Recipe(seed=seed)
    with Progress(console=o.console(stderr=True), transient=True) as bar:
        task = bar.add_task("training", total=None)
        trained = train_coreference(
            out,
            data,
            gap,
            recipe=replace(recipe, epochs=epochs) if epochs else recipe,
            progress=lambda done, total: bar.update(task, completed=done, total=total),
        )
    figures = ", ".join(f"{split} {one.conll:.3f}" for split, one in trained.figures.items()) or "no held-out texts"
    o.say(f"{trained.file}: CoNLL F1: {figures}; card: {trained.card}")
