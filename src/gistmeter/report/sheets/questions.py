"""How good an answerer is, as a sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.report.tables.sheet import Sheet

if TYPE_CHECKING:
    from gistmeter.qa.evaluate import Figures

_CAPTION = (
    "Shares. IsAns-F1: telling which questions can be answered; AUC: the same, whatever the threshold. EM and F1: over "
    "questions that can be answered and were (given IsAns)."
)


def figures_sheet(found: Figures, model: str, *, notes: tuple[str, ...] = ()) -> Sheet:
    """The columns of Table 8, and the area under the curve."""
    row = {
        "model": model,
        "questions": found.questions,
        "answerable": found.answerable,
        "IsAns-F1": found.is_answerable_f1,
        "AUC": found.auc,
        "EM": found.em,
        "F1": found.f1,
    }
    return Sheet.of([row], caption=_CAPTION, notes=notes)
