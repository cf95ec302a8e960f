"""Training the presence judge: from runs with people's labels to a file of networks and its model card."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import DataError
from gistmeter.io.runs import open_run
from gistmeter.metrics.overlap.content import Content
from gistmeter.metrics.overlap.rouge.variants import RougeN
from gistmeter.training.presence.combination import crossed_combination, heard, read_judged, written_combination
from gistmeter.training.presence.combination import fit as fit_both
from gistmeter.training.presence.figures import Agreement, Scored, accuracy, agreement, difference
from gistmeter.training.presence.fitting import Held, Recipe, crossed, fit, judged, target, written
from gistmeter.training.presence.groups import folds_of, grouped

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.example import Example
    from gistmeter.io.folds import By
    from gistmeter.training.presence.groups import Group

    Progress = Callable[[str, int, int], None]
    Floors = Mapping[tuple[str, str, str], tuple[float, float]]

FLOORS = ("content-word recall", "ROUGE-1 recall")


@dataclass(frozen=True, slots=True)
class Row:
    """One judge on one run: how it agrees with people, and by how much more than each floor."""

    run: str
    test: str
    judge: str
    pairs: int
    agreement: Agreement
    accuracy: float
    gains: tuple[tuple[float, float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Trained:
    """What a run made and measured."""

    file: Path
    card: Path
    recipe: Recipe
    runs: Mapping[str, tuple[int, int, int]]
    """By run: documents, summaries and pairs."""

    rows: tuple[Row, ...]
    notes: tuple[str, ...]
    command: str


def train_presence(
    out: str | Path,
    data: Sequence[str],
    *,
    units: Sequence[str] = (),
    folds: str | None = None,
    by: Sequence[By] = ("examples", "systems"),
    reader: str | None = None,
    recipe: Recipe | None = None,
    notes: Sequence[str] = (),
    command: str = "",
    progress: Progress | None = None,
) -> Trained:
    """Train a judge on all runs of `data` together, write it to `out` and its card beside it.

    Its figures come from cross-validation, by examples or by systems or both, and, where there are several runs,
    from training on one and testing on another. The judge that is written learned from everything.

    `reader` is what an entailment model said of the same pairs, held out (judged.npz of `gistmeter train entailment
    --by examples`): how to hear it and the networks together is then learned and written too, beside the judge.
    """
    from gistmeter.training.presence.card import written_card

    recipe = recipe or Recipe()
    file = target(out)
    if reader is not None and "examples" not in by:
        raise DataError("to hear a reader too takes cross-validation by examples")
    read = read_judged(reader) if reader is not None else None
    groups: list[Group] = []
    floors: dict[tuple[str, str, str], tuple[float, float]] = {}
    for path in data:
        examples = list(open_run([path], units=units).examples())
        name = Path(path).name.partition(".")[0]
        groups += grouped(name, examples, progress=progress)
        floors |= floors_of(name, examples)
    rows: list[Row] = []
    for one in by:
        held, _ = crossed(groups, folds_of(groups, folds, seed=recipe.seed), one, recipe, progress)
        both = None
        if one == "examples" and read is not None:
            said = heard(held, read)
            both = crossed_combination(said)
            written_combination(fit_both(said), file.with_name(f"{file.stem}-both.json"))
        rows += rows_of(whole(held) if one == "systems" else held, f"5-fold by {one}", floors, both)
    rows += _transferred(groups, recipe, floors)
    written(fit(groups, recipe, progress), file)
    trained = Trained(
        file=file,
        card=file.with_suffix(".md"),
        recipe=recipe,
        runs={name: _size([group for group in groups if group.source == name]) for name in _names(groups)},
        rows=tuple(rows),
        notes=tuple(notes),
        command=command,
    )
    trained.card.write_text(written_card(trained), "utf-8")
    return trained


def floors_of(name: str, examples: Sequence[Example]) -> dict[tuple[str, str, str], tuple[float, float]]:
    """For each summary what needs no training: the recall of the reference's content words, and ROUGE-1 recall."""
    content, rouge = (metric.score(examples)[:, 1].tolist() for metric in (Content(), RougeN(order=1)))
    return {
        (name, one.doc_id, one.system): pair
        for one, pair in zip(examples, zip(content, rouge, strict=True), strict=True)
    }


