"""`gistmeter train coherence`: the head that says whether a sentence follows another."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gistmeter.cli import options as o


def coherence(
    out: Annotated[
        Path, typer.Argument(metavar="OUT", help="The .safetensors file to write; its card is written beside it.")
    ],
    data: Annotated[
        list[str],
        typer.Option(metavar="FILE", help="Documents to learn from (.jsonl, .gz too); repeat for more."),
    ],
    without: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE", help="Evaluation data, whose sentences are not learned from; repeat for more."),
    ] = None,
    test: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE", help="Documents of other languages, only tested on; repeat for more."),
    ] = None,
    judgments: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Summaries with judged coherence, to correlate with in the end."),
    ] = None,
    note: Annotated[
        list[str] | None, typer.Option(metavar="TEXT", help="A line for the model card, such as a licence; repeat.")
    ] = None,
    multilingual: Annotated[
        bool, typer.Option("--multilingual", help="On multilingual sentence vectors, for languages other than English.")
    ] = False,
    pairs: Annotated[int, typer.Option(min=100, help="Pairs of sentences, if the documents have so many.")] = 100_000,
    networks: Annotated[int, typer.Option(min=1, help="Networks to average, each with its own seed.")] = 3,
    seed: Annotated[int, typer.Option(min=0, help="The first seed; the same seed gives the same head.")] = 0,
) -> None:
    """Train the next-sentence head of `coherence` and write it with its model card."""
    import shlex
    import sys

    from rich.progress import Progress

    from gistmeter.training.next_sentence.training import READS, Recipe, train_following

    with Progress(console=o.console(stderr=True), transient=True) as bar:
        tasks: dict[str, int] = {}

        def tell(doing: str, done: int, total: int) -> None:
            if doing not in tasks:
                tasks[doing] = bar.add_task(doing, total=total)
            bar.update(tasks[doing], completed=done, total=total)  # type: ignore[arg-type]

        trained = train_following(
            out,
            data,
            reads="sentences" if multilingual else READS,
            recipe=Recipe(pairs=pairs, networks=networks, seed=seed),
            without=without or (),
            tests=test or (),
            judgments=judgments,
            notes=note or (),
            command=shlex.join(["gistmeter", *_without_folders(sys.argv[1:])]),
            progress=tell,
        )
    o.say(
        f"{trained.file}: accuracy {trained.test.accuracy:.3f}, AUC {trained.test.auc:.3f} on {trained.test.pairs} "
        f"held-out pairs; card: {trained.card}"
    )


def _without_folders(words: list[str]) -> list[str]:
    """A command whose files are named by their last folder alone, not by where they lie here."""
    return ["/".join(Path(word).parts[-2:]) if "/" in word and " " not in word else word for word in words]
