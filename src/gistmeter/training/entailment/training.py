"""Train an entailment model: first on pairs of many sets, then on labels of which content units summaries carry.

The first stage learns three classes (`pretraining`), the second one, p2c, from people's labels (`fine_tuning`). Both
write the weights that `gistmeter.models.entailment.model` loads.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import ArgumentError
from gistmeter.models.entailment.model import WEIGHTS
from gistmeter.training.entailment.card import fine_tuning_card, pretraining_card
from gistmeter.training.entailment.fine_tuning import (
    cross_validate_presence,
    fine_tune,
    measure_zero_shot,
    write_probabilities,
)
from gistmeter.training.entailment.nli_pairs import read_nli_pairs, read_test_pairs
from gistmeter.training.entailment.presence_figures import measure_presence
from gistmeter.training.entailment.presence_labels import fold_labels, pair_labels, read_presence_labels
from gistmeter.training.entailment.pretraining import pretrain
from gistmeter.training.entailment.recipe import EntailmentRecipe
from gistmeter.training.entailment.result import TrainedEntailment, TunedEntailment
from gistmeter.training.loop.check import tell_check
from gistmeter.training.progress import SILENCE
from gistmeter.training.sources.evaluated import collect_runs
from gistmeter.weights import EMBEDDED

if TYPE_CHECKING:
    from gistmeter.training.entailment.presence_figures import PresenceAgreement
    from gistmeter.training.entailment.recipe import EntailmentData
    from gistmeter.training.loop.check import Check
    from gistmeter.training.progress import Progress

JUDGED_FILE = "judged.npz"


def train_entailment(
    out: str | Path,
    data: EntailmentData,
    *,
    recipe: EntailmentRecipe | None = None,
    command: str = "",
    progress: Progress = SILENCE,
) -> TrainedEntailment | TunedEntailment:
    """Run the stage whose data is given, or go on with it in its folder; write weights and card there."""
    recipe = recipe or EntailmentRecipe()
    if bool(data.data) == bool(data.presence):
        raise ArgumentError("give pairs to learn from (data) or labels of presence (presence), one of the two")
    if data.data:
        return _run_first_stage(Path(out), data, recipe, command, progress)
    return _run_second_stage(Path(out), data, recipe, command, progress)


def _run_first_stage(
    folder: Path, data: EntailmentData, recipe: EntailmentRecipe, command: str, progress: Progress
) -> TrainedEntailment:
    pairs = read_nli_pairs(data.data, limits=data.most, refused=collect_runs(data.without), seed=recipe.seed)
    pairs = replace(pairs, tests=(*pairs.tests, *read_test_pairs(data.test)))
    progress.say(f"{len(pairs.train):,} pairs to learn from; left out: {dict(pairs.left_out)}")

    def report(check: Check) -> None:
        tell_check(progress, check)

    stage = pretrain(
        pairs, folder, recipe=recipe, model=data.model, start=Path(data.start) if data.start else None, report=report
    )
    presence: dict[str, PresenceAgreement] = {}
    for run in data.judge:
        presence |= measure_zero_shot(stage.learner, run, str(Path(run).parent / "documents.jsonl.gz"))
    trained = TrainedEntailment(
        file=stage.run.file,
        card=folder / "entailment.md",
        run=stage.run,
        pairs=pairs,
        too_long=stage.too_long,
        accuracies=stage.accuracies,
        presence=presence,
    )
    pretraining_card(trained, recipe, command=command, notes=data.notes).write(trained.card)
    return trained


def _run_second_stage(
    folder: Path, data: EntailmentData, recipe: EntailmentRecipe, command: str, progress: Progress
) -> TunedEntailment:
    start = Path(data.start) if data.start else None
    if start is None and data.model == EMBEDDED and recipe.method == "lora":
        start = WEIGHTS
    by_run = [(Path(run).name.partition(".")[0], read_presence_labels(run, *data.units)) for run in data.presence]
    rows = [row for _, of_run in by_run for row in of_run]
    labels = pair_labels(rows, sentences=data.sentences)
    progress.say(f"{len(rows):,} labelled units, {len(labels.pairs):,} distinct pairs")

    def report(check: Check) -> None:
        tell_check(progress, check)

    run, agreements = None, {}
    if data.by is None:
        run = fine_tune(labels, folder, recipe=recipe, model=data.model, start=start, report=report)
    else:
        folds = fold_labels(rows, data.by, file=data.folds, seed=recipe.seed)
        probabilities = cross_validate_presence(
            labels, folds, folder, recipe=recipe, model=data.model, start=start, report=report
        )
        write_probabilities(folder / JUDGED_FILE, rows, probabilities)
        ends = np.cumsum([len(of_run) for _, of_run in by_run])[:-1]
        agreements = {
            f"{name}, by {data.by}": measure_presence(of_run, of_run_probabilities)
            for (name, of_run), of_run_probabilities in zip(by_run, np.split(probabilities, ends), strict=True)
        }
        progress.say(f"{agreements}")
    trained = TunedEntailment(
        file=run.file if run else folder / JUDGED_FILE,
        card=folder / "presence.md",
        run=run,
        labels=tuple((name, len(of_run)) for name, of_run in by_run),
        agreements=agreements,
    )
    fine_tuning_card(trained, recipe, command=command, notes=data.notes).write(trained.card)
    return trained
