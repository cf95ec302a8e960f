"""QAEval: questions that a reference answers, answered on the summary."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar

from gistmeter.errors import MetricError
from gistmeter.metrics.metric import Column
from gistmeter.metrics.question.files import SEVERAL_FILES, FileNames, list_files
from gistmeter.metrics.question.metric import REFERENCES, QuestionMetric, let_references_ask
from gistmeter.models.verification.inputs import check_input
from gistmeter.models.verification.scorer import check_output
from gistmeter.qa.examiner import Verifier, spread_evenly
from gistmeter.qa.written_questions import read_written_questions
from gistmeter.weights import EMBEDDED

if TYPE_CHECKING:
    from gistmeter.example import Example
    from gistmeter.qa.examiner import Examiner
    from gistmeter.qa.verdicts import AnswerVerdict, Exchange


@dataclass(frozen=True, slots=True)
class QaEval(QuestionMetric):
    """How many questions that the reference answers the summary answers as well.

    A question is asked for each noun phrase of a reference (`answers=chunks`; or for `entities`, or `maximal` noun
    phrases). `asker` is a set of rules, or a model by name, whose `template` says how the phrase is marked for it, such
    as `<h>{answer}</h>`. `model` answers on the summary: `embedded`, `slots` (which needs no training), weights that
    `gistmeter train answering` wrote, or a question-answering checkpoint.

    The answer is compared with the phrase: by exact match, by token F1, with `soft=yes` by nearness in meaning, and
    with `verifier=MODEL` by a learned scorer such as LERC: a sequence classification or regression checkpoint, by name
    or folder. `verifier_input` says what it reads, in parts between bars (by default context, which is the summary,
    question, reference and candidate); `verifier_output` what it gives: a range such as `1-5` (by default 0 to 1) or
    `sigmoid` for one number, the class of right answers for several. A
    question counts 0 if the summary does not answer it, that is, if the probability of "not answerable" is above
    `threshold` (by default the model's own). `graded` has no threshold: it is the mean F1 of the eight likeliest
    answers, weighted by their probabilities. All scores are means over the questions of each reference, then over
    references.

    `questions=FILE` puts questions that people wrote instead of asking any: records with `doc_id`, `question` and
    `answer`, and where a document has several references the number of one (`reference`). Documents without any have
    no score.

    `people=FILE` takes what people answered and verified (`gistmeter qa export`), from several files with a plus sign
    between them; `from_people` takes their `answers` alone (verified by exact match and F1) or their `verdicts` on the
    model's answers alone. `most` limits the questions of a reference; by
    default all count. A reference without a noun phrase does not count; the score is missing (NaN) when none has one.
    """

    soft: bool = False
    verifier: str | None = None
    verifier_input: str | None = None
    verifier_output: str | None = None
    questions: FileNames = field(default=None, metadata={"takes": SEVERAL_FILES})

    name = "qaeval"
    paper = "Deutsch, Bedrax-Weiss and Roth (2021), Towards Question-Answering as an Automatic Metric"
    needs = REFERENCES
    model_roles: ClassVar[frozenset[str]] = QuestionMetric.model_roles | {"sentences"}

    def __post_init__(self) -> None:
        QuestionMetric.__post_init__(self)
        object.__setattr__(self, "questions", list_files(self.questions, self.name, "questions"))
        if self.verifier is None and (self.verifier_input or self.verifier_output):
            raise MetricError(
                f"{self.name} cannot have verifier_input or verifier_output without a verifier: name a model"
            )
        if self.verifier_input is not None:
            check_input(self.verifier_input)
        if self.verifier_output is not None:
            check_output(self.verifier_output)
        if self.questions is not None:
            for setting, default in (("asker", EMBEDDED), ("answers", "chunks")):
                if (value := getattr(self, setting)) != default:
                    raise MetricError(
                        f"{self.name} cannot have {setting}={value} beside questions: the file says what is asked"
                    )

    @property
    def columns(self) -> tuple[Column, ...]:
        """F1, exact match, graded F1, perhaps the soft and the learned comparison, and the share answered."""
        soft = (Column("soft", "mean similarity in meaning of answers and the phrases asked for"),)
        learned = (Column("learned", "mean score of answers by the learned scorer, from 0 to 1; no answer is 0"),)
        return (
            Column("f1", "mean token F1 of the summary's answers with the phrases of the reference"),
            Column("em", "share of questions whose answer is exactly the phrase of the reference"),
            Column("graded", "mean token F1 of the likeliest answers, each with its probability; no threshold"),
            *(soft if self.soft else ()),
            *(learned if self.verifier is not None else ()),
            Column("answered", "share of questions that the summary answers, rightly or not", "neither"),
        )

    @property
    def examiner(self) -> Examiner:
        """What asks and answers the questions."""
        verifier = self.verifier and Verifier(self.verifier, self.verifier_input, self.verifier_output)
        return replace(
            self._build_examiner(soft=self.soft),
            questions=list_files(self.questions, self.name, "questions"),
            verifier=verifier or None,
        )

    def build_exchanges(self, example: Example) -> tuple[Exchange, ...]:
        """Each reference asks, the summary answers."""
        exchanges = let_references_ask(example)
        if self.questions is None:
            return exchanges
        asked = read_written_questions(self.questions).ask(example.doc_id, example.references)
        return tuple(
            exchange._replace(questions=tuple(spread_evenly(questions, self.most)))
            for exchange, questions in zip(exchanges, asked, strict=True)
        )

    def score_verdict(self, verdict: AnswerVerdict) -> tuple[float, ...]:
        """F1, exact match, graded F1, perhaps soft and learned, answered."""
        soft = (verdict.soft,) if self.soft else ()
        learned = (verdict.learned,) if self.verifier is not None else ()
        return (verdict.f1, verdict.exact, verdict.graded, *soft, *learned, float(verdict.answer.answered))
