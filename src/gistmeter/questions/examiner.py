"""The examiner: one text asks, another answers, and the answers are compared.

Each distinct text is asked about once and each distinct (question, text) answered once, however many summaries share
them: a reference that fifty systems are compared with is asked about once.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from gistmeter.errors import MetricError
from gistmeter.models.locate import EMBEDDED
from gistmeter.questions.blanks import blanked
from gistmeter.questions.comparing import token_f1
from gistmeter.questions.people import Peoples, checked_answer, peoples_answer, read_peoples
from gistmeter.questions.verdicts import Exchange, Verdict, expecting, nothing, softened, verdict
from gistmeter.text.languages import language_code
from gistmeter.text.words import has_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from gistmeter.models.answering import Answer, Answerer
    from gistmeter.models.asking import Asker, Question

Kind = Literal["chunks", "entities", "maximal"]
Keep = Literal["all", "answered", "correct"]
Form = Literal["question", "blank"]
SLOTS = "slots"
"""The answerer that needs no training."""

_OURS = (EMBEDDED, SLOTS)
_HALF = 0.5
_KEPT = 4096
"""Texts whose questions are remembered from one batch of summaries to the next."""

_QUESTIONS: OrderedDict[tuple[Any, ...], tuple[Question, ...]] = OrderedDict()


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

    def check_language(self, language: str, metric: str) -> None:
        """Refuse to ask or answer, with embedded models, in a language that they do not know."""
        ours = [one for one in ("asker", "model") if getattr(self, one) in _OURS]
        if ours and language_code(language) != "en":
            ways = ",".join(f"{one}=NAME" for one in ours)
            raise MetricError(
                f"{metric} asks and answers in English by default, not in {language!r}: name models that read it, "
                f"{metric}({ways})"
            )

    def asked(self, texts: Iterable[str], language: str = "en") -> dict[str, tuple[Question, ...]]:
        """The questions of each text, as many as count; a text without words has none."""
        found: dict[str, tuple[Question, ...]] = {}
        missing = []
        for text in dict.fromkeys(texts):
            if not has_words(text):
                found[text] = ()
            elif (kept := _QUESTIONS.get(self._key(text, language))) is not None:
                _QUESTIONS.move_to_end(self._key(text, language))
                found[text] = kept
            else:
                missing.append(text)
        if missing:
            for text, questions in zip(missing, self._asker(language).questions(missing), strict=True):
                chosen = tuple(spread(questions, self.most))
                found[text] = blanked(text, chosen, language) if self.form == "blank" else chosen
                _QUESTIONS[self._key(text, language)] = found[text]
            while len(_QUESTIONS) > _KEPT:
                _QUESTIONS.popitem(last=False)
        return found

    def answered(self, pairs: Iterable[tuple[str, str]]) -> dict[tuple[str, str], Answer]:
        """What each text answers to each question; a text without words is not asked and answers nothing."""
        distinct = list(dict.fromkeys(pairs))
        said = [pair for pair in distinct if has_words(pair[1])]
        found = dict(zip(said, self._answerer().answers(said), strict=True)) if said else {}
        return {pair: found[pair] if pair in found else nothing() for pair in distinct}

    def verdicts(self, exchanges: Sequence[Exchange], language: str = "en") -> list[tuple[Verdict, ...]]:
        """For each exchange its questions with their verdicts, in the order in which the text asks them."""
        questions = self.asked((one.asks.text for one in exchanges), language)
        expected = self._expected(questions, language)
        asked = [(one, question) for one in exchanges for question in expected[one.asks.text]]
        people = self.peoples()
        said = [people.of(q.text, q.answer, one.answers.text) if people else None for one, q in asked]
        to_model = [place for place, theirs in enumerate(said) if theirs is None or theirs.answer is None]
        found = self.answered((asked[place][1].text, asked[place][0].answers.text) for place in to_model)
        made = []
        for (one, question), theirs in zip(asked, said, strict=True):
            if theirs is not None and theirs.answer is not None:
                answer = peoples_answer(theirs, one.answers.text)
            else:
                answer = found[question.text, one.answers.text]
                answer = answer if theirs is None else checked_answer(theirs, answer)
            made.append(verdict(question, answer, theirs, language=language))
        made = softened(made, language) if self.soft else made
        rest = iter(made)
        return [tuple(next(rest) for _ in expected[one.asks.text]) for one in exchanges]

    def peoples(self) -> Peoples | None:
        """The answers of people, if a file of them is named."""
        return None if self.people is None else read_peoples(self.people)

    def facts(self) -> Mapping[str, str]:
        """Who asked and who answered, and the answers of people, by digests."""
        from gistmeter.models.answering import answering_identity
        from gistmeter.models.asking import asking_identity

        facts = {f"asker.{key}": value for key, value in asking_identity(self.asker).items()}
        facts |= {f"model.{key}": value for key, value in answering_identity(self.model).items()}
        if self.soft:
            from gistmeter.models.sentences import weights_digest

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

    def _key(self, text: str, language: str) -> tuple[Any, ...]:
        return self.asker, self.answers, self.most, self.form, language, text

    def _asker(self, language: str) -> Asker:
        from gistmeter.models.asking import asking

        return asking(self.asker, answers=self.answers, language=language)

    def _answerer(self) -> Answerer:
        from gistmeter.models.answering import answering

        return answering(self.model, null_threshold=self.threshold)


def spread(questions: Sequence[Question], most: int | None) -> Sequence[Question]:
    """At most so many questions, evenly over the text.

    >>> spread("abcdefghij", 4)
    ['a', 'd', 'g', 'j']
    """
    if most is None or len(questions) <= most:
        return questions
    step = (len(questions) - 1) / (most - 1) if most > 1 else 0.0
    return [questions[round(place * step)] for place in range(most)]
