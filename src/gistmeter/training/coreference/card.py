"""The model card of the coreference network."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.linguistics.parser import load_parser
from gistmeter.training.card import table

if TYPE_CHECKING:
    from gistmeter.training.coreference.fitting import Recipe
    from gistmeter.training.coreference.training import Trained


def written_card(trained: Trained, recipe: Recipe) -> str:
    """What the network is, what it learned from, how it was made and how good it is, in Markdown."""
    learned = ", ".join(f"{name} ({count})" for name, count in sorted(trained.licences.items()))
    left_out = ", ".join(f"{count} {name}" for name, count in sorted(trained.left_out.items())) or "none"
    rows = [
        (split, one.mentions.f1, one.muc.f1, one.b3.f1, one.ceafe.f1, one.conll)
        for split, one in trained.figures.items()
    ]
    pronouns = [
        (f"GAP {split}, {who}", one.precision, one.recall, one.f1)
        for split, found in trained.named.items()
        for who, one in (("all", found.all), ("men", found.male), ("women", found.female))
    ]
    network = (
        f"A network of one hidden layer ({recipe.hidden} numbers) over named features of two mentions that rules find "
        f"in the spaCy parse; half precision, {trained.file.stat().st_size // 1024} kB. It says which earlier mention, "
        "if any, a mention goes back to."
    )
    source = (
        f"- Learned from: {trained.questions} mentions of {trained.texts} texts of GUM (annotations CC BY 4.0; texts: "
        f"{learned}; some are CC BY-SA: see NOTICE) and {trained.pronouns} pronouns of GAP, development (Apache-2.0, "
        "text of Wikipedia)."
    )
    made = (
        f"- Made by: `gistmeter train coreference {trained.file.name} --data {trained.data} --gap {trained.gap}` "
        f"(epochs {recipe.epochs}, rate {recipe.rate}, weight decay {recipe.decay}, features left out {recipe.forget}, "
        f"seed {recipe.seed})."
    )
    what = (
        "F1 with the words and sentences of the annotation given, mentions found by the rules, clusters in the manner "
        "of OntoNotes. CoNLL is the mean of MUC, B3 and CEAFe."
    )
    lines = [
        "# Coreference of names, nouns and pronouns, English",
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
        table(("texts", "mentions", "MUC", "B3", "CEAFe", "CoNLL"), rows),
        "",
        "Which of two names a pronoun means:",
        "",
        table(("pronouns", "precision", "recall", "F1"), pronouns),
        "",
        *(f"Both answers right: {found.accuracy:.3f} on GAP {split}." for split, found in trained.named.items()),
        "",
        "What is settled was settled on dev, on GAP development and on the first 50 references of REALSumm.",
    ]
    return "\n".join(lines) + "\n"
