"""Figures of a next-sentence head on pairs it has not seen and on summaries that people judged, and its model card."""

from __future__ import annotations

import itertools
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import DataError
from gistmeter.io.json_lines import read_json_lines
from gistmeter.training.card import table
from gistmeter.training.next_sentence.pairs import FAR, SHARES

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.training.next_sentence.pairs import Kind, Pair
    from gistmeter.training.next_sentence.training import Trained


_PUBLISHED = (
    "Pearson's r with the coherence that people saw in FFCI's CNN/DailyMail summaries (z-scores). Published, with a "
    "fine-tuned bert-base-uncased (Table 8): min .409 PG, .254 BERT; mean .427, .243; max .296, .156."
)
_CHOSEN = (
    "The columns from `adjacent` on are accuracies on pairs of that kind. Networks were stopped on the development "
    "pairs; no network learned from the test pairs, other languages or judgments."
)
_JUDGED_COLUMNS = ("system", "summaries", "of one sentence", "min", "mean", "max")


@dataclass(frozen=True, slots=True)
class Figures:
    """How well a head tells pairs apart: all together, and the accuracy on each kind."""

    pairs: int
    accuracy: float
    auc: float
    kinds: Mapping[Kind, float]


@dataclass(frozen=True, slots=True)
class Judged:
    """Pearson's r with people for one system, of the weakest, mean and strongest joint."""

    system: str
    summaries: int
    single: int
    """Summaries of one sentence, which have no joint and are left out."""

    weakest: float
    mean: float
    strongest: float


def figures_of(pairs: Sequence[Pair], probabilities: FloatArray) -> Figures:
    """Accuracy at one half, area under the curve, and accuracy by kind.

    >>> from gistmeter.training.next_sentence.pairs import Pair
    >>> pairs = [Pair("a", "b", "adjacent"), Pair("a", "c", "later"), Pair("a", "d", "later")]
    >>> figures_of(pairs, np.array([0.7, 0.6, 0.1]))
    Figures(pairs=3, accuracy=0.6666666666666666, auc=1.0, kinds={'adjacent': 1.0, 'later': 0.5})
    """
    from scipy.stats import rankdata

    follows = np.array([pair.follows for pair in pairs])
    right = (probabilities > 0.5) == follows
    ones, zeros = int(follows.sum()), int((~follows).sum())
    above = rankdata(probabilities)[follows].sum() - ones * (ones + 1) / 2
    made = np.array([pair.kind for pair in pairs])
    kinds: dict[Kind, float] = {kind: float(right[made == kind].mean()) for kind in SHARES if (made == kind).any()}
    return Figures(len(pairs), float(right.mean()), float(above / (ones * zeros)) if ones and zeros else np.nan, kinds)


def judged_by_people(path: str, probabilities: Callable[[Sequence[tuple[str, str]]], FloatArray]) -> tuple[Judged, ...]:
    """Correlations with `human.coherence_z` in records with `summary.sentences`, by system and for all together."""
    joints: list[tuple[str, str]] = []
    rows: list[tuple[str, int, float]] = []
    for number, record in read_json_lines(path):
        try:
            found, value = record["summary"]["sentences"], float(record["human"]["coherence_z"])
        except (KeyError, TypeError):
            raise DataError(f"line {number} of {path} lacks summary.sentences or human.coherence_z") from None
        joints += itertools.pairwise(found)
        rows.append((str(record["system_id"]), len(found) - 1, value))
    values = probabilities(joints)
    scores: dict[str, list[tuple[float, ...]]] = defaultdict(list)
    start = 0
    for system, count, value in rows:
        mine = values[start : start + count]
        start += count
        scores[system].append((mine.min(), mine.mean(), mine.max(), value) if count > 0 else (np.nan,) * 4)
    scores["all"] = [row for some in list(scores.values()) for row in some]
    return tuple(_judged(system, np.array(rows)) for system, rows in scores.items())


def written_card(trained: Trained) -> str:
    """The model card, in Markdown, from the run's own figures."""
    parts = [
        f"# {trained.file.stem}",
        f"How likely a sentence follows another: gistmeter's `coherence`. It reads {_readable(trained.reads)}.",
        "## Made by",
        f"```\n{trained.command}\n```",
        _recipe(trained),
        "## Learned from",
        table(
            ("file", "documents", "sentences", "records left out for their licence", "sentences left out as evaluated"),
            [(one.name, len(one.texts), one.sentences, one.unlicensed, one.removed) for one in trained.sources],
        ),
        _drawn(trained),
        *trained.notes,
        "## Held-out figures",
        _held_out(trained),
        _CHOSEN,
    ]
    if trained.judged:
        rows = [(one.system, one.summaries, one.single, one.weakest, one.mean, one.strongest) for one in trained.judged]
        parts += ["## Agreement with people", _PUBLISHED, table(_JUDGED_COLUMNS, rows)]
    return "\n\n".join(parts) + "\n"


def _recipe(trained: Trained) -> str:
    recipe = trained.recipe
    seeds = f"{recipe.seed} to {recipe.seed + recipe.networks - 1}"
    kept = ", ".join(str(epoch + 1) for epoch in trained.epochs)
    return (
        f"{recipe.networks} networks with {recipe.hidden} hidden numbers on [u, v, |u - v|, u * v], seeds {seeds}, "
        f"probabilities averaged. AdamW, rate {recipe.rate:g}, decay {recipe.decay:g}, dropout {recipe.dropout:g}, "
        f"batches of {recipe.batch}; at most {recipe.epochs} epochs, stopped when the loss on development pairs did "
        f"not fall for {recipe.patience} (kept: epochs {kept}). Stored in half precision."
    )


def _drawn(trained: Trained) -> str:
    shares = ", ".join(f"{kind} {share:.0%}" for kind, share in SHARES.items())
    counts = ", ".join(f"{part} {count}" for part, count in trained.counts.items())
    return (
        f"Pairs as in FFCI (Koto, Baldwin and Lau 2022, appendix B): {shares}; far apart in a document means at least "
        f"{FAR} sentences. Pairs: {counts}, from documents divided 80/10/10 so that no sentence stands in two parts. "
        "Sentences that stand in the files given with --without are left out."
    )


def _held_out(trained: Trained) -> str:
    named = {"development": trained.dev, "test": trained.test}
    named |= {f"{code}, not trained on": figures for code, figures in trained.languages.items()}
    rows: list[tuple[str | float, ...]] = [
        (part, one.pairs, one.accuracy, one.auc, *(one.kinds.get(kind, np.nan) for kind in SHARES))
        for part, one in named.items()
    ]
    return table(("part", "pairs", "accuracy", "AUC", *SHARES), rows)


def _judged(system: str, scores: FloatArray) -> Judged:
    known = scores[~np.isnan(scores[:, 3])]
    values = [float(np.corrcoef(known[:, column], known[:, 3])[0, 1]) for column in range(3)]
    return Judged(system, len(scores), len(scores) - len(known), *values)


def _readable(reads: str) -> str:
    from gistmeter.models.next_sentence.heads import READS_SENTENCE_VECTORS

    if reads == READS_SENTENCE_VECTORS:
        return "the vectors of the embedded multilingual sentence encoder"
    return (
        f"pooled states of the embedded encoder ({reads}: pooling @ layer, `edge4` the four tokens next to the joint)"
    )
