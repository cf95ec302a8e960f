"""The model card of the segmenter of discourse units."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.linguistics.parser import load_parser
from gistmeter.training.card import table

if TYPE_CHECKING:
    from gistmeter.training.edus.training import Recipe, Trained


def written_card(trained: Trained, recipe: Recipe) -> str:
    """What the segmenter is, what it learned from, how it was made and how good it is, in Markdown."""
    rows = [
        (split, what, one.precision, one.recall, one.f1)
        for split, figures in trained.figures.items()
        for what, one in (
            ("bare text", figures.raw),
            ("annotated sentences as lines", figures.given),
            ("the same, inside sentences only", figures.inner),
        )
    ]
    genres = [
        (split, ", ".join(f"{genre} {one.f1:.3f}" for genre, one in sorted(figures.genres.items())))
        for split, figures in trained.figures.items()
    ]
    learned = ", ".join(f"{name} ({count})" for name, count in sorted(trained.licences.items()))
    left_out = ", ".join(f"{count} {name}" for name, count in sorted(trained.left_out.items())) or "none"
    network = (
        f"A network of one hidden layer ({recipe.hidden} numbers) over hashed templates of the spaCy parse "
        f"({2**recipe.bits} buckets) and the word vectors of spaCy's own network; half precision, "
        f"{trained.file.stat().st_size // 1024} kB. It says which words begin a unit."
    )
    source = (
        f"- Learned from: {trained.texts} texts of GUM, each parsed as it runs and by sentences, {trained.words} words "
        f"in all. Annotations CC BY 4.0; texts: {learned}. Some are CC BY-SA: see NOTICE."
    )
    made = (
        f"- Made by: `gistmeter train edus {trained.file.name} --data {trained.data}` (epochs {recipe.epochs}, rate "
        f"{recipe.rate}, weight decay {recipe.decay}, dropout {recipe.dropout}, templates left out {recipe.forget}, "
        f"leaning to boundaries by {recipe.lean}, seed {recipe.seed})."
    )
    what = (
        "A boundary is the first character of a unit, sentence starts included, as in the DISRPT shared tasks. The "
        "bare text has no lines: words and sentences are found by the parser. `left out` are the texts that were not "
        "learned from for their licence."
    )
    choice = (
        "The lean was chosen on dev. Figures on dev, test and test2 were all in sight while templates, epochs and size "
        "were chosen (they moved F1 by less than .01), so test is no blind test; `left out` was first scored when all "
        "was settled."
    )
    lines = [
        "# Boundaries of elementary discourse units, English",
        "",
        network,
        "",
        f"- Parser: {load_parser().name} {load_parser().version} (digest {load_parser().digest}).",
        source,
        f"- Left out for their licence (texts): {left_out}.",
        made,
        "",
        "## Held-out figures",
        "",
        what,
        "",
        table(("texts", "read as", "precision", "recall", "F1"), rows),
        "",
        choice,
        "",
        "F1 on the bare text by genre:",
        "",
        table(("texts", "F1"), genres),
    ]
    return "\n".join(lines) + "\n"
