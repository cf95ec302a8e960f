"""Fine-tuning an entailment model on labels of which units a summary carries: whole, or by folds."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import DataError
from gistmeter.models.entailment.model import l2c, l3c, p2c, p3c
from gistmeter.training.entailment.learners import learner_for
from gistmeter.training.entailment.presence_labels import asked, read_presence
from gistmeter.training.loop.resumable import Training, predicted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    import torch

    from gistmeter.arrays import FloatArray, IntArray
    from gistmeter.training.entailment.learners import AnyLearner
    from gistmeter.training.entailment.presence_labels import Asked, Labelled
    from gistmeter.training.loop.recipe import Fitted, Progress, Recipe


_PROBABILITIES = "probabilities.npy"


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far probabilities of presence agree with people, and how the recall they give does."""

    rows: int
    accuracy: float
    summary_pearson: float
    """Mean over documents of the correlation over systems; undefined ones are left out and counted."""

    system_pearson: float
    undefined: int


def finetuned(
    questions: Asked,
    folder: Path,
    *,
    recipe: Recipe,
    model: str = "embedded",
    start: Path | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Fitted:
    """Learn from all labels, or go on where an interrupted training in this folder stopped."""
    learner = learner_for(model, recipe, start=start)
    tokens = learner.tokenizer.pairs(questions.pairs)
    labels = _short_enough(
        questions.targets(np.arange(len(questions.rows))), [len(one.ids) for one in tokens], recipe.longest
    )
    return Training(learner, tokens, labels, folder, recipe=recipe, learned="presence").go(progress)


def cross_validated(
    questions: Asked,
    folds: Sequence[IntArray],
    folder: Path,
    *,
    recipe: Recipe,
    model: str = "embedded",
    start: Path | None = None,
    most: int | None = None,
    progress: Callable[[int, Progress], None] | None = None,
) -> FloatArray:
    """The probability of presence for every row, by a model that never saw its fold; finished folds are not redone.

    `most` is the number of pairs to learn from in each fold, drawn with the recipe's seed.
    """
    found = np.full(len(questions.rows), np.nan)
    kept: dict[int, torch.Tensor] = {}
    for number, fold in enumerate(folds):
        place = folder / f"fold{number}"
        done = place / _PROBABILITIES
        if done.is_file():
            found[fold] = _known(done, len(fold))
            continue
        learner = learner_for(model, recipe, start=start, kept=kept)
        tokens = learner.tokenizer.pairs(questions.pairs)
        others = np.setdiff1d(np.arange(len(questions.rows)), fold)
        labels = _short_enough(questions.targets(others), [len(one.ids) for one in tokens], recipe.longest)
        if most is not None and len(labels) > most:
            chosen = np.random.default_rng((recipe.seed, number)).permutation(list(labels))[:most]
            labels = {int(pair): labels[int(pair)] for pair in np.sort(chosen)}

        def tell(at: Progress, number: int = number) -> None:
            if progress is not None:
                progress(number, at)

        Training(learner, tokens, labels, place, recipe=recipe, learned="presence").go(tell)
        pairs = np.unique(questions.place[fold])
        logits = predicted(learner, [tokens[pair] for pair in pairs], numbers=pairs.tolist())
        value = dict(zip(pairs.tolist(), p2c(logits.astype(np.float64)).tolist(), strict=True))
        found[fold] = [value[int(questions.place[row])] for row in fold]
        np.save(done, found[fold])
    return found


def zero_shot(learner: AnyLearner, run: str, units: str | None = None) -> dict[str, Agreement]:
    """How far each reading of the logits agrees with people on labelled summaries that were not learned from."""
    questions = asked(read_presence(run, *([units] if units else [])))
    logits = predicted(learner, learner.tokenizer.pairs(questions.pairs)).astype(np.float64)[questions.place]
    name = PurePath(run).name.partition(".")[0]
    return {
        f"{name}, {reading.__name__}": agreement(questions.rows, reading(logits)) for reading in (p3c, l3c, p2c, l2c)
    }


def agreement(rows: Sequence[Labelled], probabilities: FloatArray, *, threshold: float = 0.5) -> Agreement:
    """Accuracy of the labels, and Pearson's r of mean probability with mean label by summary and by system.

    >>> from gistmeter.training.entailment.presence_labels import Labelled
    >>> rows = [Labelled("d", system, 0, "", "", present) for system, present in (("a", True), ("b", False))]
    >>> found = agreement(rows, np.array([0.9, 0.2]))
    >>> found.accuracy, round(found.summary_pearson, 6), found.undefined
    (1.0, 1.0, 0)
    """
    present = np.array([row.present for row in rows])
    documents, systems = (_numbered([getattr(row, field) for row in rows]) for field in ("doc_id", "system"))
    shape = (int(documents.max()) + 1, int(systems.max()) + 1)
    means = []
    for values in (probabilities, present.astype(np.float64)):
        total, count = np.zeros(shape), np.zeros(shape)
        np.add.at(total, (documents, systems), values)
        np.add.at(count, (documents, systems), 1)
        with np.errstate(invalid="ignore"):
            means.append(total / count)
    machine, people = means
    by_document = np.array([_pearson(one, other) for one, other in zip(machine, people, strict=True)])
    return Agreement(
        rows=len(rows),
        accuracy=float(((probabilities > threshold) == present).mean()),
        summary_pearson=float(np.nanmean(by_document)),
        system_pearson=_pearson(np.nanmean(machine, axis=0), np.nanmean(people, axis=0)),
        undefined=int(np.isnan(by_document).sum()),
    )


def write_judged(file: Path, rows: Sequence[Labelled], probabilities: FloatArray) -> None:
    """Write the probability of every row, with what says which row it is (doc_id, system, unit, p)."""
    np.savez_compressed(
        file,
        doc_id=np.array([row.doc_id for row in rows]),
        system=np.array([row.system for row in rows]),
        unit=np.array([row.unit for row in rows]),
        p=probabilities,
    )


def _short_enough(labels: dict[int, float], lengths: Sequence[int], longest: int) -> dict[int, float]:
    return {pair: label for pair, label in labels.items() if lengths[pair] <= longest}


def _known(file: Path, count: int) -> FloatArray:
    found: FloatArray = np.load(file, allow_pickle=False)
    if len(found) != count:
        raise DataError(f"{file} is of another training: name another folder")
    return found


def _numbered(keys: Sequence[str]) -> IntArray:
    return np.unique(np.array(keys), return_inverse=True)[1].astype(np.int64)


def _pearson(one: FloatArray, other: FloatArray) -> float:
    both = ~(np.isnan(one) | np.isnan(other))
    one, other = one[both], other[both]
    if len(one) < 2 or np.ptp(one) < 1e-12 or np.ptp(other) < 1e-12:
        return float("nan")
    return float(np.corrcoef(one, other)[0, 1])
