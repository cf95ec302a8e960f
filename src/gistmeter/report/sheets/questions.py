"""How good an answerer is, as a sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.report.tables.sheet import Sheet

if TYPE_CHECKING:
    from gistmeter.qa.evaluate import AnsweringFigures

_CAPTION = (
    "Shares. IsAns-F1: telling which questions can be answered; AUC: the same, whatever the threshold. EM and F1: over "
    "questions that can be answered and were (given IsAns)."
)


def answering_sheet(figures: AnsweringFigures, model: str, *, notes: tuple[str, ...] = ()) -> Sheet:
    """How good an answerer is: the columns of Table 8 of QAEval, and the area under the curve."""
    row = {
        "model": model,
        "questions": figures.questions,
        "answerable": figures.answerable,
        "IsAns-F1": figures.is_answerable_f1,
        "AUC": figures.auc,
        "EM": figures.em,
        "F1": figures.f1,
    }
    return Sheet.of([row], caption=_CAPTION, notes=notes)
