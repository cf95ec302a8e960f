"""BLANC: how much a summary helps a language model to fill in words of the document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar, Literal

import numpy as np

from gistmeter.errors import MetricError
from gistmeter.evidence import Evidence, Mark, Pane, Table
from gistmeter.metrics.metric import Column, Metric, Need, check_choices
from gistmeter.metrics.settings import Seed, Within
from gistmeter.models.encoder.encoder import check_language
from gistmeter.models.runtime.load import Dtype  # noqa: TC001  (the types of settings are read when a metric is made)
from gistmeter.text.languages import language_code
from gistmeter.text.sentences import split_sentences
from gistmeter.weights import EMBEDDED
from gistmeter.wording import format_count

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from gistmeter.arrays import BoolArray, FloatArray, IntArray
    from gistmeter.example import Example
    from gistmeter.models.masked_words.model import MaskedWords
    from gistmeter.models.runtime.states import Tokens


BATCH_CLOZES = 96
"""Masked stretches read together."""
_SENTENCE_SHARE = 2
"""A sentence may take one part in so many of what the model reads; the rest is the summary's."""


@dataclass(frozen=True, slots=True)
class Blanc(Metric):
    """BLANC (Vasilyev et al., 2020): the share of masked words that a model gets right thanks to the summary.

    In each sentence of the document every `gap`-th token is masked (`gap_mask` tokens in a row). This is repeated with
    every possible start, so that every token is masked. Only tokens with enough letters are asked for:
    `whole_letters` for a token that is a whole word, `first_letters` for the first token of a longer word, and
    `later_letters` for its other tokens (by default 100, so never).

    BLANC-help (`variant=help`) puts the summary before the sentence, and then as many dots in its place. BLANC-tune
    (`variant=tune`) compares a copy of the model that was trained on the summary with the model itself; training takes
    `epochs` passes over chunks of 32 tokens, 15% of them masked. The score is the number of words guessed only with the
    summary, minus the number guessed only without it, divided by the number of words asked for.

    An empty summary scores 0. The score is missing (NaN) when the document has no word to ask for. Of a summary that is
    too long to precede a sentence the model reads as much of the beginning as it can.
    """

    variant: Literal["help", "tune"] = "help"
    model: str = EMBEDDED
    gap: Annotated[int, Within(1, 1000)] = 6
    gap_mask: Annotated[int, Within(1, 1000)] = 1
    whole_letters: Annotated[int, Within(0, 1000)] = 4
    first_letters: Annotated[int, Within(0, 1000)] = 2
    later_letters: Annotated[int, Within(0, 1000)] = 100
    epochs: Annotated[int, Within(1, 1000)] = 10
    rate: Annotated[float, Within(1e-9, 1)] = 5e-5
    seed: Seed = 0
    dtype: Dtype = "fp32"

    name = "blanc"
    paper = "Vasilyev, Dharnidharka and Bohannon (2020), Fill in the BLANC: Human-free quality estimation"
    slow: ClassVar[bool] = True
    model_roles: ClassVar[frozenset[str]] = frozenset({"masked-words"})
    needs = frozenset[Need]({"document"})
    columns = (Column("blanc", "words of the document guessed right thanks to the summary, as a share of all"),)

    def __post_init__(self) -> None:
        check_choices(self)
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
                sources[key] = _Source(self._mask_document(*key))
            total = sum(len(cloze.answers) for cloze in sources[key].clozes)
            if total:
                gains = self._measure_gains(example.summary, sources[key])
                scores[row] = sum(int(gain.sum()) for gain in gains) / total
        return scores

    def facts(self) -> Mapping[str, str]:
        """The model and a digest of its weights."""
        from gistmeter.models.masked_words.model import masked_words_identity

        identity = masked_words_identity(self.model)
        return {"model": identity.name, "weights": identity.digest}

    def check_language(self, code: str) -> None:
        """Refuse a language that the model does not read."""
        check_language(self.model, code, self.name)

    def traits(self, example: Example) -> Mapping[str, str]:
        """The language, which decides the sentences."""
        return {"language": language_code(example.language)}

    def explain(self, example: Example) -> Evidence | None:
        """The words of the document that the summary helped to guess, and those it hindered."""
        check_language(self.model, example.language, self.name)
        document = example.document or ""
        clozes = self._mask_document(document, language_code(example.language))
        total = sum(len(cloze.answers) for cloze in clozes)
        panes = (Pane("summary", example.summary), Pane("document", document))
        if not total:
            return Evidence(self.spelling, "the document has no word to ask for", panes)
        changed = sorted(
            (*cloze.locate(position), int(gain))
            for cloze, gains in zip(clozes, self._measure_gains(example.summary, _Source(clozes)), strict=True)
            for position, gain in zip(cloze.masked, gains, strict=True)
            if gain
        )
        helped = sum(gain > 0 for _, _, gain in changed)
        marks = tuple(
            Mark(start, end, 0 if gain > 0 else 1, note=f"the summary {'helped' if gain > 0 else 'hindered'}")
            for start, end, gain in changed
        )
        rows = tuple((document[start:end], "helped" if gain > 0 else "hindered") for start, end, gain in changed)
        headline = f"{(2 * helped - len(changed)) / total:.3f}: of {format_count(total, 'word')} asked for, "
        headline += f"the summary helped to guess {helped} and hindered {len(changed) - helped}"
        return Evidence(
            metric=self.spelling,
            headline=headline,
            blocks=(
                Pane("summary", example.summary),
                Pane("document", document, marks),
                Table(("word of the document", "by the summary"), rows, "words"),
            ),
        )

    def _load_model(self) -> MaskedWords:
        from gistmeter.models.masked_words.model import load_masked_words

        return load_masked_words(self.model, dtype=self.dtype)

    def _mask_document(self, document: str, code: str) -> list[_Cloze]:
        """The sentences of the document with masks, each as often as masks can start at another token of it."""
        model = self._load_model()
        document_sentences = split_sentences(document, "split", code)
        starts = _find_sentences(document, document_sentences)
        most = model.max_tokens // _SENTENCE_SHARE
        clozes = []
        for start, tokens in zip(starts, model.tokens(document_sentences), strict=True):
            plain = np.flatnonzero(~tokens.special)
            long_enough = self._is_long_enough(tokens)
            for first in range(0, len(plain), most):
                inner = plain[first : first + most]
                for shift in range(self.gap):
                    masked = inner[(np.arange(len(inner)) - shift) % self.gap < self.gap_mask]
                    masked = masked[long_enough[masked]]
                    if len(masked):
                        clozes.append(_Cloze(tokens=tokens, start=start, inner=inner, masked=masked))
        return clozes

    def _is_long_enough(self, tokens: Tokens) -> BoolArray:
        """Which tokens are long enough to be asked for, by whether they are a whole word, its beginning or the rest."""
        count = len(tokens)
        continues = np.zeros(count + 1, dtype=np.bool_)  # whether a token goes on with the word of the token before
        for position in range(1, count):
            start = int(tokens.starts[position])
            meets = (
                not tokens.special[position]
                and not tokens.special[position - 1]
                and start == tokens.ends[position - 1] > 0
            )
            continues[position] = (
                meets and tokens.text[start - 1].isalnum() and tokens.text[start : start + 1].isalnum()
            )
        is_later, is_first = continues[:-1], continues[1:]
        least = np.where(is_later, self.later_letters, np.where(is_first, self.first_letters, self.whole_letters))
        pieces = [tokens.text[start:end] for start, end in zip(tokens.starts, tokens.ends, strict=True)]
        letters = np.array([sum(map(str.isalnum, piece)) for piece in pieces], dtype=np.int64)
        return np.asarray(~tokens.special & (letters >= least))

    def _measure_gains(self, summary: str, source: _Source) -> list[IntArray]:
        """For each word asked for 1 where only the summary led to it, -1 where only its absence did, else 0."""
        from gistmeter.models.masked_words.tuning import TuningRecipe, find_special_ends, tune_on_text

        model, clozes = self._load_model(), source.clozes
        (summary_tokens,) = model.tokens([summary])
        summary_ids = summary_tokens.ids[~summary_tokens.special]
        if not len(summary_ids):
            return [np.zeros(len(cloze.answers), dtype=np.int64) for cloze in clozes]
        ends = find_special_ends(model)
        if self.variant == "help":
            room = model.max_tokens - len(ends[0]) - len(ends[1])
            leads = [summary_ids[: room - len(cloze.inner)] for cloze in clozes]
            dots = [np.full_like(lead, _find_dot(model)) for lead in leads]
            with_summary = _guess(model, clozes, leads, ends)
            without = _guess(model, clozes, dots, ends)  # how many dots there are matters too
        else:
            no_leads = [summary_ids[:0]] * len(clozes)
            recipe = TuningRecipe(epochs=self.epochs, rate=self.rate, seed=self.seed)
            with_summary = _guess(tune_on_text(model, summary_ids, recipe), clozes, no_leads, ends)
            if source.guessed_alone is None:
                source.guessed_alone = _guess(model, clozes, no_leads, ends)
            without = source.guessed_alone
        return [
            helped.astype(np.int64) - alone.astype(np.int64)
            for helped, alone in zip(with_summary, without, strict=True)
        ]


