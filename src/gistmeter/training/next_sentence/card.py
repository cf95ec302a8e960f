"""The model card of a next-sentence head."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from gistmeter.training.card import Card, table
from gistmeter.training.next_sentence.figures import LEAD_SENTENCES, OPENING_SENTENCES
from gistmeter.training.next_sentence.joint_groups import LATER_SHARE, OTHER_SHARES
from gistmeter.training.next_sentence.order import DECAY, MAX_POSITION, PENALTY
from gistmeter.training.next_sentence.pairs import MIN_FAR_SENTENCES, SHARES
from gistmeter.training.next_sentence.reader import FIRST_LAYER, GROUPS_TO_A_STEP, LONGEST_TOKENS, RATE
from gistmeter.training.next_sentence.recipe import SENTENCE_VECTORS
from gistmeter.training.recipe import describe_recipe
from gistmeter.weights import EMBEDDED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.training.next_sentence.recipe import NextSentenceRecipe
    from gistmeter.training.next_sentence.result import TrainedNextSentence

_PUBLISHED = (
    "Pearson's r with the coherence that people saw in FFCI's CNN/DailyMail summaries (z-scores). Published, with a "
    "fine-tuned bert-base-uncased (Table 8): min .409 PG, .254 BERT; mean .427, .243; max .296, .156."
)
_CHOSEN = (
    "The columns from `adjacent` on are accuracies on pairs of that kind. Networks were stopped on the development "
    "pairs; no network learned from the test pairs, other languages or judgments."
)
_STEP = f"{GROUPS_TO_A_STEP} joints"
_SOURCE_COLUMNS = (
    "file", "documents", "sentences", "records left out for their licence", "sentences left out as evaluated",
)  # fmt: skip
_COHERENCE_COLUMNS = ("system", "summaries", "of one sentence", "min", "mean", "max")


def next_sentence_card(
    trained: TrainedNextSentence,
    recipe: NextSentenceRecipe,
    *,
    model: str = EMBEDDED,
    command: str,
    notes: Sequence[str],
) -> Card:
    """What the head is, what it learned from, how it was made and how good it is."""
    sources = [
        (source.name, len(source.texts), source.sentences, source.unlicensed, source.removed)
        for source in trained.sources
    ]
    coherence = [
        (system.system, system.summaries, system.single, system.weakest, system.mean, system.strongest)
        for system in trained.coherence
    ]
    reads = _describe_states(recipe.states) if model == EMBEDDED else f"both sentences at once through {model}"
    if trained.cues:
        reads += ", and cues of order in the two sentences"
    if trained.reader is not None:
        reads += "; and the encoder with trained parts reads both sentences at once"
    networks = _describe_networks if model == EMBEDDED else _describe_checkpoint
    return Card(
        title=trained.file.stem,
        about=[f"How likely a sentence follows another: gistmeter's `coherence`. It reads {reads}."],
        command=command or "gistmeter train next-sentence",
        recipe=[networks(trained, recipe), describe_recipe(recipe)],
        data=[table(_SOURCE_COLUMNS, sources), _describe_pairs(trained)],
        licences=notes,
        figures=[_pair_table(trained), _CHOSEN, _describe_order(trained)],
        people=[_PUBLISHED, table(_COHERENCE_COLUMNS, coherence)] if coherence else (),
    )


def _describe_networks(trained: TrainedNextSentence, recipe: NextSentenceRecipe) -> str:
    if not trained.epochs:
        networks = "The networks are those of the head that --start names, as they were; no weight of them learned."
    else:
        epochs = ", ".join(str(epoch + 1) for epoch in trained.epochs)
        networks = (
            f"{recipe.networks} networks with {recipe.hidden} hidden numbers on [u, v, |u - v|, u * v], seeds "
            f"{recipe.seed} to {recipe.seed + recipe.networks - 1}, probabilities averaged; AdamW, stopped when the "
            f"loss on development pairs did not fall for {recipe.patience} epochs (the weights are those of epochs "
            f"{epochs})."
        )
    return f"{networks}{_describe_cues(trained, recipe)}{_describe_reader(trained)} Stored in half precision."


def _describe_cues(trained: TrainedNextSentence, recipe: NextSentenceRecipe) -> str:
    if not trained.cues:
        return ""
    return (
        f" {trained.cues:,} cues of order (first words, words, how a word that both sentences have is introduced) have "
        f"a weight each: logistic regression of the order of adjacent sentences against its reversal, penalty "
        f"{PENALTY:g}, on the first {MAX_POSITION} sentences of each document, a joint weighing exp(-{DECAY:g} i) at "
        f"position i. Their log odds are multiplied by {recipe.order:g} and added to those of the networks."
    )


def _describe_reader(trained: TrainedNextSentence) -> str:
    if trained.reader is None or trained.shares is None:
        return ""
    others = ", ".join(f"{kind} {share:.1%}" for kind, share in OTHER_SHARES.items())
    shares = ", ".join(f"{name.replace('_', ' ')} {value:.3f}" for name, value in trained.shares._asdict().items())
    return (
        f" A reader of both sentences: updates of low rank of the embedded encoder from layer {FIRST_LAYER} on, norms "
        "and a head of three classes (next, reversed, other), which began as those of the embedded entailment model "
        f"(see its card for what it learned from). It learned from {trained.reader.groups:,} joints, a joint after "
        f"sentence i drawn with weight exp(-{LATER_SHARE:g} i), each with its reversal and often another pair (of all "
        f"groups: {others}), pairs of up to {LONGEST_TOKENS} tokens: {trained.reader.run.describe(_STEP)} Rate "
        f"{RATE:g}. The log odds of all parts are weighed by a logistic regression on joints of development documents, "
        "their reversals and other pairs (half, a quarter and a quarter of the weight; within each, early joints weigh "
        f"more, as for the cues): {shares}."
    )


def _describe_checkpoint(trained: TrainedNextSentence, recipe: NextSentenceRecipe) -> str:
    return (
        "All weights learn, with a new head of two classes on the first token; AdamW, stopped when the loss on "
        f"development pairs did not fall for {recipe.patience} epochs (the weights are those of epoch "
        f"{trained.epochs[0] + 1}). Of the settings below, those of the embedded head do not apply."
    )


def _describe_order(trained: TrainedNextSentence) -> str:
    order = trained.order
    return (
        f"Order, on the first {OPENING_SENTENCES} sentences of the test documents: of {order.pairs} pairs of adjacent "
        f"sentences, the second is likelier to follow the first than the first the second in {order.order:.3f}, and of "
        f"those within the first {LEAD_SENTENCES} sentences in {order.lead_order:.3f}. The first {LEAD_SENTENCES} "
        f"sentences score above a shuffle of them in {order.shuffled_min:.3f} (weakest joint) and "
        f"{order.shuffled_mean:.3f} (mean joint) of {order.leads} documents."
    )


def _describe_pairs(trained: TrainedNextSentence) -> str:
    shares = ", ".join(f"{kind} {share:.0%}" for kind, share in SHARES.items())
    counts = ", ".join(f"{part} {count}" for part, count in trained.counts.items())
    return (
        f"Pairs as in FFCI (Koto, Baldwin and Lau 2022, appendix B): {shares}; far apart in a document means at least "
        f"{MIN_FAR_SENTENCES} sentences. Pairs: {counts} ({', '.join(trained.learned_languages)}), from documents "
        "divided 80/10/10 so that no sentence stands in two parts. Sentences that stand in the evaluation data given "
        "are left out."
    )


def _pair_table(trained: TrainedNextSentence) -> str:
    parts = {"development": trained.dev, "test": trained.test}
    parts |= {f"{code}, not trained on": figures for code, figures in trained.languages.items()}
    rows: list[tuple[str | float, ...]] = [
        (name, figures.pairs, figures.accuracy, figures.auc, *(figures.kinds.get(kind, math.nan) for kind in SHARES))
        for name, figures in parts.items()
    ]
    return table(("part", "pairs", "accuracy", "AUC", *SHARES), rows)


def _describe_states(states: str) -> str:
    if states == SENTENCE_VECTORS:
        return "the vectors of the embedded multilingual sentence encoder"
    return (
        f"pooled states of the embedded encoder ({states}: pooling @ layer, `edge4` the four tokens next to the joint)"
    )
