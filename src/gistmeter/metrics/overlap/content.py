"""Content: the words that carry meaning, shared with the references or with the document."""

from __future__ import annotations

import functools
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from gistmeter.evidence import Evidence, Pane, Table
from gistmeter.evidence.alignment import align_equal_tokens
from gistmeter.metrics.marks import list_matches, mark_words, read_tokens
from gistmeter.metrics.metric import Column, Metric, Need
from gistmeter.metrics.references import (
    PairCounts,
    ReferencePolicy,
    combine_references,
    find_own_reference,
    harmonic_mean,
)
from gistmeter.metrics.scored import score_each_reference, score_once, split_references
from gistmeter.text.analysis import Analysis
from gistmeter.text.background import check_background, load_background
from gistmeter.text.languages import language_code
from gistmeter.text.stems import STEM_CHOICES, check_stem, resolve_stem
from gistmeter.text.stopwords import StopwordList, load_stopwords
from gistmeter.text.words import Tokenizer  # noqa: TC001
from gistmeter.wording import format_count

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.evidence.alignment import Alignment
    from gistmeter.example import Example


@dataclass(frozen=True, slots=True)
class Content(Metric):
    """Shared content words: those left when function words are removed, by stem.

    A word counts at most as often as it stands in both texts, as in ROUGE-1. `against=document` compares with
    the source instead of the references. `idf` gives each word the weight `gistmeter.text.background` says,
    so that rare words count more. With several references precision, recall and F are averaged over them;
    `references` says otherwise, as for ROUGE.

    A summary without content words scores 0. A reference without any is left out; with no other, or with a
    document without any, the score is missing (NaN). Several documents count as one text.

    >>> from gistmeter.example import Example
    >>> example = Example(doc_id="d", system="s", summary="The dog has been barking.",
    ...                   references="Two dogs barked at the cat.")
    >>> Content().score([example]).round(3)
    array([[1.   , 0.5  , 0.667]])
    """

    against: Literal["references", "document"] = "references"
    idf: bool = False
    references: ReferencePolicy = "mean"
    tokenizer: Tokenizer = "unicode"
    stem: str = field(default="auto", metadata={"takes": STEM_CHOICES})
    stopwords: StopwordList = "language"

    name = "content"
    model_roles: ClassVar[frozenset[str]] = frozenset({"idf"})
    columns = (
        Column("precision", "share of the summary's content words that the other text has"),
        Column("recall", "share of the other text's content words that the summary has"),
        Column("f1", "harmonic mean of the two"),
    )

    def __post_init__(self) -> None:
        check_stem(self.stem)

    @property
    def needs(self) -> frozenset[Need]:
        """What the summary is compared with."""
        return frozenset({self.against})

    @property
    def leaves_own_reference_out(self) -> bool:
        """Whether references are left out in turn."""
        return self.references == "jackknife"

    def score(self, examples: Sequence[Example]) -> FloatArray:
        """Precision, recall and F of each example."""
        texts = [self._choose_compared(example) for example in examples]
        pairs = [
            counts for example, others in zip(examples, texts, strict=True) for counts in self._compare(example, others)
        ]
        matches, in_summary, in_other = np.array(pairs, dtype=float).reshape(-1, 3).T
        return combine_references(
            PairCounts(matches=matches, in_summary=in_summary, in_reference=in_other, usable=in_other > 0),
            np.cumsum([0, *map(len, texts)], dtype=np.int64),
            self.references if self.against == "references" else "mean",
            f_of=harmonic_mean,
            ratio=_divide,
            own_references=[
                find_own_reference(example.summary, others) for example, others in zip(examples, texts, strict=True)
            ],
        )

    def check_language(self, code: str) -> None:
        """Refuse a language without stop words or frequencies, where they are used."""
        load_stopwords(self.stopwords, code)
        if self.idf:
            check_background(code)

    def traits(self, example: Example) -> Mapping[str, str]:
        """The language, and the stemmer that follows from it."""
        code = language_code(example.language)
        return {"language": code, "stem": resolve_stem(self.stem, code)}

    def prepare_explanations(self, examples: Sequence[Example]) -> None:
        """Score the references one by one, all together."""
        if self.against == "references":
            score_each_reference(self, examples)

    def explain(self, example: Example) -> Evidence:
        """The content words shared with the document, or with the reference that shares most."""
        others = self._choose_compared(example)
        chosen = 0
        if len(others) > 1:
            f_scores = np.nan_to_num(score_once(self, split_references(example))[:, 2], nan=-1)
            chosen = int(np.argmax(f_scores))
        alignment = self._align(example, others[chosen])
        summary, other = alignment.summary, alignment.other
        matched = list_matches(alignment)
        title = self.against.removesuffix("s")
        number = f" {chosen + 1} of {len(others)}, the best match" if len(others) > 1 else ""
        sizes = f"{len(summary.tokens)} in the summary, {len(other.tokens)} in the {title}{number}"
        return Evidence(
            metric=self.spelling,
            headline=f"{format_count(len(matched), 'matched content word')}; {sizes}",
            blocks=(
                Pane("summary", summary.text, mark_words(summary.tokens, _number_groups(left for left, _ in matched))),
                Pane(f"{title}{number}", other.text, mark_words(other.tokens, _number_groups(r for _, r in matched))),
                self._build_table(alignment),
            ),
        )

    def align(self, examples: Sequence[Example]) -> list[tuple[Alignment, ...]]:
        """The content words that each summary shares with the document, or with each reference, by their weight."""
        return [tuple(self._align(example, other) for other in self._choose_compared(example)) for example in examples]

    def _align(self, example: Example, other: str) -> Alignment:
        analysis = self._build_analysis(example.language)
        weigh = load_background(analysis).idf if self.idf else _weigh_alike
        return align_equal_tokens(
            read_tokens("summary", example.summary, analysis, weigh=weigh),
            read_tokens(self.against.removesuffix("s"), other, analysis, weigh=weigh),
        )

    def _choose_compared(self, example: Example) -> tuple[str, ...]:
        """The texts the summary is compared with."""
        return example.references if self.against == "references" else (example.document or "",)

    def _build_analysis(self, language: str) -> Analysis:
        return Analysis(self.tokenizer, self.stem, self.stopwords).in_language(language)

    def _compare(self, example: Example, others: Sequence[str]) -> Iterator[tuple[float, float, float]]:
        """For each other text: what is shared, and how much there is in the summary and in that text."""
        analysis = self._build_analysis(example.language)
        weigh = load_background(analysis).idf if self.idf else _weigh_alike
        summary_counts = Counter(analysis.tokens(example.summary))
        in_summary = sum(count * weigh(word) for word, count in summary_counts.items())
        for other in others:
            other_counts = _count_words(analysis, other)
            yield (
                sum(
                    min(count, other_counts[word]) * weigh(word)
                    for word, count in summary_counts.items()
                    if word in other_counts
                ),
                in_summary,
                sum(count * weigh(word) for word, count in other_counts.items()),
            )

    def _build_table(self, alignment: Alignment) -> Table:
        tokens = alignment.summary.tokens
        weights = {token.key: token.weight for token in tokens}
        summary_counts, other_counts = (
            Counter(token.key for token in text.tokens) for text in (alignment.summary, alignment.other)
        )
        matched = Counter(tokens[edge.summary].key for edge in alignment.edges)
        rows = [
            (word, str(count), str(summary_counts[word]), str(other_counts[word]), f"{weights[word]:.2f}")
            for word, count in sorted(matched.items(), key=lambda item: -item[1] * weights[item[0]])
        ]
        header = ("word", "matched", "in summary", f"in {self.against.removesuffix('s')}", "weight")
        return Table(header, tuple(rows)) if self.idf else Table(header[:-1], tuple(row[:-1] for row in rows))


@functools.lru_cache(maxsize=512)
def _count_words(analysis: Analysis, text: str) -> Counter[str]:
    """The content words of a reference or document, remembered because many systems are compared with it."""
    return Counter(analysis.tokens(text))


def _weigh_alike(_: str) -> float:
    return 1.0


def _divide(part: FloatArray, total: FloatArray) -> FloatArray:
    """Shares of totals, 0 where the total is."""
    return np.divide(part, total, out=np.zeros_like(part), where=total > 0)


def _number_groups(positions: Iterable[int]) -> dict[int, int]:
    """A group for each match, so that words with a function word between them are not marked as one."""
    return {position: group for group, position in enumerate(positions)}