class _Source:
    """What is asked for in one document, and what the model guesses of it by itself (computed when first needed)."""

    __slots__ = ("clozes", "guessed_alone")

    def __init__(self, clozes: Sequence[_Cloze]) -> None:
        self.clozes = clozes
        self.guessed_alone: list[BoolArray] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class _Cloze:
    """A stretch of a sentence in which some tokens are masked."""

    tokens: Tokens
    """All tokens of the sentence."""
    start: int
    """Where the sentence starts in the document."""
    inner: IntArray
    """The positions of the tokens of the stretch."""
    masked: IntArray
    """The positions of those that are masked."""

    @property
    def answers(self) -> IntArray:
        """The tokens under the masks."""
        return self.tokens.ids[self.masked]

    def mask(self, mask_id: int) -> IntArray:
        """The stretch with masks."""
        ids = self.tokens.ids.copy()
        ids[self.masked] = mask_id
        return ids[self.inner]

    def locate(self, position: int) -> tuple[int, int]:
        """Start and end of a token in the document."""
        return self.start + int(self.tokens.starts[position]), self.start + int(self.tokens.ends[position])


def _guess(
    model: MaskedWords, clozes: Sequence[_Cloze], leads: Sequence[IntArray], ends: tuple[IntArray, IntArray]
) -> list[BoolArray]:
    """Which masked tokens the model guesses when each stretch follows the tokens of its lead."""
    guessed: list[BoolArray] = []
    for first in range(0, len(clozes), BATCH_CLOZES):
        batch = clozes[first : first + BATCH_CLOZES]
        batch_leads = leads[first : first + BATCH_CLOZES]
        ids = [
            np.concatenate([ends[0], lead, cloze.mask(model.mask_id), ends[1]])
            for cloze, lead in zip(batch, batch_leads, strict=True)
        ]
        positions = [
            cloze.masked - cloze.inner[0] + len(ends[0]) + len(lead)
            for cloze, lead in zip(batch, batch_leads, strict=True)
        ]
        for cloze, logits in zip(batch, model.predict(ids, positions), strict=True):
            guessed.append(logits.argmax(axis=1) == cloze.answers)
    return guessed


def _find_dot(model: MaskedWords) -> int:
    (tokens,) = model.tokens(["."])
    return int(tokens.ids[~tokens.special][-1])


def _find_sentences(document: str, document_sentences: Sequence[str]) -> Iterator[int]:
    """Where each sentence starts in the document; 0 for one that the splitter changed."""
    end = 0
    for sentence in document_sentences:
        start = document.find(sentence, end)
        end = 0 if start < 0 else start + len(sentence)
        yield max(start, 0)
