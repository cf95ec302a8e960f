"""BLANC: how much a summary helps a language model to fill in words of the document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from gistmeter.errors import MetricError
from gistmeter.evidence import Evidence, Mark, Pane, Table
from gistmeter.metrics.metric import Column, Metric, Need, check_choices
from gistmeter.models.encoder.encoder import Dtype, check_language
from gistmeter.text.languages import language_code
from gistmeter.text.sentences import sentences
from gistmeter.weights import EMBEDDED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from gistmeter.arrays import BoolArray, FloatArray, IntArray
    from gistmeter.example import Example
    from gistmeter.models.masked_words.model import MaskedWords
    from gistmeter.models.runtime.states import Tokens


_AT_ONCE = 96
_ROOM = 2
"""A sentence may take one part in so many of what the model reads; the rest is the summary's."""


@dataclass(frozen=True, slots=True)
class Blanc(Metric):
    """BLANC (Vasilyev et al., 2020): the share of masked words that a model gets right thanks to the summary.

    In each sentence of the document every `gap`-th token is masked (with `gap_mask` in a row), starting at each
    possible place in turn, so that all tokens get their chance. Only tokens of `whole_letters` letters and more
    are asked for, of `first_letters` where a word is cut and they begin it, and of `later_letters` where they go on
    with it, which is never. BLANC-help (`variant=help`) reads the sentence once behind the summary and once behind as
    many dots; BLANC-tune (`tune`) reads it with a copy of the model that has been trained on the summary, `epochs`
    times in chunks of 32 tokens with 15% of them masked, and with the model itself. The score is the number of words
    that only the first got right, less those that only the second did, by the number of all words asked for.

    An empty summary has 0. With a document that has no word to ask for the score is missing (NaN). A summary too long
    to stand before a sentence is read from its beginning as far as the model reads.
    """

    variant: Literal["help", "tune"] = "help"
    model: str = EMBEDDED
    gap: int = 6
    gap_mask: int = 1
    whole_letters: int = 4
    first_letters: int = 2
    later_letters: int = 100
    epochs: int = 10
    rate: float = 5e-5
    seed: int = 0
    dtype: Dtype = "fp32"

    name = "blanc"
    paper = "Vasilyev, Dharnidharka and Bohannon (2020), Fill in the BLANC: Human-free quality estimation"
    slow: ClassVar[bool] = True
    model_roles: ClassVar[frozenset[str]] = frozenset({"masked-words"})
    needs = frozenset[Need]({"document"})
    columns = (Column("blanc", "words of the document guessed right thanks to the summary, as a share of all"),)

    def __post_init__(self) -> None:
        check_choices(self)
        for key in ("gap", "gap_mask", "epochs"):
            if getattr(self, key) < 1:
                raise MetricError(f"blanc cannot have {key}={getattr(self, key)}: it is at least 1")
        if self.gap_mask > self.gap:
            raise MetricError(f"blanc cannot mask {self.gap_mask} tokens in every {self.gap}")
        if self.variant == "tune" and self.dtype != "fp32":
            raise MetricError("blanc(variant=tune) trains a model, which takes dtype=fp32")

    def score(self, examples: Sequence[Example]) -> FloatArray:
        """BLANC of each example."""
        scores = np.full((len(examples), 1), np.nan)
        sources: dict[tuple[str, str], _Source] = {}
        for row, example in enumerate(examples):
            check_language(self.model, example.language, self.name)
            key = (example.document or "", language_code(example.language))
            if key not in sources:
                sources[key] = _Source(self._asked(*key))
            total = sum(len(one.answers) for one in sources[key].asked)
            if total:
                gains = self._gains(example.summary, sources[key])
                scores[row] = sum(int(gain.sum()) for gain in gains) / total
        return scores

    def facts(self) -> Mapping[str, str]:
        """The model and a digest of its weights."""
        from gistmeter.models.masked_words.model import masked_identity

        found = masked_identity(self.model)
        return {"model": found.name, "weights": found.digest}

    def traits(self, example: Example) -> Mapping[str, str]:
        """The language, which decides the sentences."""
        return {"language": language_code(example.language)}

    def explain(self, example: Example) -> Evidence | None:
        """The words of the document that the summary helped to guess, and those it hindered."""
        check_language(self.model, example.language, self.name)
        document = example.document or ""
        asked = self._asked(document, language_code(example.language))
        total = sum(len(one.answers) for one in asked)
        panes = (Pane("summary", example.summary), Pane("document", document))
        if not total:
            return Evidence(self.spelling, "the document has no word to ask for", panes)
        changed = sorted(
            (one.start + int(one.tokens.starts[place]), one.start + int(one.tokens.ends[place]), int(gain))
            for one, gains in zip(asked, self._gains(example.summary, _Source(asked)), strict=True)
            for place, gain in zip(one.places, gains, strict=True)
            if gain
        )
        helped = sum(gain > 0 for _, _, gain in changed)
        marks = tuple(
            Mark(start, end, 0 if gain > 0 else 1, note=f"the summary {'helped' if gain > 0 else 'hindered'}")
            for start, end, gain in changed
        )
        rows = tuple((document[start:end], "helped" if gain > 0 else "hindered") for start, end, gain in changed)
        headline = f"{(2 * helped - len(changed)) / total:.3f}: of {total} words asked for, the summary helped to "
        headline += f"guess {helped} and hindered {len(changed) - helped}"
        return Evidence(
            self.spelling,
            headline,
            (panes[0], Pane("document", document, marks)),
            Table(("word of the document", "by the summary"), rows, "words"),
        )

    def _words(self) -> MaskedWords:
        from gistmeter.models.masked_words.model import masked_words

        return masked_words(self.model, dtype=self.dtype)

    def _asked(self, document: str, code: str) -> list[_Asked]:
        """The sentences of the document with masks, each as often as there are places for them."""
        words = self._words()
        cut = _cut(document, code)
        most = words.max_tokens // _ROOM
        found = []
        for (start, _), tokens in zip(cut, words.tokens([text for _, text in cut]), strict=True):
            plain = np.flatnonzero(~tokens.special)
            wanted = self._wanted(tokens)
            for first in range(0, len(plain), most):
                inner = plain[first : first + most]
                for shift in range(self.gap):
                    masked = inner[(np.arange(len(inner)) - shift) % self.gap < self.gap_mask]
                    masked = masked[wanted[masked]]
                    if len(masked):
                        found.append(_Asked(tokens, start, inner, masked))
        return found

    def _wanted(self, tokens: Tokens) -> BoolArray:
        """Which tokens are long enough to be asked for, by whether they are a whole word, its beginning or the rest."""
        count = len(tokens)
        joined = np.zeros(count + 1, dtype=np.bool_)  # whether a token goes on with the word of the one before
        for place in range(1, count):
            start = int(tokens.starts[place])
            meets = not tokens.special[place] and not tokens.special[place - 1] and start == tokens.ends[place - 1] > 0
            joined[place] = meets and tokens.text[start - 1].isalnum() and tokens.text[start : start + 1].isalnum()
        later, cut = joined[:-1], joined[1:]
        least = np.where(later, self.later_letters, np.where(cut, self.first_letters, self.whole_letters))
        spelt = [tokens.text[start:end] for start, end in zip(tokens.starts, tokens.ends, strict=True)]
        letters = np.array([sum(map(str.isalnum, word)) for word in spelt], dtype=np.int64)
        return np.asarray(~tokens.special & (letters >= least))

    def _gains(self, summary: str, source: _Source) -> list[IntArray]:
        """For each word asked for 1 where only the summary led to it, -1 where only its absence did, else 0."""
        from gistmeter.models.masked_words.tuning import TuningRecipe, special_ends, tuned

        words, asked = self._words(), source.asked
        (read,) = words.tokens([summary])
        before = read.ids[~read.special]
        if not len(before):
            return [np.zeros(len(one.answers), dtype=np.int64) for one in asked]
        ends = special_ends(words)
        if self.variant == "help":
            room = [before[: words.max_tokens - len(one.inner) - len(ends[0]) - len(ends[1])] for one in asked]
            dots = [np.full_like(one, _dot(words)) for one in room]
            with_summary = _right(words, asked, room, ends)
            without = _right(words, asked, dots, ends)  # how many dots there are matters too
        else:
            nothing = [before[:0]] * len(asked)
            recipe = TuningRecipe(epochs=self.epochs, rate=self.rate, seed=self.seed)
            with_summary = _right(tuned(words, before, recipe), asked, nothing, ends)
            if source.alone is None:
                source.alone = _right(words, asked, nothing, ends)
            without = source.alone
        return [one.astype(np.int64) - other.astype(np.int64) for one, other in zip(with_summary, without, strict=True)]


