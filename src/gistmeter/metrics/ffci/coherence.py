"""Coherence: how well each sentence of a summary follows the one before it."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from gistmeter.evidence import Evidence, Mark, Pane, Table
from gistmeter.metrics.metric import Column, Metric, Need, check_choices
from gistmeter.models.encoder.encoder import Dtype  # noqa: TC001  (the types of settings are read when a metric is made)
from gistmeter.text.languages import language_code
from gistmeter.text.sentences import SentenceRule, resolve_rule, sentences

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.example import Example

_WORD = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class Coherence(Metric):
    """The probability that each sentence follows the one before: the weakest joint, the mean, and the best.

    FFCI's inter-sentential coherence (`min`). Missing (NaN) for a summary of one sentence, which has no joint, and
    for an empty one. `model` is `embedded`, or a checkpoint with a next-sentence head. `sentences` is as for
    rougeLsum: lines when the summary has several, else what the splitter finds; those without a word do not count.
    English and other languages have heads of their own, so their scores are not to be compared with each other.

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
        split = [self._sentences(example) for example in examples]
        codes = [language_code(example.language) for example in examples]
        for code in dict.fromkeys(codes):
            rows = [row for row, other in enumerate(codes) if other == code and len(split[row]) > 1]
            joints = [pair for row in rows for pair in _joints(split[row])]
            found = self._probabilities(joints, code)
            start = 0
            for row in rows:
                mine = found[start : start + len(split[row]) - 1]
                start += len(mine)
                scores[row] = mine.min(), mine.mean(), mine.max()
        return scores

    def facts(self) -> Mapping[str, str]:
        """A digest of the weights."""
        from gistmeter.models.next_sentence.model import weights_digest

        return {"weights": weights_digest(self.model)}

    def traits(self, example: Example) -> Mapping[str, str]:
        """The language, and how the summary was cut into sentences."""
        return {
            "language": language_code(example.language),
            "sentences": resolve_rule(self.sentences, example.summary),
        }

    def explain(self, example: Example) -> Evidence | None:
        """The weakest joint: its two sentences marked, and all joints from the weakest on."""
        found = self._sentences(example)
        joints = _joints(found)
        if not joints:
            count = "one sentence" if found else "no sentence"
            return Evidence(
                self.spelling, f"no joint to judge: the summary has {count}", (Pane("summary", example.summary),)
            )
        values = self._probabilities(joints, language_code(example.language))
        order = np.argsort(values, kind="stable")
        weakest = int(order[0])
        rows = tuple((f"{at + 1}–{at + 2}", f"{values[at]:.3f}", *joints[at]) for at in map(int, order))
        return Evidence(
            metric=self.spelling,
            headline=(
                f"weakest joint: sentence {weakest + 2} follows sentence {weakest + 1} with probability "
                f"{values[weakest]:.3f} (mean of {len(joints)}: {values.mean():.3f})"
            ),
            panes=(Pane("summary", example.summary, _marks(example.summary, found, values)),),
            table=Table(("joint", "probability", "sentence", "next sentence"), rows, "joints, the weakest first"),
        )

    def _sentences(self, example: Example) -> list[str]:
        rule = resolve_rule(self.sentences, example.summary)
        found = sentences(example.summary, rule, language_code(example.language))
        return [sentence for sentence in found if _WORD.search(sentence)]

    def _probabilities(self, joints: Sequence[tuple[str, str]], code: str) -> FloatArray:
        if not joints:  # nothing to load a model for
            return np.zeros(0)
        from gistmeter.models.next_sentence.model import next_sentence

        return next_sentence(self.model, dtype=self.dtype, language=code).probabilities(joints)


def _joints(found: Sequence[str]) -> list[tuple[str, str]]:
    return list(itertools.pairwise(found))


def _marks(text: str, found: Sequence[str], values: FloatArray) -> tuple[Mark, ...]:
    """The two sentences of the weakest joint, where they stand in the text: one of each colour, lit together."""
    joint = int(np.argmin(values))
    marks = []
    place = 0
    for number, sentence in enumerate(found[: joint + 2]):
        start = text.find(sentence, place)
        if start < 0:  # the splitter changed it
            continue
        place = start + len(sentence)
        if number >= joint:
            side = number - joint
            note = f"weakest joint: sentence {joint + 2} follows sentence {joint + 1} with probability"
            marks.append(Mark(start, place, side, (1 - side,), f"{note} {values[joint]:.3f}"))
    return tuple(marks)
