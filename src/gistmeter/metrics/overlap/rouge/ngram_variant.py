"""ROUGE of units of whole texts, and its best known variant: ROUGE-N, shared n-grams."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import numpy as np

from gistmeter.errors import MetricError
from gistmeter.evidence.alignment import Token, TokenText, align_equal_tokens
from gistmeter.metrics.grouping import group_by_language
from gistmeter.metrics.overlap.rouge.category_words import ALL_WORDS, check_category, choose_words, describe_categories
from gistmeter.metrics.overlap.rouge.evidence import match_ngrams, match_words
from gistmeter.metrics.overlap.rouge.family import Rouge
from gistmeter.metrics.overlap.rouge.ngrams import count_ngram_matches
from gistmeter.metrics.references import PairCounts
from gistmeter.metrics.settings import Within
from gistmeter.text.languages import language_code

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from gistmeter.evidence.alignment import Alignment
    from gistmeter.example import Example
    from gistmeter.metrics.overlap.rouge.evidence import ComparedWords, RougeMatches
    from gistmeter.text.encode import Lexicon
    from gistmeter.text.words import Word


@dataclass(frozen=True, slots=True)
class WholeTextRouge(Rouge):
    """A variant that counts units (n-grams, words, pairs of words) of whole texts, whatever their sentences."""

    def _count_matches(
        self,
        reader: Lexicon,
        examples: Sequence[Example],
        reference_texts: Sequence[str],
        owners: NDArray[np.int64],
    ) -> PairCounts:
        summaries, references = reader.encode([example.summary for example in examples], reference_texts)
        self._check_lengths(examples, summaries.lengths, references.lengths, owners)
        in_summary = np.asarray(self._count_units(summaries.lengths), dtype=float)[owners]
        in_reference = np.asarray(self._count_units(references.lengths), dtype=float)
        texts = (summaries.ids, summaries.starts, references.ids, references.starts, owners)
        matches = self._count_shared_units(*texts).astype(float)
        return PairCounts(
            matches=matches, in_summary=in_summary, in_reference=in_reference, usable=references.lengths > 0
        )

    @abstractmethod
    def _count_shared_units(self, *texts: NDArray[Any]) -> NDArray[np.int64]:
        """How many units each reference shares with its summary.

        `texts` are word ids and starts of the summaries, the same of the references, and which summary each reference
        belongs to: what the compiled loops take first.
        """

    @abstractmethod
    def _count_units(self, lengths: NDArray[np.int64]) -> NDArray[np.int64]:
        """How many units texts of so many words have."""


@dataclass(frozen=True, slots=True)
class RougeN(WholeTextRouge):
    """N-grams shared with the references, counted at most as often as they occur in both.

    `category` of rouge1 takes the words of one kind alone, by the embedded parser of English: `np_chunks` those in noun
    chunks, `vb`, `nn`, `ner`, `nsubj` and others (the table of `gistmeter insight categories`). Noun chunks say what a
    text is about and not what happened, and agree with people nearly as well as all words (Deutsch, 2022).
    """

    order: Annotated[int, Within(1, 9, unit="words")] = 1
    category: str = field(default=ALL_WORDS, metadata={"takes": "none, or a category of words such as np_chunks"})

    model_roles: ClassVar[frozenset[str]] = frozenset({"parser"})
    _compares_all_words = False

    def __post_init__(self) -> None:
        Rouge.__post_init__(self)
        if self.category != ALL_WORDS:
            if self.order != 1:
                raise MetricError(f"{self.name} cannot have category={self.category}: it is for single words, rouge1")
            check_category(self.category, self.name)

    @property
    def name(self) -> str:
        """rouge1, rouge2, ..."""
        return f"rouge{self.order}"

    @property
    def settings(self) -> dict[str, Any]:
        """All settings; that no category is chosen goes without saying."""
        settings = dict(Rouge.settings.fget(self))  # type: ignore[attr-defined]
        if self.category == ALL_WORDS:
            del settings["category"]
        return settings

    def facts(self) -> Mapping[str, str]:
        """The parser and the table of categories, where one is chosen."""
        return {} if self.category == ALL_WORDS else describe_categories()

    def check_language(self, code: str) -> None:
        """Refuse a language without stop words or, where a category is chosen, without a parser."""
        Rouge.check_language(self, code)
        if self.category != ALL_WORDS and code != "en":
            raise MetricError(f"{self.spelling} reads English, not {code!r}: categories of words need its parser")

    def read_words(self, texts: Sequence[str], language: str) -> list[list[Word]]:
        """The words of each text that are compared."""
        if self.category == ALL_WORDS:
            return Rouge.read_words(self, texts, language)
        self.check_language(language_code(language))
        return choose_words(texts, self.analysis(language), self.category)

    def _count_matches(
        self,
        reader: Lexicon,
        examples: Sequence[Example],
        reference_texts: Sequence[str],
        owners: NDArray[np.int64],
    ) -> PairCounts:
        if self.category == ALL_WORDS:
            return WholeTextRouge._count_matches(self, reader, examples, reference_texts, owners)
        texts = [example.summary for example in examples] + list(reference_texts)
        words = self.read_words(texts, examples[0].language)
        counts = [Counter(word.text for word in text_words) for text_words in words]
        summaries, references = counts[: len(examples)], counts[len(examples) :]
        in_reference = np.array([count.total() for count in references], dtype=float)
        return PairCounts(
            matches=np.array(
                [(summaries[owner] & reference).total() for owner, reference in zip(owners, references, strict=True)],
                dtype=float,
            ),
            in_summary=np.array([summaries[owner].total() for owner in owners], dtype=float),
            in_reference=in_reference,
            usable=in_reference > 0,
        )

    @classmethod
    def _named_fields(cls) -> frozenset[str]:
        return frozenset({"order"})

    def _count_shared_units(self, *texts: NDArray[Any]) -> NDArray[np.int64]:
        matches: NDArray[np.int64] = count_ngram_matches(*texts, self.order)
        return matches

    def _count_units(self, lengths: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.maximum(lengths - self.order + 1, 0)

    def align(self, examples: Sequence[Example]) -> list[tuple[Alignment, ...]]:
        """Of ROUGE-1, the words that summary and reference share, for each reference that counts."""
        if self.order != 1:
            return WholeTextRouge.align(self, examples)
        self._parse_together(examples)
        return [
            tuple(self._align_reference(example, number) for number in self._choose_references(example))
            for example in examples
        ]

    def _parse_together(self, examples: Sequence[Example]) -> None:
        """Where a category is chosen, have all texts parsed at once: words are then read from what is remembered."""
        if self.category != ALL_WORDS:
            for language, rows in group_by_language(examples).items():
                texts = (text for row in rows for text in (examples[row].summary, *examples[row].references))
                self.read_words(list(dict.fromkeys(texts)), language)

    def _choose_references(self, example: Example) -> Sequence[int]:
        """The positions of the references that count."""
        best_alone = self.references in ("best", "max") and len(example.references) > 1
        return [self._find_best_reference(example)] if best_alone else range(len(example.references))

    def _align_reference(self, example: Example, number: int) -> Alignment:
        texts = (example.summary, example.references[number])
        normalize = self.analysis(example.language).normalize
        sides = (
            TokenText(title, normalize(text), tuple(Token(word.start, word.end, word.text) for word in words))
            for title, text, words in zip(
                ("summary", f"reference {number + 1}"), texts, self.read_words(texts, example.language), strict=True
            )
        )
        return align_equal_tokens(*sides)

    def _match_words(self, compared: ComparedWords) -> RougeMatches:
        if self.order != 1:
            return match_ngrams(compared.summary, compared.reference, self.order)
        return match_words(self._align_reference(compared.example, compared.chosen))
