"""What a check says of one summary, for the terminal."""

from __future__ import annotations

from math import isnan
from typing import TYPE_CHECKING, Any

from rich.console import Group
from rich.padding import Padding
from rich.text import Text

from gistmeter.report.tables.board import ARROWS
from gistmeter.report.tables.sheet import Sheet, console
from gistmeter.report.terminal import dim_text, safe_text
from gistmeter.wording import format_count

if TYPE_CHECKING:
    from rich.console import RenderableType

    from gistmeter.checking.check import CheckedScore, CheckedSentence, CheckResult


def check_view(result: CheckResult) -> RenderableType:
    """The scores with their standings, then the weakest sentences, each with what speaks against it."""
    parts: list[RenderableType] = [console(check_sheet(result)), Text()]
    weakest = result.weakest
    count = format_count(len(result.sentences), "sentence")
    if not weakest:
        parts.append(Text(f"{count}: nothing found that speaks against one."))
        return Group(*parts)
    parts.append(Text(f"Something speaks against {len(weakest)} of {count}, the weakest first:"))
    for checked in weakest:
        parts += _draw_sentence(checked, result.sentences.index(checked) + 1)
    return Group(*parts)


def check_sheet(result: CheckResult) -> Sheet:
    """A row for each score: its value, and for each dataset how many systems and which share of summaries it beats."""
    datasets = list(dict.fromkeys(standing.dataset for score in result.scores for standing in score.standings))
    rows: list[dict[str, Any]] = [
        {
            "score": f"{score.column.name} {ARROWS[score.column.better]}".rstrip(),
            "value": score.value,
            **{dataset: _format_standing(score, dataset) for dataset in datasets},
        }
        for score in result.scores
    ]
    samples = sorted({standing.sample for score in result.scores for standing in score.standings if standing.sample})
    unknown = [score.column.name for score in result.scores if not score.standings and not isnan(score.value)]
    caption = ""
    if datasets:
        caption = (
            "Under each dataset: how many of its systems have a mean that the score beats (exceeds, where neither way "
            "is good), and the share of its summaries. This says what is usual, not what is right."
        )
        caption += f" Models scored {' and '.join(samples)}." if samples else ""
    notes = [f"no standing is known for {', '.join(unknown)}"] if unknown else []
    return Sheet.of(rows, caption=caption, notes=notes)


def _format_standing(score: CheckedScore, dataset: str) -> str:
    for standing in score.standings:
        if standing.dataset == dataset:
            return f"{score.beaten_systems(standing)}/{standing.systems}  {score.beaten(standing):.0%}"
    return "–"


def _draw_sentence(checked: CheckedSentence, number: int) -> list[RenderableType]:
    text = " ".join(checked.sentence.text.split())
    reasons = [Padding(safe_text(f"- {finding.why}"), (0, 0, 0, 3), expand=False) for finding in checked.findings]
    return [Text.assemble(dim_text(f"{number}. "), safe_text(text)), *reasons]
