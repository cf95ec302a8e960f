"""Features of a noun phrase: where it stands, what it is, how often it is said, and how its sentence fits the document.

All are found in the document alone. The encoder's states of its first and last token are added by `states`.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.models.encoder.encoder import load_encoder
from gistmeter.text.stems import get_stemmer, resolve_stem
from gistmeter.text.stopwords import load_stopwords
from gistmeter.text.words import split_words

if TYPE_CHECKING:
    from gistmeter.arrays import FloatArray
    from gistmeter.models.salience.candidates import Candidate, CandidateDocument

FEATURES = (
    "place", "sentence number", "first sentence", "first three sentences", "first five sentences", "at the start",
    "phrase words", "sentence words", "name", "person", "organisation", "place name", "time", "number", "digit",
    "subject", "object", "after a preposition", "possessor", "depth", "definite", "in quotes",
    "said most", "said mean", "said first here", "sentences with its head", "said in the first sentence",
    "sentence said mean", "sentence like the first", "sentence repeated before", "document words", "document phrases",
    "early and often said", "early subject",
)  # fmt: skip
"""Names of the features, which files of predictors list; how often words are said is counted in the document."""

_ENTITIES = {
    "person": {"PERSON"},
    "organisation": {"ORG", "NORP"},
    "place name": {"GPE", "LOC", "FAC"},
    "time": {"DATE", "TIME"},
    "number": {"MONEY", "PERCENT", "QUANTITY", "CARDINAL", "ORDINAL"},
}


def describe_candidates(document: CandidateDocument) -> FloatArray:
    """A row of features for each candidate of a document."""
    texts = [document.text[start:end] for start, end in document.sentences]
    sentence_stems = [_stem_words(text) for text in texts]
    counts = Counter(stem for stems in sentence_stems for stem in stems)
    total = sum(len(text.split()) for text in texts)
    rows = [
        _describe(candidate, document, sentence_stems=sentence_stems, counts=counts, total=total)
        for candidate in document.candidates
    ]
    return np.array(rows).reshape(len(rows), len(FEATURES))


def _describe(
    candidate: Candidate,
    document: CandidateDocument,
    *,
    sentence_stems: list[list[str]],
    counts: Counter[str],
    total: int,
) -> list[float]:
    phrase, number = candidate.phrase, candidate.sentence
    own = _stem_words(phrase.text)
    counts_of_words = [math.log1p(counts[stem]) for stem in own] or [0.0]
    stems = sentence_stems[number]
    sentence_said = [math.log1p(counts[stem]) for stem in stems] or [0.0]
    first = set(sentence_stems[0])
    head = (_stem_words(phrase.root.text) or own or [""])[-1]
    with_head = [position for position, others in enumerate(sentence_stems) if head in others]
    before = set().union(*map(set, sentence_stems[:number])) if number else set()
    share_before = candidate.start / max(len(document.text), 1)
    dep = phrase.root.dep_
    return [
        share_before,
        math.log1p(number),
        float(number == 0),
        float(number < 3),
        float(number < 5),
        float(phrase.start == 0),
        math.log1p(len(phrase)),
        math.log1p(len(stems)),
        float(any(word.pos_ == "PROPN" for word in phrase)),
        *(float(any(word.ent_type_ in labels for word in phrase)) for labels in _ENTITIES.values()),
        float(any(map(str.isdigit, phrase.text))),
        float(dep in ("nsubj", "nsubjpass")),
        float(dep in ("dobj", "attr", "dative")),
        float(dep == "pobj"),
        float(dep in ("poss", "compound", "appos", "conj")),
        math.log1p(sum(1 for _ in phrase.root.ancestors)),
        float(phrase[0].lower_ in ("the", "his", "her", "their", "its", "this", "these")),
        float(_is_quoted(candidate)),
        max(counts_of_words),
        sum(counts_of_words) / len(counts_of_words),
        float(bool(with_head) and with_head[0] == number),
        math.log1p(len(with_head)),
        float(head in first),
        sum(sentence_said) / len(sentence_said),
        len(first & set(stems)) / max(len(set(stems)), 1),
        len(before & set(stems)) / max(len(set(stems)), 1),
        math.log1p(total),
        math.log1p(len(document.candidates)),
        max(counts_of_words) / (1 + number),
        float(dep in ("nsubj", "nsubjpass")) / (1 + number),
    ]


def _is_quoted(candidate: Candidate) -> bool:
    """Whether an odd number of quotation marks stands before a phrase in its sentence."""
    before = candidate.phrase.doc[: candidate.phrase.start]
    return sum(word.is_quote for word in before) % 2 == 1


def encode_candidates(document: CandidateDocument, encoder: str) -> FloatArray:
    """The encoder's states of the first and of the last token of each candidate, side by side."""
    network = load_encoder(encoder)
    (encoded,) = network.encode([document.text], [network.depth])
    states = encoded.states[network.depth]
    plain = np.flatnonzero(~encoded.special)
    if not len(plain):
        return np.zeros((len(document.candidates), 2 * network.width))
    starts, ends = encoded.starts[plain], encoded.ends[plain]
    rows = []
    for candidate in document.candidates:
        first = plain[min(int(np.searchsorted(ends, candidate.start, side="right")), len(plain) - 1)]
        last = plain[max(int(np.searchsorted(starts, candidate.end, side="left")) - 1, 0)]
        rows.append(np.concatenate([states[first], states[last]]))
    return np.array(rows, dtype=np.float64).reshape(len(rows), 2 * network.width)


def _stem_words(text: str) -> list[str]:
    """The stems of the words of a text that are no stop words."""
    stem, dropped = get_stemmer(resolve_stem("auto", "en")), load_stopwords("language", "en")
    return [stem(word) for word in split_words(text) if word not in dropped]
