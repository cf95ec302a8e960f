"""Subtle errors: words of a summary replaced by what a masked-word model would rather say there.

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

from gistmeter.errors import DataError
from gistmeter.models.encoder.encoder import check_language
from gistmeter.models.masked_words.model import MaskedWords, masked_words
from gistmeter.models.runtime.windows import windows
from gistmeter.weights import EMBEDDED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from gistmeter.arrays import IntArray
    from gistmeter.example import Example
    from gistmeter.models.encoder.encoder import Dtype
    from gistmeter.models.runtime.states import Tokens

_AT_ONCE = 64
_WORD_STARTS = ("\u0120", "\u2581")
"""How byte-level and SentencePiece vocabularies mark a token that starts a word."""
_APOSTROPHES = ("'", "\u2019", "`")


@dataclass(frozen=True, slots=True)
class Error:
    """One replaced word: where it stands in the corrupted summary, what it was and what it is."""

    start: int
    end: int
    original: str
    replacement: str


@dataclass(frozen=True, slots=True)
class Labelled:
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
) -> Iterator[Labelled]:
    """Each summary as it is, then with `errors` errors, once for each number given.

    The system of a corrupted summary is `X+3`. The words are drawn by seed, names and text, whatever the order of
    the examples; a summary with more errors has those with fewer, too. Where a summary has fewer words than errors
    asked for, all are replaced; one without any whole word of a single token comes only as it is.
    """
    numbers = tuple(dict.fromkeys([errors] if isinstance(errors, int) else errors))
    if not numbers or min(numbers) < 1:
        raise DataError("there must be at least 1 error to make")
    return _corrupted(examples, numbers, seed, model, dtype)


def human_summaries(examples: Iterable[Example]) -> Iterator[Example]:
    """The references of each document as summaries, to be corrupted: the systems are `reference1` and so on.

    >>> from gistmeter.example import Example
    >>> one = Example(doc_id="d", system="a", summary="x", references=("It rained.", "Rain fell."), document="Rain.")
    >>> [(human.system, human.summary, human.references) for human in human_summaries([one, one])]
    [('reference1', 'It rained.', ('Rain fell.',)), ('reference2', 'Rain fell.', ('It rained.',))]
    """
    seen: set[str] = set()
    for example in examples:
        if example.doc_id not in seen:
            seen.add(example.doc_id)
            for place, text in enumerate(example.references):
                others = (*example.references[:place], *example.references[place + 1 :])
                yield _changed(example, system=f"reference{place + 1}", summary=text, references=others)


def _corrupted(
    examples: Iterable[Example], numbers: tuple[int, ...], seed: int, name: str, dtype: Dtype
) -> Iterator[Labelled]:
    iterator = iter(examples)
    while some := list(islice(iterator, _AT_ONCE)):
        for example in some:
            check_language(name, example.language, "corrupt")
        model = masked_words(name, dtype=dtype)
        texts = model.tokens([example.summary for example in some])
        drawn = [_drawn(example, tokens, max(numbers), seed) for example, tokens in zip(some, texts, strict=True)]
        words = _replacements(model, texts, drawn)
        for example, tokens, places, found in zip(some, texts, drawn, words, strict=True):
            yield Labelled(example)
            for number in numbers if len(places) else ():
                yield _replaced(example, tokens, places[:number], found[:number], f"{example.system}+{number}")


def _drawn(example: Example, tokens: Tokens, most: int, seed: int) -> IntArray:
    """The tokens to replace, in the order in which they are replaced."""
    named = "\0".join([str(seed), example.doc_id, example.system, example.summary])
    digest = hashlib.blake2b(named.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    rng = np.random.default_rng(int.from_bytes(digest))
    whole = [place for place in np.flatnonzero(~tokens.special) if _is_whole(tokens, int(place))]
    return rng.permutation(np.array(whole, dtype=np.int64))[:most]


def _is_whole(tokens: Tokens, place: int) -> bool:
    """Whether a token is a whole word: only letters, and none next to it (what follows an apostrophe is a part)."""
    text, start, end = tokens.text, int(tokens.starts[place]), int(tokens.ends[place])
    before, after = text[start - 1 : start] if start else "", text[end : end + 1]
    return _is_word(text[start:end]) and not before.isalnum() and before not in _APOSTROPHES and not after.isalnum()


def _is_word(text: str) -> bool:
    """Letters alone; a single letter only where that can be a word."""
    return text.isalpha() and (len(text) > 1 or not text.isascii() or text in "aAI")


def _replacements(model: MaskedWords, texts: Sequence[Tokens], drawn: Sequence[IntArray]) -> list[list[str]]:
    """For each token to replace, the likeliest word that it is not; all are asked for at once."""
    asked = [
        _masked(model, tokens, int(place)) for tokens, places in zip(texts, drawn, strict=True) for place in places
    ]
    answers = iter(model.predict([ids for ids, _ in asked], [np.array([at]) for _, at in asked]))
    return [
        [
            _best_other(model, next(answers)[0], tokens.text[tokens.starts[place] : tokens.ends[place]])
            for place in places
        ]
        for tokens, places in zip(texts, drawn, strict=True)
    ]


def _masked(model: MaskedWords, tokens: Tokens, place: int) -> tuple[IntArray, int]:
    """As much of the text as the model reads, the token masked in it, and where it then stands."""
    plain = np.flatnonzero(~tokens.special)
    first, last = int(plain[0]), int(plain[-1]) + 1
    size = model.max_tokens - first - (len(tokens) - last)
    window = next(one for one in windows(last - first, size) if place - first < one.keep_end)
    body = tokens.ids[first + window.start : first + window.end]
    ids = np.concatenate([tokens.ids[:first], body, tokens.ids[last:]])
    at = place - window.start
    ids[at] = model.mask_id
    return ids, at


def _best_other(model: MaskedWords, logits: np.ndarray, original: str) -> str:
    words = _vocabulary(model)
    for token in np.argsort(-logits, kind="stable"):
        word = words[token]
        if word and word.casefold() != original.casefold():
            return _written_like(word, original)
    raise DataError(f"{model.name} knows no whole word to put in the place of {original!r}")


@functools.lru_cache(maxsize=2)
def _vocabulary(model: MaskedWords) -> tuple[str, ...]:
    """For each token of a vocabulary the word that it is, or nothing when it is a piece, a number or a sign."""
    spelled = [model.word(token) for token in range(model.vocabulary)]
    start = next((mark for mark in _WORD_STARTS if any(one.startswith(mark) for one in spelled)), "")
    # Byte-level vocabularies spell other letters than ASCII as bytes, which only look like letters.
    usable = (lambda word: word.isascii()) if start == _WORD_STARTS[0] else (lambda _: True)
    words = [one.removeprefix(start) if one.startswith(start) else "" for one in spelled]
    return tuple(word if _is_word(word) and usable(word) else "" for word in words)


def _written_like(word: str, original: str) -> str:
    """A word in capitals, with a capital or as it is, after the word that it replaces.

    >>> [_written_like("paris", like) for like in ("London", "london", "LONDON")]
    ['Paris', 'paris', 'PARIS']
    """
    if len(original) > 1 and original.isupper():
        return word.upper()
    return word[0].upper() + word[1:] if original[0].isupper() else word


def _replaced(example: Example, tokens: Tokens, places: IntArray, words: Sequence[str], system: str) -> Labelled:
    """The summary with some tokens replaced, all else left letter for letter."""
    text, parts, errors, done, length = example.summary, [], [], 0, 0
    for place, word in sorted(zip(places.tolist(), words, strict=True)):
        start, end = int(tokens.starts[place]), int(tokens.ends[place])
        parts += [text[done:start], word]
        length += start - done
        errors.append(Error(length, length + len(word), text[start:end], word))
        length += len(word)
        done = end
    summary = "".join([*parts, text[done:]])
    return Labelled(_changed(example, summary=summary, system=system), tuple(errors), example.system)


def _changed(example: Example, **changes: Any) -> Example:
    """A copy; `document` follows from `documents`, of which there may be several."""
    return replace(example, document=None, **changes)
