"""What probes and attacks say about scores, as a sheet: a row for each score, and the verdicts below."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gistmeter.report.tables.board import ARROWS
from gistmeter.report.tables.numbers import MISSING
from gistmeter.report.tables.sheet import Sheet

if TYPE_CHECKING:
    from gistmeter.probe import ProbeReport, ScoreFindings


def findings_sheet(report: ProbeReport) -> Sheet:
    """A row for each score; its verdict is a note."""
    caption = (
        "Mean scores of the summaries made for the score (optimised) and of the first references. place: of the former "
        f"among the systems, by the score itself and by {report.against}, which compares with references; length: "
        "theirs as a multiple of the systems'; above: systems that score better than the references; pseudo r, gold r: "
        f"correlation of the score with {report.against} against its own favourites, and against the references, over "
        "systems; attacks: how many improve the score."
    )
    return Sheet.of(
        [_write_row(findings) for findings in report.scores],
        caption=caption,
        notes=(*(findings.verdict for findings in report.scores), *report.notes),
    )


def _write_row(findings: ScoreFindings) -> dict[str, Any]:
    probe, above, ranked, pseudo = findings.probe, findings.above, findings.ranked, findings.pseudo
    judged = sum(row.works is not None for row in findings.attacks)
    return {
        "score": f"{findings.name} {ARROWS[findings.better]}".rstrip(),
        "optimised": None if probe is None else probe.optimised.score,
        "reference": None if probe is None else probe.reference.score,
        "place": MISSING if probe is None else f"{probe.rank} of {len(probe.systems) + 1}",
        "by references": MISSING if ranked is None else f"{ranked.rank} of {ranked.ranked}",
        "length": None if probe is None else probe.length_share,
        "above": MISSING if above is None else f"{len(above.above)} of {above.systems}",
        "pseudo r": None if pseudo is None else pseudo.pseudo_r,
        "gold r": None if pseudo is None else pseudo.gold_r,
        "attacks": f"{len(findings.working)} of {judged}" if judged else MISSING,
    }
