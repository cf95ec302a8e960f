"""`gistmeter train edus`: the segmenter that cuts English into elementary discourse units."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gistmeter.cli import options as o


def edus(
    out: Annotated[
        Path, typer.Argument(metavar="OUT", help="The .safetensors file to write; its card is written beside it.")
    ],
    data: Annotated[
        str,
        typer.Option(
            metavar="FILE", help="Annotated texts (.jsonl, .gz too): tokens, sentence_starts, edu_starts, split."
        ),
    ],
    epochs: Annotated[int | None, typer.Option(min=1, help="How often each word is seen; default 3.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same weights.")] = 0,
) -> None:
    """Train the segmenter of discourse units and write it with its model card."""
    from dataclasses import replace

    from rich.progress import Progress

    from gistmeter.training.edus.training import Recipe, train_edus

    recipe = Recipe(seed=seed)
    with Progress(console=o.console(stderr=True), transient=True) as bar:
        task = bar.add_task("training", total=None)
        trained = train_edus(
            out,
            data,
            recipe=replace(recipe, epochs=epochs) if epochs else recipe,
            progress=lambda done, total: bar.update(task, completed=done, total=total),
        )
    figures = ", ".join(f"{split} {one.raw.f1:.3f}" for split, one in trained.figures.items()) or "no held-out texts"
    o.say(f"{trained.file}: F1 of boundaries from the bare text: {figures}; card: {trained.card}")
