"""`gistmeter train easiness`: the regressor that says which sentences a machine can cut into units."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gistmeter.cli import options as o
from gistmeter.errors import GistmeterError


def easiness(
    out: Annotated[
        Path, typer.Argument(metavar="OUT", help="The .json or .json.gz file to write; its card is written beside it.")
    ],
    data: Annotated[
        list[str], typer.Option(metavar="RUN", help="A run with references and people's units; repeat for more.")
    ],
    units: Annotated[
        list[str] | None, typer.Option(metavar="FILE", help="The units of each run, in the order of --data.")
    ] = None,
    trees: Annotated[str, typer.Option(metavar="NAME", help="embedded, or a model of benepar.")] = "embedded",
    least: Annotated[int, typer.Option(min=1, help="Sentences that a leaf has at least; the paper's is 1.")] = 1,
    note: Annotated[
        list[str] | None, typer.Option(metavar="TEXT", help="A line for the model card, such as a licence; repeat.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the folds.")] = 0,
) -> None:
    """Train the regressor of easiness (XGBoost), measure it on held-out documents, and write it with its card."""
    import sys

    from gistmeter.cli.train.parsing import recorded
    from gistmeter.io.runs import open_run
    from gistmeter.training.easiness.training import Recipe, train_easiness

    if units and len(units) != len(data):
        raise GistmeterError(f"there are {len(data)} runs (--data) but {len(units)} files of units (--units)")
    joined = [[file] for file in units] if units else [[]] * len(data)
    sets = {_name(run): open_run([run], units=files).examples() for run, files in zip(data, joined, strict=True)}
    trained = train_easiness(
        out,
        sets,
        recipe=Recipe(least=least, seed=seed),
        parser=trees,
        command=recorded(sys.argv[1:]),
        notes=note or (),
    )
    figures = ", ".join(f"{one.group} {one.error:.3f}" for one in trained.held_out)
    o.say(f"{trained.file}: mean absolute error on held-out documents: {figures}; card: {trained.card}")


def _name(path: str) -> str:
    return Path(path).name.partition(".")[0]
