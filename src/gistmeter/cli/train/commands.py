"""`gistmeter train entailment`: the model that says whether a summary entails a content unit."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from gistmeter.cli import options as o
from gistmeter.cli.train.parsing import counts, recorded
from gistmeter.errors import GistmeterError

if TYPE_CHECKING:
    from collections.abc import Callable

    from gistmeter.training.entailment.fine_tuning import Agreement
    from gistmeter.training.loop.recipe import Progress, Recipe


def entailment(
    out: Annotated[
        Path, typer.Argument(metavar="OUT_DIR", help="Folder for weights, card and state; a training in it goes on.")
    ],
    data: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE", help="First stage: entailment pairs (.jsonl, .gz too); repeat for more."),
    ] = None,
    presence: Annotated[
        list[str] | None,
        typer.Option(metavar="RUN", help="Second stage: a run with labels of its units (unit_labels); repeat."),
    ] = None,
    units: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE", help="The units of --presence by document, unless the runs have them; repeat."),
    ] = None,
    by: Annotated[
        Literal["examples", "systems"] | None,
        typer.Option(help="Cross-validate the second stage by examples or by systems, instead of learning from all."),
    ] = None,
    folds: Annotated[
        str | None, typer.Option(metavar="FILE", help="Released folds (by_examples, by_systems); else they are drawn.")
    ] = None,
    start: Annotated[
        Path | None, typer.Option(metavar="WEIGHTS", help="Weights to go on from; by default the embedded ones.")
    ] = None,
    model: Annotated[str, typer.Option(metavar="NAME", help="embedded, a folder or a Hugging Face name.")] = "embedded",
    method: Annotated[Literal["lora", "full"], typer.Option(help="Updates of low rank, or all weights.")] = "lora",
    without: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE", help="Evaluation data, whose text is not learned from; repeat for more."),
    ] = None,
    test: Annotated[
        list[str] | None, typer.Option(metavar="FILE", help="Pairs that are only tested on; repeat for more.")
    ] = None,
    judge: Annotated[
        list[str] | None,
        typer.Option(
            metavar="RUN", help="Labelled summaries, documents.jsonl.gz beside them, to judge after --data; repeat."
        ),
    ] = None,
    most: Annotated[
        str | None, typer.Option(metavar="SET=N,...", help="At most N pairs of a set, e.g. snli=6000,mnli=20000.")
    ] = None,
    epochs: Annotated[float, typer.Option(min=0.001, help="How often the pairs are read.")] = 1.0,
    rate: Annotated[
        float, typer.Option(min=1e-7, max=0.1, help="Learning rate; the paper's model took 1e-5 with --method full.")
    ] = 1e-3,
    warm_up: Annotated[float, typer.Option(min=0, max=1, help="Share of steps until the full rate.")] = 0.06,
    batch: Annotated[int, typer.Option(min=1, help="Pairs to a step.")] = 32,
    rank: Annotated[int, typer.Option(min=1, help="Rank of the updates.")] = 32,
    first: Annotated[int, typer.Option(min=0, help="First layer that learns (embedded, lora).")] = 2,
    dropout: Annotated[float, typer.Option(min=0, max=0.9, help="Dropout.")] = 0.0,
    joined: Annotated[float, typer.Option(min=0, max=1, help="Share of premises that get a neighbour.")] = 0.15,
    longest: Annotated[int, typer.Option(min=16, help="Tokens of the longest pair to learn from.")] = 112,
    sentences: Annotated[int, typer.Option(min=0, help="Summary sentences in a premise; 0 for all.")] = 2,
    precision: Annotated[Literal["bf16", "fp32"], typer.Option(help="Precision of the arithmetic.")] = "bf16",
    check_every: Annotated[int, typer.Option(min=1, help="Steps between checks, at which the state is saved.")] = 150,
    note: Annotated[
        list[str] | None, typer.Option(metavar="TEXT", help="A line for the model card; repeat for more.")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same weights.")] = 1,
) -> None:
    """Train an entailment model on pairs, or fine-tune it on labels of presence, and write it with its model card."""
    import sys

    from rich.progress import Progress as Bar

    from gistmeter.training.loop.recipe import Recipe

    if bool(data) == bool(presence):
        raise GistmeterError("give pairs to learn from (--data) or labels of presence (--presence), one of the two")
    recipe = Recipe(
        epochs=epochs, rate=rate, warm_up=warm_up, batch=batch, method=method, rank=rank, first=first, dropout=dropout,
        joined=joined, longest=longest, precision=precision, seed=seed, check_every=check_every,
    )  # fmt: skip
    command = recorded(sys.argv[1:])
    with Bar(console=o.console(stderr=True), transient=True) as bar:
        task = bar.add_task("training", total=None)

        def tell(at: Progress) -> None:
            bar.update(task, completed=at.step, total=at.steps, description=f"training, loss {at.loss:.3f}")
            if at.accuracies:
                o.say(f"step {at.step}: loss {at.loss:.3f}, right {at.accuracies}")

        if data:
            card = _pretrain(
                out, data, recipe=recipe, model=model, start=start, tell=tell, command=command, notes=note or [],
                without=without or [], tests=test or [], most=counts(most, "--most"), judge=judge or [],
            )  # fmt: skip
        else:
            card = _finetune(
                out, presence or [], units or [], recipe=recipe, model=model, start=start, tell=tell,
                command=command, notes=note or [], by=by, folds_file=folds, sentences=sentences,
            )  # fmt: skip
    o.say(f"card: {card}")


def _pretrain(
    out: Path,
    data: list[str],
    *,
    recipe: Recipe,
    model: str,
    start: Path | None,
    tell: Callable[[Progress], None],
    command: str,
    notes: list[str],
    without: list[str],
    tests: list[str],
    most: dict[str, int],
    judge: list[str],
) -> Path:
    """The first stage."""
    from dataclasses import replace

    from gistmeter.training.entailment.card import pretraining_card
    from gistmeter.training.entailment.fine_tuning import zero_shot
    from gistmeter.training.entailment.nli_pairs import read_nli, read_tests
    from gistmeter.training.entailment.pretraining import pretrained
    from gistmeter.training.sources.evaluated import evaluated_runs

    pairs = read_nli(data, most=most, refused=evaluated_runs(without), seed=recipe.seed)
    pairs = replace(pairs, tests=(*pairs.tests, *read_tests(tests)))
    o.say(f"{len(pairs.train):,} pairs to learn from; left out: {dict(pairs.left_out)}")
    trained = pretrained(pairs, out, recipe=recipe, model=model, start=start, progress=tell)
    presence: dict[str, Agreement] = {}
    for run in judge:
        presence |= zero_shot(trained.learner, run, str(Path(run).parent / "documents.jsonl.gz"))
    card = out / "entailment.md"
    text = pretraining_card(trained, recipe, command=command, notes=notes, presence=presence)
    card.write_text(text, encoding="utf-8")
    o.say(str(trained.fitted.file))
    return card


def _finetune(
    out: Path,
    runs: list[str],
    units: list[str],
    *,
    recipe: Recipe,
    model: str,
    start: Path | None,
    tell: Callable[[Progress], None],
    command: str,
    notes: list[str],
    by: Literal["examples", "systems"] | None,
    folds_file: str | None,
    sentences: int,
) -> Path:
    """The second stage: from all labels, or by folds."""
    import numpy as np

    from gistmeter.models.entailment.model import WEIGHTS
    from gistmeter.training.entailment.card import presence_card
    from gistmeter.training.entailment.fine_tuning import agreement, cross_validated, finetuned, write_judged
    from gistmeter.training.entailment.presence_labels import asked, folds, read_presence

    if start is None and model == "embedded" and recipe.method == "lora":
        start = WEIGHTS
    by_run = [(Path(run).name.partition(".")[0], read_presence(run, *units)) for run in runs]
    rows = [row for _, some in by_run for row in some]
    questions = asked(rows, sentences=sentences)
    o.say(f"{len(rows):,} labelled units, {len(questions.pairs):,} distinct pairs")
    fitted, figures = None, {}
    if by is None:
        fitted = finetuned(questions, out, recipe=recipe, model=model, start=start, progress=tell)
        o.say(str(fitted.file))
    else:
        parts = folds(rows, by, file=folds_file, seed=recipe.seed)
        found = cross_validated(
            questions, parts, out, recipe=recipe, model=model, start=start, progress=lambda _, at: tell(at)
        )
        write_judged(out / "judged.npz", rows, found)
        ends = np.cumsum([len(some) for _, some in by_run])[:-1]
        figures = {
            f"{name}, by {by}": agreement(some, part)
            for (name, some), part in zip(by_run, np.split(found, ends), strict=True)
        }
        o.say(f"{figures}")
    card = out / "presence.md"
    learned = [(name, len(some)) for name, some in by_run]
    text = presence_card(fitted, recipe, command=command, learned=learned, agreements=figures, notes=notes)
    card.write_text(text, encoding="utf-8")
    return card
