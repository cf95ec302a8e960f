"""The ROUGE variants L, Lsum, W, S and SU; N is in `ngram_variant.py`."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np

from gistmeter.metrics.overlap.rouge.evidence import (
    match_sentences,
    match_skip_bigrams,
    match_subsequence,
)
from gistmeter.metrics.overlap.rouge.family import Rouge
from gistmeter.metrics.overlap.rouge.ngram_variant import WholeTextRouge
from gistmeter.metrics.overlap.rouge.skip_bigrams import count_skip_bigrams, count_skip_matches
from gistmeter.metrics.overlap.rouge.subsequences import count_union_matches, measure_lcs
from gistmeter.metrics.references import PairCounts, sum_by_group
from gistmeter.metrics.settings import Within
from gistmeter.text.sentences import SentenceRule, resolve_sentence_rule, split_sentences

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from gistmeter.arrays import FloatArray
    from gistmeter.example import Example
    from gistmeter.metrics.overlap.rouge.evidence import ComparedWords, RougeMatches
    from gistmeter.text.encode import Lexicon, RaggedSentences

BLOCK_CELLS = 1 << 26
"""Bytes for the table of two sentences, a byte for each pair of their words; a larger table is computed in blocks."""


@dataclass(frozen=True, slots=True)
class RougeL(WholeTextRouge):
    """The longest common subsequence of the whole texts, newlines ignored (`rougeLsum` is by sentence)."""

    name = "rougeL"

    def _count_shared_units(self, *texts: NDArray[Any]) -> NDArray[np.int64]:
        matches: NDArray[np.int64] = measure_lcs(*texts)
        return matches

    def _count_units(self, lengths: NDArray[np.int64]) -> NDArray[np.int64]:
        return lengths

    def _match_words(self, compared: ComparedWords) -> RougeMatches:
        return match_subsequence(compared.summary, compared.reference)


@dataclass(frozen=True, slots=True)
class RougeS(WholeTextRouge):
    """Pairs of words in order (skip-bigrams), with at most `gap` words between them; rougeS has no limit."""

    gap: Annotated[int, Within(0, 10_000, unit="words")] | None = None

    _letters = "S"
    _unigrams = False

    @property
    def name(self) -> str:
        """rougeS, rougeS4, ..."""
        return f"rouge{self._letters}{'' if self.gap is None else self.gap}"

    @classmethod
    def _named_fields(cls) -> frozenset[str]:
        return frozenset({"gap"})

    def _count_shared_units(self, *texts: NDArray[Any]) -> NDArray[np.int64]:
        matches: NDArray[np.int64] = count_skip_matches(*texts, self._kernel_gap, self._unigrams)
        return matches

    def _count_units(self, lengths: NDArray[np.int64]) -> NDArray[np.int64]:
        counts: NDArray[np.int64] = count_skip_bigrams(lengths, self._kernel_gap, self._unigrams)
        return counts

    @property
    def _kernel_gap(self) -> int:
        """The gap as the kernels take it: -1 for no limit."""
        return -1 if self.gap is None else self.gap

    def _match_words(self, compared: ComparedWords) -> RougeMatches:
        return match_skip_bigrams(compared.summary, compared.reference, self.gap, unigrams=self._unigrams)


@dataclass(frozen=True, slots=True)
class RougeSU(RougeS):
    """Skip-bigrams and single words (all but the last of a text, as ROUGE-1.5.5 counts them)."""

    _letters = "SU"
    _unigrams = True


@dataclass(frozen=True, slots=True)
class RougeLsum(Rouge):
    """The union of longest common subsequences by sentence: ROUGE-1.5.5's ROUGE-L, rouge-score's rougeLsum.

    `sentences` says how texts are split: `newline` at line ends, `split` by the sentence splitter, `auto` at line ends
    if the summary or a reference has a newline and by the splitter otherwise. The signature says which.
    """

    sentences: SentenceRule = "auto"

    name = "rougeLsum"

    def traits(self, example: Example) -> Mapping[str, str]:
        """Language and stemmer, and how sentences were found."""
        rule = resolve_sentence_rule(self.sentences, example.summary, *example.references)
        return {**Rouge.traits(self, example), "sentences": rule}

    def _count_matches(
        self,
        reader: Lexicon,
        examples: Sequence[Example],
        reference_texts: Sequence[str],
        owners: NDArray[np.int64],
    ) -> PairCounts:
        summaries, references = self._encode(reader, examples, reference_texts, owners)
        matches = self._count_union(summaries, references, owners, power=self._run_power, by_run=False)
        return PairCounts(
            matches=matches,
            in_summary=summaries.lengths[owners].astype(float),
            in_reference=references.lengths.astype(float),
            usable=references.lengths > 0,
        )

    def _encode(
        self,
        reader: Lexicon,
        examples: Sequence[Example],
        reference_texts: Sequence[str],
        owners: NDArray[np.int64],
    ) -> list[RaggedSentences]:
        rules = [resolve_sentence_rule(self.sentences, example.summary, *example.references) for example in examples]
        summaries, references = reader.encode_sentences(
            ([example.summary for example in examples], rules),
            (reference_texts, [rules[owner] for owner in owners]),
        )
        self._check_lengths(examples, summaries.lengths, references.lengths, owners)
        return [summaries, references]

    def _match_words(self, compared: ComparedWords) -> RougeMatches:
        example = compared.example
        rule = resolve_sentence_rule(self.sentences, example.summary, *example.references)
        analysis = self.analysis(example.language)

        def word_ranges(text: str) -> list[range]:
            sizes = [
                len(analysis.tokens(part)) for part in split_sentences(analysis.cut(text), rule, analysis.language)
            ]
            return [range(end - size, end) for size, end in zip(sizes, accumulate(sizes), strict=True)]

        return match_sentences(
            compared.summary,
            compared.reference,
            word_ranges(example.summary),
            word_ranges(example.references[compared.chosen]),
            power=self._run_power,
        )

    @property
    def _run_power(self) -> float:
        """A run of k matched words counts k to this power."""
        return 1.0

    @staticmethod
    def _count_union(
        summaries: RaggedSentences,
        references: RaggedSentences,
        owners: NDArray[np.int64],
        *,
        power: float,
        by_run: bool,
    ) -> FloatArray:
        longest = max(references.sentences.lengths, default=0)
        weights = np.arange(longest + 2, dtype=float) ** power
        matches: FloatArray = count_union_matches(
            summaries.sentences.ids,
            summaries.sentences.starts,
            summaries.text_starts,
            references.sentences.ids,
            references.sentences.starts,
            references.text_starts,
            owners,
            weights,
            by_run,
            BLOCK_CELLS,
        )
        return matches


@dataclass(frozen=True, slots=True)
class RougeW(RougeLsum):
    """Like rougeLsum, but unbroken runs of k words count k to the power of `weight`.

    ROUGE-1.5.5 applies the weight to the reference's length twice, so that even an identical text has a recall below 1.
    `base=script` keeps that, because every published number has it; `base=paper` is the formula of Lin (2004).
    """

    weight: Annotated[float, Within(1, 10)] = 1.2
    base: Literal["script", "paper"] = "script"

    name = "rougeW"

    def _count_matches(
        self,
        reader: Lexicon,
        examples: Sequence[Example],
        reference_texts: Sequence[str],
        owners: NDArray[np.int64],
    ) -> PairCounts:
        summaries, references = self._encode(reader, examples, reference_texts, owners)
        matches = self._count_union(summaries, references, owners, power=self._run_power, by_run=True)
        in_reference = self._sum_weighted_lengths(references)
        preference = Rouge._divide(self, matches, in_reference)  # the script weighs lengths once when it chooses
        if self.base == "script":
            in_reference = in_reference**self.weight
            in_summary = summaries.lengths.astype(float) ** self.weight
        else:
            in_summary = self._sum_weighted_lengths(summaries)
        return PairCounts(
            matches=matches,
            in_summary=in_summary[owners],
            in_reference=in_reference,
            usable=references.lengths > 0,
            preference=preference,
        )

    @property
    def _run_power(self) -> float:
        return self.weight

    def _sum_weighted_lengths(self, texts: RaggedSentences) -> FloatArray:
        """The sum of weighted sentence lengths of each text."""
        return sum_by_group(texts.sentences.lengths.astype(float) ** self.weight, texts.text_starts)

    def _divide(self, matches: FloatArray, total: FloatArray) -> FloatArray:
        return Rouge._divide(self, matches, total) ** (1 / self.weight)
