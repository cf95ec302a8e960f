"""Subtle errors: words of a summary replaced by others, by rules for each kind of word and a masked-word model.

`any` is section 4 of Vasilyev and Bohannon (2021), ESTIME: a random whole word is masked, and the likeliest other word
takes its place. The summary stays fluent, but half of such words are function words. The other kinds replace content
words, names, numbers, negations or roles, so that nearly all errors are errors of content.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from gistmeter.errors import ArgumentError, DataError, MetricError
from gistmeter.models.encoder.encoder import check_language
from gistmeter.models.masked_words.model import MaskedWords, load_masked_words
from gistmeter.probe.words.finding import find_replacements, parse_texts
from gistmeter.probe.words.likelihood import Blank, is_word, list_likely_words
from gistmeter.probe.words.replacement import (
    Draws,
    ErrorKind,
    Replacement,
    WordKind,
    check_kind,
    choose_apart,
    copy_capitals,
)
from gistmeter.text.languages import language_code
from gistmeter.weights import EMBEDDED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from gistmeter.example import Example
    from gistmeter.models.runtime.load import Dtype
    from gistmeter.models.runtime.states import Tokens

BATCH_SUMMARIES = 64
DEFAULT_FLOOR = 0.05
"""The least mean probability of a piece of what is put in."""
_APOSTROPHES = ("'", "\u2019", "`")


@dataclass(frozen=True, slots=True)
class Error:
    """One error: its start and end in the corrupted summary, what it was, what it is, and what it is of."""

    start: int
    end: int
    original: str
    replacement: str
    kind: ErrorKind = "word"


@dataclass(frozen=True, slots=True)
class _Options:
    """How many errors, of which kinds, how likely, and the seed."""

    numbers: tuple[int, ...]
    kinds: tuple[WordKind, ...]
    floor: float
    seed: int


@dataclass(frozen=True, slots=True)
class LabelledSummary:
    """A summary and the errors in it: none, or those put into the summary of system `source`."""

    example: Example
    errors: tuple[Error, ...] = ()
    source: str = ""
    words: str = ""
    """What was replaced, such as `names`; nothing for a clean summary, or where a file does not say."""

    @property
    def pair(self) -> tuple[str, str]:
        """What a corrupted summary shares with the clean one: document and system."""
        return self.example.doc_id, self.source or self.example.system


def corrupt(
    examples: Iterable[Example],
    *,
    errors: int | Sequence[int] = 3,
    words: WordKind | Sequence[WordKind] = "any",
    floor: float = DEFAULT_FLOOR,
    seed: int = 0,
    model: str = EMBEDDED,
    dtype: Dtype = "fp32",
) -> Iterator[LabelledSummary]:
    """Each summary as it is, then with `errors` errors, once for each number and each kind of `words` given.

    The system of a corrupted summary is `X+3`, with several kinds `X+3 names` and so on. The words are drawn by seed,
    names and text, whatever the order of the examples; a summary with more errors has those with fewer, too. Where a
    summary has fewer words of the kind than errors asked for, all are replaced; one without any comes only as it is.

    `words` is `any` (the paper's: whatever whole word is drawn, by the likeliest other word), `content` (nouns, verbs,
    adjectives, names and numbers), `names`, `numbers`, `negation` or `roles` (subject and object exchanged); or, by
    rules alone, `quantities`, `units`, `dates`, `places`, `modality` (may for will), `directions` (rose for fell),
    `attribution` (another speaker), `comparisons`, `causes`, `elsewhere` (a phrase of another sentence of the
    document), `outside` (a name that the document does not have) or `merged` (the subject of another sentence). What
    the model gives less than `floor` as the mean probability of a piece is not put in (not with `any`).
    """
    numbers = tuple(dict.fromkeys([errors] if isinstance(errors, int) else errors))
    kinds: tuple[WordKind, ...] = tuple(dict.fromkeys([words] if isinstance(words, str) else words))
    if not numbers or min(numbers) < 1:
        raise ArgumentError("`errors` is at least 1: there must be an error to make")
    if not 0 <= floor < 1:
        raise ArgumentError(f"`floor` is a probability, at least 0 and below 1, not {floor}")
    for kind in kinds:
        check_kind(kind)
    options = _Options(numbers=numbers, kinds=kinds, floor=floor, seed=seed)
    return _corrupt_examples(examples, options, name=model, dtype=dtype)


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
    examples: Iterable[Example], options: _Options, *, name: str, dtype: Dtype
) -> Iterator[LabelledSummary]:
    iterator = iter(examples)
    while batch := list(islice(iterator, BATCH_SUMMARIES)):
        for example in batch:
            check_language(name, example.language, "corrupt")
            _check_parsed_language(example, options.kinds)
        model = load_masked_words(name, dtype=dtype)
        draws = [_make_draws(example, options.seed) for example in batch]
        parsed = parse_texts(batch, options.kinds)
        most = max(options.numbers)
        replacements_of = {
            kind: _replace_any_words(model, batch, draws, most)
            if kind == "any"
            else find_replacements(model, parsed, draws, words=kind, most=most, floor=options.floor)
            for kind in options.kinds
        }
        for row, example in enumerate(batch):
            yield LabelledSummary(example)
            for kind in options.kinds:
                for number in options.numbers:
                    chosen = choose_apart(replacements_of[kind][row], number)
                    suffix = f"+{number} {kind}" if len(options.kinds) > 1 else f"+{number}"
                    if chosen:
                        yield replace(_apply(example, chosen, f"{example.system}{suffix}"), words=kind)


def _check_parsed_language(example: Example, kinds: Sequence[WordKind]) -> None:
    parsed = [kind for kind in kinds if kind != "any"]
    if parsed and language_code(example.language) != "en":
        raise MetricError(
            f"`words` {parsed[0]!r} reads English, not {example.language!r}: 'any' replaces words in every language "
            "that the model reads"
        )


def _replace_any_words(
    model: MaskedWords, examples: Sequence[Example], draws: Sequence[Draws], most: int
) -> list[list[Replacement]]:
    """The paper's: whole words of a single token, each by the likeliest word that it is not."""
    tokens_of = model.tokens([example.summary for example in examples])
    blanks: list[Blank] = []
    rows: list[int] = []
    for row, (tokens, of_summary) in enumerate(zip(tokens_of, draws, strict=True)):
        words = [position for position in np.flatnonzero(~tokens.special) if _is_whole_word(tokens, int(position))]
        drawn = [int(words[index]) for index in of_summary.permute(len(words))[:most]]
        blanks += [Blank(tokens, position, position + 1) for position in drawn]
        rows += [row] * len(drawn)
    likely = list_likely_words(model, blanks, count=2)  # two, as the likeliest may be the word itself
    replacements: list[list[Replacement]] = [[] for _ in examples]
    for row, blank, likely_words in zip(rows, blanks, likely, strict=True):
        start, end = int(blank.tokens.starts[blank.start]), int(blank.tokens.ends[blank.start])
        original = blank.tokens.text[start:end]
        others = [each.word for each in likely_words if each.word.casefold() != original.casefold()]
        if not others:
            raise DataError(f"{model.name} knows no whole word to put in the place of {original!r}")
        replacements[row].append(Replacement(start, end, copy_capitals(others[0], original), kind="word"))
    return replacements


