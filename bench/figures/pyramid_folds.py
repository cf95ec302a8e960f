"""Judges of five folds: what each says of documents, or of systems, that it did not learn from.

They are trained as the shipped judge was, on four folds of REALSumm and PyrXSum together, which takes most of an hour
on one core, and kept in a folder (`GISTMETER_FOLDS`, else build/presence-folds), with all that they said.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from bench.figures.runs import DATA
from gistmeter.io.folds import FoldUnit
from gistmeter.io.runs import open_run
from gistmeter.models.entailment.model import WEIGHTS
from gistmeter.models.presence.combination import read_combination
from gistmeter.models.presence.judge import CombinedJudge, NetworkJudge
from gistmeter.models.presence.networks import read_networks
from gistmeter.training.entailment.fine_tuning import cross_validate_presence, write_probabilities
from gistmeter.training.entailment.presence_labels import pair_labels, read_presence_labels
from gistmeter.training.entailment.recipe import EntailmentRecipe
from gistmeter.training.presence.combination import (
    fit_combination,
    join_judgments,
    read_judgments,
    write_combination,
)
from gistmeter.training.presence.fitting import cross_validate, write_networks
from gistmeter.training.presence.groups import FOLDS, deal_folds, group_examples
from gistmeter.training.presence.recipe import PresenceRecipe

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from gistmeter import Example
    from gistmeter.example import Unit
    from gistmeter.models.presence.judge import Presence

    FloatArray = NDArray[np.float64]

FOLDER = Path(os.environ.get("GISTMETER_FOLDS", Path(__file__).parent.parent.parent / "build" / "presence-folds"))
SETS = ("realsumm", "pyrxsum")
_READER = EntailmentRecipe(epochs=1, rate=6e-4, first=3, check_every=100_000, dropout=0.1, longest=128, joined=0.2)
_PAIRS = 12_000
"""What the entailment model of a fold learns from, of about 18,700."""

Kind = Literal["both", "networks", "networks by systems"]


class ByFolds:
    """Judges each example by a judge that did not learn from it; what was said before is read from the folder."""

    def __init__(self, kind: Kind = "both") -> None:
        self.kind = kind

    def judge_units(self, examples: Sequence[Example], units: Sequence[Sequence[Unit]]) -> list[FloatArray]:
        """For each example a probability for each of its units."""
        asked = [
            (self._judge_of(example), example.summary, unit.text, "\n".join(example.references))
            for example, some in zip(examples, units, strict=True)
            for unit in some
        ]
        said: dict[tuple[str, ...], float] = {}
        for name in dict.fromkeys(row[0] for row in asked):
            rows = list(dict.fromkeys(row for row in asked if row[0] == name))
            said |= zip(rows, _remembered(name, [row[1:] for row in rows]).tolist(), strict=True)
        found = np.array([said[row] for row in asked])
        return np.split(found, np.cumsum([len(some) for some in units])[:-1])

    def _judge_of(self, example: Example) -> str:
        by_systems = self.kind == "networks by systems"
        kept = folds()["by_systems" if by_systems else "by_documents"]
        name = example.system if by_systems else example.doc_id
        fold = next(number for number, some in enumerate(kept) if name in some)
        return {"both": "both", "networks": "documents", "networks by systems": "systems"}[self.kind] + str(fold)


@cache
def folds() -> dict[str, list[list[str]]]:
    """The folds of documents and systems; the first call trains what is not there yet."""
    if not (FOLDER / "folds.json").is_file():
        _train()
    return dict(json.loads((FOLDER / "folds.json").read_text("utf-8")))


@cache
def examples_of(name: str) -> tuple[Example, ...]:
    """The summaries of a set with people's units and labels."""
    run = open_run([DATA / name / f"{name}.jsonl.gz"], units=[DATA / name / "documents.jsonl.gz"])
    return tuple(run.examples())


@cache
def _judge(name: str) -> Presence:
    if not name.startswith("both"):
        return NetworkJudge(read_networks(FOLDER / f"{name}.safetensors"))
    fold = name.removeprefix("both")
    networks = NetworkJudge(read_networks(FOLDER / f"documents{fold}.safetensors"))
    reader = FOLDER / "reader" / f"fold{fold}" / "entailment.safetensors"
    return CombinedJudge(networks, reader, read_combination(FOLDER / f"{name}.json"))


def _remembered(name: str, rows: Sequence[tuple[str, str, str]]) -> FloatArray:
    """What a judge says of (summary, unit, reference), each asked once for all time."""
    judge = _judge(name)
    file = FOLDER / f"said-{name}-{hashlib.sha256(judge.identity()['digest'].encode()).hexdigest()[:12]}.npz"
    known: dict[str, float] = {}
    if file.is_file():
        with np.load(file, allow_pickle=False) as stored:
            known = dict(zip(stored["key"].tolist(), stored["p"].tolist(), strict=True))
    keys = [hashlib.blake2b("\0".join(row).encode(), digest_size=12).hexdigest() for row in rows]
    new = [place for place, key in enumerate(keys) if key not in known]
    if new:
        print(f"{name}: judging {len(new)} pairs", file=sys.stderr, flush=True)
        pairs, references = [rows[place][:2] for place in new], [rows[place][2] for place in new]
        found = judge.probabilities(pairs, references=references)
        known |= zip([keys[place] for place in new], found.tolist(), strict=True)
        np.savez_compressed(file, key=np.array(list(known)), p=np.array(list(known.values())))
    return np.array([known[key] for key in keys])


def _train() -> None:
    """Train the judges of all folds; the folds are written last."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    groups = [group for name in SETS for group in group_examples(name, examples_of(name))]
    dealt = deal_folds(groups, str(DATA / "realsumm" / "folds.json"))
    held = {}
    for by in get_args(FoldUnit):
        held[by], networks = cross_validate(groups, dealt, by, PresenceRecipe())
        for fold, one in enumerate(networks):
            write_networks(one, FOLDER / f"{by}{fold}.safetensors")
    rows = [
        row
        for name in SETS
        for row in read_presence_labels(str(DATA / name / f"{name}.jsonl.gz"), str(DATA / name / "documents.jsonl.gz"))
    ]
    parts = [np.flatnonzero([row.doc_id in fold for row in rows]) for fold in dealt.documents]
    probabilities = cross_validate_presence(
        pair_labels(rows), parts, FOLDER / "reader", recipe=_READER, start=WEIGHTS, max_pairs=_PAIRS
    )
    write_probabilities(FOLDER / "judged.npz", rows, probabilities)
    judged = join_judgments(held["documents"], read_judgments(FOLDER / "judged.npz"))
    for fold in range(FOLDS):
        others = [document for document in judged if document.fold != fold]
        write_combination(fit_combination(others), FOLDER / f"both{fold}.json")
    kept = {f"by_{by}": [sorted(fold) for fold in getattr(dealt, by)] for by in get_args(FoldUnit)}
    (FOLDER / "folds.json").write_text(json.dumps(kept), "utf-8")
