"""Subtle errors: words of a summary replaced by the likeliest other word of a masked-word model.

As in section 4 of Vasilyev and Bohannon (2021), ESTIME: a random whole word is masked, and the likeliest other word
takes its place. The summary stays fluent; most such errors are errors of fact, some are synonyms.
"""

from __future__ import annotations

import functools
import hashlib
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from gistmeter.errors import ArgumentError, DataError
from gistmeter.models.encoder.encoder import check_language
from gistmeter.models.masked_words.model import MaskedWords, load_masked_words
from gistmeter.models.runtime.windows import split_into_windows
from gistmeter.weights import EMBEDDED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from gistmeter.arrays import IntArray
    from gistmeter.example import Example
    from gistmeter.models.runtime.load import Dtype
    from gistmeter.models.runtime.states import Tokens

BATCH_SUMMARIES = 64
_WORD_STARTS = ("\u0120", "\u2581")
"""How byte-level and SentencePiece vocabularies mark a token that starts a word."""
_APOSTROPHES = ("'", "\u2019", "`")


@dataclass(frozen=True, slots=True)
class Error:
    """One replaced word: its start and end in the corrupted summary, what it was and what it is."""

    start: int
    end: int
    original: str
    replacement: str


@dataclass(frozen=True, slots=True)
class LabelledSummary:
    """A summary and the errors in it: none, or those put into the summary of system `source`."""

    example: Example
    errors: tuple[Error, ...] = ()
    source: str = ""

    @property
    def pair(self) -> tuple[str, str]:
        """What a corrupted summary shares with the clean one: document and system."""
        return self.example.doc_id, self.source or self.example.system


def corrupt(
    examples: Iterable[Example],
    *,
    errors: int | Sequence[int] = 3,
    seed: int = 0,
    model: str = EMBEDDED,
    dtype: Dtype = "fp32",
) -> Iterator[LabelledSummary]:
    """Each summary as it is, then with `errors` errors, once for each number given.

    The system of a corrupted summary is `X+3`. The words are drawn by seed, names and text, whatever the order of
    the examples; a summary with more errors has those with fewer, too. Where a summary has fewer words than errors
    asked for, all are replaced; one without any whole word of a single token comes only as it is.
    """
    numbers = tuple(dict.fromkeys([errors] if isinstance(errors, int) else errors))
    if not numbers or min(numbers) < 1:
        raise ArgumentError("`errors` is at least 1: there must be an error to make")
    return _corrupt_examples(examples, numbers, seed=seed, name=model, dtype=dtype)


def turn_references_into_summaries(examples: Iterable[Example]) -> Iterator[Example]:
    """The references of each document as summaries, to be corrupted: the systems are `reference1` and so on.

    >>> from gistmeter.example import Example
    >>> example = Example(doc_id="d", system="a", summary="x", references=("It rained.", "Rain fell."))
    >>> first, second = turn_references_into_summaries([example, example])
    >>> first.system, first.summary, first.references
    ('reference1', 'It rained.', ('Rain fell.',))
    """
    done: set[str] = set()
    for example in examples:
        if example.doc_id not in done:
            done.add(example.doc_id)
            for index, text in enumerate(example.references):
                others = (*example.references[:index], *example.references[index + 1 :])
                yield _change(example, system=f"reference{index + 1}", summary=text, references=others)


def _corrupt_examples(
    examples: Iterable[Example], numbers: tuple[int, ...], *, seed: int, name: str, dtype: Dtype
) -> Iterator[LabelledSummary]:
    iterator = iter(examples)
    while batch := list(islice(iterator, BATCH_SUMMARIES)):
        for example in batch:
            check_language(name, example.language, "corrupt")
        model = load_masked_words(name, dtype=dtype)
        tokens_of = model.tokens([example.summary for example in batch])
        drawn = [
            _draw_words(example, tokens, max(numbers), seed) for example, tokens in zip(batch, tokens_of, strict=True)
        ]
        replacements = _find_replacements(model, tokens_of, drawn)
        for example, tokens, positions, words in zip(batch, tokens_of, drawn, replacements, strict=True):
            yield LabelledSummary(example)
            for number in numbers if len(positions) else ():
                system = f"{example.system}+{number}"
                yield _replace_words(example, tokens, positions[:number], words[:number], system)


