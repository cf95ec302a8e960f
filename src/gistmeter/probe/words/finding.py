"""Finding replacements: for each summary, in the order drawn, what of it can be replaced and by what.

Content words are replaced by the likeliest other word of the same form (a plural by a plural, a past tense by a past
tense), names by names and numbers by numbers of the document, clauses by their contrary. What the masked-word model
gives less than `floor` is left out, so that the text stays fluent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.linguistics.contrasts.clauses import TextChange, find_negations, find_role_swaps
from gistmeter.linguistics.errors.context import ErrorContext
from gistmeter.linguistics.errors.generators import find_errors
from gistmeter.linguistics.errors.other_names import find_names, list_other_names
from gistmeter.linguistics.errors.other_numbers import is_number, list_other_numbers
from gistmeter.linguistics.parser import load_parser
from gistmeter.probe.words.likelihood import Blank, LikelyWord, is_word, list_likely_words, rate_texts
from gistmeter.probe.words.replacement import KINDS_BY_RULES, ErrorKind, Replacement, WordKind, copy_capitals

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spacy.tokens import Doc, Span, Token

    from gistmeter.example import Example
    from gistmeter.linguistics.errors.context import RuleErrorKind
    from gistmeter.models.masked_words.model import MaskedWords
    from gistmeter.models.runtime.states import Tokens
    from gistmeter.probe.words.replacement import Draws

TARGETS_PER_ERROR = 3
"""How many places are tried for an error asked for; in those that are left there is nothing likely enough."""

FORMS_TRIED = 6
"""How many likely words are tried until one has the form of the word replaced."""

PHRASE_FLOOR_SHARE = 0.002
"""The part of the floor that holds for phrases exchanged: several masks side by side tell less of each other."""

_OPEN_CLASSES = ("NOUN", "VERB", "ADJ")


@dataclass(frozen=True, slots=True)
class _Target:
    """Words of a summary to be replaced, and what may take their place; nothing given: any likely word."""

    row: int
    span: Span
    kind: ErrorKind
    others: tuple[str, ...] = ()

    @property
    def start(self) -> int:
        return int(self.span.start_char)

    @property
    def end(self) -> int:
        return int(self.span.end_char)


@dataclass(frozen=True, slots=True)
class ParsedTexts:
    """The parses of summaries, and of their documents where a kind of words needs them."""

    summaries: Sequence[Doc]
    documents: Sequence[Doc]


def parse_texts(examples: Sequence[Example], kinds: Sequence[WordKind]) -> ParsedTexts:
    """The texts of examples parsed once for all kinds of words; nothing is parsed for `any`."""
    if not set(kinds) - {"any"}:
        return ParsedTexts((), ())
    summaries = load_parser().parse([example.summary for example in examples], entities=True)
    if not set(kinds) & {"content", "names", "numbers", *KINDS_BY_RULES}:
        return ParsedTexts(summaries, ())
    return ParsedTexts(summaries, load_parser().parse([example.document or "" for example in examples], entities=True))


def find_replacements(
    model: MaskedWords,
    parsed: ParsedTexts,
    draws: Sequence[Draws],
    *,
    words: WordKind,
    most: int,
    floor: float,
) -> list[list[Replacement]]:
    """For each summary the replacements of a kind, in the order of its `draws`."""
    summaries, documents = parsed.summaries, parsed.documents
    texts = [doc.text for doc in summaries]
    if words in KINDS_BY_RULES:
        return [
            _replace_by_rules(summary, document, drawn, KINDS_BY_RULES[words])
            for summary, document, drawn in zip(summaries, documents, draws, strict=True)
        ]
    if words in ("negation", "roles"):
        find = find_negations if words == "negation" else find_role_swaps
        found_changes = [find(doc) for doc in summaries]
        if words == "roles":
            found_changes = _keep_likely(model, found_changes, texts, floor)
        kind: ErrorKind = "negation" if words == "negation" else "role"
        return [
            [
                Replacement(changes[i].start, changes[i].end, changes[i].text, kind=kind)
                for i in drawn.permute(len(changes))
            ]
            for changes, drawn in zip(found_changes, draws, strict=True)
        ]
    targets: list[_Target] = []
    for row, (doc, document, drawn) in enumerate(zip(summaries, documents, draws, strict=True)):
        candidates = _find_targets(row, doc, document, words)
        order = drawn.permute(len(candidates))[: TARGETS_PER_ERROR * most]
        targets += [candidates[i] for i in order]
    chosen = _choose_words(model, targets, model.tokens(texts), floor)
    replacements: list[list[Replacement]] = [[] for _ in texts]
    for target, text in zip(targets, chosen, strict=True):
        earlier = replacements[target.row]
        if text and text not in [replacement.text for replacement in earlier]:  # two names do not become one
            earlier.append(Replacement(target.start, target.end, text, kind=target.kind))
    return replacements


def _replace_by_rules(summary: Doc, document: Doc, draws: Draws, kind: RuleErrorKind) -> list[Replacement]:
    """The errors that the rules of a kind can put into a summary, in the order drawn."""
    changes = find_errors(summary, kind, ErrorContext(document, draws.make_generator()))
    return [
        Replacement(changes[i].start, changes[i].end, changes[i].text, kind=kind) for i in draws.permute(len(changes))
    ]


def _keep_likely(
    model: MaskedWords, changes_of: Sequence[list[TextChange]], texts: Sequence[str], floor: float
) -> list[list[TextChange]]:
    """Of the exchanges of phrases those in which both are likely enough where they come to stand."""
    changes = [(row, change) for row, of_text in enumerate(changes_of) for change in of_text]
    changed = [texts[row][: change.start] + change.text + texts[row][change.end :] for row, change in changes]
    least = np.full(len(changes), np.inf)
    asked: list[int] = []
    blanks: list[Blank] = []
    phrases: list[list[str]] = []
    for index, ((_, change), text, tokens) in enumerate(zip(changes, changed, model.tokens(changed), strict=True)):
        if not change.first_length:
            continue
        end = change.start + len(change.text)
        for span in ((change.start, change.start + change.first_length), (end - change.last_length, end)):
            blank = _find_blank(tokens, *span)
            if blank is None:
                least[index] = 0.0
                continue
            asked.append(index)
            blanks.append(blank)
            phrases.append([text[slice(*span)]])
    for index, likelihoods in zip(asked, rate_texts(model, blanks, phrases), strict=True):
        least[index] = min(least[index], likelihoods[0])
    likely: list[list[TextChange]] = [[] for _ in texts]
    for (row, change), likelihood in zip(changes, least, strict=True):
        if likelihood >= floor * PHRASE_FLOOR_SHARE:
            likely[row].append(change)
    return likely


def _find_targets(row: int, doc: Doc, document: Doc, words: WordKind) -> list[_Target]:
    """The words of a kind that have something to take their place."""
    names = find_names(doc) if words in ("content", "names") else []
    in_names = {word.i for name in names for word in name}
    document_names = find_names(document) if names else []
    targets = [_Target(row, name, "name", others=tuple(list_other_names(name, document_names))) for name in names]
    if words in ("content", "numbers"):
        numbers = [word for word in doc if is_number(word) and word.i not in in_names]
        targets += [
            _Target(row, _as_span(word), "number", others=tuple(list_other_numbers(word, document))) for word in numbers
        ]
    targets = [target for target in targets if target.others]
    if words == "content":
        targets += [
            _Target(row, _as_span(word), "word") for word in doc if word.i not in in_names and _is_content(word)
        ]
    return sorted(targets, key=lambda target: target.start)


def _as_span(word: Token) -> Span:
    return word.doc[word.i : word.i + 1]


def _is_content(word: Token) -> bool:
    return word.pos_ in _OPEN_CLASSES and is_word(word.text) and not word.is_stop


def _choose_words(
    model: MaskedWords, targets: Sequence[_Target], tokens_of: Sequence[Tokens], floor: float
) -> list[str]:
    """What takes the place of each target; empty where nothing is likely enough."""
    chosen = [""] * len(targets)
    blanks = {
        index: _find_blank(tokens_of[target.row], target.start, target.end) for index, target in enumerate(targets)
    }
    listed = [i for i, target in enumerate(targets) if target.others and blanks[i] is not None]
    free = [i for i, target in enumerate(targets) if not target.others and blanks[i] is not None]
    listed_blanks = [blank for i in listed if (blank := blanks[i]) is not None]
    for i, likelihoods in zip(
        listed, rate_texts(model, listed_blanks, [targets[i].others for i in listed]), strict=True
    ):
        # No floor: a name or a number reads well where one of its kind stood.
        chosen[i] = _fit_capitals(targets[i].others[int(np.argmax(likelihoods))], targets[i])
    free_blanks = [blank for i in free if (blank := blanks[i]) is not None]
    likely = list_likely_words(model, free_blanks, count=4 * FORMS_TRIED, floor=floor)
    for i, word in zip(free, _choose_forms([targets[i] for i in free], likely), strict=True):
        chosen[i] = word
    return chosen


def _fit_capitals(text: str, target: _Target) -> str:
    return copy_capitals(text, target.span.text) if target.kind == "number" and text.isalpha() else text


def _find_blank(tokens: Tokens, start: int, end: int) -> Blank | None:
    """The tokens of these characters, or nothing where a token reaches beyond them."""
    inside = np.flatnonzero(~tokens.special & (tokens.starts < end) & (tokens.ends > start))
    if not len(inside) or tokens.starts[inside[0]] < start or tokens.ends[inside[-1]] > end:
        return None
    return Blank(tokens, int(inside[0]), int(inside[-1]) + 1)


def _choose_forms(targets: Sequence[_Target], likely: Sequence[Sequence[LikelyWord]]) -> list[str]:
    """For each content word the likeliest other word that has its form where it stands, by the parser."""
    tried: list[tuple[int, str, str, int]] = []  # the target, the word, the sentence with it, where it stands there
    for index, (target, words) in enumerate(zip(targets, likely, strict=True)):
        original = target.span[0]
        sentence = target.span.sent
        in_sentence = {word.lower_ for word in sentence}
        usable = [each.word for each in words if _may_differ(each.word, original) and each.word not in in_sentence]
        for word in usable[:FORMS_TRIED]:
            written = copy_capitals(word, original.text)
            position = target.start - sentence.start_char
            text = sentence.text[:position] + written + sentence.text[position + len(original) :]
            tried.append((index, written, text, position))
    docs = load_parser().parse([text for _, _, text, _ in tried])
    chosen = [""] * len(targets)
    for (index, written, _, position), doc in zip(tried, docs, strict=True):
        token = next((token for token in doc if token.idx == position), None)
        original = targets[index].span[0]
        if not chosen[index] and token is not None and token.text == written and _has_form(token, original):
            chosen[index] = written
    return chosen


def _may_differ(word: str, original: Token) -> bool:
    """Whether a word may be another: not the same, not a function word, no form of the same stem."""
    small, own = word.casefold(), original.lower_
    lexeme = original.vocab[small]
    shared = min(len(small), len(own), 5)
    return small != own and not lexeme.is_stop and small[:shared] != own[:shared]


def _has_form(word: Token, original: Token) -> bool:
    return word.tag_ == original.tag_ and word.lemma_ != original.lemma_ and word.dep_ == original.dep_
