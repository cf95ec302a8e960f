"""The judge of consistency: for each claim its passages, its plain features, and how surely the document supports it.

A document is split and its words are looked up once for all claims about it. A claim whose words
the document has in a row is not laid before the network.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.models.consistency import RULES_VERSION
from gistmeter.models.consistency.combination import MAX_LOGIT, read_combination
from gistmeter.models.consistency.features import DocumentWords, Unsupported, find_unsupported, is_copied, measure_plain
from gistmeter.models.consistency.passages import SplitDocument, choose_passages, join_passages, split_document
from gistmeter.models.consistency.reader import WEIGHTS, is_own, load_support_reader, reader_identity
from gistmeter.models.consistency.token_match import measure_unmatched
from gistmeter.weights import EMBEDDED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.models.consistency.combination import StoredCombination
    from gistmeter.models.runtime.load import Dtype

CACHED_DOCUMENTS = 64


@dataclass(frozen=True, slots=True, eq=False)
class ReadDocument:
    """A document as the judge reads it, once for all its summaries."""

    text: str
    split: SplitDocument
    words: DocumentWords


@dataclass(frozen=True, slots=True)
class ClaimJudgment:
    """A claim, the numbers of the document's sentences laid beside it, and how surely they support it."""

    claim: str
    passages: tuple[int, ...]
    probability: float
    unsupported: Unsupported


@functools.lru_cache(maxsize=CACHED_DOCUMENTS)
def read_document(document: str, language: str = "en") -> ReadDocument:
    """A document as the judge reads it."""
    split = split_document(document, language)
    return ReadDocument(text=document, split=split, words=DocumentWords.of(split))


class ConsistencyJudge:
    """How surely documents support claims, by a network on passages and, for gistmeter's own, plain features."""

    def __init__(self, model: str = EMBEDDED, labels: Sequence[str] | None = None, *, dtype: Dtype = "fp32") -> None:
        self._model, self._labels, self._dtype = model, labels, dtype

    def judge(self, claims: Sequence[tuple[str, str]], language: str = "en") -> list[ClaimJudgment]:
        """For each (document, claim) the judgment; it depends on that pair alone."""
        documents = [read_document(document, language) for document, _ in claims]
        chosen = [
            choose_passages(document.split, claim, language)
            for document, (_, claim) in zip(documents, claims, strict=True)
        ]
        texts = [join_passages(document.split, numbers) for document, numbers in zip(documents, chosen, strict=True)]
        pairs = [(text, claim) for text, (_, claim) in zip(texts, claims, strict=True)]
        probabilities = self._judge_pairs(pairs, documents)
        return [
            ClaimJudgment(
                claim=claim,
                passages=numbers,
                probability=float(probability),
                unsupported=find_unsupported(document.words, claim),
            )
            for (_, claim), numbers, probability, document in zip(claims, chosen, probabilities, documents, strict=True)
        ]

    def identity(self) -> Mapping[str, str]:
        """The version of the rules, the model and the digests of its weights, found without loading it."""
        name, digest = reader_identity(self._model)
        combination = self._read_combination()
        digests = digest if combination is None else f"{digest}+{combination.digest}"
        return {"model": name, "passages": RULES_VERSION, "weights": digests}

    def _judge_pairs(self, pairs: Sequence[tuple[str, str]], documents: Sequence[ReadDocument]) -> FloatArray:
        combination = self._read_combination()
        copied = np.array(
            [is_copied(document.words, claim) for (_, claim), document in zip(pairs, documents, strict=True)],
            dtype=bool,
        )
        margins = np.full(len(pairs), MAX_LOGIT)
        read = np.flatnonzero(~copied).tolist()
        if read:
            reader = load_support_reader(self._model, self._labels, dtype=self._dtype)
            margins[read] = reader.margins([pairs[row] for row in read])
        if combination is None:
            return np.asarray(1 / (1 + np.exp(-margins)))
        unmatched = np.zeros(len(pairs))
        unmatched[read] = measure_unmatched([(documents[row].text, pairs[row][1]) for row in read])
        plain = np.array(
            [
                measure_plain(document.words, text, claim, unmatched=distance)
                for (text, claim), document, distance in zip(pairs, documents, unmatched, strict=True)
            ]
        ).reshape(len(pairs), -1)
        return combination.weights(margins, plain) if len(pairs) else np.zeros(0)

    def _read_combination(self) -> StoredCombination | None:
        if not is_own(self._model):
            return None
        return _read_combination(_combination_file(self._model))


def _combination_file(model: str) -> Path:
    """The combination that stands beside the weights of gistmeter's own network."""
    weights = WEIGHTS if model == EMBEDDED else Path(model).expanduser()
    return weights.with_name("combination.json" if model == EMBEDDED else f"{weights.stem}.json")


@functools.lru_cache(maxsize=4)
def _read_combination(file: Path) -> StoredCombination:
    return read_combination(file)
