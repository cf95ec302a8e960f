"""Salience: how much of what a reference would likely state a summary states, without references."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from gistmeter.errors import MetricError
from gistmeter.metrics.metric import Column
from gistmeter.metrics.question.metric import DOCUMENT, QuestionMetric, title_document, title_summary
from gistmeter.metrics.settings import Count  # noqa: TC001  (the types of settings are read when a metric is made)
from gistmeter.models.asking.asker import Question
from gistmeter.models.salience.candidates import find_candidates
from gistmeter.models.salience.predictor import load_predictor
from gistmeter.qa.verdicts import Exchange
from gistmeter.weights import EMBEDDED

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gistmeter.example import Example
    from gistmeter.qa.verdicts import AnswerVerdict

KEPT_DOCUMENTS = 256
"""Documents whose spans are kept in memory, since the summaries of all systems are asked the same."""


@dataclass(frozen=True, slots=True)
class Salience(QuestionMetric):
    """The share of a document's predicted salient phrases that the summary states: without references.

    A predictor that learned from references (`gistmeter train salience`) chooses the `most` noun phrases of the
    document that a reference would likeliest state. Each asks a question from its own sentence, and the summary
    answers. `stated` is the share of questions that it answers with a word of the phrase, as silver spans are labelled;
    `answered` the share that it answers at all; `f1` the mean token F1 of answer and phrase. `predictor` is `embedded`
    or a file; the settings of answering are those of qaeval.

    It rewards whoever says much, and what the predictor likes: a diagnostic of content, not a judge of quality. A
    summary without words scores 0; with a document without noun phrases scores are missing (NaN).
    """

    most: Count | None = 20
    predictor: str = EMBEDDED

    name = "salience"
    model_roles: ClassVar[frozenset[str]] = QuestionMetric.model_roles | {"salience"}
    paper = "after Deutsch (2022), chapter 6 (SpanSum: salience by questions)"
    needs = DOCUMENT
    columns = (
        Column("stated", "share of predicted salient phrases whose question is answered with a word of the phrase"),
        Column("answered", "share of their questions that the summary answers"),
        Column("f1", "mean token F1 of the answers with the phrases"),
    )

    def __post_init__(self) -> None:
        QuestionMetric.__post_init__(self)
        if self.asker != EMBEDDED or self.answers != "chunks":
            raise MetricError(
                "salience asks about the noun phrases that its predictor chose: leave asker and answers out"
            )

    def build_exchanges(self, example: Example) -> tuple[Exchange, ...]:
        """The document asks for its likeliest phrases, the summary answers."""
        questions = _choose_questions(example.document or "", self.predictor, self.most, self._predictor_digest())
        return (Exchange(title_document(example), title_summary(example), questions),)

    def score_verdict(self, verdict: AnswerVerdict) -> tuple[float, ...]:
        """Whether it is answered with a word of the phrase, whether at all, and F1."""
        return float(verdict.f1 > 0), float(verdict.answer.answered), verdict.f1

    def facts(self) -> Mapping[str, str]:
        """Who asked and who answered, and the predictor."""
        return {**self.examiner.facts(), "predictor": self._predictor_digest()}

    def _predictor_digest(self) -> str:
        return load_predictor(self.predictor).digest


@functools.lru_cache(maxsize=KEPT_DOCUMENTS)
def _choose_questions(document: str, predictor: str, most: int | None, digest: str) -> tuple[Question, ...]:  # noqa: ARG001  (a predictor replaced in its file chooses anew)
    """The questions of a document's likeliest phrases, in the order of the document."""
    phrases = find_candidates(document)
    order = np.argsort(-load_predictor(predictor).predict(phrases), kind="stable")
    chosen = sorted(order[: len(order) if most is None else most])
    return tuple(
        Question(
            text=phrases.candidates[position].question,
            answer=document[phrases.candidates[position].start : phrases.candidates[position].end],
            start=phrases.candidates[position].start,
            end=phrases.candidates[position].end,
        )
        for position in chosen
    )
