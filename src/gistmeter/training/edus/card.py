"""The model card of the segmenter of discourse units."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.linguistics.parser import load_parser
from gistmeter.training.card import Card, table
from gistmeter.training.recipe import describe_recipe

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.training.edus.recipe import EdusRecipe
    from gistmeter.training.edus.result import TrainedEdus

_MEASURED = (
    "A boundary is the first character of a unit, sentence starts included, as in the DISRPT shared tasks. The bare "
    "text has no lines: words and sentences are found by the parser. `left out` are the texts that were not learned "
    "from for their licence."
)


def edus_card(trained: TrainedEdus, recipe: EdusRecipe, *, command: str, notes: Sequence[str]) -> Card:
    """What the segmenter is, what it learned from, how it was made and how good it is."""
    rows = [
        (split, reading, counts.precision, counts.recall, counts.f1)
        for split, figures in trained.figures.items()
        for reading, counts in (
            ("bare text", figures.raw),
            ("annotated sentences as lines", figures.given),
            ("annotated sentences as lines, inside sentences only", figures.inner),
        )
    ]
    genres = [
        (split, ", ".join(f"{genre} {counts.f1:.3f}" for genre, counts in sorted(figures.genres.items())))
        for split, figures in trained.figures.items()
    ]
    network = (
        f"A network of one hidden layer ({recipe.hidden} numbers) over hashed templates of the spaCy parse "
        f"({2**recipe.bits} buckets) and the word vectors of spaCy's own network; half precision, "
        f"{trained.file.stat().st_size // 1024} kB. It says which words begin a unit."
    )
    learned = (
        f"{len(trained.texts.allowed)} annotated texts, each parsed as it runs and by sentences, {trained.words} "
        "words in all."
    )
    return Card(
        title="Boundaries of elementary discourse units, English",
        about=[network, f"Parser: {load_parser().name} {load_parser().version} (digest {load_parser().digest})."],
        command=command or "gistmeter train edus",
        recipe=[describe_recipe(recipe)],
        data=[learned],
        licences=[*trained.texts.describe("texts"), *notes],
        figures=[
            _MEASURED,
            table(("texts", "read as", "precision", "recall", "F1"), rows),
            "F1 on the bare text by genre:",
            table(("texts", "F1"), genres),
        ],
    )
