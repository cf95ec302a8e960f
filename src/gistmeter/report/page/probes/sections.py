"""What pages show of a score that was probed, written out: verdict, numbers, means and attacks."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from gistmeter.ranking.columns import main_columns
from gistmeter.report.page.probes.slopes import draw_slopes
from gistmeter.report.sheets.probe.standings import describe_settings
from gistmeter.report.tables.board import ARROWS
from gistmeter.report.tables.numbers import (
    MISSING,
    decimals_for,
    format_interval,
    format_number,
    format_percent,
)
from gistmeter.scores import DIAGNOSTIC_MARK, ScoreColumn

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gistmeter.probe import AttackEffect, ScoreFindings
    from gistmeter.report.page.probes.slopes import SlopeChart

ATTACK_TITLES = (
    "Attack",
    "What it does",
    "Clean",
    "Attacked",
    "Change",
    "Interval",
    "Words",
    "Undefined",
    "Works",
)


@dataclass(frozen=True, slots=True)
class TableLine:
    """A row of a table of the page, written out."""

    kind: str
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Fact:
    """A number of a score, and what it is."""

    name: str
    value: str


@dataclass(frozen=True, slots=True)
class ScoreSection:
    """What the page shows of one score, written out."""

    title: str
    verdict: str
    signature: str
    chart: SlopeChart | None
    facts: tuple[Fact, ...]
    standing_titles: tuple[str, ...]
    standings: tuple[TableLine, ...]
    attacks: tuple[TableLine, ...]
    attacks_caption: str
    notes: tuple[str, ...]


def describe_score(findings: ScoreFindings, word_note: Callable[[str], str] = str) -> ScoreSection:
    """One score as the page shows it."""
    against = "" if findings.ranked is None else findings.ranked.metric
    scores = decimals_for(each.score for each in findings.standings)
    compared = decimals_for(each.against for each in findings.standings)
    mark = DIAGNOSTIC_MARK if findings.reference_free else ""
    standings = tuple(
        TableLine(
            kind="optimised" if each.is_optimised else "reference" if each.is_reference else "system",
            cells=(
                each.name,
                format_number(each.score, scores),
                *((format_number(each.against, compared),) if against else ()),
                format_number(each.words, 0),
            ),
        )
        for each in findings.standings
    )
    documents = max((row.documents for row in findings.attacks), default=0)
    return ScoreSection(
        title=f"{findings.name}{mark} {ARROWS[findings.better]}".rstrip(),
        verdict=findings.verdict,
        signature=findings.signature,
        chart=draw_slopes(findings),
        facts=tuple(_list_facts(findings)),
        standing_titles=("Summaries of", findings.name, *((against,) if against else ()), "Words"),
        standings=standings,
        attacks=tuple(map(_write_attack, findings.attacks)),
        attacks_caption=(
            f"Means before and after; intervals of {format_percent(findings.confidence)} over {documents} documents. "
            "An attack works where the whole interval is an improvement."
            if documents > 1
            else "Means before and after; of one document there is no interval."
        ),
        notes=tuple(map(word_note, findings.notes)),
    )


def tell_apart(all_findings: Sequence[ScoreFindings]) -> list[str]:
    """What to put after the title of each score: how it was searched, where there are several probes of one score."""
    counts = Counter(findings.name for findings in all_findings)
    return [
        f" ({describe_settings(findings.probe)})" if counts[findings.name] > 1 and findings.probe is not None else ""
        for findings in all_findings
    ]


def _list_facts(findings: ScoreFindings) -> list[Fact]:
    probe, above, ranked, pseudo = findings.probe, findings.above, findings.ranked, findings.pseudo
    facts = []
    if probe is not None:
        facts.append(Fact("place of the optimised summaries by the score", f"{probe.rank} of {len(probe.systems) + 1}"))
    if ranked is not None:
        facts.append(Fact(f"their place by {ranked.metric}", f"{ranked.rank} of {ranked.ranked}"))
    if above is not None:
        facts.append(Fact("systems above the references", f"{len(above.above)} of {above.systems}"))
    if pseudo is not None:
        facts.append(Fact(f"r with {pseudo.metric} against its favourites", format_number(pseudo.pseudo_r, 3)))
        facts.append(Fact(f"r with {pseudo.metric} against the references", format_number(pseudo.gold_r, 3)))
    if probe is not None:
        facts.append(Fact("length of the optimised, as a multiple", format_number(probe.length_share, 2)))
    if findings.attacks:
        facts.append(Fact("attacks that work", f"{len(findings.working)} of {len(findings.attacks)}"))
    return facts


def _write_attack(row: AttackEffect) -> TableLine:
    decimals = decimals_for((row.clean, row.attacked))
    works = {True: "yes", False: "no", None: MISSING}[row.works]
    return TableLine(
        kind="works" if row.works else "fails",
        cells=(
            row.attack,
            row.about,
            format_number(row.clean, decimals),
            format_number(row.attacked, decimals),
            format_number(row.change, decimals, sign=True),
            format_interval(row.low, row.high, decimals, sign=True) or MISSING,
            format_number(row.words, 0),
            str(row.undefined),
            works,
        ),
    )


def describe_probes(probes: Sequence[ScoreFindings], columns: Sequence[ScoreColumn]) -> list[dict[str, Any]]:
    """What the report of scores shows of probes: of main scores, with a note where something else was probed."""
    main = {column.name for column in main_columns(ScoreColumn(findings.name, "") for findings in probes)}
    scored = {column.name: column for column in columns}
    shown = [findings for findings in probes if findings.name in main]
    return [
        _describe_shown(findings, scored.get(findings.name), addition)
        for findings, addition in zip(shown, tell_apart(shown), strict=True)
    ]


def _describe_shown(findings: ScoreFindings, column: ScoreColumn | None, addition: str) -> dict[str, Any]:
    notes: tuple[str, ...] = ()
    if column is not None:
        findings = replace(findings, reference_free=column.reference_free)
        if column.signature != findings.signature:
            notes = (f"the scores are of {column.signature}, the probe is of {findings.signature}",)
    section = describe_score(findings)
    return {
        "title": f"{section.title}{addition}",
        "verdict": section.verdict,
        "notes": [*notes, *section.notes],
        "standing_titles": section.standing_titles,
        "standings": [asdict(line) for line in section.standings],
        "attack_titles": ATTACK_TITLES,
        "attacks": [asdict(line) for line in section.attacks],
    }