def rows_of(held: Held, test: str, floors: Floors, both: Sequence[FloatArray] | None = None) -> list[Row]:
    """The figures of held-out judgments by run, with the reference in sight and without, and those of the floors.

    `both` are the judgments together with a reader, in the order of the groups.
    """
    judges = [("judge, seeing the reference", held.with_reference), ("judge alone", held.alone)]
    if both is not None:
        judges.append(("judge and reader, seeing the reference", tuple(both)))
    rows = []
    for name in _names(held.groups):
        keep = [place for place, group in enumerate(held.groups) if group.source == name]
        groups = [held.groups[place] for place in keep]
        fold = [held.fold[place] for place in keep]
        pairs = sum(group.labels.size for group in groups)
        bare = []
        for number in range(len(FLOORS)):
            scores = [[floors[name, group.doc_id, system][number] for system in group.systems] for group in groups]
            bare.append(_scored(groups, fold, scores))
        for judge, every in judges:
            said = [every[place] for place in keep]
            found = _scored(groups, fold, [one.mean(axis=1) for one in said])
            gains = tuple(difference(found, other) for other in bare)
            rows.append(Row(name, test, judge, pairs, agreement(found), accuracy(groups, said), gains))
        for label, other in zip(FLOORS, bare, strict=True):
            rows.append(Row(name, test, label, pairs, agreement(other), float("nan")))
    return rows


def whole(held: Held) -> Held:
    """Judgments by folds of systems put together by document, since a fold alone has too few systems to correlate."""
    places: dict[tuple[str, str, tuple[str, ...]], list[int]] = {}
    for place, group in enumerate(held.groups):
        places.setdefault((group.source, group.doc_id, group.units), []).append(place)
    groups = []
    for some in places.values():
        parts = [held.groups[place] for place in some]
        groups.append(
            replace(
                parts[0],
                systems=tuple(system for part in parts for system in part.systems),
                labels=np.concatenate([part.labels for part in parts]),
                compared=tuple(one for part in parts for one in part.compared),
                context=np.concatenate([part.context for part in parts]),
            )
        )
    with_reference, alone = (
        tuple(np.concatenate([every[place] for place in some]) for some in places.values())
        for every in (held.with_reference, held.alone)
    )
    return replace(held, groups=tuple(groups), with_reference=with_reference, alone=alone, fold=(0,) * len(groups))


def _transferred(groups: Sequence[Group], recipe: Recipe, floors: Floors) -> list[Row]:
    """Trained on one run, tested on each other."""
    rows: list[Row] = []
    names = _names(groups)
    for name in names if len(names) > 1 else ():
        networks = fit([group for group in groups if group.source == name], recipe)
        others = tuple(group for group in groups if group.source != name)
        seen, unseen = (
            tuple(judged(networks, group, context=context) for group in others) for context in (True, False)
        )
        rows += rows_of(Held(others, seen, unseen, (0,) * len(others)), f"trained on {name}", floors)
    return [row for row in rows if row.judge not in FLOORS]


def _scored(groups: Sequence[Group], fold: Sequence[int], scores: Sequence[Sequence[float]]) -> list[Scored]:
    return [
        Scored(number, group.systems, np.asarray(one, dtype=np.float64), group.recall)
        for group, number, one in zip(groups, fold, scores, strict=True)
    ]


def _names(groups: Sequence[Group]) -> list[str]:
    return list(dict.fromkeys(group.source for group in groups))


def _size(groups: Sequence[Group]) -> tuple[int, int, int]:
    documents = len({group.doc_id for group in groups})
    return documents, sum(len(group.systems) for group in groups), sum(group.labels.size for group in groups)
