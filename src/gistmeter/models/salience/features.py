"""Features of a noun phrase: where it stands, what it is, how often it is said, and how its sentence fits the document.

All are found in the document alone; `encode_candidates` gives the encoder's states of its first and last token.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
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
    "sentence said mean", "sentence like the first", "sentence repeated before", "early and often said",
    "early subject", "near the start", "sentence like the document", "rank of that", "sentence like another",
    "rest of the sentence said mean", "question said elsewhere", "question said on average", "phrase said again",
    "name said most", "title case", "of the main verb", "of a verb that is said", "of a side clause",
    "of a verb of saying", "words first said here", "words said in all", "words said first here and again",
)  # fmt: skip
"""Names of the features, which files of predictors list; how often words are said is counted in the document."""

_ENTITIES = {
    "person": {"PERSON"},
    "organisation": {"ORG", "NORP"},
    "place name": {"GPE", "LOC", "FAC"},
    "time": {"DATE", "TIME"},
    "number": {"MONEY", "PERCENT", "QUANTITY", "CARDINAL", "ORDINAL"},
}


_ARTICLES = frozenset({"a", "an", "the"})
_SIDE_CLAUSES = frozenset({"relcl", "advcl", "acl"})
_SAYING = frozenset({"say", "tell", "add", "claim", "believe", "think"})


@dataclass(frozen=True, slots=True, eq=False)
class _DocumentWords:
    """The words of a document by sentence, as stems without stop words, and what is counted in them once."""

    stems: list[list[str]]
    sets: list[frozenset[str]]
    counts: Counter[str]
    """How often each stem is said."""

    phrases: Counter[str]
    names: Counter[str]
    """How often each stem is said in a name."""

    centrality: FloatArray
    """How like the words of the whole document those of each sentence are: the cosine of their counts."""

    ranks: FloatArray
    """The rank of that, from 0 for the most central sentence to 1."""

    nearest: FloatArray
    """How like its most similar other sentence each is."""

    text: str
    """The words of the document in a row, without articles."""

    first_starts: dict[str, int]
    """Where the document first has the words of each phrase as a phrase, by characters."""


def describe_candidates(document: CandidateDocument) -> FloatArray:
    """A row of features for each candidate of a document."""
    words = _count_words(document)
    rows = [_describe(candidate, document, words) for candidate in document.candidates]
    return np.array(rows).reshape(len(rows), len(FEATURES))


def _count_words(document: CandidateDocument) -> _DocumentWords:
    stems = [_stem_words(document.text[start:end]) for start, end in document.sentences]
    counts = Counter(stem for sentence in stems for stem in sentence)
    column = {stem: number for number, stem in enumerate(counts)}
    table = np.zeros((len(stems), max(len(column), 1)))
    for row, sentence in enumerate(stems):
        for stem in sentence:
            table[row, column[stem]] += 1
    table /= np.maximum(np.linalg.norm(table, axis=1, keepdims=True), 1e-9)
    whole = table.sum(axis=0)
    centrality = table @ (whole / max(float(np.linalg.norm(whole)), 1e-9))
    likeness = table @ table.T
    np.fill_diagonal(likeness, 0.0)
    return _DocumentWords(
        stems=stems,
        sets=[frozenset(sentence) for sentence in stems],
        counts=counts,
        phrases=Counter(candidate.phrase.text.lower() for candidate in document.candidates),
        names=Counter(
            stem
            for candidate in document.candidates
            if any(word.pos_ == "PROPN" for word in candidate.phrase)
            for stem in _stem_words(candidate.phrase.text)
        ),
        centrality=centrality,
        ranks=np.argsort(np.argsort(-centrality, kind="stable")) / max(len(stems) - 1, 1),
        nearest=likeness.max(axis=1, initial=0.0),
        text=_join_words(document.text),
        first_starts=_find_first_starts(document),
    )


def _find_first_starts(document: CandidateDocument) -> dict[str, int]:
    starts: dict[str, int] = {}
    for candidate in document.candidates:
        starts.setdefault(_join_words(candidate.phrase.text), candidate.start)
    return starts


def _describe(candidate: Candidate, document: CandidateDocument, words: _DocumentWords) -> list[float]:
    phrase, number = candidate.phrase, candidate.sentence
    own = _stem_words(phrase.text)
    counts_of_words = [math.log1p(words.counts[stem]) for stem in own] or [0.0]
    stems = words.stems[number]
    sentence_said = [math.log1p(words.counts[stem]) for stem in stems] or [0.0]
    head = (_stem_words(phrase.root.text) or own or [""])[-1]
    with_head = [position for position, others in enumerate(words.sets) if head in others]
    before = frozenset().union(*words.sets[:number])
    different = max(len(words.sets[number]), 1)
    dep = phrase.root.dep_
    is_subject = dep in ("nsubj", "nsubjpass")
    return [
        candidate.start / max(len(document.text), 1),
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
        float(is_subject),
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
        float(head in words.sets[0]),
        sum(sentence_said) / len(sentence_said),
        len(words.sets[0] & words.sets[number]) / different,
        len(before & words.sets[number]) / different,
        max(counts_of_words) / (1 + number),
        float(is_subject) / (1 + number),
        *_describe_sentence(number, own, words),
        *_describe_question(candidate, words),
        math.log1p(words.phrases[phrase.text.lower()]),
        max((words.names[stem] for stem in own), default=0) / max(words.names.values(), default=1),
        float(any(word.is_title for word in phrase if word.i)),
        *_describe_clause(candidate),
        *_describe_mentions(candidate, words),
    ]


def _describe_sentence(number: int, own: list[str], words: _DocumentWords) -> tuple[float, ...]:
    """How early and how central the sentence of a phrase is, and how often its other words are said."""
    others = [math.log1p(words.counts[stem]) for stem in words.stems[number] if stem not in own] or [0.0]
    return (
        1 / (1 + number),
        float(words.centrality[number]),
        float(words.ranks[number]),
        float(words.nearest[number]),
        sum(others) / len(others),
    )


def _describe_question(candidate: Candidate, words: _DocumentWords) -> tuple[float, float]:
    """How much of the phrase's question another sentence says: the best one, and on average."""
    asked = frozenset(_stem_words(candidate.question))
    shares = [
        len(asked & stems) / max(len(asked), 1)
        for number, stems in enumerate(words.sets)
        if number != candidate.sentence
    ] or [0.0]
    return max(shares), sum(shares) / len(shares)


