"""What all ROUGE variants share: their settings, their columns, and the way from counts to scores."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from gistmeter.evidence import Evidence, Pane
from gistmeter.metrics.grouping import group_by_language
from gistmeter.metrics.long_texts import check_word_pairs
from gistmeter.metrics.marks import group_runs, mark_words
from gistmeter.metrics.metric import Column, Metric, Need, check_choices
from gistmeter.metrics.overlap.rouge.evidence import ComparedWords
from gistmeter.metrics.references import PairCounts, ReferencePolicy, combine_references, find_own_reference
from gistmeter.metrics.scored import score_each_reference, score_once, split_references
from gistmeter.metrics.settings import Share  # noqa: TC001  (the types of settings are read when a metric is made)
from gistmeter.text.analysis import LIMIT_CHOICES, Analysis, check_limit
from gistmeter.text.encode import get_lexicon
from gistmeter.text.languages import language_code
from gistmeter.text.stems import STEM_CHOICES, check_stem, resolve_stem
from gistmeter.text.stopwords import StopwordList, load_stopwords
from gistmeter.text.words import Tokenizer  # noqa: TC001
from gistmeter.wording import format_count

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from gistmeter.arrays import FloatArray
    from gistmeter.example import Example
    from gistmeter.metrics.overlap.rouge.evidence import RougeMatches
    from gistmeter.text.encode import Lexicon
    from gistmeter.text.words import Word

MAX_WORD_PAIRS = 5_000_000_000
"""Of a summary and a reference; so many (70,000 words by 70,000) take about half a minute."""

MAX_EXPLAINED_PAIRS = 1_000_000
"""Of words of a summary and a reference whose matches are shown (1,000 words by 1,000)."""


@dataclass(frozen=True, slots=True)
class Rouge(Metric):
    """Overlap of a summary with its references (Lin, 2004).

    A summary without words scores 0. A reference without words is left out; with no other reference the score is
    missing (NaN). A text too short for one n-gram scores 0, as in ROUGE-1.5.5 and rouge-score.
    """

    tokenizer: Tokenizer = "unicode"
    stem: str = field(default="auto", metadata={"takes": STEM_CHOICES})
    references: ReferencePolicy = "average"
    stopwords: StopwordList = "none"
    limit: str = field(default="none", metadata={"takes": LIMIT_CHOICES})
    alpha: Share = 0.5

    paper: ClassVar[str] = "Lin (2004), ROUGE: A Package for Automatic Evaluation of Summaries"
    cheap: ClassVar[bool] = True
    needs = frozenset[Need]({"references"})
    _compares_all_words: ClassVar[bool] = True
    """Whether the time grows with the words of the summary times those of the reference."""
    columns = (
        Column("precision", "share of the summary's units found in the references"),
        Column("recall", "share of the references' units found in the summary"),
        Column("f1", "weighted harmonic mean of the two: PR / ((1 - alpha) P + alpha R)"),
    )

    def __post_init__(self) -> None:
        check_choices(self)
        check_stem(self.stem)
        check_limit(self.limit)

    @property
    def leaves_own_reference_out(self) -> bool:
        """Whether references are left out in turn."""
        return self.references == "jackknife"

    def score(self, examples: Sequence[Example]) -> FloatArray:
        """Precision, recall and F of each example."""
        scores = np.empty((len(examples), 3))
        for language, rows in group_by_language(examples).items():
            scores[rows] = self._score_language(language, [examples[row] for row in rows])
        return scores

    def check_language(self, code: str) -> None:
        """Refuse a language without stop words, where they are dropped."""
        load_stopwords(self.stopwords, code)

    def traits(self, example: Example) -> Mapping[str, str]:
        """The language, and the stemmer that follows from it."""
        code = language_code(example.language)
        return {"language": code, "stem": resolve_stem(self.stem, code)}

    def explain(self, example: Example) -> Evidence:
        """What matched, against the reference that matches best."""
        chosen = self._find_best_reference(example)
        reference_text = example.references[chosen]
        analysis = self.analysis(example.language)
        summary, reference = self.read_words((example.summary, reference_text), example.language)
        if self._compares_all_words and len(summary) * len(reference) > MAX_EXPLAINED_PAIRS:
            words = f"{format_count(len(summary), 'word')} in the summary, {len(reference)} in the reference"
            return Evidence(metric=self.spelling, headline=f"too long to show what matched: {words}", blocks=())
        matched = self._match_words(ComparedWords(example=example, chosen=chosen, summary=summary, reference=reference))
        summary_groups, reference_groups = group_runs(matched.matches)
        several = len(example.references) > 1
        number = f" {chosen + 1} of {len(example.references)}, the best match" if several else ""
        return Evidence(
            metric=self.spelling,
            headline=f"{matched.about}; {format_count(len(summary), 'word')} in the summary, "
            f"{len(reference)} in the reference{number}",
            blocks=(
                Pane("summary", analysis.normalize(example.summary), mark_words(summary, summary_groups)),
                Pane(f"reference{number}", analysis.normalize(reference_text), mark_words(reference, reference_groups)),
                *(() if matched.table is None else (matched.table,)),
            ),
        )

    def prepare_explanations(self, examples: Sequence[Example]) -> None:
        """Score the references one by one, all together."""
        score_each_reference(self, examples)

    def read_words(self, texts: Sequence[str], language: str) -> list[list[Word]]:
        """The words of each text that are compared, with their places."""
        analysis = self.analysis(language)
        return [analysis.spans(text) for text in texts]

    def analysis(self, language: str) -> Analysis:
        """How this variant reads a text of a language."""
        return Analysis(
            tokenizer=self.tokenizer, stem=self.stem, stopwords=self.stopwords, limit=self.limit
        ).in_language(language)

    @abstractmethod
    def _count_matches(
        self,
        reader: Lexicon,
        examples: Sequence[Example],
        reference_texts: Sequence[str],
        owners: NDArray[np.int64],
    ) -> PairCounts:
        """What summary `owners[p]` and reference p have in common."""

    @abstractmethod
    def _match_words(self, compared: ComparedWords) -> RougeMatches:
        """Which words of the summary match which of the reference."""

    def _check_lengths(
        self,
        examples: Sequence[Example],
        in_summary: NDArray[np.int64],
        in_reference: NDArray[np.int64],
        owners: NDArray[np.int64],
    ) -> None:
        """Refuse texts that would take minutes; `in_summary` and `in_reference` are numbers of words."""
        if self._compares_all_words:
            compared = [examples[owner] for owner in owners]
            check_word_pairs(self.name, compared, in_summary[owners], in_reference, limit=MAX_WORD_PAIRS)

    def _find_best_reference(self, example: Example) -> int:
        """The position of the reference with the highest F; one with no score is never preferred."""
        if len(example.references) == 1:
            return 0
        scores = score_once(self, split_references(example))[:, 2]
        return max(range(len(scores)), key=lambda row: (scores[row] == scores[row], scores[row]))

    def _divide(self, matches: FloatArray, total: FloatArray) -> FloatArray:
        return np.divide(matches, total, out=np.zeros_like(matches), where=total > 0)

    def _compute_f(self, precision: FloatArray, recall: FloatArray) -> FloatArray:
        total = (1 - self.alpha) * precision + self.alpha * recall
        return np.divide(precision * recall, total, out=np.zeros_like(total), where=total > 0)

    def _score_language(self, language: str, examples: Sequence[Example]) -> FloatArray:
        reference_texts = [text for example in examples for text in example.references]
        sizes = [len(example.references) for example in examples]
        owners = np.repeat(np.arange(len(examples)), sizes)
        counts = self._count_matches(get_lexicon(self.analysis(language)), examples, reference_texts, owners)
        own_references: list[int | None] = [None] * len(examples)
        if self.leaves_own_reference_out:
            own_references = [find_own_reference(example.summary, example.references) for example in examples]
        return combine_references(
            counts,
            np.cumsum([0, *sizes], dtype=np.int64),
            self.references,
            f_of=self._compute_f,
            ratio=self._divide,
            own_references=own_references,
        )