class _Source:
    """What is asked for in one document, and what the model knows of it by itself (found when first needed)."""

    __slots__ = ("alone", "asked")

    def __init__(self, asked: Sequence[_Asked]) -> None:
        self.asked = asked
        self.alone: list[BoolArray] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class _Asked:
    """A stretch of a sentence (`inner`, places of its tokens), and the `places` of those that are masked in it."""

    tokens: Tokens
    start: int
    inner: IntArray
    places: IntArray

    @property
    def answers(self) -> IntArray:
        return self.tokens.ids[self.places]

    def masked(self, mask: int) -> IntArray:
        ids = self.tokens.ids.copy()
        ids[self.places] = mask
        return ids[self.inner]


def _right(
    words: MaskedWords, asked: Sequence[_Asked], before: Sequence[IntArray], ends: tuple[IntArray, IntArray]
) -> list[BoolArray]:
    """Which masked tokens the model guesses, each stretch standing behind some tokens."""
    found: list[BoolArray] = []
    for first in range(0, len(asked), _AT_ONCE):
        some = list(zip(asked[first : first + _AT_ONCE], before[first : first + _AT_ONCE], strict=True))
        ids = [np.concatenate([ends[0], lead, one.masked(words.mask_id), ends[1]]) for one, lead in some]
        places = [one.places - one.inner[0] + len(ends[0]) + len(lead) for one, lead in some]
        for (one, _), logits in zip(some, words.predict(ids, places), strict=True):
            found.append(logits.argmax(axis=1) == one.answers)
    return found


def _dot(words: MaskedWords) -> int:
    (tokens,) = words.tokens(["."])
    return int(tokens.ids[~tokens.special][-1])


def _cut(document: str, code: str) -> list[tuple[int, str]]:
    """The sentences of a document with their places in it."""
    return list(_placed(document, tuple(sentences(document, "split", code))))


def _placed(document: str, cut: Sequence[str]) -> Iterator[tuple[int, str]]:
    place = 0
    for sentence in cut:
        start = document.find(sentence, place)
        place = max(start, 0) if start < 0 else start + len(sentence)
        yield max(start, 0), sentence