def _describe_clause(candidate: Candidate) -> tuple[float, ...]:
    """What kind of clause the word is of that a phrase hangs on."""
    above = candidate.phrase.root.head
    return (
        float(above.dep_ == "ROOT"),
        float(above.dep_ == "ccomp"),
        float(above.dep_ in _SIDE_CLAUSES),
        float(above.lemma_ in _SAYING),
    )


def _describe_mentions(candidate: Candidate, words: _DocumentWords) -> tuple[float, ...]:
    """Whether a phrase is the first with its words, how often these are said, and both: first here, and again."""
    own = _join_words(candidate.phrase.text)
    first = float(words.first_starts[own] == candidate.start)
    count = words.text.count(own) if own.strip() else 0
    return first, math.log1p(count), first * math.log1p(max(count - 1, 0))


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


def _join_words(text: str) -> str:
    """The words of a text in a row without articles, with a space before and after each.

    >>> _join_words("The harbour, and a wall.")
    ' harbour and wall '
    """
    return f" {' '.join(word for word in split_words(text) if word not in _ARTICLES)} "


def _stem_words(text: str) -> list[str]:
    """The stems of the words of a text that are no stop words."""
    stem, dropped = get_stemmer(resolve_stem("auto", "en")), load_stopwords("language", "en")
    return [stem(word) for word in split_words(text) if word not in dropped]
