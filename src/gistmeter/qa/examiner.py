"""The examiner: one text asks, another answers, and the answers are compared.

Each distinct text is asked about once and each distinct (question, text) answered once, however many summaries and
metrics share them: a reference that fifty systems are compared with is asked about once (see `memory`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from gistmeter.errors import MetricError
from gistmeter.models.answering.spans import NO_ANSWER
from gistmeter.models.runtime.locate import EMBEDDED_NAME
from gistmeter.qa.blanks import blanked
from gistmeter.qa.cache import ANSWERS, QUESTIONS
from gistmeter.qa.compare import token_f1
from gistmeter.qa.human_answers import Peoples, checked_answer, peoples_answer, read_peoples
from gistmeter.qa.verdicts import Exchange, Verdict, expecting, softened, verdict
from gistmeter.text.languages import language_code
from gistmeter.text.words import has_words
from gistmeter.weights import EMBEDDED

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from gistmeter.models.answering.answerer import Answerer
    from gistmeter.models.answering.spans import Answer
    from gistmeter.models.asking.asker import Asker, Question

Kind = Literal["chunks", "entities", "maximal"]
Keep = Literal["all", "answered", "correct"]
Form = Literal["question", "blank"]
_HALF = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Examiner:
    """Who asks, who answers, which questions count, and what an answer is compared with.

    `keep` says which questions count: all, those that the text that asks answers itself, or answers correctly (with a
    token F1 of one half at least to the phrase asked for). With `against_own` answers are compared with what the
    asking text answers, else with the phrase asked for. `most` questions of a text count, spread over it evenly.
    """

    model: str = EMBEDDED
    asker: str = EMBEDDED
    answers: Kind = "chunks"
    threshold: float | None = None
    most: int | None = None
    keep: Keep = "all"
    form: Form = "question"
    against_own: bool = False
    soft: bool = False
    people: str | None = None
    template: str | None = None
    """How an asker by name was taught to see the phrase it asks for; None for the usual way."""

    def check_language(self, language: str, metric: str) -> None:
        """Refuse to ask or answer, with embedded models, in a language that they do not know."""
        if language_code(language) != "en" and (_is_ours(self.asker) or _is_ours(self.model)):
            raise MetricError(f"{metric} reads English, not {language!r}: its embedded models know no other language")

    def asked(self, texts: Iterable[str], language: str = "en") -> dict[str, tuple[Question, ...]]:
        """The questions of each text, as many as count; a text without words has none."""
        distinct = dict.fromkeys(texts)
        worded = [(text,) for text in distinct if has_words(text)]
        if not worded:
            return dict.fromkeys(distinct, ())
        made = QUESTIONS.found(
            (*self._asker_facts(), language),
            worded,
            lambda missing: self._asker(language).questions([text for (text,) in missing]),
        )
        return {text: self._chosen(text, made.get((text,), ()), language) for text in distinct}

    def answered(self, pairs: Iterable[tuple[str, str]]) -> dict[tuple[str, str], Answer]:
        """What each text answers to each question; a text without words is not asked and answers nothing."""
        distinct = list(dict.fromkeys(pairs))
        worded = [pair for pair in distinct if has_words(pair[1])]
        if not worded:
            return dict.fromkeys(distinct, NO_ANSWER)
        threshold = self._threshold()
        best = ANSWERS.found(self._answerer_facts(), worded, lambda missing: self._answerer().answers(missing))
        return {pair: _judged(best.get(pair, NO_ANSWER), threshold) for pair in distinct}

    def verdicts(
        self, exchanges: Sequence[Exchange], language: str = "en", *, answer: bool = True
    ) -> list[tuple[Verdict, ...]]:
        """For each exchange its questions with their verdicts, in the order in which the text asks them.

        Without `answer` no model answers, for those who want the questions alone.
        """
        questions = self.asked((one.asks.text for one in exchanges), language)
        expected = self._expected(questions, language)
        asked = [(one, question) for one in exchanges for question in expected[one.asks.text]]
        people = self.peoples()
        said = [people.of(q.text, q.answer, one.answers.text) if people else None for one, q in asked]
        to_model = [place for place, theirs in enumerate(said) if theirs is None or theirs.answer is None]
        pairs = [(asked[place][1].text, asked[place][0].answers.text) for place in to_model]
        found = self.answered(pairs) if answer else dict.fromkeys(pairs, NO_ANSWER) if pairs else {}
        made = []
        for (one, question), theirs in zip(asked, said, strict=True):
            if theirs is not None and theirs.answer is not None:
                given = peoples_answer(theirs, one.answers.text)
            else:
                given = found[question.text, one.answers.text]
                given = given if theirs is None else checked_answer(theirs, given)
            made.append(verdict(question, given, theirs, language=language))
        made = softened(made, language) if self.soft else made
        rest = iter(made)
        return [tuple(next(rest) for _ in expected[one.asks.text]) for one in exchanges]

    def peoples(self) -> Peoples | None:
        """The answers of people, if a file of them is named."""
        return None if self.people is None else read_peoples(self.people)

    def facts(self) -> Mapping[str, str]:
        """Who asked and who answered, and the answers of people, by digests."""
        from gistmeter.models.answering.answerer import answering_identity
        from gistmeter.models.asking.asker import asking_identity

        asker = asking_identity(self.asker, self.answers, template=self._template())
        facts = {key if key in ("asker", "answers") else f"asker.{key}": value for key, value in asker.items()}
        facts |= answering_identity(self.model, null_threshold=self.threshold)
        if self.soft:
            from gistmeter.models.sentence_vectors.vectors import weights_digest

            facts["soft.weights"] = weights_digest()
        people = self.peoples()
        return facts if people is None else {**facts, "people": people.digest}

    def _expected(
        self, questions: Mapping[str, tuple[Question, ...]], language: str
    ) -> dict[str, tuple[Question, ...]]:
        """The questions that count, each with the answer that it expects."""
        if self.keep == "all" and not self.against_own:
            return dict(questions)
        own = self.answered((question.text, text) for text, some in questions.items() for question in some)
        return {
            text: tuple(
                expecting(question, answer) if self.against_own else question
                for question in some
                if self._kept(question, answer := own[question.text, text], language)
            )
            for text, some in questions.items()
        }

    def _kept(self, question: Question, answer: Answer, language: str) -> bool:
        if self.keep == "correct":
            return answer.answered and token_f1(question.answer, answer.text, language) >= _HALF
        return answer.answered or self.keep == "all"

    def _chosen(self, text: str, questions: tuple[Question, ...], language: str) -> tuple[Question, ...]:
        """The questions of a text that count, in the form asked for."""
        chosen = tuple(spread(questions, self.most))
        return blanked(text, chosen, language) if self.form == "blank" else chosen

    def _template(self) -> str:
        from gistmeter.models.asking.named import TEMPLATE

        return TEMPLATE if self.template is None else self.template

    def _asker(self, language: str) -> Asker:
        from gistmeter.models.asking.asker import asking

        return asking(self.asker, self.answers, language=language, template=self._template())

    def _asker_facts(self) -> tuple[str, ...]:
        """What decides the questions, so that rules or weights replaced under the same name ask anew."""
        from gistmeter.models.asking.asker import asking_identity

        return _facts(asking_identity(self.asker, self.answers, template=self._template()))

    def _answerer_facts(self) -> tuple[str, ...]:
        """What decides the answers; the threshold decides only which of them count."""
        from gistmeter.models.answering.answerer import answering_identity

        return _facts({**answering_identity(self.model), "threshold": ""})

    def _threshold(self) -> float:
        from gistmeter.models.answering.answerer import answering_threshold

        return answering_threshold(self.model, null_threshold=self.threshold)

    def _answerer(self) -> Answerer:
        from gistmeter.models.answering.answerer import answering

        return answering(self.model)


def _facts(identity: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(f"{name}={value}" for name, value in sorted(identity.items()))


def _judged(best: Answer, threshold: float) -> Answer:
    """A span as an answer, or none, by a threshold; a text that has nothing to take never answers."""
    if not best.probability and best.null == 1:
        return NO_ANSWER
    answered = best.null <= threshold
    return best if best.answered == answered else replace(best, answered=answered)


def _is_ours(model: str) -> bool:
    """Whether a model is one of gistmeter's own, or trained with it."""
    return model in (EMBEDDED, EMBEDDED_NAME, "slots") or model.endswith(".safetensors")


def spread(questions: Sequence[Question], most: int | None) -> Sequence[Question]:
    """At most so many questions, evenly over the text.

    >>> spread("abcdefghij", 4)
    ['a', 'd', 'g', 'j']
    """
    if most is None or len(questions) <= most:
        return questions
    step = (len(questions) - 1) / (most - 1) if most > 1 else 0.0
    return [questions[round(place * step)] for place in range(most)]
