"""The model card of the coreference network."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.linguistics.parser import load_parser
from gistmeter.training.card import Card, table
from gistmeter.training.recipe import describe_recipe

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.training.coreference.recipe import CoreferenceRecipe
    from gistmeter.training.coreference.result import TrainedCoreference

_MEASURED = (
    "F1 with the words and sentences of the annotation given, mentions found by the rules, clusters in the manner of "
    "OntoNotes. CoNLL is the mean of MUC, B3 and CEAFe."
)


def coreference_card(
    trained: TrainedCoreference, recipe: CoreferenceRecipe, *, command: str, notes: Sequence[str]
) -> Card:
    """What the network is, what it learned from, how it was made and how good it is."""
    rows = [
        (split, scores.mentions.f1, scores.muc.f1, scores.b3.f1, scores.ceafe.f1, scores.conll)
        for split, scores in trained.figures.items()
    ]
    pronouns = [
        (f"GAP {split}, {who}", ratio.precision, ratio.recall, ratio.f1)
        for split, figures in trained.pronoun_figures.items()
        for who, ratio in (("all", figures.all), ("men", figures.male), ("women", figures.female))
    ]
    network = (
        f"A network of one hidden layer ({recipe.hidden} numbers) over named features of two mentions that rules find "
        f"in the spaCy parse; half precision, {trained.file.stat().st_size // 1024} kB. It says which earlier mention, "
        "if any, a mention goes back to."
    )
    learned = (
        f"{trained.mentions} mentions of {len(trained.texts.allowed)} annotated texts and {trained.pronouns} "
        "pronouns of GAP, development."
    )
    return Card(
        title="Coreference of names, nouns and pronouns, English",
        about=[network, f"Parser: {load_parser().name} {load_parser().version} (digest {load_parser().digest})."],
        command=command or "gistmeter train coreference",
        recipe=[describe_recipe(recipe)],
        data=[learned],
        licences=[*trained.texts.describe("texts"), "GAP: Apache-2.0, text of Wikipedia.", *notes],
        figures=[
            _MEASURED,
            table(("texts", "mentions", "MUC", "B3", "CEAFe", "CoNLL"), rows),
            "Which of two names a pronoun means:",
            table(("pronouns", "precision", "recall", "F1"), pronouns),
            *(
                f"Both answers right: {figures.accuracy:.3f} on GAP {split}."
                for split, figures in trained.pronoun_figures.items()
            ),
        ],
    )
