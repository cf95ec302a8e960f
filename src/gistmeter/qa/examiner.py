"""The examiner: one text asks, another answers, and the answers are compared.

Each distinct text is asked about once and each distinct (question, text) answered once, however many summaries and
metrics share them: a reference that fifty systems are compared with is asked about once (see `cache`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeVar

from gistmeter.errors import MetricError
from gistmeter.linguistics.phrases import PhraseKind  # noqa: TC001  (metrics read the type of the setting)
from gistmeter.models.answering.spans import NO_ANSWER
from gistmeter.models.runtime.locate import EMBEDDED_NAME
from gistmeter.qa.answer_files import read_human_answers
from gistmeter.qa.blanks import write_blanks
from gistmeter.qa.cache import ANSWERS, QUESTIONS
from gistmeter.qa.compare import can_share_tokens, token_f1
from gistmeter.qa.human_answers import check_verified_answer, locate_human_answer
from gistmeter.qa.verdicts import add_learned_scores, add_soft_scores, expect_own_answer, judge_answer
from gistmeter.qa.written_questions import read_written_questions
from gistmeter.text.languages import language_code
from gistmeter.text.words import has_words
from gistmeter.weights import EMBEDDED

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from gistmeter.models.answering.answerer import Answerer
    from gistmeter.models.answering.spans import Answer
    from gistmeter.models.asking.asker import Asker, Question
    from gistmeter.models.verification.scorer import AnswerScorer
    from gistmeter.qa.human_answers import HumanAnswer, HumanAnswers, HumanPart
    from gistmeter.qa.verdicts import AnswerVerdict, Exchange

Asked = TypeVar("Asked")
"""What is spread over a text: questions, or verdicts on their answers."""

KeepRule = Literal["all", "answered", "correct"]
QuestionForm = Literal["question", "blank"]
MIN_CORRECT_F1 = 0.5
"""The token F1 from which an answer counts as correct for `keep="correct"`."""


@dataclass(frozen=True, slots=True)
class Verifier:
    """A learned scorer by name or folder: what it reads, and what it gives (see `models.verification`)."""

    model: str
    template: str | None = None
    output: str | None = None

    def load(self) -> AnswerScorer:
        """The scorer itself."""
        from gistmeter.models.verification.inputs import DEFAULT_INPUT
        from gistmeter.models.verification.scorer import load_answer_scorer

        return load_answer_scorer(self.model, template=self.template or DEFAULT_INPUT, output=self.output)

    def facts(self) -> Mapping[str, str]:
        """What decides its scores, for a signature."""
        from gistmeter.models.verification.inputs import DEFAULT_INPUT
        from gistmeter.models.verification.scorer import scorer_identity

        name, digest = scorer_identity(self.model)
        return {"verifier": name, "verifier.weights": digest, "verifier_input": self.template or DEFAULT_INPUT}


@dataclass(frozen=True, slots=True, kw_only=True)
class Examiner:
    """Who asks, who answers, which questions count, and what an answer is compared with.

    `keep` says which questions count: all, those that the text that asks answers itself, or answers correctly (with a
    token F1 of one half at least to the phrase asked for). With `against_own` answers are compared with what the
    asking text answers, else with the phrase asked for. `most` questions of a text count, spread over it evenly.
    """

    model: str = EMBEDDED
    asker: str = EMBEDDED
    answers: PhraseKind = "chunks"
    threshold: float | None = None
    most: int | None = None
    keep: KeepRule = "all"
    form: QuestionForm = "question"
    against_own: bool = False
    soft: bool = False
    verifier: Verifier | None = None
    """A learned scorer that judges answers beside exact match and F1."""

    people: tuple[str, ...] | None = None
    """Files of what people answered and verified."""

    from_people: HumanPart = "all"
    questions: tuple[str, ...] | None = None
    """Files of questions that people wrote, which are put instead of asking any."""

    template: str | None = None
    """How an asker by name was taught to see the phrase it asks for; None is the usual way."""

    def check_language(self, language: str, metric: str) -> None:
        """Refuse to ask or answer, with embedded models, in a language that they do not know."""
        asks = self.questions is None and _is_embedded(self.asker)
        if language_code(language) != "en" and (asks or _is_embedded(self.model)):
            raise MetricError(f"{metric} reads English, not {language!r}: its embedded models know no other language")

    def ask_questions(self, texts: Iterable[str], language: str = "en") -> dict[str, tuple[Question, ...]]:
        """The questions of each text, as many as count; a text without words has none."""
        distinct = dict.fromkeys(texts)
        worded = [(text,) for text in distinct if has_words(text)]
        if not worded:
            return dict.fromkeys(distinct, ())
        questions = QUESTIONS.get_or_make(
            (*self._asker_facts(), language),
            worded,
            lambda missing: self._asker(language).questions([text for (text,) in missing]),
        )
        return {text: self._choose_questions(text, questions.get((text,), ()), language) for text in distinct}

    def answer_questions(self, pairs: Iterable[tuple[str, str]]) -> dict[tuple[str, str], Answer]:
        """The answer to each (question, text); a text without words is not asked and answers nothing."""
        distinct = list(dict.fromkeys(pairs))
        worded = [pair for pair in distinct if has_words(pair[1])]
        if not worded:
            return dict.fromkeys(distinct, NO_ANSWER)
        threshold = self._threshold()
        best_answers = ANSWERS.get_or_make(
            self._answerer_facts(), worded, lambda missing: self._answerer().answers(missing)
        )
        return {pair: _apply_threshold(best_answers.get(pair, NO_ANSWER), threshold) for pair in distinct}

    def recall_answers(self, pairs: Iterable[tuple[str, str]]) -> dict[tuple[str, str], Answer]:
        """The answers to those (question, text) that no model need be asked for: they are kept, or have no words."""
        distinct = list(dict.fromkeys(pairs))
        worded = [pair for pair in distinct if has_words(pair[1])]
        threshold = self._threshold()
        recalled = ANSWERS.recall(self._answerer_facts(), worded)
        answers = {pair: NO_ANSWER for pair in distinct if not has_words(pair[1])}
        return answers | {pair: _apply_threshold(answer, threshold) for pair, answer in recalled.items()}

    def examine(
        self, exchanges: Sequence[Exchange], language: str = "en", *, answer: bool = True, skip_hopeless: bool = False
    ) -> list[tuple[AnswerVerdict, ...]]:
        """For each exchange its questions with their verdicts, in the order in which the text asks them.

        Without `answer` no model answers, for those who want the questions alone. With `skip_hopeless` no model answers
        a question whose text has no token of the answer expected: F1 is 0 whatever it says.
        """
        expected = self.list_questions(exchanges, language)
        people = self.human_answers()
        posed = [
            _PosedQuestion.of(question, exchange.answering_text, people)
            for exchange, questions in zip(exchanges, expected, strict=True)
            for question in questions
        ]
        model_asked = [asked for asked in posed if not asked.is_answered_by_people]
        model_answers = dict.fromkeys((asked.pair for asked in model_asked), NO_ANSWER)
        if answer:
            model_answers |= self.answer_questions(
                asked.pair for asked in model_asked if not skip_hopeless or asked.has_hope(language)
            )
        verdicts = [
            judge_answer(asked.question, asked.find_answer(model_answers, check=answer), asked.human, language=language)
            for asked in posed
        ]
        if self.soft:
            verdicts = add_soft_scores(verdicts, language)
        if self.verifier is not None and answer:
            verdicts = add_learned_scores(verdicts, [asked.text for asked in posed], self.verifier.load())
        remaining = iter(verdicts)
        return [tuple(islice(remaining, len(questions))) for questions in expected]

    def list_questions(self, exchanges: Sequence[Exchange], language: str = "en") -> list[tuple[Question, ...]]:
        """The questions of each exchange that count, each with the answer that it expects."""
        asking_texts = (exchange.asking_text for exchange in exchanges if exchange.questions is None)
        selected = self._select_questions(self.ask_questions(asking_texts, language), language)
        return [
            selected[exchange.asking_text] if exchange.questions is None else exchange.questions
            for exchange in exchanges
        ]

    def human_answers(self) -> HumanAnswers | None:
        """The answers of people, if files of them are named."""
        return None if self.people is None else read_human_answers(self.people, self.from_people)

    def facts(self) -> Mapping[str, str]:
        """Who asked and who answered, and the answers of people, by digests."""
        from gistmeter.models.answering.answerer import answering_identity
        from gistmeter.models.asking.asker import asking_identity

        if self.questions is not None:
            facts = {"asker": "people", "questions": read_written_questions(self.questions).digest}
        else:
            asker = asking_identity(self.asker, self.answers, template=self._template())
            facts = {key if key in ("asker", "answers") else f"asker.{key}": value for key, value in asker.items()}
        facts |= answering_identity(self.model, null_threshold=self.threshold)
        if self.soft:
            from gistmeter.models.sentence_vectors.vectors import weights_digest

            facts["soft.weights"] = weights_digest()
        if self.verifier is not None:
            facts |= self.verifier.facts()
        people = self.human_answers()
        return facts if people is None else {**facts, "people": people.digest}

    def _select_questions(
        self, questions: Mapping[str, tuple[Question, ...]], language: str
    ) -> dict[str, tuple[Question, ...]]:
        """The questions that count, each with the answer that it expects."""
        if self.keep == "all" and not self.against_own:
            return dict(questions)
        own_answers = self.answer_questions(
            (question.text, text) for text, text_questions in questions.items() for question in text_questions
        )
        return {
            text: tuple(
                expect_own_answer(question, answer) if self.against_own else question
                for question in text_questions
                if self._counts(question, answer := own_answers[question.text, text], language)
            )
            for text, text_questions in questions.items()
        }

    def _counts(self, question: Question, own_answer: Answer, language: str) -> bool:
        """Whether a question counts, by what the text that asks it answers itself."""
        if self.keep == "correct":
            return own_answer.answered and token_f1(question.answer, own_answer.text, language) >= MIN_CORRECT_F1
        return own_answer.answered or self.keep == "all"

    def _choose_questions(self, text: str, questions: tuple[Question, ...], language: str) -> tuple[Question, ...]:
        """The questions of a text that count, in the form asked for."""
        chosen = tuple(spread_evenly(questions, self.most))
        return write_blanks(text, chosen, language) if self.form == "blank" else chosen

    def _template(self) -> str:
        from gistmeter.models.asking.writer import DEFAULT_TEMPLATE

        return DEFAULT_TEMPLATE if self.template is None else self.template

    def _asker(self, language: str) -> Asker:
        from gistmeter.models.asking.asker import load_asker

        return load_asker(self.asker, self.answers, language=language, template=self._template())

    def _asker_facts(self) -> tuple[str, ...]:
        """What decides the questions, so that rules or weights replaced under the same name ask anew."""
        from gistmeter.models.asking.asker import asking_identity

        return _list_facts(asking_identity(self.asker, self.answers, template=self._template()))

    def _answerer_facts(self) -> tuple[str, ...]:
        """What decides the answers; the threshold decides only which of them count."""
        from gistmeter.models.answering.answerer import answering_identity

        return _list_facts({**answering_identity(self.model), "threshold": ""})

    def _threshold(self) -> float:
        from gistmeter.models.answering.answerer import answering_threshold

        return answering_threshold(self.model, null_threshold=self.threshold)

    def _answerer(self) -> Answerer:
        from gistmeter.models.answering.answerer import load_answerer

        return load_answerer(self.model)


class _PosedQuestion(NamedTuple):
    """A question put to a text, and what people said to it."""

    question: Question
    text: str
    human: HumanAnswer | None

    @classmethod
    def of(cls, question: Question, text: str, people: HumanAnswers | None) -> _PosedQuestion:
        human = None if people is None else people.find(question.text, question.answer, text)
        return cls(question, text, human)

    @property
    def pair(self) -> tuple[str, str]:
        """The question and the text that answers it."""
        return self.question.text, self.text

    def has_hope(self, language: str) -> bool:
        """Whether the text has a token of the answer expected."""
        return can_share_tokens(self.question.answer, self.text, language)

    @property
    def is_answered_by_people(self) -> bool:
        return self.human is not None and self.human.answer is not None

    def find_answer(self, model_answers: Mapping[tuple[str, str], Answer], *, check: bool) -> Answer:
        """People's answer where they gave one, else the model's; with `check` it must be the one that they verified."""
        if self.human is not None and self.human.answer is not None:
            return locate_human_answer(self.human, self.text)
        answer = model_answers[self.pair]
        return check_verified_answer(self.human, answer) if check and self.human is not None else answer


def _list_facts(identity: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(f"{name}={value}" for name, value in sorted(identity.items()))


def _apply_threshold(best: Answer, threshold: float) -> Answer:
    """The best span as an answer, or as none, by a threshold; a text that has nothing to take never answers."""
    if not best.probability and best.null == 1:
        return NO_ANSWER
    answered = best.null <= threshold
    return best if best.answered == answered else replace(best, answered=answered)


def _is_embedded(model: str) -> bool:
    """Whether a model is one of gistmeter's own, or trained with it."""
    return model in (EMBEDDED, EMBEDDED_NAME, "slots") or model.endswith(".safetensors")


def spread_evenly(questions: Sequence[Asked], most: int | None) -> Sequence[Asked]:
    """At most `most` questions, evenly over the text.

    >>> spread_evenly("abcdefghij", 4)
    ['a', 'd', 'g', 'j']
    """
    if most is None or len(questions) <= most:
        return questions
    step = (len(questions) - 1) / (most - 1) if most > 1 else 0.0
    return [questions[round(number * step)] for number in range(most)]
