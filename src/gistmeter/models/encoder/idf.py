"""Weights of a model's tokens: all equal, by how rare each is in general, or by how rare it is in the references.

`background` weights come from the lists of word frequencies (`gistmeter.text.background`), cut by the model's own
tokenizer: a listed word's count goes to each of its tokens, once as it is listed and once with a capital, since the
lists do not say how words are spelt. The weight of a token is minus the logarithm of the share of texts, of so many
words, in which it would stand. Punctuation counts as the most frequent word does, which is next to nothing.
Where there is no list for a language, a vocabulary that says how probable each of its pieces is (that of the embedded
multilingual encoder) gives the weights in the same way.
"""

from __future__ import annotations

import functools
import hashlib
import math
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

import numpy as np

from gistmeter.errors import DataError, MetricError
from gistmeter.models.runtime.locate import MULTILINGUAL_NAME, locate
from gistmeter.models.runtime.tokenizer import Tokenizer
from gistmeter.models.universal.loading import load_universal_tokenizer
from gistmeter.text.analysis import Analysis
from gistmeter.text.background import load_background
from gistmeter.text.languages import WORD_LIST_LANGUAGES, language_code

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from gistmeter.arrays import IntArray
    from gistmeter.models.encoder.encoder import Encoder
    from gistmeter.models.runtime.states import Tokens
    from gistmeter.models.universal.tokenizer import UniversalTokenizer

    WeightArray = NDArray[np.float64]

Idf = Literal["background", "references", "separate", "vocabulary", "none", "auto"]
"""Weights of tokens: by general frequency; by the references of the run (as in bert-score); for summaries by the
summaries of the run and for references by its references (as in MoverScore); by the probabilities of the multilingual
encoder's vocabulary; all equal; or those that suit the model and the aspect best."""

_TEXT_WORDS = 30
"""Words of the texts that background weights imagine: a sentence or two, such as bert-score counts its idf over.
30, 100 and 500 were tried on FFCI and REALSumm; at layer 6, 30 correlated best with people, or as well."""
_LINE_WORDS = 1000
_WORD_MARKS = "#▁Ġ@</w>Ċ"
"""What vocabularies write to say where words begin, go on or end."""


class TokenWeights(Protocol):
    """What gives each token of a text its weight; special tokens have none."""

    def __call__(self, tokens: Tokens) -> WeightArray:
        """One weight for each token."""


class EvenWeights:
    """Equal weights for all tokens but special ones; by bert-score's rule a lone special token (T5, PEGASUS) counts."""

    def __call__(self, tokens: Tokens) -> WeightArray:
        """1 for a token of the text, 0 for a special one."""
        alone = np.count_nonzero(tokens.special) == 1 and len(tokens) > 1
        return np.ones(len(tokens)) if alone else (~tokens.special).astype(np.float64)


@dataclass(frozen=True, slots=True, eq=False)
class ReferenceWeights:
    """bert-score's idf: log((N + 1) / (n + 1)) for a token that stands in n of N references."""

    counts: Mapping[int, int]
    texts: int

    def __call__(self, tokens: Tokens) -> WeightArray:
        """The idf of each token; special ones stand in every reference, so theirs is 0."""
        references = np.array([self.counts.get(int(token), 0) for token in tokens.ids], dtype=np.float64)
        return np.where(tokens.special, 0.0, np.log((self.texts + 1) / (references + 1)))

    @property
    def digest(self) -> str:
        """Eight hexadecimal digits over the counts."""
        counts = repr((self.texts, sorted(self.counts.items())))
        return hashlib.blake2b(counts.encode(), digest_size=4).hexdigest()


def count_reference_weights(encoder: Encoder, references: Iterable[str]) -> ReferenceWeights:
    """Weights from the references of a run (each given once for every document it belongs to), or from other texts."""
    counts: Counter[int] = Counter()
    texts = 0
    for tokens in encoder.tokens(list(references)):
        texts += 1
        counts.update(set(tokens.ids.tolist()))
    return ReferenceWeights(dict(counts), texts)


