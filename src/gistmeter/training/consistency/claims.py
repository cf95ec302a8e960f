"""Claims: sentences that a document supports, made from its own sentences by rules, and the same with one error.

A claim is a sentence as it stands, a shorter one, or one told in other words: a synonym by the lists of meanings, a
number written another way, the first phrase moved to the end, or a statement cut from it. The error is put into the
claim itself, so that nothing but the error tells a wrong claim from a right one.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gistmeter.linguistics.contrasts.changes import fit_word
from gistmeter.linguistics.contrasts.words import list_own_words, meanings_of, number_words
from gistmeter.linguistics.errors.context import RULE_ERROR_KINDS, ErrorContext, put_change
from gistmeter.linguistics.errors.generators import find_errors
from gistmeter.linguistics.parser import load_parser
from gistmeter.models.consistency.passages import SplitDocument, choose_passages, join_passages
from gistmeter.training.sources.shortening import shorten_sentence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from spacy.tokens import Doc

    from gistmeter.linguistics.errors.context import RuleErrorKind

SUPPORTED = "supported"
"""The kind of a claim without an error."""

MISSING = "missing"
"""The kind of a claim whose own sentence was taken out of the document."""

_BATCH_TEXTS = 64
_MISSING_SHARE = 0.2
_MIN_WORDS, _MAX_WORDS = 6, 40
_SYNONYM_SECTIONS = frozenset(["change", "gate", "reply", "trade", "course", "term", "permission", "size", "pace"])
"""Sections of the lists whose words may stand for each other, and not only exclude those of other lists."""

_FRONTED = re.compile(
    r"^(?P<first>(?:In|On|At|After|Before|During|For|Since|By|Under|With)\b[^,]{3,60}), (?P<rest>.{20,})$"
)
_FIFTY_PERCENT = re.compile(r"\b50(?:%| percent| per cent) of\b")
_OVER = re.compile(r"\bmore than (?=[\d$£€])")
_SCALED = re.compile(r"\b(\d+)\.(\d) million\b")


@dataclass(frozen=True, slots=True)
class ClaimPair:
    """Passages and a claim about them: the number of their relation (as in entailment), its kind and its source."""

    premise: str
    claim: str
    label: int
    kind: str
    source: str


class WrongText(NamedTuple):
    """A text with an error, and the kind of error."""

    kind: RuleErrorKind
    text: str


@dataclass(frozen=True, slots=True)
class SourceText:
    """A document to make claims of: its sentences, its set, and claims that people wrote and it supports."""

    sentences: tuple[str, ...]
    source: str
    written: tuple[str, ...] = ()


def make_claim_pairs(texts: Sequence[SourceText], *, claims: int, seed: int) -> Iterator[ClaimPair]:
    """Of each text so many claims, told right and wrong; one of five without its own sentence in the document."""
    rng = np.random.default_rng((seed, 11))
    counts: Counter[RuleErrorKind] = Counter()
    for start in range(0, len(texts), _BATCH_TEXTS):
        for base in _tell_claims(texts[start : start + _BATCH_TEXTS], claims, rng):
            yield from _tell_right_and_wrong(base, rng, counts)


class _BaseClaim(NamedTuple):
    """A claim with its parse, the text it is of, and the number of its own sentence there, if it was made of one."""

    claim: Doc
    text: SourceText
    document: Doc
    own: int | None


def _tell_claims(texts: Sequence[SourceText], claims: int, rng: np.random.Generator) -> list[_BaseClaim]:
    parser = load_parser()
    documents = parser.parse([" ".join(text.sentences) for text in texts], entities=True)
    chosen = [(row, number) for row, text in enumerate(texts) for number in _draw_sentences(text, claims, rng)]
    parsed = parser.parse([texts[row].sentences[number] for row, number in chosen], entities=True)
    rewritten: list[tuple[int, int | None, str]] = [
        (row, number, _tell_otherwise(doc, rng)) for (row, number), doc in zip(chosen, parsed, strict=True)
    ]
    rewritten += [(row, None, claim) for row, text in enumerate(texts) for claim in text.written]
    docs = parser.parse([claim for _, _, claim in rewritten], entities=True)
    return [
        _BaseClaim(claim=doc, text=texts[row], document=documents[row], own=number)
        for (row, number, _), doc in zip(rewritten, docs, strict=True)
    ]


def _tell_right_and_wrong(
    base: _BaseClaim, rng: np.random.Generator, counts: Counter[RuleErrorKind]
) -> Iterator[ClaimPair]:
    source, claim = base.text.source, base.claim.text
    split = SplitDocument.of(base.text.sentences)
    yield _pair(split, claim, label=0, kind=SUPPORTED, source=source)
    if base.own is not None and rng.random() < _MISSING_SHARE:
        others = [sentence for number, sentence in enumerate(base.text.sentences) if number != base.own]
        yield _pair(SplitDocument.of(others), claim, label=3, kind=MISSING, source=source)
        return
    wrong = draw_rare_error(base.claim, ErrorContext(base.document, rng), counts)
    if wrong is not None:
        counts[wrong.kind] += 1
        yield _pair(split, wrong.text, label=3, kind=wrong.kind, source=source)


@dataclass(frozen=True, slots=True)
class DocumentClaim:
    """A whole document and a claim about it, which is `supported` or has an error of the kind."""

    document: str
    text: str
    kind: str


def make_document_claims(texts: Sequence[SourceText], *, claims: int, seed: int) -> list[DocumentClaim]:
    """Of each text so many claims with their whole document: right, and wrong in every way that each can be wrong."""
    rng = np.random.default_rng((seed, 19))
    document_claims: list[DocumentClaim] = []
    for start in range(0, len(texts), _BATCH_TEXTS):
        for base in _tell_claims(texts[start : start + _BATCH_TEXTS], claims, rng):
            document = "\n".join(base.text.sentences)
            document_claims.append(DocumentClaim(document=document, text=base.claim.text, kind=SUPPORTED))
            context = ErrorContext(base.document, rng)
            for kind in RULE_ERROR_KINDS:
                changes = find_errors(base.claim, kind, context)
                if changes:
                    change = changes[int(rng.integers(len(changes)))]
                    document_claims.append(
                        DocumentClaim(document=document, text=put_change(base.claim.text, change), kind=kind)
                    )
            if base.own is not None:
                others = [sentence for number, sentence in enumerate(base.text.sentences) if number != base.own]
                document_claims.append(DocumentClaim(document="\n".join(others), text=base.claim.text, kind=MISSING))
    return document_claims


def draw_rare_error(doc: Doc, context: ErrorContext, counts: Mapping[RuleErrorKind, int]) -> WrongText | None:
    """A text with an error of the kind that there are fewest of so far, among those it can have."""
    for kind in sorted(RULE_ERROR_KINDS, key=lambda kind: counts.get(kind, 0)):
        changes = find_errors(doc, kind, context)
        if changes:
            return WrongText(kind, put_change(doc.text, changes[int(context.rng.integers(len(changes)))]))
    return None


def _draw_sentences(text: SourceText, count: int, rng: np.random.Generator) -> list[int]:
    usable = [
        number
        for number, sentence in enumerate(text.sentences)
        if _MIN_WORDS <= len(sentence.split()) <= _MAX_WORDS and sentence[:1].isupper() and sentence[-1:] in '.!"'
    ]
    return [usable[i] for i in rng.permutation(len(usable))[:count].tolist()]


def _pair(document: SplitDocument, claim: str, *, label: int, kind: str, source: str) -> ClaimPair:
    premise = join_passages(document, choose_passages(document, claim))
    return ClaimPair(premise=premise, claim=claim, label=label, kind=kind, source=source)


def _tell_otherwise(doc: Doc, rng: np.random.Generator) -> str:
    """A sentence as it is, shorter, or in other words; what cannot be told so is told as it is."""
    draw = rng.random()
    text = doc.text
    if draw < 0.55:
        text = shorten_sentence(doc, rng) or text
    for rewrite in _REWRITES:
        if rng.random() < 0.6:
            text = rewrite(text, rng)
    return text


def _exchange_synonym(text: str, rng: np.random.Generator) -> str:
    """A word for another of the same meaning, by the lists: rose for climbed, approved for accepted."""
    words = [match for match in re.finditer(r"[a-z]+", text) if meanings_of(match.group())]
    for index in rng.permutation(len(words)).tolist():
        match = words[index]
        meaning = meanings_of(match.group())[0]
        if not match.group().endswith(("ed", "ing", "s")):  # other forms cannot be told apart by their ending
            continue
        if meaning.section not in _SYNONYM_SECTIONS or len(meanings_of(match.group())) > 1:
            continue
        own = list_own_words(meaning)
        others = [word for word in own if word[:3] != match.group()[:3]]
        other = fit_word(match.group(), len(others), rng.permutation(others).tolist())
        if other is not None and other[-1] == match.group()[-1]:
            return text[: match.start()] + other + text[match.end() :]
    return text


def _rewrite_number(text: str, rng: np.random.Generator) -> str:  # noqa: ARG001
    """A number word in digits or the other way, half for 50%, over for more than."""
    text = _OVER.sub("over ", _FIFTY_PERCENT.sub("half of", text))
    text = _SCALED.sub(lambda match: f"{match[1]},{match[2]}00,000", text)
    values = {word: str(int(value)) for word, value in number_words().items() if value > 1}
    digits = {digit: word for word, digit in values.items() if int(digit) > 2 and int(digit) < 13}
    text = re.sub(r"(?<![\w-])[a-z]+(?![\w-])", lambda match: values.get(match[0], match[0]), text)
    return re.sub(r"(?<![\d.,$£€-])\b\d{1,2}\b(?![\d.,%-]\d?)", lambda match: digits.get(match[0], match[0]), text)


def _move_first_phrase(text: str, rng: np.random.Generator) -> str:  # noqa: ARG001
    """The phrase before the first comma put at the end.

    >>> _move_first_phrase("On Monday, the council approved the bridge.", np.random.default_rng(0))
    'The council approved the bridge on Monday.'
    """
    match = _FRONTED.match(text)
    if match is None or not match["rest"].endswith("."):
        return text
    rest, first = match["rest"], match["first"]
    return f"{rest[0].upper()}{rest[1:-1]} {first[0].lower()}{first[1:]}."


_REWRITES: tuple[Callable[[str, np.random.Generator], str], ...] = (
    _exchange_synonym,
    _rewrite_number,
    _move_first_phrase,
)
