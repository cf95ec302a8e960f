"""The model card of the network that turns dependencies into phrases."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.linguistics.parser import load_parser
from gistmeter.training.card import table

if TYPE_CHECKING:
    from gistmeter.training.trees.training import Recipe, Trained


def written_card(trained: Trained, recipe: Recipe) -> str:
    """What the network is, what it learned from, how it was made and how good it is, in Markdown."""
    learned = ", ".join(f"{name} ({count})" for name, count in sorted(trained.licences.items()))
    left_out = ", ".join(f"{count} {name}" for name, count in sorted(trained.left_out.items())) or "none"
    rows = [
        (name, str(one.trees), one.brackets.precision, one.brackets.recall, one.brackets.f1, one.reachable)
        for name, one in trained.figures.items()
    ]
    about = (
        f"A network of one hidden layer ({recipe.hidden} numbers) over hashed observations ({2**recipe.bits} buckets), "
        f"{trained.file.stat().st_size // 1024} kB (fp16). For each word, the innermost first, it chooses when "
        "to take a dependent on the left or on the right and when to close a phrase with a Penn label."
    )
    source = (
        f"- Learned from: {trained.trees} trees of {trained.data} (GUM; annotations CC BY 4.0), {trained.steps} steps; "
        f"licences of the texts (trees): {learned}. Some are CC BY-SA: see NOTICE."
    )
    made = (
        f"- Made by: `gistmeter train trees {trained.file.name} --data {trained.data} --documents const_docs.json` "
        f"(epochs {recipe.epochs}, rate {recipe.rate}, dropout {recipe.dropout}, observations left out "
        f"{recipe.forget}, seed {recipe.seed})."
    )
    what = (
        "Labelled brackets as evalb counts them: without the root, punctuation, functions and traces. The words are "
        "given; tags and dependencies are the parser's. GUM labels a relative pronoun that is a subject NP; Penn's "
        "guidelines, followed here in training and measuring, call it WHNP. `reachable` is the share of annotated "
        "brackets that the dependencies allow at all."
    )
    lines = [
        "# From dependencies to phrase trees, English",
        "",
        about,
        "",
        f"- Parser: {load_parser().name} {load_parser().version} (digest {load_parser().digest}).",
        source,
        f"- Left out for their licence (trees): {left_out}.",
        made,
        "",
        "## Held-out figures",
        "",
        what,
        "",
        table(("file", "trees", "precision", "recall", "F1", "reachable"), rows),
        "",
        "Size and epochs were chosen on dev.",
    ]
    return "\n".join(lines) + "\n"
