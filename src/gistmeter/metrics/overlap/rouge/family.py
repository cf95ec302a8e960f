"""What all ROUGE variants share: their settings, their columns, and the way from counts to scores."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from gistmeter.errors import MetricError
from gistmeter.metrics.grouping import by_language
from gistmeter.metrics.metric import Column, Metric, Need, check_choices
from gistmeter.metrics.references import PairCounts, ReferencePolicy, combine, own_position
from gistmeter.text.analysis import LIMIT_CHOICES, Analysis, check_limit
from gistmeter.text.encode import lexicon
from gistmeter.text.languages import language_code
from gistmeter.text.stems import STEM_CHOICES, check_stem, resolve_stem
from gistmeter.text.stopwords import StopwordList  # noqa: TC001  (read when settings are parsed)
from gistmeter.text.words import Tokenizer  # noqa: TC001

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from gistmeter.arrays import FloatArray
    from gistmeter.evidence import Evidence
    from gistmeter.example import Example
    from gistmeter.text.encode import Lexicon


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
    alpha: float = 0.5

    paper: ClassVar[str] = "Lin (2004), ROUGE: A Package for Automatic Evaluation of Summaries"
    cheap: ClassVar[bool] = True
    needs = frozenset[Need]({"references"})
    columns = (
        Column("precision", "share of the summary's units found in the references"),
        Column("recall", "share of the references' units found in the summary"),
        Column("f1", "weighted harmonic mean of the two: PR / ((1 - alpha) P + alpha R)"),
    )

    def __post_init__(self) -> None:
        check_choices(self)
        check_stem(self.stem)
        check_limit(self.limit)
        if not 0 <= self.alpha <= 1:
            raise MetricError(f"{self.name} cannot have alpha={self.alpha:g}: it is a share from 0 to 1")

    def score(self, examples: Sequence[Example]) -> FloatArray:
        """Precision, recall and F of each example."""
        scores = np.empty((len(examples), 3))
        for language, rows in by_language(examples).items():
            scores[rows] = self._score_language(language, [examples[row] for row in rows])
        return scores

    def traits(self, example: Example) -> Mapping[str, str]:
        """The language, and the stemmer that follows from it."""
        code = language_code(example.language)
        return {"language": code, "stem": resolve_stem(self.stem, code)}

    def explain(self, example: Example) -> Evidence:
        """What matched, against the reference that matches best."""
        from gistmeter.metrics.overlap.rouge.evidence import explain_rouge

        return explain_rouge(self, example)

    def analysis(self, language: str) -> Analysis:
        """How this variant reads a text of a language."""
        return Analysis(self.tokenizer, self.stem, self.stopwords, self.limit).in_language(language)

    @abstractmethod
    def _counts(
        self,
        reader: Lexicon,
        examples: Sequence[Example],
        references: Sequence[str],
        owners: NDArray[np.int64],
    ) -> PairCounts:
        """What summary `owners[p]` and reference p have in common."""

    def _ratio(self, matches: FloatArray, total: FloatArray) -> FloatArray:
        return np.divide(matches, total, out=np.zeros_like(matches), where=total > 0)

    def _f(self, precision: FloatArray, recall: FloatArray) -> FloatArray:
        below = (1 - self.alpha) * precision + self.alpha * recall
        return np.divide(precision * recall, below, out=np.zeros_like(below), where=below > 0)

    def _score_language(self, language: str, examples: Sequence[Example]) -> FloatArray:
        references = [text for example in examples for text in example.references]
        sizes = [len(example.references) for example in examples]
        owners = np.repeat(np.arange(len(examples)), sizes)
        counts = self._counts(lexicon(self.analysis(language)), examples, references, owners)
        is_own: list[int | None] = [None] * len(examples)
        if self.references == "jackknife":
            is_own = [own_position(example.summary, example.references) for example in examples]
        starts = np.cumsum([0, *sizes], dtype=np.int64)
        return combine(counts, starts, self.references, f_of=self._f, ratio=self._ratio, is_own=is_own)
