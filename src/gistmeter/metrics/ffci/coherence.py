"""Coherence: how well each sentence of a summary follows the one before it."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from gistmeter.evidence import Evidence, Pane, Table
from gistmeter.metrics.marks import mark_segments
from gistmeter.metrics.metric import Column, Metric, Need, check_choices
from gistmeter.models.runtime.load import Dtype  # noqa: TC001  (the types of settings are read when a metric is made)
from gistmeter.text.languages import language_code
from gistmeter.text.sentences import SentenceRule, resolve_sentence_rule, split_sentences

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.evidence import Mark
    from gistmeter.example import Example
    from gistmeter.models.next_sentence.model import NextSentence

_WORD_CHARACTER = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class Coherence(Metric):
    """The probability that each sentence follows the one before: the weakest joint, the mean, and the best.

    `min` is FFCI's inter-sentential coherence. `model` is `embedded`, a head that `gistmeter train next-sentence`
    wrote, or a checkpoint with a next-sentence head. The embedded model tells what belongs together, and in English
    also which sentence comes first, best of all at the start of a text; in other languages it hardly tells order.
    `sentences` says how the summary is split, as for rougeLsum: by default at line ends if it has several lines, and by
    the sentence splitter otherwise. Sentences without a word do not count. English and other languages have different
    models, so do not compare their scores with each other.

    Missing (NaN) for a summary of one sentence, which has no joint, and for an empty summary.

    >>> from gistmeter.example import Example
    >>> Coherence().score([Example(doc_id="d", system="s", summary="One sentence is never incoherent.")])
    array([[nan, nan, nan]])
    """

    model: str = "embedded"
    sentences: SentenceRule = "auto"
    dtype: Dtype = "fp32"

    name = "coherence"
    slow: ClassVar[bool] = True
    model_roles: ClassVar[frozenset[str]] = frozenset(
        {"next-sentence", "next-sentence-multilingual", "sentences-multilingual"}
    )
    paper = "Koto, Baldwin and Lau (2022), FFCI, section 3.3 and appendix B"
    needs = frozenset[Need]()
    columns = (
        Column("min", "probability of the weakest joint between two sentences"),
        Column("mean", "mean probability over the joints"),
        Column("max", "probability of the strongest joint"),
    )

    def __post_init__(self) -> None:
        check_choices(self)

    def score(self, examples: Sequence[Example]) -> FloatArray:
        """The weakest, mean and strongest joint of each summary."""
        scores = np.full((len(examples), len(self.columns)), np.nan)
        sentences_of = [self._split_summary(example) for example in examples]
        codes = [language_code(example.language) for example in examples]
        for code in dict.fromkeys(codes):
            rows = [row for row, other in enumerate(codes) if other == code and len(sentences_of[row]) > 1]
            joints = [pair for row in rows for pair in itertools.pairwise(sentences_of[row])]
            probabilities = self._judge_joints(joints, code)
            start = 0
            for row in rows:
                row_probabilities = probabilities[start : start + len(sentences_of[row]) - 1]
                start += len(row_probabilities)
                scores[row] = row_probabilities.min(), row_probabilities.mean(), row_probabilities.max()
        return scores

    def facts(self) -> Mapping[str, str]:
        """A digest of the weights."""
        from gistmeter.models.next_sentence.model import weights_digest

        return {"weights": weights_digest(self.model)}

    def check_language(self, code: str) -> None:
        """Refuse a language that the embedded model does not read."""
        from gistmeter.models.sentence_vectors.vectors import check_sentence_language

        check_sentence_language(self.model, code)

    def traits(self, example: Example) -> Mapping[str, str]:
        """The language, and how the summary was cut into sentences."""
        return {
            "language": language_code(example.language),
            "sentences": resolve_sentence_rule(self.sentences, example.summary),
        }

    def why_missing(self, example: Example) -> str:
        """How many sentences the summary has: fewer than two have no joint."""
        if self._split_summary(example):
            return "a summary of one sentence has no joint to judge"
        return "no sentence has a word"

    def explain(self, example: Example) -> Evidence | None:
        """The weakest joint: its two sentences marked, and all joints from the weakest on."""
        summary_sentences = self._split_summary(example)
        joints = list(itertools.pairwise(summary_sentences))
        if not joints:
            count = "one sentence" if summary_sentences else "no sentence"
            return Evidence(
                self.spelling, f"no joint to judge: the summary has {count}", (Pane("summary", example.summary),)
            )
        code = language_code(example.language)
        probabilities = self._judge_joints(joints, code)
        reasons = self._load_model(code).describe_order(joints)
        order = np.argsort(probabilities, kind="stable")
        weakest = int(order[0])
        rows = tuple(
            (
                f"{joint + 1}–{joint + 2}",
                f"{probabilities[joint]:.3f}",
                *(reasons[joint : joint + 1]),
                *joints[joint],
            )
            for joint in map(int, order)
        )
        title = "joints, the weakest first" + ("; order: what it adds to the log odds" if reasons else "")
        header = ("joint", "probability", *(["order"] if reasons else []), "sentence", "next sentence")
        return Evidence(
            metric=self.spelling,
            headline=(
                f"weakest joint: sentence {weakest + 2} follows sentence {weakest + 1} with probability "
                f"{probabilities[weakest]:.3f} (mean of {len(joints)}: {probabilities.mean():.3f})"
            ),
            blocks=(
                Pane("summary", example.summary, _mark_weakest(example.summary, summary_sentences, probabilities)),
                Table(header, rows, title),
            ),
        )

    def _split_summary(self, example: Example) -> list[str]:
        """The sentences of the summary that have a word."""
        rule = resolve_sentence_rule(self.sentences, example.summary)
        return list(
            filter(_WORD_CHARACTER.search, split_sentences(example.summary, rule, language_code(example.language)))
        )

    def _judge_joints(self, joints: Sequence[tuple[str, str]], code: str) -> FloatArray:
        """The probability that the second sentence of each joint follows the first."""
        if not joints:  # nothing to load a model for
            return np.zeros(0)
        return self._load_model(code).probabilities(joints)

    def _load_model(self, code: str) -> NextSentence:
        from gistmeter.models.next_sentence.model import load_next_sentence

        return load_next_sentence(self.model, dtype=self.dtype, language=code)


def _mark_weakest(text: str, summary_sentences: Sequence[str], probabilities: FloatArray) -> tuple[Mark, ...]:
    """Marks for the two sentences of the weakest joint: each in a colour of its own, lit together."""
    joint = int(np.argmin(probabilities))
    claim = f"sentence {joint + 2} follows sentence {joint + 1} with probability {probabilities[joint]:.3f}"
    groups: list[list[int]] = [*([] for _ in range(joint)), [0, 1], [1, 0]]
    notes = [f"weakest joint: {claim}"] * len(groups)
    return mark_segments(text, summary_sentences[: joint + 2], groups, notes)
