"""Triplet units beside those that Zhang and Bansal (2021) released, and beside people's units."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args

import numpy as np

from bench.figures.page import Table
from bench.figures.runs import records
from gistmeter.linguistics.roles.labeller import label_roles
from gistmeter.text.analysis import Analysis
from gistmeter.units.extract import extract_units
from gistmeter.units.references import Coreference, extract_reference_units

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from gistmeter.linguistics.roles.labeller import LabelledSentence
    from gistmeter.units.mentions import Clusters

_SEEN = 50
"""The rules were written with the first documents of each set in view; the others were never looked at."""

_TEXT = """Units that the embedded rules cut from the references, against the triplet units (STUs) that the authors of
Lite3Pyramid released for the same references, which they made with AllenNLP's role labeller and, on REALSumm, with its
coreference. Units per reference; mean best ROUGE-1 F1 of each of our units with a released one and of each released
one with ours; share of ours that are released word for word. The rules were written with the first 50 documents of
each set in view; "unseen" are the other 50. As in the released units every mention is replaced on REALSumm
(`coreference=all`), and none on PyrXSum (`no`)."""
_EASINESS = """How well triplet units stand for the units people wrote (SCUs): mean over SCUs of the best ROUGE-1 F1
with a triplet unit of the same reference, which the paper calls simulation easiness. `ours` as in the table above."""
_COREFERENCE = """The same with each way to use coreference (`coreference=`): `no` leaves all words as they are, `all`
gives every later mention the first name, as the paper does, `confident`, the default, names a thing once in a unit and
leaves alone what may be wrong. `fit` is the mean over people's units of the best F1 with ours, `precision` that of ours
with people's. RoSE's references (CNN/DM, {rose}, none of them in the other sets) were never in view of the rules."""


@dataclass(frozen=True, slots=True)
class Document:
    """The units of one reference: ours, those released, and those people wrote."""

    ours: tuple[str, ...]
    released: tuple[str, ...]
    human: tuple[str, ...]


def tables(clusters: Callable[[Sequence[LabelledSentence]], Clusters] | None = None) -> Iterator[Table]:
    """The three tables. `clusters` finds the coreference of a reference's sentences; without it there is none."""
    agreement, easiness = [], []
    for name, documents in (("REALSumm", _realsumm(clusters)), ("PyrXSum", _pyrxsum())):
        for half, part in (("seen", documents[:_SEEN]), ("unseen", documents[_SEEN:]), ("all", documents)):
            agreement.append([f"{name}, {half}", *_agreement(part)])
            easiness.append([f"{name}, {half}", *_easiness(part)])
    header = ["references", "ours", "released", "F1 of ours", "F1 of released", "identical"]
    yield Table("Triplet units against the released ones", _TEXT, header, agreement)
    yield Table("Triplet units against people's", _EASINESS, ["references", "ours", "released"], easiness)
    yield _compare_coreference()


def _compare_coreference() -> Table:
    """How well units stand for people's with each way to use coreference, on three sets."""
    pyrxsum = {row["doc_id"]: row["references"] for row in records("pyrxsum/pyrxsum.jsonl.gz")}
    rose = [row for row in records("rose/reference_units.jsonl.gz") if row["scus"] and not row["overlaps"]]
    sets = {
        "REALSumm": [
            (["\n".join(row["reference_sentences"])], row["scus"]) for row in records("realsumm/documents.jsonl.gz")
        ],
        "PyrXSum": [(pyrxsum[row["doc_id"]], row["scus"]) for row in records("pyrxsum/documents.jsonl.gz")],
        "RoSE": [([row["reference"]], row["scus"]) for row in rose],
    }
    rows: list[list[str | float]] = []
    for name, documents in sets.items():
        for use in get_args(Coreference):
            ours = [
                tuple(unit.text for unit in extract_reference_units(texts, coreference=use)) for texts, _ in documents
            ]
            fit = [_best(scus, units) for units, (_, scus) in zip(ours, documents, strict=True)]
            precision = [_best(units, scus) for units, (_, scus) in zip(ours, documents, strict=True)]
            count = f"{sum(map(len, ours)) / len(ours):.1f}"
            rows.append([name, use, count, float(np.concatenate(fit).mean()), float(np.concatenate(precision).mean())])
    text = _COREFERENCE.format(rose=len(rose))
    return Table("With coreference and without", text, ["references", "coreference", "units", "fit", "precision"], rows)


def _realsumm(clusters: Callable[[Sequence[LabelledSentence]], Clusters] | None) -> list[Document]:
    rows = list(records("realsumm/documents.jsonl.gz"))
    found = iter(label_roles([sentence for row in rows for sentence in row["reference_sentences"]]))
    documents = []
    for row in rows:
        sentences = [next(found) for _ in row["reference_sentences"]]
        units = extract_units(sentences, clusters(sentences) if clusters else ())
        documents.append(Document(tuple(unit.text for unit in units), tuple(row["stus"]), tuple(row["scus"])))
    return documents


def _pyrxsum() -> list[Document]:
    """References of one sentence, where the authors used no coreference."""
    references = {row["doc_id"]: row["references"][0] for row in records("pyrxsum/pyrxsum.jsonl.gz")}
    rows = list(records("pyrxsum/documents.jsonl.gz"))
    found = label_roles([references[row["doc_id"]] for row in rows])
    return [
        Document(tuple(unit.text for unit in extract_units([one])), tuple(row["stus"]), tuple(row["scus"]))
        for row, one in zip(rows, found, strict=True)
    ]


def _agreement(documents: Sequence[Document]) -> list[str | float]:
    ours = np.concatenate([_best(one.ours, one.released) for one in documents])
    released = np.concatenate([_best(one.released, one.ours) for one in documents])
    same = [unit in _keys(one.released) for one in documents for unit in map(_key, one.ours)]
    counts = (sum(len(one.ours) for one in documents), sum(len(one.released) for one in documents))
    means = [f"{count / len(documents):.1f}" for count in counts]
    return [*means, float(ours.mean()), float(released.mean()), f"{100 * np.mean(same):.0f}%"]


def _easiness(documents: Sequence[Document]) -> list[float]:
    ours = np.concatenate([_best(one.human, one.ours) for one in documents])
    released = np.concatenate([_best(one.human, one.released) for one in documents])
    return [float(ours.mean()), float(released.mean())]


def _best(units: Sequence[str], others: Sequence[str]) -> np.ndarray:
    """The best ROUGE-1 F1 of each unit with any of the others."""
    bags = [Counter(_key(other)) for other in others]
    return np.array([max(_f1(Counter(_key(unit)), bag) for bag in bags) for unit in units])


def _f1(one: Counter[str], two: Counter[str]) -> float:
    words = one.total() + two.total()
    return 2 * (one & two).total() / words if words else 0.0


def _key(text: str) -> tuple[str, ...]:
    return tuple(Analysis().tokens(text))


def _keys(texts: Sequence[str]) -> set[tuple[str, ...]]:
    return {_key(text) for text in texts}
