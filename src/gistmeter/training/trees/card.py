"""The model card of the network that turns dependencies into phrases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.linguistics.parser import load_parser
from gistmeter.training.card import Card, table
from gistmeter.training.recipe import describe_recipe

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.training.trees.recipe import TreesRecipe
    from gistmeter.training.trees.result import TrainedTrees

_MEASURED = (
    "Labelled brackets as evalb counts them: without the root, punctuation, functions and traces. The words are given; "
    "tags and dependencies are the parser's. GUM labels a relative pronoun that is a subject NP; Penn's guidelines, "
    "followed here in training and measuring, call it WHNP. `reachable` is the share of annotated brackets that the "
    "dependencies allow at all."
)


def trees_card(trained: TrainedTrees, recipe: TreesRecipe, *, command: str, notes: Sequence[str]) -> Card:
    """What the network is, what it learned from, how it was made and how good it is."""
    rows = [
        (name, str(figures.trees), brackets.precision, brackets.recall, brackets.f1, figures.reachable)
        for name, figures in trained.figures.items()
        for brackets in [figures.brackets]
    ]
    network = (
        f"A network of one hidden layer ({recipe.hidden} numbers) over hashed observations ({2**recipe.bits} buckets), "
        f"{trained.file.stat().st_size // 1024} kB (fp16). For each word, the innermost first, it chooses when "
        "to take a dependent on the left or on the right and when to close a phrase with a Penn label."
    )
    return Card(
        title="From dependencies to phrase trees, English",
        about=[network, f"Parser: {load_parser().name} {load_parser().version} (digest {load_parser().digest})."],
        command=command or "gistmeter train trees",
        recipe=[describe_recipe(recipe)],
        data=[f"{len(trained.trees.allowed)} trees that people checked, {trained.steps} steps."],
        licences=[*trained.trees.describe("trees"), *notes],
        figures=[_MEASURED, table(("file", "trees", "precision", "recall", "F1", "reachable"), rows)],
    )
