"""QAGS: questions that one text asks, answered on two texts, whose answers should agree."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from gistmeter.metrics.metric import Column, Need
from gistmeter.metrics.question.metric import (
    DOCUMENT,
    REFERENCES,
    QuestionMetric,
    let_references_ask,
    title_document,
    title_references,
    title_summary,
)
from gistmeter.metrics.settings import Count  # noqa: TC001  (the types of settings are read when a metric is made)
from gistmeter.qa.examiner import KeepRule  # noqa: TC001  (the types of settings are read when a metric is made)
from gistmeter.qa.verdicts import Exchange

if TYPE_CHECKING:
    from gistmeter.example import Example
    from gistmeter.qa.examiner import Examiner
    from gistmeter.qa.verdicts import AnswerVerdict


@dataclass(frozen=True, slots=True)
class Qags(QuestionMetric):
    """Whether two texts answer the same questions alike: QAGS, and its forms for focus and coverage in FFCI.

    `aspect` says which text asks and which two answer (Table 2 of FFCI). `faithfulness`: the summary asks, summary and
    document answer. `focus`: the summary asks, summary and reference answer. `coverage`: the reference asks, both
    answer. The score is the mean token F1 (or exact match) of the two answers; a missing answer counts 0.

    At most `most` questions of a text count, spread over it evenly, and only those that the text that asks answers
    correctly itself, with a token F1 of at least one half (`keep=correct`; `answered` takes any answer, `all` drops
    none). The other settings are those of qaeval. With several references the score is the mean over them. A summary
    without words scores 0; the score is missing (NaN) when no question is left.
    """

    most: Count | None = 50
    aspect: Literal["faithfulness", "focus", "coverage"] = "faithfulness"
    keep: KeepRule = "correct"

    name = "qags"
    paper = "Wang, Cho and Lewis (2020), QAGS; Koto, Baldwin and Lau (2022), FFCI, sections 2.2 and 3.2"
    columns = (
        Column("f1", "mean token F1 of the answers that the two texts give"),
        Column("em", "share of questions that the two texts answer with the same words"),
    )

    @property
    def needs(self) -> frozenset[Need]:
        """The document for faithfulness, else references."""
        return DOCUMENT if self.aspect == "faithfulness" else REFERENCES

    @property
    def examiner(self) -> Examiner:
        """What asks and answers the questions."""
        return self._build_examiner(keep=self.keep, against_own=True)

    def build_exchanges(self, example: Example) -> tuple[Exchange, ...]:
        """Which text asks and which answers beside it."""
        summary = title_summary(example)
        if self.aspect == "faithfulness":
            return (Exchange(summary, title_document(example)),)
        if self.aspect == "focus":
            return tuple(Exchange(summary, text) for text in title_references(example))
        return let_references_ask(example)

    def score_verdict(self, verdict: AnswerVerdict) -> tuple[float, ...]:
        """F1 and exact match of the two answers."""
        return verdict.f1, verdict.exact
