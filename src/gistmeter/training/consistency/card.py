"""The model card of a judge of consistency, from the figures of its own training."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

from gistmeter.training.card import EVALUATION_TEXT, Card, describe_left_out, table
from gistmeter.training.consistency.pairs import claim_sets
from gistmeter.training.licences import set_table
from gistmeter.training.recipe import describe_recipe
from gistmeter.training.sources.named_sets import count_by_set

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.training.consistency.recipe import ConsistencyRecipe
    from gistmeter.training.consistency.result import FittedCombination, TrainedConsistency

_ABOUT = """\
How surely passages of a document support a claim: for gistmeter's `consistency`, where the claim is a sentence of a
summary and the passages are the sentences of its document that share most words with it."""
_ADAPTER = """\
Parts that make the embedded encoder a classifier of pairs, as those of the entailment model that they go on from:
updates of rank {rank} for all linear maps and the layer norms from layer {first} on (of 0 to 5), and a head with
{hidden} hidden numbers. The probability of support is p2c = e^e / (e^e + e^(n+c)). Stored in half precision."""
_FIGURES = (
    "On premises that were never learned from: unsupported claims of each kind beside the supported claims of the same "
    "origin. Balanced accuracy is at the probability one half. A set's name stands for all its pairs."
)


def consistency_card(
    trained: TrainedConsistency, recipe: ConsistencyRecipe, *, command: str, notes: Sequence[str]
) -> Card:
    """The card of a judge."""
    too_long = f", and {trained.too_long:,} longer than {recipe.longest} tokens"
    kinds = Counter(pair.kind for pair in trained.pairs.train)
    checks = [
        (f"{check.step:,}", check.loss, (check.figures or {}).get("auc", math.nan)) for check in trained.run.checks
    ]
    figures = [(kind, f"{row.claims:,}", row.auc, row.balanced) for kind, row in trained.figures.items()]
    return Card(
        title="consistency",
        about=[_ABOUT, _ADAPTER.format(rank=recipe.rank, first=recipe.first, hidden=recipe.hidden)],
        command=command or "gistmeter train consistency",
        recipe=[trained.run.describe(f"{recipe.batch} pairs"), describe_recipe(recipe)],
        data=[
            set_table(count_by_set(trained.pairs.train), claim_sets(), unit="pairs"),
            f"Kinds of pairs: {', '.join(f'{kind} {count:,}' for kind, count in kinds.most_common())}.",
            f"{describe_left_out(trained.pairs.left_out, unit='records', more=too_long)} {EVALUATION_TEXT}",
        ],
        licences=notes,
        figures=[
            _FIGURES,
            table(("unsupported claims", "number", "AUC", "balanced accuracy"), figures),
            *_describe_combination(trained.combination),
            "On the way, on 400 held-out pairs:",
            table(("step", "loss", "AUC"), checks),
        ],
    )


def _describe_combination(combination: FittedCombination) -> list[str]:
    """The weights of the combination, and figures with it and of the network alone."""
    if not combination.combined:
        return []
    weights = {"the network's logit": combination.weights.network, "constant": combination.weights.constant}
    weights |= dict(combination.weights.features)
    rows = [
        (kind, f"{row.claims:,}", combination.network[kind].auc, row.auc, row.balanced)
        for kind, row in combination.combined.items()
    ]
    about = (
        f"The network is combined with plain features by a logistic regression on {combination.claims:,} claims about "
        "documents, and held-out judged claims, that it did not learn from; no weight may speak the wrong way. What "
        "each adds to the logit:"
    )
    return [
        about,
        table(("feature", "weight"), list(weights.items())),
        "On claims about further documents, each told wrong in every way that it can be:",
        table(("unsupported claims", "number", "AUC, network", "AUC, combined", "balanced accuracy, combined"), rows),
    ]
