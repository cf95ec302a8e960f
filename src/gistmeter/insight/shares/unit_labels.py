"""Which content units the tokens of a text carry: by spans that people marked, or by a guess from the units' words.

The guess is a proxy for data that have units and labels, but no spans: a unit is put into the sentence that shares most
content words with it, and there into the words that it shares.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from gistmeter.errors import DataError
from gistmeter.evidence.alignment import Span
from gistmeter.text.analysis import Analysis
from gistmeter.text.languages import language_code
from gistmeter.text.sentences import find_sentences
from gistmeter.wording import format_count

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.evidence.alignment import TokenText
    from gistmeter.example import Example, Unit
    from gistmeter.text.words import Word

UnitSpanSource = Literal["given", "guessed"]
"""Whether spans of units are those of the records or pyramids, or guessed from the words of the units."""

UnitSets = tuple[frozenset[int], ...]
"""For each token of a text the units that it carries, by position."""


@dataclass(slots=True)
class UnitLabels:
    """The units that tokens carry in the texts of examples."""

    source: UnitSpanSource
    guesses: dict[tuple[str, str], tuple[list[Word], list[Word], list[tuple[int, int]]]] = field(default_factory=dict)
    """What was read of a text before: its words, its content words and its sentences, by text and language."""

    def check(self, examples: Sequence[Example]) -> None:
        """Refuse a run whose units are not marked, or not judged where places are guessed."""
        units = [(example, unit) for example in examples for unit in example.units]
        if not examples:
            raise DataError("the run is empty: there are no summaries to look at")
        if not units:
            raise DataError("the run has no content units: give them in its records, with --units, or as .pan files")
        if self.source == "guessed":
            unjudged = [example for example, unit in units if unit.present is None]
            if unjudged:
                raise DataError(
                    f"a unit of {unjudged[0].name} has no label, so that nobody knows whether the summary states it: "
                    "give labels in the records, or have a model judge them (gistmeter units judge)"
                )
            return
        if not any(unit.spans for _, unit in units):
            raise DataError(
                "no content unit of the run has spans, which say where it is stated: give them in the records or as "
                ".pan files, or take a proxy from the words of the units (--spans guessed)"
            )
        for example, unit in units:
            _check_spans(example, unit)

    def label(self, example: Example, text: TokenText, *, is_summary: bool = False) -> UnitSets:
        """The units that each token of a text of an example carries: those in whose span it begins."""
        spans = self._find_spans(example, text, is_summary=is_summary)
        return tuple(
            frozenset(number for number, span in spans if span.start <= token.start < min(span.end, token.end))
            for token in text.tokens
        )

    def _find_spans(self, example: Example, text: TokenText, *, is_summary: bool) -> list[tuple[int, Span]]:
        """The spans of units in a text, each with the number of its unit."""
        if is_summary and text.text not in (example.summary, _compose(example.summary)):
            raise DataError(
                f"units are marked in the summary of {example.name} as it is written, but its alignment is of "
                "another text: `align` gives texts as they are in the example"
            )
        texts = {
            spelling: number
            for number, reference in reversed(list(enumerate(example.references)))
            for spelling in (reference, _compose(reference))
        }
        if not is_summary and text.text not in texts:
            return _find_unit_lines(example, text)
        reference = None if is_summary else texts[text.text]
        if self.source == "given":
            original = example.summary if reference is None else example.references[reference]
            return [
                (number, _move_span(Span(span.start, span.end), original, text.text))
                for number, unit in enumerate(example.units)
                for span in unit.spans
                if span.reference == reference
            ]
        return [
            (number, span)
            for number, unit in enumerate(example.units)
            if unit.weight and (reference is not None or unit.present)
            for span in self._guess_spans(text.text, unit, language_code(example.language))
        ]

    def _guess_spans(self, text: str, unit: Unit, language: str) -> list[Span]:
        """The words that a unit shares with the sentence that shares most content words with it; none if none does."""
        words, content_words, sentences = self._read(text, language)
        unit_words, unit_content, _ = self._read(unit.text, language)
        wanted = {word.text for word in unit_content}
        shared = Counter(
            {
                sentence: len({word.text for word in content_words if sentence[0] <= word.start < sentence[1]} & wanted)
                for sentence in sentences
            }
        )
        if not shared or not max(shared.values()):
            return []
        (start, end), _ = shared.most_common(1)[0]
        stems = {word.text for word in unit_words}
        return [Span(word.start, word.end) for word in words if start <= word.start < end and word.text in stems]

    def _read(self, text: str, language: str) -> tuple[list[Word], list[Word], list[tuple[int, int]]]:
        if (text, language) not in self.guesses:
            every_word, content = (
                Analysis(stem="auto", stopwords=stopwords).in_language(language) for stopwords in ("none", "language")
            )
            self.guesses[text, language] = (
                every_word.spans(text),
                content.spans(text),
                find_sentences(every_word.normalize(text), language),
            )
        return self.guesses[text, language]


def _find_unit_lines(example: Example, text: TokenText) -> list[tuple[int, Span]]:
    """The units of a text that has them one below the other, as metrics on units compare with."""
    numbers = {unit.text: number for number, unit in enumerate(example.units)}
    longest_first = sorted(numbers, key=len, reverse=True)
    spans = []
    start = 0
    while start <= len(text.text):
        unit = next((each for each in longest_first if f"{text.text}\n".startswith(f"{each}\n", start)), None)
        if unit is None:
            raise DataError(
                f"the {text.title} of {example.name} has no marked units: units are marked in summaries and references"
            )
        spans.append((numbers[unit], Span(start, start + len(unit))))
        start += len(unit) + 1
    return spans


def _check_spans(example: Example, unit: Unit) -> None:
    """Refuse spans that lie outside the texts of an example."""
    for span in unit.spans:
        if span.reference is not None and span.reference >= len(example.references):
            count = format_count(len(example.references), "reference")
            raise DataError(
                f"a unit of {example.name}, which has {count}, has a span in reference {span.reference} (from 0)"
            )
        text, title = (
            (example.summary, "the summary")
            if span.reference is None
            else (example.references[span.reference], f"reference {span.reference} (from 0)")
        )
        if span.end > len(text):
            raise DataError(
                f"a unit of {example.name} has a span from {span.start} to {span.end} of {title}, which has "
                f"{format_count(len(text), 'character')}"
            )


def _compose(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _move_span(span: Span, original: str, composed: str) -> Span:
    """A span of a text where it stands once characters are composed."""
    if original == composed:
        return span
    return Span(len(_compose(original[: span.start])), len(_compose(original[: span.end])))
