"""The research data as examples with their human judgments, and metrics scored on them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from bench.figures.scoring import scored
from gistmeter import Example
from gistmeter.io.json_lines import read_json_lines
from gistmeter.probe import corrupt, turn_references_into_summaries

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from gistmeter.probe import LabelledSummary
    from gistmeter.probe.words.replacement import WordKind
    from gistmeter.scores import Scores

    FloatArray = NDArray[np.float64]

ERROR_KINDS: tuple[WordKind, ...] = ("any", "content", "names", "numbers", "negation", "roles")
"""What `gistmeter corrupt` can put wrong: any word, content words, names, numbers, negations and roles."""

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

    def only(self, rows: NDArray[np.bool_]) -> Judged:
        """Some of the examples."""
        examples = tuple(one for one, taken in zip(self.examples, rows, strict=True) if taken)
        human = {aspect: values[rows] for aspect, values in self.human.items()}
        return Judged(examples, human, self.groups[rows])

    def every(self, step: int) -> Judged:
        """All summaries of every so many documents, in the order of their ids."""
        if step == 1:
            return self
        kept = set(sorted({one.doc_id for one in self.examples})[::step])
        return self.only(np.array([one.doc_id in kept for one in self.examples]))

    def scores(self, metrics: Sequence[str]) -> Scores:
        """Metrics on all examples, in their order."""
        return scored(self.examples, metrics)


def records(path: str) -> Iterator[dict[str, Any]]:
    """The records of a file of the data."""
    for _, record in read_json_lines(DATA / path):
        yield record


def documents(path: str) -> dict[str, Any]:
    """The documents of a file by their id."""
    return {str(one["doc_id"]): one["document"] for one in records(path)}


def _judged(
    rows: Sequence[dict[str, Any]],
    aspects: Sequence[str],
    group: Callable[[dict[str, Any]], str],
    *,
    sources: dict[str, Any] | None = None,
    by_sentence: bool = False,
) -> Judged:
    """Examples of these records; `by_sentence` takes the lists of sentences that stand beside the plain texts.

    FFCI's BERT system ends no sentence with a full stop, so that its plain text does not show where they end. The
    words are the same in both, and no measure of words or tokens changes.
    """
    examples = tuple(
        Example(
            doc_id=f"{row.get('subset', '')}{row['doc_id']}",
            system=row["system_id"],
            summary=row["summary"]["sentences" if by_sentence else "text"],
            references=row.get("reference_sentences", ()) if by_sentence else tuple(row["references"]),
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
    return _judged(
        rows,
        ("focus", "coverage"),
        lambda row: f"{names[row['subset']]}-{names[row['system_id']]}",
        by_sentence=True,
    )


@cache
def ffci_faithfulness() -> Judged:
    """FFCI's faithfulness: 500 XSum documents by 4 systems."""
    rows = list(records("ffci/faithfulness.jsonl.gz"))
    sources = documents("ffci/faithfulness_documents.jsonl.gz")
    return _judged(rows, ("faithfulness",), lambda row: row["system_id"], sources=sources)


@cache
def ffci_coherence() -> Judged:
    """FFCI's coherence: 135 CNN/DM documents by 4 systems."""
    rows = list(records("ffci/coherence.jsonl.gz"))
    return _judged(rows, ("coherence_z",), lambda row: row["system_id"], by_sentence=True)


@cache
def summeval() -> Judged:
    """SummEval: 100 documents by 16 systems, lower-cased as its systems wrote."""
    rows = list(records("summeval/summeval.jsonl.gz"))
    aspects = ("consistency", "relevance", "coherence", "fluency")
    sources = documents("summeval/documents.jsonl.gz")
    return _judged(rows, aspects, lambda row: row["system_id"], sources=sources)


@cache
def realsumm() -> Judged:
    """REALSumm: 100 documents by 25 systems."""
    return _judged(list(records("realsumm/realsumm.jsonl.gz")), ("litepyramid_recall",), lambda row: row["system_id"])


@cache
def pyrxsum() -> Judged:
    """PyrXSum: 100 documents by 10 systems."""
    return _judged(list(records("pyrxsum/pyrxsum.jsonl.gz")), ("litepyramid_recall",), lambda row: row["system_id"])


@cache
def rose() -> Judged:
    """RoSE's `systems` part: 100 documents by 11 systems; the references, judged as a twelfth, are left out."""
    rows = [row for row in records("rose/rose.jsonl.gz") if row["subset"] == "systems" and row["system_id"] != "gold"]
    aspects = ("acu", "normalized_acu", "ref_based", "ref_free", "prior")
    return _judged(rows, aspects, lambda row: row["system_id"], sources=documents("rose/documents.jsonl.gz"))


@cache
def eight_languages() -> Judged:
    """Paper 003: 8 languages, 135 documents by PG and BERT."""
    rows = list(records("multi_summeval/multi_summeval.jsonl.gz"))
    return _judged(rows, ("focus", "coverage"), lambda row: row["language"].upper(), by_sentence=True)


@cache
def subtle_errors(every: int = 1) -> tuple[LabelledSummary, ...]:
    """The 1,100 references of SummEval (or of every so many documents), as they are and with three words replaced."""
    return tuple(corrupt(turn_references_into_summaries(summeval().every(every).examples), errors=3))


@cache
def errors_by_kind(every: int = 1) -> tuple[LabelledSummary, ...]:
    """The same references as they are and with one error of each kind that they have a word for."""
    references = turn_references_into_summaries(summeval().every(every).examples)
    return tuple(corrupt(references, errors=1, words=ERROR_KINDS))
