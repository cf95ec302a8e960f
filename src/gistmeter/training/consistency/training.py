"""Train a judge of consistency: adapters of the embedded encoder, going on from those of the entailment model."""

from __future__ import annotations

import functools
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.io.atomic import write_bytes
from gistmeter.models.consistency.combination import Combination, write_combination
from gistmeter.models.entailment.model import WEIGHTS, p2c
from gistmeter.training.consistency.card import consistency_card
from gistmeter.training.consistency.claims import SUPPORTED, ClaimPair, DocumentClaim, make_document_claims
from gistmeter.training.consistency.combining import fit_combination, measure_claims
from gistmeter.training.consistency.figures import ALL, measure_kinds
from gistmeter.training.consistency.pairs import gather_pairs
from gistmeter.training.consistency.recipe import ConsistencyRecipe
from gistmeter.training.consistency.result import FittedCombination, TrainedConsistency
from gistmeter.training.entailment.learners import AdapterLearner
from gistmeter.training.entailment.loss import entailment_loss
from gistmeter.training.loop.check import tell_check
from gistmeter.training.loop.pair_run import PairTraining, predict_logits, select_short
from gistmeter.training.progress import SILENCE
from gistmeter.training.sources.evaluated import collect_runs

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.models.runtime.tokenizer import PairTokens
    from gistmeter.training.consistency.pairs import ClaimPairs
    from gistmeter.training.consistency.recipe import ConsistencyData
    from gistmeter.training.loop.check import Check
    from gistmeter.training.progress import Progress

CHECKED_PAIRS = 400
"""Held-out pairs to look at while training; more of them are tested at its end."""

TESTED_PAIRS = 4000
WEIGHTS_FILE = "consistency.safetensors"


def train_consistency(
    out: str | Path,
    data: ConsistencyData,
    *,
    recipe: ConsistencyRecipe | None = None,
    command: str = "",
    progress: Progress = SILENCE,
) -> TrainedConsistency:
    """Learn from all pairs that the data gives, or go on in the folder; write weights and card there."""
    recipe, folder = recipe or ConsistencyRecipe(), Path(out)
    pairs = gather_pairs(data, recipe, collect_runs(data.without))
    progress.say(f"{len(pairs.train):,} pairs to learn from; left out: {dict(pairs.left_out)}")
    progress.say(f"kinds: {dict(Counter(pair.kind for pair in pairs.train).most_common())}")
    learner = AdapterLearner(recipe, start=Path(data.start) if data.start else WEIGHTS)
    tokens = learner.tokenizer.pairs([(pair.premise, pair.claim) for pair in pairs.train])
    labels = select_short({number: pair.label for number, pair in enumerate(pairs.train)}, tokens, recipe.longest)
    drawn = np.random.default_rng(recipe.seed).permutation(len(pairs.held_out)).tolist()
    checked = [pairs.held_out[number] for number in drawn[:CHECKED_PAIRS]]
    tested = [pairs.held_out[number] for number in drawn[:TESTED_PAIRS]]

    def check() -> Mapping[str, float]:
        figures = measure_kinds(checked, _predict(learner, checked))[ALL]
        return {"auc": figures.auc, "balanced": figures.balanced}

    def report(check: Check) -> None:
        tell_check(progress, check)

    run = PairTraining(
        learner,
        tokens,
        labels,
        folder,
        recipe=recipe,
        task="consistency",
        loss=functools.partial(entailment_loss, two_way=recipe.two_way),
        check=check if checked else None,
    ).run(report)
    file = run.file.rename(folder / WEIGHTS_FILE)
    combination = _combine(learner, pairs, recipe)
    write_bytes(file.with_suffix(".json"), write_combination(combination.weights))
    trained = TrainedConsistency(
        file=file,
        card=folder / "consistency.md",
        run=run,
        pairs=pairs,
        too_long=len(pairs.train) - len(labels),
        figures=measure_kinds(tested, _predict(learner, tested)) if tested else {},
        combination=combination,
    )
    consistency_card(trained, recipe, command=command, notes=data.notes).write(trained.card)
    return trained


def _combine(learner: AdapterLearner, pairs: ClaimPairs, recipe: ConsistencyRecipe) -> FittedCombination:
    """The combination, fitted on half of the documents kept for it and measured on the other half."""
    margins_of = functools.partial(_read_margins, learner)
    fitting = [
        *make_document_claims(pairs.documents[::2], claims=recipe.combined_claims, seed=recipe.seed),
        *(
            DocumentClaim(document=pair.premise, text=pair.claim, kind=SUPPORTED if pair.label == 0 else pair.source)
            for pair in pairs.held_out
            if pair.kind == "judged"
        ),
    ]
    if not pairs.documents:
        return FittedCombination(weights=Combination(), claims=0, network={}, combined={})
    weights = fit_combination(measure_claims(fitting, margins_of), ridge=recipe.ridge)
    tested = make_document_claims(pairs.documents[1::2], claims=recipe.combined_claims, seed=recipe.seed + 1)
    measured = measure_claims(tested, margins_of)
    as_pairs = [
        ClaimPair(premise="", claim=claim.text, label=0 if claim.kind == SUPPORTED else 3, kind=claim.kind, source="")
        for claim in tested
    ]
    return FittedCombination(
        weights=weights,
        claims=len(fitting),
        network=measure_kinds(as_pairs, 1 / (1 + np.exp(-measured.margins))),
        combined=measure_kinds(as_pairs, weights(measured.margins, measured.plain)),
    )


def _read_margins(learner: AdapterLearner, pairs: Sequence[tuple[str, str]]) -> FloatArray:
    logits = predict_logits(learner, tokenize_short(learner, pairs)).astype(np.float64)
    return np.asarray(logits[:, 0] - logits[:, 1] - logits[:, 2])


def _predict(learner: AdapterLearner, pairs: Sequence[ClaimPair]) -> FloatArray:
    logits = predict_logits(learner, tokenize_short(learner, [(pair.premise, pair.claim) for pair in pairs]))
    return p2c(logits.astype(np.float64))


def tokenize_short(learner: AdapterLearner, pairs: Sequence[tuple[str, str]]) -> list[PairTokens]:
    """The tokens of pairs; the longer text of a pair that the encoder cannot read at once loses its last words."""
    tokens = learner.tokenizer.pairs(pairs)
    for number, of_pair in enumerate(tokens):
        if len(of_pair.ids) > learner.max_tokens:
            tokens[number] = _tokenize_cut(learner, *pairs[number])
    return tokens


def _tokenize_cut(learner: AdapterLearner, premise: str, claim: str) -> PairTokens:
    while True:
        (tokens,) = learner.tokenizer.pairs([(premise, claim)])
        if len(tokens.ids) <= learner.max_tokens:
            return tokens
        if len(premise) >= len(claim):
            premise = premise[: len(premise) * 9 // 10]
        else:
            claim = claim[: len(claim) * 9 // 10]
