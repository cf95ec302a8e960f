"""Answers of `gistmeter trust`: a sentence, a table for the terminal, and JSON."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from typing import TYPE_CHECKING

from rich.console import Group
from rich.text import Text

from gistmeter.io.json_lines import nan_to_null
from gistmeter.ranking.trust.notes import bounds, gap_text, percents
from gistmeter.report.tables.numbers import format_percent
from gistmeter.report.terminal import dim_text, make_table, note_texts, safe_text
from gistmeter.version import __version__
from gistmeter.wording import format_count

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from rich.console import RenderableType

    from gistmeter.ranking.trust.answers import SetAnswer, TrustAnswer
    from gistmeter.ranking.trust.ask import PairTrust


def answer_sentence(answer: TrustAnswer) -> str:
    """The answer in words.

    >>> from gistmeter.ranking.trust import trust
    >>> print(answer_sentence(trust("rouge2", 0.02)))
    A gap of 0.0200 rouge2.f1 (2 points) agrees with people 75% [58, 98] of the time on SummEval, 70% [53, 88] on
    REALSumm, 72% [58, 88] on PyrXSum, 88% [49, >99] on RoSE.
    """
    shown = [set_answer for set_answer in answer.sets if set_answer.dataset.pooled]
    parts = [f"{percents(set_answer.share)} {bounds(set_answer.low, set_answer.high)}" for set_answer in shown]
    clauses = [
        f"{part}{' of the time' if position == 0 else ''} on {set_answer.dataset.name}"
        for position, (part, set_answer) in enumerate(zip(parts, shown, strict=True))
    ]
    points = f"{100 * answer.gap:.3g}"
    points = f" ({points} point{'' if points == '1' else 's'})" if answer.scale == 1 else ""
    return (
        f"A gap of {gap_text(answer.gap, answer.scale)} {answer.name}{points} agrees with people {', '.join(clauses)}."
    )


def answer_view(answer: TrustAnswer, *, title: str = "") -> RenderableType:
    """One answer for the terminal: the sentence, the table, what it rests on."""
    table = make_table()
    table.add_column("dataset", no_wrap=True)
    table.add_column("people judge", no_wrap=True)
    table.add_column("people agree", justify="right", no_wrap=True)
    for name in ("systems", "pairs", "references"):
        table.add_column(name, justify="right")
    # Pairs that were chosen because people tell them apart are told apart again: that says nothing.
    repeats = answer.people == "all"
    if repeats:
        table.add_column("people repeat", justify="right")
    for set_answer in answer.sets:
        numbers = [str(set_answer.systems), str(set_answer.pairs), _references(set_answer.dataset.references)]
        share = _share(set_answer.share, set_answer.low, set_answer.high)
        names = [safe_text(set_answer.dataset.name), safe_text(set_answer.dataset.aspect)]
        table.add_row(*names, share, *numbers, *([percents(set_answer.repeat)] if repeats else []))
    table.add_row(Text("another set", "bold"), "", _share(answer.share, answer.low, answer.high, "bold"))
    head = f"{title} {answer_sentence(answer)}" if title else answer_sentence(answer)
    return Group(
        safe_text(head, "bold"),
        Text(),
        table,
        dim_text(caption(answer)),
        *_list_needed_gaps(answer),
        *note_texts(answer.notes),
    )


def pair_view(pair: PairTrust) -> RenderableType:
    """Two systems by each calibrated score."""
    parts: list[RenderableType] = []
    for winner, answer in zip(pair.winners, pair.answers, strict=True):
        loser = pair.system_b if winner == pair.system_a else pair.system_a
        title = f"{winner} is above {loser}." if winner else f"{pair.system_a} and {pair.system_b} are equal."
        parts += [answer_view(answer, title=title), Text()]
    if pair.uncalibrated:
        parts += note_texts([f"how often people agree is not known for {', '.join(pair.uncalibrated)}"])
    else:
        parts.pop()
    return Group(*parts)


def caption(answer: TrustAnswer) -> str:
    """How the figures came about."""
    judged = min(set_answer.documents for set_answer in answer.sets if set_answer.dataset.pooled)
    over = format_count(judged if answer.documents is None else answer.documents, "document")
    pooled = [set_answer.dataset.name for set_answer in answer.sets if set_answer.dataset.pooled]
    repeat = ' "people repeat": how often people rank a pair alike on two halves of the documents.'
    repeat = repeat if answer.people == "all" else ""
    which = "people rank" if answer.people == "all" else "people tell apart significantly"
    return (
        f"Of the pairs of systems that {which} and that {answer.name} puts so far apart over {over}: the share that it "
        f"ranks as people do. {format_percent(answer.confidence)} intervals: bootstrap over systems and documents. "
        f'"another set": mean of {", ".join(pooled)}, and where one more such set may lie.{repeat}'
    )


def available_view(answers: Iterable[TrustAnswer]) -> RenderableType:
    """What is calibrated, on what, and how large a gap must be."""
    given = list(answers)
    table = make_table()
    table.add_column("score", style="bold", no_wrap=True)
    for needed in given[0].needed:
        table.add_column(f"{percents(needed.share)} agree from", justify="right")
    table.add_column("pooled over")
    sets = {
        (judged.dataset.name, judged.dataset.aspect, judged.dataset.sample): judged
        for answer in given
        for judged in answer.sets
    }
    aspects = {(name, aspect) for name, aspect, _ in sets}
    several = {name for name, _ in aspects if sum(name == other for other, _ in aspects) > 1}
    for answer in given:
        pooled = [_name_set(judged, several) for judged in answer.sets if judged.dataset.pooled]
        gaps = [gap_text(needed.gap, answer.scale) for needed in answer.needed]
        samples = dict.fromkeys(judged.dataset.sample for judged in answer.sets if judged.dataset.sample)
        sample = f" ({', '.join(samples)})" if samples else ""
        table.add_row(safe_text(answer.name), *gaps, safe_text(", ".join(pooled) + sample))
    signatures = dict.fromkeys(answer.signature for answer in given if "|" in answer.signature)
    return Group(
        table,
        Text(),
        *(safe_text(_describe_set(judged)) for judged in sets.values()),
        Text(),
        *map(dim_text, signatures),
    )


def available_json(answers: Iterable[TrustAnswer]) -> str:
    """What is calibrated as JSON, with how each table was made and from what; missing is null."""
    described = {"gistmeter": __version__, "kind": "trust-tables", "tables": [asdict(answer) for answer in answers]}
    return json.dumps(nan_to_null(described), ensure_ascii=False, indent=2, allow_nan=False)


def answer_json(result: TrustAnswer | PairTrust) -> str:
    """An answer as JSON; missing is null."""
    kind = "trust" if hasattr(result, "gap") else "trust-pair"
    described = {"gistmeter": __version__, "kind": kind, **asdict(result)}
    return json.dumps(nan_to_null(described), ensure_ascii=False, indent=2, allow_nan=False)


def _name_set(judged: SetAnswer, several: Collection[str]) -> str:
    """A dataset, with the aspect where it has several; a star marks one that the metric was built with."""
    aspect = f" {judged.dataset.aspect}" if judged.dataset.name in several else ""
    return f"{judged.dataset.name}{aspect}{'*' if judged.bias else ''}"


def _describe_set(judged: SetAnswer) -> str:
    references = f", {format_count(judged.dataset.references, 'reference')}" if judged.dataset.references else ""
    about = f": {judged.dataset.about}" if judged.dataset.about else ""
    sample = f" ({judged.dataset.sample})" if judged.dataset.sample else ""
    documents = f"{format_count(judged.documents, 'document')}{sample}"
    size = f"{format_count(judged.systems, 'system')} x {documents}{references}"
    return f"{judged.dataset.name} {judged.dataset.aspect}, {size}{about}."


def _list_needed_gaps(answer: TrustAnswer) -> list[Text]:
    reached = [needed for needed in answer.needed if not math.isnan(needed.gap)]
    if not reached:
        share = percents(answer.needed[0].share)
        return [safe_text(f"No two judged systems are far enough apart for people to agree {share} of the time.")]
    gaps = ", ".join(
        f"{percents(needed.share)} of the time takes {gap_text(needed.gap, answer.scale)}" for needed in reached
    )
    return [safe_text(f"To have people agree {gaps}.")]


def _references(count: int) -> str:
    return str(count) if count else ""


def _share(share: float, low: float, high: float, style: str = "") -> Text:
    return Text.assemble((percents(share).rjust(4), style), " ", (bounds(low, high).rjust(9), "dim"))
