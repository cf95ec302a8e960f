"""`gistmeter train weighter`: which questions about a document count, for questeval."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gistmeter.cli import options as o
from gistmeter.cli.train.parsing import recorded


def weighter(
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The .json file to write; its card is written beside it.")],
    data: Annotated[list[str], typer.Option(metavar="RUN", help="Documents with references; repeat for more.")],
    documents: o.DocumentFiles = None,
    references: o.ReferenceFiles = None,
    without: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE", help="Evaluation data, whose documents are not learned from; repeat."),
    ] = None,
    model: Annotated[str, typer.Option(help="Who answers, as for questeval.")] = "embedded",
    asker: Annotated[str, typer.Option(help="Who asks, as for questeval.")] = "embedded",
    threshold: Annotated[float | None, typer.Option(min=0, max=1, help="As for questeval.")] = None,
    most: Annotated[int, typer.Option(min=1, help="Questions of a document.")] = 50,
    note: Annotated[
        list[str] | None, typer.Option(metavar="TEXT", help="A line for the card, such as a licence; repeat.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the folds.")] = 0,
) -> None:
    """Learn which questions about documents their references answer; questeval(weighter=OUT) weighs questions by it."""
    import sys

    from gistmeter.cli.output import progress_bar
    from gistmeter.io.runs import open_run
    from gistmeter.qa.examiner import Examiner
    from gistmeter.training.question_weights.training import train_weighter
    from gistmeter.training.sources.evaluated import evaluated_runs

    run = open_run(data, documents=documents or [], references=references or [])
    with progress_bar("asking") as advance:
        trained = train_weighter(
            out,
            run.examples(),
            Examiner(model=model, asker=asker, threshold=threshold, most=most),
            refused=evaluated_runs(without or []),
            seed=seed,
            command=recorded(sys.argv[1:]),
            notes=note or (),
            progress=advance,
        )
    o.say(
        f"{trained.file}: AUC {trained.auc:.3f} on held-out documents ({trained.questions:,} questions about "
        f"{trained.documents:,} documents, {trained.refused:,} left out); card: {trained.card}"
    )
