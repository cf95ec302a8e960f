"""`gistmeter train answering`: the model that answers questions from a text, or says that it cannot."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from gistmeter.cli import options as o
from gistmeter.cli.train.parsing import counts, recorded

if TYPE_CHECKING:
    from gistmeter.training.loop.recipe import Progress


def answering(
    out: Annotated[
        Path, typer.Argument(metavar="OUT_DIR", help="Folder for weights, card and state; a training in it goes on.")
    ],
    data: Annotated[
        list[str],
        typer.Option(metavar="FILE", help="Questions: records (.jsonl) or SQuAD's format (.json), .gz too; repeat."),
    ],
    test: Annotated[
        list[str] | None, typer.Option(metavar="FILE", help="Questions that are only tested on; repeat for more.")
    ] = None,
    without: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE", help="Evaluation data, whose text is not learned from; repeat for more."),
    ] = None,
    news: Annotated[
        list[str] | None, typer.Option(metavar="FILE", help="Texts that gistmeter asks about itself; repeat for more.")
    ] = None,
    pairs: Annotated[
        list[str] | None, typer.Option(metavar="FILE", help="Entailment pairs that it asks about; repeat for more.")
    ] = None,
    asked: Annotated[int, typer.Option(min=1, help="Sentences of the texts to ask about.")] = 30_000,
    paired: Annotated[int, typer.Option(min=2, help="Questions about pairs.")] = 20_000,
    start: Annotated[Path | None, typer.Option(metavar="WEIGHTS", help="Weights to go on from.")] = None,
    most: Annotated[
        str | None, typer.Option(metavar="SET=N,...", help="At most N questions of a set, e.g. qamr=9000,policyqa=1.")
    ] = None,
    cut: Annotated[float, typer.Option(min=0, max=1, help="Share of texts cut to a few sentences.")] = 0.7,
    unanswerable: Annotated[
        float, typer.Option(min=0, max=1, help="Share of questions asked again of a text that does not answer.")
    ] = 0.35,
    epochs: Annotated[float, typer.Option(min=0.001, help="How often the questions are read.")] = 1.0,
    rate: Annotated[float, typer.Option(min=1e-7, max=0.1, help="Learning rate.")] = 1e-3,
    warm_up: Annotated[float, typer.Option(min=0, max=1, help="Share of steps until the full rate.")] = 0.06,
    batch: Annotated[int, typer.Option(min=1, help="Questions to a step.")] = 32,
    rank: Annotated[int, typer.Option(min=1, help="Rank of the updates.")] = 32,
    first: Annotated[int, typer.Option(min=0, help="First layer that learns.")] = 0,
    dropout: Annotated[float, typer.Option(min=0, max=0.9, help="Dropout.")] = 0.05,
    longest: Annotated[int, typer.Option(min=16, help="Tokens of the longest question and text to learn from.")] = 320,
    precision: Annotated[Literal["bf16", "fp32"], typer.Option(help="Precision of the arithmetic.")] = "bf16",
    check_every: Annotated[int, typer.Option(min=1, help="Steps between checks, at which the state is saved.")] = 250,
    note: Annotated[
        list[str] | None, typer.Option(metavar="TEXT", help="A line for the model card; repeat for more.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same weights.")] = 1,
) -> None:
    """Train an answerer on questions with their texts, and write it with its model card."""
    import sys
    from dataclasses import replace

    from rich.progress import Progress as Bar

    from gistmeter.training.answering.card import answering_card
    from gistmeter.training.answering.examples import read_questions
    from gistmeter.training.answering.news_questions import asked_of_news
    from gistmeter.training.answering.pair_questions import asked_of_pairs
    from gistmeter.training.answering.training import Variants, train_answering
    from gistmeter.training.loop.recipe import Recipe
    from gistmeter.training.sources.evaluated import evaluated_runs

    recipe = Recipe(
        epochs=epochs, rate=rate, warm_up=warm_up, batch=batch, rank=rank, first=first, dropout=dropout,
        longest=longest, precision=precision, seed=seed, check_every=check_every,
    )  # fmt: skip
    variants = Variants(cut=cut, unanswerable=unanswerable)
    refused = evaluated_runs([*(without or []), *(test or [])])
    examples = read_questions(data, most=counts(most, "--most"), refused=refused, seed=seed)
    ready = asked_of_news(news, asked, refused=refused, seed=seed) if news else []
    ready += asked_of_pairs(pairs, paired, refused=refused, seed=seed) if pairs else []
    examples = replace(examples, ready=tuple(ready))
    held_out = read_questions(test).train if test else ()
    own = f" and {len(ready):,} that gistmeter asked" if ready else ""
    o.say(f"{len(examples.train):,} questions to learn from{own}; left out: {dict(examples.left_out)}")
    with Bar(console=o.console(stderr=True), transient=True) as bar:
        task = bar.add_task("training", total=None)

        def tell(at: Progress) -> None:
            bar.update(task, completed=at.step, total=at.steps, description=f"training, loss {at.loss:.3f}")
            if at.accuracies:
                o.say(f"step {at.step} of {at.steps}, {at.seconds:.0f} s: loss {at.loss:.3f}, {at.accuracies}")

        learned = train_answering(
            examples, out, recipe=recipe, variants=variants, held_out=held_out, start=start, progress=tell
        )
    card = out / "answering.md"
    text = answering_card(learned, examples, recipe, variants, command=recorded(sys.argv[1:]), notes=note or [])
    card.write_text(text, encoding="utf-8")
    o.say(str(learned.fitted.file))
    o.say(f"card: {card}")