class BackgroundWeights:
    """Weights from how frequent the words of a language are in general."""

    def __init__(self, tokenizer: Tokenizer | UniversalTokenizer, language: str) -> None:
        self._tokenizer = tokenizer
        self._words = load_background(Analysis(tokenizer="whitespace", language=language))
        listed = {word: count for word, count in self._words.counts.items() if word.strip("0")}
        each = list(listed.values())
        counts: defaultdict[int, float] = defaultdict(float)
        for spell in (str, _capitalize):
            tokens, owners = _tokenize_words([spell(word) for word in listed], tokenizer)
            for token, word in zip(tokens.tolist(), owners.tolist(), strict=True):
                counts[token] += each[word] / 2
        self._counts = dict(counts)
        # words beyond the lists are taken to be cut into as many tokens as those on them
        self._total = self._words.total * sum(counts.values()) / sum(listed.values())
        self._most = max(counts.values())
        self._weights: WeightArray = np.full(1, np.nan)

    def __call__(self, tokens: Tokens) -> WeightArray:
        """The weight of each token; a special one has 0."""
        ids = tokens.ids
        if len(ids) and int(ids.max()) >= len(self._weights):
            grown = np.full(int(ids.max()) * 2, np.nan)
            grown[: len(self._weights)] = self._weights
            self._weights = grown
        self._compute_weights(ids)
        return np.where(tokens.special, 0.0, self._weights[ids])

    def _compute_weights(self, ids: IntArray) -> None:
        for token in np.unique(ids[np.isnan(self._weights[ids])]).tolist():
            share = _TEXT_WORDS * self._count(token) / self._total
            self._weights[token] = -math.log(-math.expm1(-share))

    def _count(self, token: int) -> float:
        spelt = self._tokenizer.decode(token).strip(_WORD_MARKS)
        if not _has_letters(spelt):
            return self._most
        if len(spelt) > 1 and spelt.isdecimal():
            return self._words.count(spelt)
        return max(self._counts.get(token, 0.0), self._words.floor)


class VocabularyWeights:
    """Weights from how probable a vocabulary says its pieces are, whatever the language.

    >>> weights = VocabularyWeights(load_universal_tokenizer())
    >>> weights(load_universal_tokenizer()(["Il terremoto, in Italia."])[0]).round(1)
    array([0. , 5.1, 9.7, 0. , 2.1, 7.7, 0. , 0. ])
    """

    def __init__(self, tokenizer: UniversalTokenizer) -> None:
        probabilities = np.exp(np.array(tokenizer.log_probabilities, dtype=np.float64))
        lettered = np.array([_has_letters(tokenizer.decode(token)) for token in range(len(probabilities))])
        probabilities[tokenizer.unknown_id] = probabilities[lettered].min()
        weights: WeightArray = -np.log(-np.expm1(-_TEXT_WORDS * probabilities))
        weights[~lettered] = 0.0  # signs say nothing; marks neither, whose probability is 1
        self._weights = weights

    def __call__(self, tokens: Tokens) -> WeightArray:
        """The weight of each token; a special one has 0."""
        return np.where(tokens.special, 0.0, self._weights[tokens.ids])


def load_background_weights(model: str, language: str) -> BackgroundWeights:
    """The background weights of a model's tokens in a language, made once a process.

    >>> weights = load_background_weights("embedded", "en")
    >>> from gistmeter.models.encoder.encoder import load_encoder
    >>> weights(load_encoder("embedded").tokens(["The earthquake, in Kathmandu."])[0]).round(1)
    array([ 0. ,  0.2,  7.8,  0.2,  0.9, 10.5,  0.2,  0. ])
    """
    code = language_code(language)
    if code not in WORD_LIST_LANGUAGES:
        languages = ", ".join(WORD_LIST_LANGUAGES)
        raise DataError(
            f"there are no word frequencies for language {code!r} (there are for {languages}): set idf=none"
        )
    return _load_background_weights(model, code)


@functools.lru_cache(maxsize=16)
def _load_background_weights(model: str, language: str) -> BackgroundWeights:
    if model == MULTILINGUAL_NAME:
        return BackgroundWeights(load_universal_tokenizer(), language)
    return BackgroundWeights(Tokenizer(locate(model)), language)


def lacks_word_list(model: str, language: str) -> bool:
    """Whether the vocabulary of a model must stand in for the list of words that its language has not."""
    return model == MULTILINGUAL_NAME and language_code(language) not in WORD_LIST_LANGUAGES


def load_vocabulary_weights(model: str) -> VocabularyWeights:
    """The weights that a model's vocabulary gives, made once a process."""
    if model != MULTILINGUAL_NAME:
        raise MetricError(f"idf=vocabulary needs the vocabulary of {MULTILINGUAL_NAME}: that of {model} has no weights")
    return _load_vocabulary_weights()


@functools.cache
def _load_vocabulary_weights() -> VocabularyWeights:
    return VocabularyWeights(load_universal_tokenizer())


def _has_letters(spelt: str) -> bool:
    return any(letter.isalnum() for letter in spelt)


def _tokenize_words(words: Sequence[str], tokenizer: Tokenizer | UniversalTokenizer) -> tuple[IntArray, IntArray]:
    """The tokens of words, and for each token which word it is of. Read as lines of many words, which is faster."""
    ids, owners = [], []
    for first in range(0, len(words), _LINE_WORDS):
        line = words[first : first + _LINE_WORDS]
        (tokens,) = tokenizer([" ".join(line)])
        starts = np.cumsum([0, *(len(word) + 1 for word in line[:-1])])
        plain = ~tokens.special
        ids.append(tokens.ids[plain])
        owners.append(first + np.searchsorted(starts, tokens.starts[plain], side="right") - 1)
    return np.concatenate(ids), np.concatenate(owners)


def _capitalize(word: str) -> str:
    return word[:1].upper() + word[1:]
