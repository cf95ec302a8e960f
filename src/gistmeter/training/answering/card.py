"""The model card of an answerer, from the figures of its own training."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.training.answering.examples import qa_sets
from gistmeter.training.card import table
from gistmeter.training.entailment.card import made_by
from gistmeter.training.sources.named_sets import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.training.answering.examples import QaExamples
    from gistmeter.training.answering.training import Learned, Variants
    from gistmeter.training.loop.recipe import Recipe

_WHAT = """\
Where in a text the answer to a question stands, or that it stands nowhere: for gistmeter's measures that ask questions
(qaeval, qags and their kin).

Parts that make the embedded encoder an answerer: updates of rank {rank} for all linear maps and the layer norms from
layer {first} on (of 0 to 5), and a head with two outputs on the states of the text and of the first token, which stands
for "not answerable"; merged into the encoder when it is loaded. Stored in half precision."""
_ASKED = (
    "Questions of gistmeter's own asker were made with their texts and not varied again: a sentence of news read with "
    "some of its modifiers gone, or the article without it; the first text of an entailment pair, which answers what "
    "was asked about the second where it entails it. "
)
_HELD_OUT = """\
`is_answerable_f1` is that of telling answerable questions from others at a threshold of one half, AUC whatever the
threshold. Exact match and token F1, as SQuAD compares, are over answerable questions that the model answered, against
the first right answer; `gistmeter qa evaluate` takes the best of several."""


def answering_card(
    learned: Learned,
    data: QaExamples,
    recipe: Recipe,
    variants: Variants,
    *,
    command: str,
    notes: Sequence[str] = (),
) -> str:
    """The card in Markdown."""
    counts, known = counted([*data.train, *data.ready]), qa_sets()
    rows = [(one, f"{counts[one]:,}", known[one]["licence"], known[one]["citation"]) for one in sorted(counts)]
    reasons = ", ".join(f"{reason} {count:,}" for reason, count in data.left_out.items())
    unanswerable = sum(not example.answerable for example in learned.examples)
    varied = (
        f"{variants.cut:.0%} of the texts were cut to one to five sentences. {variants.unanswerable:.0%} of the "
        "answerable questions were asked a second time of a text that does not answer: the same without the sentence "
        "of the answer, or another of the set. "
    )
    in_all = f"In all {len(learned.examples):,} questions, {unanswerable:,} of them unanswerable."
    left_out = (
        f"Left out: {reasons or 'nothing'}, and {learned.too_long:,} longer than {recipe.longest} tokens. Evaluation "
        "text is what shares a run of ten words with a text that gistmeter is evaluated on."
    )
    names = list(learned.figures)
    checks: list[tuple[str | float, ...]] = [
        (f"{check.step:,}", check.loss, *(check.accuracies.get(name, float("nan")) for name in names))
        for check in learned.fitted.checks
        if check.accuracies
    ]
    parts = [
        f"# {learned.fitted.file.stem}",
        _WHAT.format(rank=recipe.rank, first=recipe.first),
        f"## Made by\n\n```\n{command}\n```\n\n{made_by(learned.fitted, recipe, what='questions')}",
        "## Learned from\n\n" + table(("set", "questions", "licence", "citation"), rows),
        varied + (_ASKED if data.ready else "") + in_all,
        left_out,
        *notes,
    ]
    if learned.figures:
        parts.append(f"## Held-out figures\n\n{_HELD_OUT}\n\n" + table(names, [tuple(learned.figures.values())]))
        parts.append("On the way, on some of them:\n\n" + table(("step", "loss", *names), checks))
    return "\n\n".join(parts) + "\n"