def _draw_words(example: Example, tokens: Tokens, most: int, seed: int) -> IntArray:
    """The positions of the tokens to replace, in the order in which they are replaced."""
    identity = "\0".join([str(seed), example.doc_id, example.system, example.summary])
    digest = hashlib.blake2b(identity.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    rng = np.random.default_rng(int.from_bytes(digest))
    words = [position for position in np.flatnonzero(~tokens.special) if _is_whole_word(tokens, int(position))]
    return rng.permutation(np.array(words, dtype=np.int64))[:most]


def _is_whole_word(tokens: Tokens, position: int) -> bool:
    """Whether a token is a whole word: only letters, and none next to it (what follows an apostrophe is a part)."""
    text, start, end = tokens.text, int(tokens.starts[position]), int(tokens.ends[position])
    before, after = text[start - 1 : start] if start else "", text[end : end + 1]
    return _is_word(text[start:end]) and not before.isalnum() and before not in _APOSTROPHES and not after.isalnum()


def _is_word(text: str) -> bool:
    """Letters alone; a single letter only where that can be a word."""
    return text.isalpha() and (len(text) > 1 or not text.isascii() or text in "aAI")


def _find_replacements(model: MaskedWords, tokens_of: Sequence[Tokens], drawn: Sequence[IntArray]) -> list[list[str]]:
    """For each token to replace, the likeliest word that it is not; all are asked for at once."""
    masked = [
        _mask_token(model, tokens, int(position))
        for tokens, positions in zip(tokens_of, drawn, strict=True)
        for position in positions
    ]
    logits = iter(model.predict([ids for ids, _ in masked], [np.array([position]) for _, position in masked]))
    return [
        [
            _find_other_word(model, next(logits)[0], tokens.text[tokens.starts[position] : tokens.ends[position]])
            for position in positions
        ]
        for tokens, positions in zip(tokens_of, drawn, strict=True)
    ]


def _mask_token(model: MaskedWords, tokens: Tokens, position: int) -> tuple[IntArray, int]:
    """As much of the text as the model reads with the token masked, and the position of the token in that."""
    plain = np.flatnonzero(~tokens.special)
    first, last = int(plain[0]), int(plain[-1]) + 1
    size = model.max_tokens - first - (len(tokens) - last)
    window = next(window for window in split_into_windows(last - first, size) if position - first < window.keep_end)
    body = tokens.ids[first + window.start : first + window.end]
    ids = np.concatenate([tokens.ids[:first], body, tokens.ids[last:]])
    masked = position - window.start
    ids[masked] = model.mask_id
    return ids, masked


def _find_other_word(model: MaskedWords, logits: np.ndarray, original: str) -> str:
    """The likeliest whole word that is not the original, with capitals as that has them."""
    words = _list_words(model)
    for token in np.argsort(-logits, kind="stable"):
        word = words[token]
        if word and word.casefold() != original.casefold():
            return _copy_capitals(word, original)
    raise DataError(f"{model.name} knows no whole word to put in the place of {original!r}")


@functools.lru_cache(maxsize=2)
def _list_words(model: MaskedWords) -> tuple[str, ...]:
    """For each token of a vocabulary the word that it is, or nothing when it is a piece, a number or a sign."""
    spelled = [model.word(token) for token in range(model.vocabulary)]
    start = next((mark for mark in _WORD_STARTS if any(token.startswith(mark) for token in spelled)), "")
    # Byte-level vocabularies spell other letters than ASCII as bytes, which only look like letters.
    usable = (lambda word: word.isascii()) if start == _WORD_STARTS[0] else (lambda _: True)
    words = [token.removeprefix(start) if token.startswith(start) else "" for token in spelled]
    return tuple(word if _is_word(word) and usable(word) else "" for word in words)


def _copy_capitals(word: str, original: str) -> str:
    """A word in capitals, with a capital or as it is, after the word that it replaces.

    >>> [_copy_capitals("paris", original) for original in ("London", "london", "LONDON")]
    ['Paris', 'paris', 'PARIS']
    """
    if len(original) > 1 and original.isupper():
        return word.upper()
    return word[0].upper() + word[1:] if original[0].isupper() else word


def _replace_words(
    example: Example, tokens: Tokens, positions: IntArray, words: Sequence[str], system: str
) -> LabelledSummary:
    """The summary with the tokens at these positions replaced, all else left letter for letter."""
    text = example.summary
    parts: list[str] = []
    errors: list[Error] = []
    copied = length = 0  # characters of the clean summary that are done, and of the corrupted one
    for position, word in sorted(zip(positions.tolist(), words, strict=True)):
        start, end = int(tokens.starts[position]), int(tokens.ends[position])
        parts += [text[copied:start], word]
        length += start - copied
        errors.append(Error(start=length, end=length + len(word), original=text[start:end], replacement=word))
        length += len(word)
        copied = end
    summary = "".join([*parts, text[copied:]])
    return LabelledSummary(_change(example, summary=summary, system=system), tuple(errors), example.system)


def _change(example: Example, **changes: Any) -> Example:
    """A changed copy; `document` follows from `documents`, of which there may be several."""
    return replace(example, document=None, **changes)
