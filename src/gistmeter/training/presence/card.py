"""The model card of the presence judge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.models.presence.features import PAIR_FEATURES, TOKEN_FEATURES
from gistmeter.models.presence.texts import LAYERS
from gistmeter.models.runtime.locate import locate
from gistmeter.training.card import Card, table
from gistmeter.training.presence.result import FLOORS
from gistmeter.training.recipe import describe_recipe

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.training.presence.figures import Gain
    from gistmeter.training.presence.recipe import PresenceRecipe
    from gistmeter.training.presence.result import TrainedPresence

_NOT_HELD_OUT = (
    "**The judge learned from all of these pairs: what it says of them is not held out.** The figures below are "
    "from networks that did not see what they are tested on."
)
_MEASURED = (
    "A summary's score is the mean probability of its units; people's is the share of units they found. Summary "
    "level: within documents, then the mean; documents without a correlation, since people found equally much in "
    "all summaries or a score says so, are left out (for the floors: {undefined}). System level: of means over "
    "documents. By documents: by fold, then averaged. By systems: every system is judged by networks that did not see "
    "it, and all systems of a document are correlated together. Accuracy: probability over .5 against the label."
)
_GAINS = (
    "The gain in summary-level r over what needs no training, with 95% intervals from 10,000 draws of documents "
    "(both scores together):"
)
_COLUMNS = ("run", "held out", "score", "summary r", "rho", "system r", "rho", "accuracy")


def presence_card(trained: TrainedPresence, recipe: PresenceRecipe, *, command: str, notes: Sequence[str]) -> Card:
    """What the judge is, what it learned from, how it was made and how well it agrees with people."""
    runs = "; ".join(
        f"{run}: {size.documents} documents, {size.summaries} summaries, {size.pairs} labelled pairs"
        for run, size in trained.runs.items()
    )
    floors = {figures.run: figures.correlations.undefined for figures in trained.figures if figures.judge in FLOORS}
    undefined = ", ".join(f"{count} of {run}" for run, count in floors.items())
    rows = [
        (
            figures.run,
            figures.test,
            figures.judge,
            figures.correlations.pearson,
            figures.correlations.spearman,
            figures.correlations.system_pearson,
            figures.correlations.system_spearman,
            figures.accuracy,
        )
        for figures in trained.figures
    ]
    gains = [
        (figures.run, figures.test, figures.judge, *map(_interval, figures.gains))
        for figures in trained.figures
        if figures.gains
    ]
    network = (
        f"{recipe.networks} networks (hidden layers of {recipe.hidden}), their probabilities averaged, over "
        f"{len(TOKEN_FEATURES)} features of each token of a unit and {len(PAIR_FEATURES)} of the pair: words found, "
        f"cosines of the encoder's states at layers {', '.join(map(str, LAYERS))}. Where a reference is given, also "
        f"how much of it the summary has. Half precision, {trained.file.stat().st_size // 1024} kB."
    )
    return Card(
        title="Presence of content units in summaries, English",
        about=[network, f"Encoder: {locate().name} (digest {locate().digest}), as it is."],
        command=command or "gistmeter train presence",
        recipe=[describe_recipe(recipe)],
        data=[f"{runs}.", _NOT_HELD_OUT],
        licences=notes,
        figures=[
            _MEASURED.format(undefined=undefined),
            table(_COLUMNS, rows),
            _GAINS,
            table(("run", "held out", "score", *(f"over {floor}" for floor in FLOORS)), gains),
        ],
    )


def _interval(gain: Gain) -> str:
    return f"{gain.mean:+.3f} ({gain.low:+.3f} to {gain.high:+.3f})"
