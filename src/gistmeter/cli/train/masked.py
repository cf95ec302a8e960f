"""`gistmeter train masked`: the model that says which word stands under a mask."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from gistmeter.cli import options as o
from gistmeter.cli.train.parsing import counts, recorded


def masked(
    out: Annotated[
        Path,
        typer.Argument(metavar="OUT_DIR", help="Folder for weights, card and state; a training in it goes on."),
    ],
    data: Annotated[
        list[str],
        typer.Option(
            metavar="FILE", help="Records with running text to learn from (.jsonl, .gz too); repeat for more."
        ),
    ],
    without: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE", help="Evaluation data, whose text is not learned from; repeat for more."),
    ] = None,
    skip: Annotated[
        str | None, typer.Option(metavar="SOURCE,...", help="Sources in the data to leave out, with commas between.")
    ] = None,
    repeat: Annotated[
        str | None, typer.Option(metavar="SOURCE=N,...", help="Sources to read N times in a pass, e.g. bbc_news=3.")
    ] = None,
    steps: Annotated[int | None, typer.Option(min=1, help="How long to train: steps.")] = None,
    minutes: Annotated[
        float | None, typer.Option(min=0.1, help="How long to train: minutes, made steps by the speed at the start.")
    ] = None,
    rate: Annotated[float, typer.Option(min=1e-6, max=0.1, help="Learning rate.")] = 2.5e-3,
    warm_up: Annotated[int, typer.Option(min=1, help="Steps until the full learning rate.")] = 60,
    rank: Annotated[int, typer.Option(min=1, help="Rank of the updates: 32 makes 3 MB.")] = 32,
    batch_tokens: Annotated[int, typer.Option(min=512, help="Tokens to a step.")] = 2048,
    precision: Annotated[Literal["bf16", "fp32"], typer.Option(help="Precision of the arithmetic.")] = "bf16",
    news: Annotated[
        str, typer.Option(metavar="SOURCE", help="The source whose held-out accuracy is told apart.")
    ] = "bbc_news",
    check_every: Annotated[int, typer.Option(min=1, help="Steps between checks, at which the state is saved.")] = 300,
    note: Annotated[
        list[str] | None, typer.Option(metavar="TEXT", help="A line for the model card, such as a licence; repeat.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same weights.")] = 1,
) -> None:
    """Train the masked-word model on the embedded encoder, or go on training it, and write it with its model card."""
    import sys

    from rich.progress import Progress as Bar

    from gistmeter.training.masked_words.card import written_card
    from gistmeter.training.masked_words.training import Progress, Recipe, train_masked
    from gistmeter.training.sources.corpus import read_corpus
    from gistmeter.training.sources.evaluated import evaluated_runs

    recipe = Recipe(
        steps=steps,
        minutes=minutes,
        rate=rate,
        warm_up=warm_up,
        rank=rank,
        batch_tokens=batch_tokens,
        news=news,
        repeats=counts(repeat, "--repeat"),
        precision=precision,
        seed=seed,
        check_every=check_every,
    )
    corpus = read_corpus(data, refused=evaluated_runs(without or ()), skip=skip.split(",") if skip else ())
    o.say(f"{len(corpus.passages):,} passages to learn from; left out: {dict(corpus.left_out)}")
    with Bar(console=o.console(stderr=True), transient=True) as bar:
        task = bar.add_task("training", total=None)

        def tell(at: Progress) -> None:
            bar.update(task, completed=at.step, total=at.steps or None, description=f"training, loss {at.loss:.3f}")
            if at.accuracy is not None or at.news_accuracy is not None:
                o.say(
                    f"step {at.step}: loss {at.loss:.3f}, right words {at.news_accuracy} ({news}), {at.accuracy} (rest)"
                )

        trained = train_masked(corpus, out, recipe=recipe, progress=tell)
    card = trained.file.with_suffix(".md")
    card.write_text(written_card(trained, corpus, command=recorded(sys.argv[1:]), notes=note or ()), encoding="utf-8")
    o.say(f"{trained.file}; card: {card}")
