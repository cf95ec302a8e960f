"""Finders: each says of what in a summary the document has nothing, or something else.

A finder takes the texts of a check and yields findings. `FINDERS` are those that a check asks, the judge of consistency
among them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from gistmeter.checking.texts import CheckedTexts, Finding
from gistmeter.errors import DataError
from gistmeter.linguistics.contrasts.conflicts import find_conflicts, weigh_conflicts
from gistmeter.linguistics.contrasts.statements import read_statement
from gistmeter.text.analysis import Analysis
from gistmeter.text.stopwords import load_stopwords
from gistmeter.text.words import has_words
from gistmeter.wording import join_names

if TYPE_CHECKING:
    from gistmeter.linguistics.contrasts.statements import Number, Statement, Token

Finder = Callable[[CheckedTexts], Iterable[Finding]]

_DIGITS = re.compile(r"\d+(?:[.,]\d+)*")
_SMALL_COUNT = 12
"""Counts up to this, written in words, may be the summary's own: two of the things that a document lists."""
_STEM_LETTERS = 4
"""A name that begins as a word of the document does, such as Iranian and Iran, is no new one."""
_ALL_NAMES = 0.6
"""Where so many of the content words have a capital, as in headlines, capitals mark no names."""
_FEW_WORDS = 5
_NEW_WORDS = 3
_NEW_SHARE = 0.5
_ALIKE = 0.7
"""How much else of a sentence the document's must have before a contrast between the two says something."""
_CONTRASTS = ("date", "direction", "quantity")


def find_numbers(texts: CheckedTexts) -> Iterator[Finding]:
    """Numbers that stand nowhere in the document, in digits or, in English, in words."""
    if not has_words(texts.document):
        return
    if texts.language != "en":
        yield from _find_digits(texts)
        return
    document = read_statement(texts.document)
    digits = set(_DIGITS.findall(texts.document))
    for position, sentence in enumerate(texts.sentences):
        for number in read_statement(sentence.text).numbers:
            if number.text.split()[0] in digits or any(number.agrees_with(other) for other in document.numbers):
                continue
            in_words = not number.text[0].isdigit()
            if in_words and number.kind == "ordinal":
                continue
            other = _find_other_number(texts.document, sentence.text, number)
            instead = f"; where it speaks of the same, it has {other}" if other else ""
            yield Finding(
                sentence=position,
                kind="number",
                text=number.text,
                why=f"{number.text} stands nowhere in the document{instead}",
                weight=0.5 if in_words and number.value <= _SMALL_COUNT else 1.0,
            )


def find_names(texts: CheckedTexts) -> Iterator[Finding]:
    """English names of which no word stands in the document, and no initials."""
    if texts.language != "en" or not has_words(texts.document):
        return
    document = read_statement(texts.document)
    stems = {token.stem for token in document.tokens}
    initials = _list_initials(document)
    content = [token for token in read_statement(texts.example.summary).tokens if token.is_content]
    capitals = sum(token.text[0].isupper() for token in content)
    if texts.example.summary.isupper() or (len(content) > _FEW_WORDS and capitals > _ALL_NAMES * len(content)):
        return
    for position, sentence in enumerate(texts.sentences):
        for name in _group_names(read_statement(sentence.text)):
            if not any(_stands_in(token, stems) or token.lower in initials for token in name):
                written = " ".join(token.text for token in name)
                yield Finding(
                    sentence=position,
                    kind="name",
                    text=written,
                    why=f"{written} stands nowhere in the document",
                    weight=0.9,
                )


def find_contrasts(texts: CheckedTexts) -> Iterator[Finding]:
    """Dates, directions and quantities of which the document's most similar sentence has the contrary."""
    if texts.language != "en" or not has_words(texts.document):
        return
    for position, sentence in enumerate(texts.sentences):
        shares = weigh_conflicts(texts.document, sentence.text)
        for conflict in find_conflicts(texts.document, sentence.text):
            if conflict.kind in _CONTRASTS and conflict.text and shares[conflict.kind] >= _ALIKE:
                why = f"says {conflict.stated} where the document's most similar sentence says {conflict.text}"
                yield Finding(sentence=position, kind="contrast", text=conflict.stated, why=why, weight=0.6)


