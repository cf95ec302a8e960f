"""Training the presence judge: from runs with people's labels to a file of networks and its model card."""

from __future__ import annotations

from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from gistmeter.errors import DataError
from gistmeter.io.runs import open_run
from gistmeter.models.presence.combination import read_combination
from gistmeter.models.presence.judge import NetworkJudge, judge_by_reader
from gistmeter.training.presence.card import presence_card
from gistmeter.training.presence.changed_pairs import judge_changed_pairs, make_changed_pairs
from gistmeter.training.presence.combination import (
    cross_combine,
    fit_combination,
    join_judgments,
    read_judgments,
    write_combination,
)
from gistmeter.training.presence.evaluation import measure_judges, measure_transfer, merge_systems, score_floors
from gistmeter.training.presence.fitting import cross_validate, fit_networks, write_networks
from gistmeter.training.presence.groups import deal_folds, group_examples, group_names
from gistmeter.training.presence.recipe import PresenceRecipe
from gistmeter.training.presence.result import RunSize, TrainedPresence
from gistmeter.training.progress import SILENCE
from gistmeter.training.result import card_beside, output_file
from gistmeter.training.sources.evaluated import collect_runs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.io.folds import FoldUnit
    from gistmeter.models.presence.networks import Networks
    from gistmeter.training.presence.changed_pairs import JudgedChanges
    from gistmeter.training.presence.evaluation import SummaryKey
    from gistmeter.training.presence.groups import LabelledGroup
    from gistmeter.training.presence.recipe import PresenceData
    from gistmeter.training.presence.result import JudgeFigures
    from gistmeter.training.progress import Progress


def train_presence(
    out: str | Path,
    data: PresenceData,
    *,
    recipe: PresenceRecipe | None = None,
    command: str = "",
    progress: Progress = SILENCE,
) -> TrainedPresence:
    """Train a judge on all runs together, write it to `out` and its card beside it.

    Its figures come from cross-validation, by documents or by systems or both, and, where there are several runs,
    from training on one and testing on another. The judge that is written learned from everything.

    `data.reader` is what an entailment model said of the same pairs, held out (judged.npz of `gistmeter train
    entailment --by documents`): how to combine it and the networks is then learned and written too, beside the judge.
    `data.changed` are entailment pairs that rules turn into contradictions: what conflicts count is learned from them
    and from the labels, alone where `data.combination` gives the other numbers.
    """
    recipe = recipe or PresenceRecipe()
    file = output_file(out, (".safetensors",), role="a presence judge", data=data)
    if data.reader is not None and data.by == "systems":
        raise DataError("to hear a reader too takes cross-validation by documents")
    if data.changed and data.reader is None:
        raise DataError("what conflicts count is learned together with how to hear a reader: give its judgments, too")
    reader = read_judgments(data.reader) if data.reader is not None else None
    groups: list[LabelledGroup] = []
    floors: dict[SummaryKey, tuple[float, float]] = {}
    for path in data.data:
        examples = list(open_run([path], units=data.units).examples())
        run = PurePath(path).name.partition(".")[0]
        groups += group_examples(run, examples, progress=progress)
        floors |= score_floors(run, examples)
    networks = write_networks(fit_networks(groups, recipe, progress), file)
    changes = _judge_changes(data, networks, seed=recipe.seed)
    figures: list[JudgeFigures] = []
    ways: tuple[FoldUnit, ...] = ("documents", "systems") if data.by == "both" else (data.by,)
    for by in ways:
        folds = deal_folds(groups, data.folds, seed=recipe.seed)
        judgments = cross_validate(groups, folds, by, recipe, progress).judgments
        combined = None
        if by == "documents" and reader is not None:
            documents = join_judgments(judgments, reader)
            keep = read_combination(Path(data.combination)).weights if data.combination is not None else None
            combined = cross_combine(documents, changes, keep=keep)
            write_combination(fit_combination(documents, changes, keep=keep), file.with_name(f"{file.stem}-both.json"))
        tested = merge_systems(judgments) if by == "systems" else judgments
        figures += measure_judges(tested, f"5-fold by {by}", floors, combined)
    figures += measure_transfer(groups, recipe, floors)
    trained = TrainedPresence(
        file=file,
        card=card_beside(file),
        runs={run: _size([group for group in groups if group.source == run]) for run in group_names(groups)},
        figures=tuple(figures),
    )
    presence_card(trained, recipe, command=command, notes=data.notes).write(trained.card)
    return trained


def _judge_changes(data: PresenceData, networks: Networks, *, seed: int) -> JudgedChanges | None:
    """Changed pairs as the new networks and the shipped reader judge them; None where none are asked for."""
    if not data.changed:
        return None
    pairs = make_changed_pairs(data.changed, seed=seed, refused=collect_runs(data.without))
    return judge_changed_pairs(pairs, NetworkJudge(networks).probabilities, judge_by_reader)


def _size(groups: Sequence[LabelledGroup]) -> RunSize:
    return RunSize(
        documents=len({group.doc_id for group in groups}),
        summaries=sum(len(group.systems) for group in groups),
        pairs=sum(group.labels.size for group in groups),
    )
