"""The ROUGE variants: N, L, Lsum, W, S and SU."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from gistmeter.errors import MetricError
from gistmeter.metrics.overlap.rouge import kernels
from gistmeter.metrics.overlap.rouge.family import Rouge
from gistmeter.metrics.references import PairCounts, sums_by_group
from gistmeter.text.sentences import SentenceRule, resolve_rule

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from gistmeter.arrays import FloatArray
    from gistmeter.example import Example
    from gistmeter.text.encode import Lexicon, Ragged, RaggedSentences


@dataclass(frozen=True, slots=True)
class RougeN(Rouge):
    """N-grams shared with the references, counted at most as often as they stand in both."""

    order: int = 1

    def __post_init__(self) -> None:
        Rouge.__post_init__(self)
        if not 1 <= self.order <= 9:
            raise MetricError(f"there is no {self.name}: n-grams have 1 to 9 words")

    @property
    def name(self) -> str:
        """rouge1, rouge2, ..."""
        return f"rouge{self.order}"

    @classmethod
    def _named_fields(cls) -> frozenset[str]:
        return frozenset({"order"})

    def _counts(
        self,
        reader: Lexicon,
        examples: Sequence[Example],
        references: Sequence[str],
        owners: NDArray[np.int64],
    ) -> PairCounts:
        mine, theirs = reader.encode([example.summary for example in examples], references)
        matches = kernels.ngram_matches(mine.ids, mine.starts, theirs.ids, theirs.starts, owners, self.order)
        less = self.order - 1
        return _counted(matches, mine, theirs, owners, lambda lengths: np.maximum(lengths - less, 0))


@dataclass(frozen=True, slots=True)
class RougeL(Rouge):
    """The longest common subsequence of the whole texts, newlines ignored (`rougeLsum` is by sentence)."""

    name = "rougeL"

    def _counts(
        self,
        reader: Lexicon,
        examples: Sequence[Example],
        references: Sequence[str],
        owners: NDArray[np.int64],
    ) -> PairCounts:
        mine, theirs = reader.encode([example.summary for example in examples], references)
        matches = kernels.lcs_lengths(mine.ids, mine.starts, theirs.ids, theirs.starts, owners)
        return _counted(matches, mine, theirs, owners, lambda lengths: lengths)


@dataclass(frozen=True, slots=True)
class RougeS(Rouge):
    """Pairs of words in order (skip-bigrams), with at most `gap` words between them; rougeS has no limit."""

    gap: int | None = None

    _letters = "S"
    _unigrams = False

    def __post_init__(self) -> None:
        Rouge.__post_init__(self)
        if self.gap is not None and not 0 <= self.gap <= 10_000:
            raise MetricError(f"there is no {self.name}: a gap is from 0 to 10000 words")

    @property
    def name(self) -> str:
        """rougeS, rougeS4, ..."""
        return f"rouge{self._letters}{'' if self.gap is None else self.gap}"

    @classmethod
    def _named_fields(cls) -> frozenset[str]:
        return frozenset({"gap"})

    def _counts(
        self,
        reader: Lexicon,
        examples: Sequence[Example],
        references: Sequence[str],
        owners: NDArray[np.int64],
    ) -> PairCounts:
        mine, theirs = reader.encode([example.summary for example in examples], references)
        gap = -1 if self.gap is None else self.gap
        matches = kernels.skip_matches(mine.ids, mine.starts, theirs.ids, theirs.starts, owners, gap, self._unigrams)
        return _counted(
            matches,
            mine,
            theirs,
            owners,
            lambda lengths: kernels.skip_bigram_counts(lengths, gap, self._unigrams),
        )


@dataclass(frozen=True, slots=True)
class RougeSU(RougeS):
    """Skip-bigrams and single words (all but the last of a text, as ROUGE-1.5.5 counts them)."""

    _letters = "SU"
    _unigrams = True


@dataclass(frozen=True, slots=True)
class RougeLsum(Rouge):
    """The union of longest common subsequences by sentence: ROUGE-1.5.5's ROUGE-L, rouge-score's rougeLsum.

    `sentences`: `newline` takes lines, `split` the sentence splitter, `auto` lines when the summary or a
    reference has a newline and the splitter otherwise. What was used stands in the signature.
    """

    sentences: SentenceRule = "auto"

    name = "rougeLsum"

    def traits(self, example: Example) -> Mapping[str, str]:
        """Language and stemmer, and how sentences were found."""
        rule = resolve_rule(self.sentences, example.summary, *example.references)
        return {**Rouge.traits(self, example), "sentences": rule}

    def _counts(
        self,
        reader: Lexicon,
        examples: Sequence[Example],
        references: Sequence[str],
        owners: NDArray[np.int64],
    ) -> PairCounts:
        mine, theirs = self._encode(reader, examples, references, owners)
        matches = self._union(mine, theirs, owners, power=1.0, by_run=False)
        return PairCounts(matches, mine.lengths[owners].astype(float), theirs.lengths.astype(float), theirs.lengths > 0)

    def _encode(
        self,
        reader: Lexicon,
        examples: Sequence[Example],
        references: Sequence[str],
        owners: NDArray[np.int64],
    ) -> list[RaggedSentences]:
        rules = [resolve_rule(self.sentences, example.summary, *example.references) for example in examples]
        return reader.encode_sentences(
            ([example.summary for example in examples], rules),
            (references, [rules[owner] for owner in owners]),
        )

    @staticmethod
    def _union(
        mine: RaggedSentences,
        theirs: RaggedSentences,
        owners: NDArray[np.int64],
        *,
        power: float,
        by_run: bool,
    ) -> FloatArray:
        longest = max(theirs.sentences.lengths, default=0)
        weights = np.arange(longest + 2, dtype=float) ** power
        matches: FloatArray = kernels.union_matches(
            mine.sentences.ids,
            mine.sentences.starts,
            mine.text_starts,
            theirs.sentences.ids,
            theirs.sentences.starts,
            theirs.text_starts,
            owners,
            weights,
            by_run,
        )
        return matches


@dataclass(frozen=True, slots=True)
class RougeW(RougeLsum):
    """Like rougeLsum, but unbroken runs of k words count k to the power of `weight`.

    ROUGE-1.5.5 weights the reference's length twice, so even an identical text has a recall below 1. `base=script`
    keeps that, because every published number has it; `base=paper` is the formula of Lin (2004).
    """

    weight: float = 1.2
    base: Literal["script", "paper"] = "script"

    name = "rougeW"

    def __post_init__(self) -> None:
        Rouge.__post_init__(self)
        if not 1 <= self.weight <= 10:
            raise MetricError(f"rougeW cannot have weight={self.weight:g}: it is from 1 to 10")

    def _counts(
        self,
        reader: Lexicon,
        examples: Sequence[Example],
        references: Sequence[str],
        owners: NDArray[np.int64],
    ) -> PairCounts:
        mine, theirs = self._encode(reader, examples, references, owners)
        matches = self._union(mine, theirs, owners, power=self.weight, by_run=True)
        in_reference = self._weighed(theirs)
        preference = Rouge._ratio(self, matches, in_reference)  # the script weighs lengths once when it chooses
        if self.base == "script":
            in_reference = in_reference**self.weight
            in_summary = mine.lengths.astype(float) ** self.weight
        else:
            in_summary = self._weighed(mine)
        return PairCounts(matches, in_summary[owners], in_reference, theirs.lengths > 0, preference)

    def _weighed(self, texts: RaggedSentences) -> FloatArray:
        """The sum of weighted sentence lengths of each text."""
        return sums_by_group(texts.sentences.lengths.astype(float) ** self.weight, texts.text_starts)

    def _ratio(self, matches: FloatArray, total: FloatArray) -> FloatArray:
        return Rouge._ratio(self, matches, total) ** (1 / self.weight)


def _counted(
    matches: NDArray[np.int64],
    mine: Ragged,
    theirs: Ragged,
    owners: NDArray[np.int64],
    units: Callable[[NDArray[np.int64]], NDArray[np.int64]],
) -> PairCounts:
    in_summary = np.asarray(units(mine.lengths), dtype=float)[owners]
    in_reference = np.asarray(units(theirs.lengths), dtype=float)
    return PairCounts(matches.astype(float), in_summary, in_reference, theirs.lengths > 0)