def _is_whole_word(tokens: Tokens, position: int) -> bool:
    """Whether a token is a whole word: only letters, and none next to it (what follows an apostrophe is a part)."""
    text, start, end = tokens.text, int(tokens.starts[position]), int(tokens.ends[position])
    before, after = text[start - 1 : start] if start else "", text[end : end + 1]
    return is_word(text[start:end]) and not before.isalnum() and before not in _APOSTROPHES and not after.isalnum()


def _make_draws(example: Example, seed: int) -> Draws:
    """What is drawn for a summary, by seed, names and text."""
    identity = "\0".join([str(seed), example.doc_id, example.system, example.summary])
    digest = hashlib.blake2b(identity.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    return Draws(int.from_bytes(digest))


def _apply(example: Example, replacements: Sequence[Replacement], system: str) -> LabelledSummary:
    """The summary with its replacements, all else left letter for letter."""
    text = example.summary
    parts: list[str] = []
    errors: list[Error] = []
    copied = length = 0  # characters of the clean summary that are done, and of the corrupted one
    for replacement in sorted(replacements, key=lambda each: each.start):
        parts += [text[copied : replacement.start], replacement.text]
        length += replacement.start - copied
        errors.append(
            Error(
                start=length,
                end=length + len(replacement.text),
                original=text[replacement.start : replacement.end],
                replacement=replacement.text,
                kind=replacement.kind,
            )
        )
        length += len(replacement.text)
        copied = replacement.end
    summary = "".join([*parts, text[copied:]])
    return LabelledSummary(_change(example, summary=summary, system=system), tuple(errors), example.system)


def _change(example: Example, **changes: Any) -> Example:
    """A changed copy; `document` follows from `documents`, of which there may be several."""
    return replace(example, document=None, **changes)
