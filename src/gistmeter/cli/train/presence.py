"""`gistmeter train presence`: the judge that says whether a summary states a content unit."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from gistmeter.cli import options as o


def presence(
    out: Annotated[
        Path, typer.Argument(metavar="OUT", help="The .safetensors file to write; its card is written beside it.")
    ],
    data: Annotated[
        list[str],
        typer.Option(metavar="RUN", help="Summaries with references and people's labels of units; repeat for more."),
    ],
    units: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE", help="The units, by document id, if the run has only labels; repeat for more."),
    ] = None,
    folds: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Folds to hold out (JSON: by_examples, by_systems); others are dealt."),
    ] = None,
    by: Annotated[
        Literal["examples", "systems", "both"], typer.Option(help="What cross-validation holds out.")
    ] = "both",
    reader: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="What an entailment model said of the same pairs (judged.npz of `train entailment --by examples`): "
            "learns how to hear both.",
        ),
    ] = None,
    networks: Annotated[int | None, typer.Option(min=1, help="Networks to average, each with its own seed.")] = None,
    epochs: Annotated[int | None, typer.Option(min=1, help="How often each document is seen.")] = None,
    note: Annotated[
        list[str] | None, typer.Option(metavar="TEXT", help="A line for the model card, such as a licence; repeat.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="The first seed; the same seed gives the same judge.")] = 0,
) -> None:
    """Train the judge of the presence of content units, cross-validate it, and write it with its model card."""
    import sys
    from dataclasses import replace

    from rich.progress import Progress

    from gistmeter.cli.train.parsing import recorded
    from gistmeter.training.presence.card import summary_line
    from gistmeter.training.presence.fitting import Recipe
    from gistmeter.training.presence.training import train_presence

    recipe = Recipe(seed=seed)
    recipe = replace(recipe, networks=networks or recipe.networks, epochs=epochs or recipe.epochs)
    with Progress(console=o.console(stderr=True), transient=True) as bar:
        tasks: dict[str, int] = {}

        def tell(doing: str, done: int, total: int) -> None:
            if doing not in tasks:
                tasks[doing] = bar.add_task(doing, total=total)
            bar.update(tasks[doing], completed=done, total=total)  # type: ignore[arg-type]

        trained = train_presence(
            out,
            data,
            units=units or (),
            folds=folds,
            by=("examples", "systems") if by == "both" else (by,),
            reader=reader,
            recipe=recipe,
            notes=note or (),
            command=recorded(sys.argv[1:]),
            progress=tell,
        )
    for row in trained.rows:
        o.say(summary_line(row))
    o.say(f"{trained.file}; card: {trained.card}")
