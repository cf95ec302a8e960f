"""How good an answerer is, as a sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gistmeter.report.tables.sheet import Sheet
from gistmeter.wording import format_count

if TYPE_CHECKING:
    from gistmeter.insight.people import HumanSetups
    from gistmeter.insight.question_coverage import QuestionCoverages
    from gistmeter.qa.evaluate import AnsweringFigures

_CAPTION = (
    "Shares. IsAns-F1: telling which questions can be answered; AUC: the same, whatever the threshold. EM and F1: over "
    "questions that can be answered and were (given IsAns)."
)

_VERIFIED_CAPTION = (
    "Acc: what people call correct of them, over those that they verified; EM ref and F1 ref: the same answers against "
    "the phrases that were asked for."
)


def answering_sheet(figures: AnsweringFigures, model: str, *, notes: tuple[str, ...] = ()) -> Sheet:
    """How good an answerer is: the columns of Table 8 of QAEval, and the area under the curve."""
    row: dict[str, Any] = {
        "model": model,
        "questions": figures.questions,
        "answerable": figures.answerable,
        "IsAns-F1": figures.is_answerable_f1,
        "AUC": figures.auc,
        "EM": figures.em,
        "F1": figures.f1,
    }
    caption = _CAPTION
    if figures.verified:
        row |= {"Acc": figures.accuracy, "verified": figures.verified}
        row |= {"EM ref": figures.expected_em, "F1 ref": figures.expected_f1}
        caption = f"{_CAPTION} {_VERIFIED_CAPTION}"
    return Sheet.of([row], caption=caption, notes=notes)


def human_setups_sheet(setups: HumanSetups) -> Sheet:
    """Who answers and who verifies, four ways: Table 9 of QAEval."""
    caption = (
        f"{setups.column} of {format_count(setups.summaries, 'summary')}, when a model or people answer (QA) "
        "and the metric or people "
        "say what is right (verification)."
    )
    if setups.aspect is not None:
        caption += f" r, rho and tau: {setups.level}-level correlations with {setups.aspect}."
    return Sheet.of(setups.records(), caption=caption, notes=setups.notes, **setups.details())


def coverage_sheet(coverages: QuestionCoverages) -> Sheet:
    """What questions cover: Table 7 of QAEval."""
    caption = (
        "Means over documents. QA precision: the share of questions that ask for a content unit; SCU coverage: the "
        "share of units that a question asks for. A question asks for a unit where people say so, or where the "
        "answerer finds its answer in the unit."
    )
    return Sheet.of(coverages.records(), caption=caption, notes=coverages.notes)
