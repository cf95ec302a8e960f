"""What APES and SummaQA share: entities blanked from a text, and the rest of their sentences as questions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gistmeter.linguistics.phrases import PhraseKind  # noqa: TC001  (the types of settings are read when a metric is made)
from gistmeter.metrics.question.metric import QuestionMetric
from gistmeter.qa.blanks import check_blanks
from gistmeter.qa.examiner import QuestionForm  # noqa: TC001  (the types of settings are read when a metric is made)

if TYPE_CHECKING:
    from gistmeter.qa.examiner import Examiner


@dataclass(frozen=True, slots=True)
class BlankedEntities(QuestionMetric):
    """A metric that asks for entities taken out of their sentences; `form` says what stands in their place."""

    answers: PhraseKind = "entities"
    form: QuestionForm = "question"

    def __post_init__(self) -> None:
        QuestionMetric.__post_init__(self)
        check_blanks(self.name, self.form, self.model)

    @property
    def examiner(self) -> Examiner:
        """What asks and answers the questions."""
        return self._build_examiner(form=self.form)
