"""The research data as examples with their human judgments, and metrics scored on them."""

from __future__ import annotations

import gzip
import json
import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gistmeter import Example, score

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    FloatArray = NDArray[np.float64]

DATA = Path(os.environ.get("GISTMETER_DATA", "../shared/data"))


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """Examples in order, with what people said of each and the group each belongs to."""

    examples: tuple[Example, ...]
    human: dict[str, FloatArray]
    groups: NDArray[Any]

    def part(self, group: str) -> NDArray[np.bool_]:
        """Which examples are in a group."""
        return np.asarray(self.groups == group)

    def columns(self, metric: str) -> dict[str, FloatArray]:
        """The columns of a metric on all examples, in their order."""
        table = score(self.examples, metric, cache=True).table
        start = f"{metric}."
        return {name.removeprefix(start): table[name].to_numpy() for name in table.columns if name.startswith(start)}

    def column(self, metric: str, name: str) -> FloatArray:
        """One column of a metric."""
        return self.columns(metric)[name]


def records(path: str) -> Iterator[dict[str, Any]]:
    """The records of a file of the data."""
    with gzip.open(DATA / path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def documents(path: str) -> dict[str, Any]:
    """The documents of a file by their id."""
    return {str(one["doc_id"]): one["document"] for one in records(path)}


def _judged(
    rows: Sequence[dict[str, Any]],
    aspects: Sequence[str],
    group: Callable[[dict[str, Any]], str],
    sources: dict[str, Any] | None = None,
) -> Judged:
    examples = tuple(
        Example(
            doc_id=f"{row.get('subset', '')}{row['doc_id']}",
            system=row["system_id"],
            summary=row["summary"],  # its `sentences`, where it has them: some systems write no full stops
            references=tuple(row["references"]),
            document=(sources or {}).get(str(row["doc_id"])),
            language=row.get("language", "en"),
        )
        for row in rows
    )
    human = {aspect: np.array([row["human"].get(aspect, np.nan) for row in rows], dtype=float) for aspect in aspects}
    return Judged(examples, human, np.array([group(row) for row in rows]))


@cache
def ffci_pairs() -> Judged:
    """FFCI's focus and coverage: CNN/DM and XSum by PG and BERT (135 each)."""
    names = {"cnndm": "C", "xsum": "X", "PG": "PG", "BERT": "BT"}
    rows = list(records("ffci/focus_coverage.jsonl.gz"))
    return _judged(rows, ("focus", "coverage"), lambda row: f"{names[row['subset']]}-{names[row['system_id']]}")


@cache
def ffci_faithfulness() -> Judged:
    """FFCI's faithfulness: 500 XSum documents by 4 systems."""
    rows = list(records("ffci/faithfulness.jsonl.gz"))
    sources = documents("ffci/faithfulness_documents.jsonl.gz")
    return _judged(rows, ("faithfulness",), lambda row: row["system_id"], sources)


@cache
def ffci_coherence() -> Judged:
    """FFCI's coherence: 135 CNN/DM documents by 4 systems."""
    rows = list(records("ffci/coherence.jsonl.gz"))
    return _judged(rows, ("coherence_z",), lambda row: row["system_id"])


@cache
def summeval() -> Judged:
    """SummEval: 100 documents by 16 systems, lower-cased as its systems wrote."""
    rows = list(records("summeval/summeval.jsonl.gz"))
    aspects = ("consistency", "relevance", "coherence", "fluency")
    return _judged(rows, aspects, lambda row: row["system_id"], documents("summeval/documents.jsonl.gz"))


@cache
def realsumm() -> Judged:
    """REALSumm: 100 documents by 25 systems."""
    return _judged(list(records("realsumm/realsumm.jsonl.gz")), ("litepyramid_recall",), lambda row: row["system_id"])


@cache
def pyrxsum() -> Judged:
    """PyrXSum: 100 documents by 10 systems."""
    return _judged(list(records("pyrxsum/pyrxsum.jsonl.gz")), ("litepyramid_recall",), lambda row: row["system_id"])


@cache
def eight_languages() -> Judged:
    """Paper 003: 8 languages, 135 documents by PG and BERT."""
    rows = list(records("multi_summeval/multi_summeval.jsonl.gz"))
    return _judged(rows, ("focus", "coverage"), lambda row: f"{row['language'].upper()}-{row['system_id']}")
