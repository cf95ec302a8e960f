"""The model card of an entailment model, from the figures of its own training."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.training.card import table
from gistmeter.training.entailment.nli_pairs import nli_sets
from gistmeter.training.sources.named_sets import counted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.training.entailment.fine_tuning import Agreement
    from gistmeter.training.entailment.pretraining import Pretrained
    from gistmeter.training.loop.recipe import Fitted, Progress, Recipe

_WHAT = """\
Whether a premise entails a hypothesis, is neutral to it or contradicts it: for gistmeter's Pyramid measures, where the
premise is a summary (or its two best-matching sentences) and the hypothesis a content unit.

{parts}"""
_ADAPTER = """\
Parts that make the embedded encoder a classifier of pairs: updates of rank {rank} for all linear maps and the layer
norms from layer {first} on (of 0 to 5), and a head with {hidden} hidden numbers on the state of the first token and the
mean state of the hypothesis; merged into the encoder when it is loaded. Stored in half precision."""
_PRESENCE = """\
Accuracy counts a unit as present where the probability is above one half. Pearson's r is that of the mean probability
of a summary's units with the share that people found: over systems within each document, averaged (summary level), and
of the means over documents (system level)."""


def pretraining_card(
    trained: Pretrained,
    recipe: Recipe,
    *,
    command: str,
    notes: Sequence[str] = (),
    presence: Mapping[str, Agreement] | None = None,
) -> str:
    """The card of a model that learned three classes, in Markdown."""
    counts, known = counted(trained.data.train), nli_sets()
    reasons = ", ".join(f"{reason} {count:,}" for reason, count in trained.data.left_out.items())
    left_out = (
        f"Left out: {reasons or 'nothing'} (pairs), and {trained.too_long:,} longer than {recipe.longest} tokens. "
        "Evaluation text is what shares a run of ten words with a text that gistmeter is evaluated on."
    )
    rows = [(one, f"{counts[one]:,}", known[one]["licence"], known[one]["citation"]) for one in sorted(counts)]
    shares = [(name, f"{count:,}", share) for name, (count, share) in trained.accuracies.items()]
    parts = [
        f"# {trained.fitted.file.stem}",
        _what(recipe),
        f"## Made by\n\n```\n{command}\n```\n\n{made_by(trained.fitted, recipe)}",
        _losses(recipe),
        "## Learned from\n\n" + table(("set", "pairs", "licence", "citation"), rows),
        left_out,
        *notes,
        "## Held-out figures\n\nAccuracy of the best of three classes; with two classes (rte), of entailment or not. "
        "A set's own name is its held-out premises, a name with a part is a set or part never learned from.\n\n"
        + table(("set", "pairs", "accuracy"), shares),
        "On the way, on 300 held-out pairs:\n\n" + table(("step", "loss", "accuracy"), _checks(trained.fitted)),
    ]
    if presence:
        parts.append("## Agreement with people, zero-shot\n\n" + presence_table(presence))
    return "\n\n".join(parts) + "\n"


def presence_card(
    fitted: Fitted | None,
    recipe: Recipe,
    *,
    command: str,
    learned: Sequence[tuple[str, int]],
    agreements: Mapping[str, Agreement],
    notes: Sequence[str] = (),
) -> str:
    """The card of a model fine-tuned on labels of presence, or of its cross-validation alone."""
    rows = [(name, f"{count:,}") for name, count in learned]
    parts = [
        "# entailment, fine-tuned on the presence of content units",
        _what(recipe),
        f"## Made by\n\n```\n{command}\n```\n\n" + (made_by(fitted, recipe) if fitted else _settings(recipe)),
        "## Learned from\n\n" + table(("set", "labelled units"), rows),
        *notes,
    ]
    if agreements:
        parts.append("## Agreement with people, by cross-validation\n\n" + presence_table(agreements))
    return "\n\n".join(parts) + "\n"


def presence_table(agreements: Mapping[str, Agreement]) -> str:
    """How far probabilities of presence agree with people, as a table with its explanation."""
    rows = [
        (name, f"{one.rows:,}", one.accuracy, one.summary_pearson, one.system_pearson, str(one.undefined))
        for name, one in agreements.items()
    ]
    header = ("set", "units", "accuracy", "summary level", "system level", "documents without a correlation")
    return f"{_PRESENCE}\n\n{table(header, rows)}"


def _what(recipe: Recipe) -> str:
    adapter = _ADAPTER.format(rank=recipe.rank, first=recipe.first, hidden=recipe.hidden)
    whole = "A classifier of transformers, with all its weights."
    return _WHAT.format(parts=adapter if recipe.method == "lora" else whole)


def made_by(fitted: Fitted, recipe: Recipe, what: str = "pairs") -> str:
    """How long a training took, and its settings."""
    last = fitted.checks[-1]
    plans = ", then ".join(f"{steps:,} steps from step {start:,} on" for start, steps in fitted.plans)
    return (
        f"{last.step:,} steps of {recipe.batch} {what}, {fitted.tokens:,} tokens in all, in {last.seconds / 60:.0f} "
        f"minutes on a CPU. Planned: {plans}. {_settings(recipe)}"
    )


def _settings(recipe: Recipe) -> str:
    return (
        f"{recipe.method}, {recipe.precision}, AdamW, rate {recipe.rate:g} after a warm-up of {recipe.warm_up:.0%} of "
        f"the steps, down to nothing in a straight line; decay {recipe.decay:g}, dropout {recipe.dropout:g}, "
        f"seed {recipe.seed}."
    )


def _losses(recipe: Recipe) -> str:
    return (
        f"The loss is the cross-entropy of three classes and {recipe.two_way:g} times that of p2c = "
        "e^e / (e^e + e^(n+c)), which alone serves for pairs of two classes. "
        f"{recipe.joined:.0%} of the pairs have another premise of their set before or after their own."
    )


def _checks(fitted: Fitted) -> list[tuple[str, float, float]]:
    return [(f"{one.step:,}", one.loss, _all(one)) for one in fitted.checks]


def _all(check: Progress) -> float:
    return (check.accuracies or {}).get("all", float("nan"))