def find_new_words(texts: CheckedTexts) -> Iterator[Finding]:
    """Sentences at least half of whose content words the document does not have, in any form."""
    try:
        analysis = Analysis(stem="auto", stopwords="language").in_language(texts.language)
        load_stopwords("language", analysis.language)
    except DataError:  # no list of function words for this language: nothing can be said of content words
        return
    document_words = set(analysis.tokens(texts.document))
    if not document_words:
        return
    for position, sentence in enumerate(texts.sentences):
        normal = analysis.normalize(sentence.text)
        words = [word for word in analysis.spans(sentence.text) if not word.text.isdigit()]
        new = [normal[word.start : word.end] for word in words if word.text not in document_words]
        if len(new) >= _NEW_WORDS and len(new) >= _NEW_SHARE * len(words):
            why = f"{len(new)} of its {len(words)} content words are not in the document: {join_names(new)}"
            yield Finding(sentence=position, kind="new words", text="", why=why, weight=0.7 * len(new) / len(words))


def find_repetitions(texts: CheckedTexts) -> Iterator[Finding]:
    """Sentences that the summary has had before, word by word."""
    analysis = Analysis().in_language(texts.language)
    first: dict[tuple[str, ...], int] = {}
    for position, sentence in enumerate(texts.sentences):
        words = tuple(analysis.tokens(sentence.text))
        if words and first.setdefault(words, position) != position:
            yield Finding(
                sentence=position, kind="repetition", text="", why=f"it repeats sentence {first[words] + 1}", weight=0.8
            )


def find_unsupported(texts: CheckedTexts) -> Iterator[Finding]:
    """English sentences that the embedded judge of consistency does not find supported by the document."""
    if not texts.models or texts.language != "en" or not has_words(texts.document):
        return
    from gistmeter.metrics.consistency.consistency import Consistency

    metric = Consistency()
    judged = {sentence.sentence: sentence for sentence in metric.judge_sentences(texts.example)}
    for position, sentence in enumerate(texts.sentences):
        judged_sentence = judged.get(sentence.text)
        if judged_sentence is not None and judged_sentence.support <= metric.threshold:
            why = (
                f"the document supports it with a probability of {judged_sentence.support:.2f}; its best passage: "
                f"{' '.join(judged_sentence.best.split())}"
            )
            yield Finding(sentence=position, kind="support", text="", why=why, weight=1.0 - judged_sentence.support)


FINDERS: tuple[Finder, ...] = (
    find_numbers,
    find_names,
    find_contrasts,
    find_new_words,
    find_repetitions,
    find_unsupported,
)


def _find_digits(texts: CheckedTexts) -> Iterator[Finding]:
    """Numbers in digits that the document does not have; points and commas are not told apart."""
    document_words = {_join_digits(number) for number in _DIGITS.findall(texts.document)}
    for position, sentence in enumerate(texts.sentences):
        for number in _DIGITS.findall(sentence.text):
            if _join_digits(number) not in document_words:
                yield Finding(
                    sentence=position,
                    kind="number",
                    text=number,
                    why=f"{number} stands nowhere in the document",
                    weight=1.0,
                )


def _join_digits(number: str) -> str:
    return re.sub(r"\D", "", number)


def _find_other_number(document: str, sentence: str, number: Number) -> str:
    """The number that the document's most similar sentence has in the place of one, as far as it has one."""
    for conflict in find_conflicts(document, sentence):
        if conflict.kind in ("number", "other number") and conflict.stated == number.text:
            return conflict.text
    return ""


def _group_names(statement: Statement) -> Iterator[list[Token]]:
    """The names of a sentence: neighbouring words with a capital. A sentence's first word needs a second one."""
    group: list[Token] = []
    for index, token in enumerate(statement.tokens):
        starts = index == 0 and token.is_content and token.text[0].isupper()
        if (token.is_name and token.is_content) or starts:
            group.append(token)
            continue
        yield from _keep_name(group, statement)
        group = []
    yield from _keep_name(group, statement)


def _keep_name(group: list[Token], statement: Statement) -> Iterator[list[Token]]:
    if group and (len(group) > 1 or group[0] is not statement.tokens[0] or group[0].text.isupper()):
        yield group


def _stands_in(token: Token, stems: set[str]) -> bool:
    if token.stem in stems:
        return True
    start = token.stem[:_STEM_LETTERS]
    return len(start) == _STEM_LETTERS and any(
        stem.startswith(token.stem) or (len(stem) >= _STEM_LETTERS and token.stem.startswith(stem)) for stem in stems
    )


def _list_initials(document: Statement) -> set[str]:
    """The initials of the document's names of several words, such as un for United Nations."""
    initials: set[str] = set()
    run = ""
    for token in (*document.tokens, None):
        if token is not None and token.text[0].isupper():
            run += token.lower[0]
        elif token is None or token.lower not in ("of", "the", "and", "for"):
            initials |= {run[start:end] for start in range(len(run)) for end in range(start + 2, len(run) + 1)}
            run = ""
    return initials
