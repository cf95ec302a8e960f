"""The model card of the presence judge."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.models.presence.features import PAIR_FEATURES, TOKEN_FEATURES
from gistmeter.models.presence.texts import LAYERS
from gistmeter.models.runtime.locate import locate
from gistmeter.training.card import table
from gistmeter.training.presence.training import FLOORS

if TYPE_CHECKING:
    from gistmeter.training.presence.training import Row, Trained


_TITLE = "# Presence of content units in summaries, English"
_NOT_HELD_OUT = (
    "**The judge learned from all of these pairs: what it says of them is not held out.** The figures below are "
    "from networks that did not see what they are tested on."
)
_READ_AS = (
    "A summary's score is the mean probability of its units; people's is the share of units they found. Summary "
    "level: within documents, then the mean; documents without a correlation, since people found equally much in "
    "all summaries or a score says so, are left out (for the floors: {missing}). System level: of means over "
    "documents. By examples: by fold, then averaged. By systems: every system is judged by networks that did not see "
    "it, and all systems of a document are correlated together. Accuracy: probability over .5 against the label."
)
_GAINS = (
    "The gain in summary-level r over what needs no training, with 95% intervals from 10,000 draws of documents "
    "(both scores together):"
)


def written_card(trained: Trained) -> str:
    """What the judge is, what it learned from, how it was made and how well it agrees with people, in Markdown."""
    recipe = trained.recipe
    learned = "; ".join(
        f"{name}: {documents} documents, {summaries} summaries, {pairs} labelled pairs"
        for name, (documents, summaries, pairs) in trained.runs.items()
    )
    undefined = {row.run: row.agreement.undefined for row in trained.rows if row.judge in FLOORS}
    missing = ", ".join(f"{count} of {name}" for name, count in undefined.items())
    rows = [
        (
            row.run,
            row.test,
            row.judge,
            row.agreement.pearson,
            row.agreement.spearman,
            row.agreement.system_pearson,
            row.agreement.system_spearman,
            row.accuracy,
        )
        for row in trained.rows
    ]
    gains = [
        (row.run, row.test, row.judge, *(_interval(*gain) for gain in row.gains)) for row in trained.rows if row.gains
    ]
    columns = ("run", "held out", "score", "summary r", "rho", "system r", "rho", "accuracy")
    network = (
        f"{recipe.networks} networks (hidden layers of {recipe.hidden}), their probabilities averaged, over "
        f"{len(TOKEN_FEATURES)} features of each token of a unit and {len(PAIR_FEATURES)} of the pair: words found, "
        f"cosines of the encoder's states at layers {', '.join(map(str, LAYERS))}. Where a reference is given, also "
        f"how much of it the summary has. Half precision, {trained.file.stat().st_size // 1024} kB."
    )
    made = (
        f"- Made by: `{trained.command or 'gistmeter train presence'}` (epochs {recipe.epochs}, rate {recipe.rate}, "
        f"weight decay {recipe.decay}, dropout {recipe.dropout}, correlation in the loss {recipe.correlation}, without "
        f"reference {recipe.alone}, seed {recipe.seed})."
    )
    facts = [
        f"- Encoder: {locate().name} (digest {locate().digest}), as it is.",
        f"- Learned from: {learned}.",
        *(f"- {note}" for note in trained.notes),
        made,
    ]
    tables = (table(columns, rows), table(("run", "held out", "score", *(f"over {one}" for one in FLOORS)), gains))
    parts = [_TITLE, network, "\n".join(facts), _NOT_HELD_OUT, "## Held-out figures"]
    parts += [_READ_AS.format(missing=missing), tables[0], _GAINS, tables[1]]
    return "\n\n".join(parts) + "\n"


def _interval(mean: float, low: float, high: float) -> str:
    return f"{mean:+.3f} ({low:+.3f} to {high:+.3f})"


def summary_line(row: Row) -> str:
    """A row for the console."""
    return f"{row.run}, {row.test}, {row.judge}: r {row.agreement.pearson:.3f}, rho {row.agreement.spearman:.3f}"
