"""The verdict on a score: one paragraph that says what its numbers say, and nothing that they do not."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from gistmeter.wording import format_count

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gistmeter.probe.attacks import AttackEffect
    from gistmeter.probe.findings.findings import ScoreFindings
    from gistmeter.probe.results import Probe

LONGER, SHORTER = 1.2, 0.8
"""From how many times the length of the systems' summaries on others are called longer, and up to which shorter."""

NAMED_ATTACKS = 3
"""How many attacks that work are named."""

_MADE = {
    "optimise": "Summaries made for {name} from sentences of the document",
    "rerank": "The summaries of a pool that {name} picks",
    "direct": "The summaries that the model behind {name} writes itself",
}


def write_verdict(findings: ScoreFindings) -> str:
    """What the numbers on a score say, in one paragraph; what nobody looked for is not spoken of."""
    sentences = [
        *_describe_optimised(findings),
        *_describe_length(findings),
        *_describe_rank(findings),
        *_describe_above(findings),
        *_describe_pseudo(findings),
        *_describe_attacks(findings),
        *_conclude(findings),
    ]
    return " ".join(sentences) or f"Nothing was found out about {findings.name}."


def _describe_optimised(findings: ScoreFindings) -> Iterator[str]:
    """Where the optimised summaries stand by the score itself."""
    probe = findings.probe
    if probe is None:
        if findings.reference_free is False:
            yield f"{findings.name} compares with references, so that no summary was made for it."
        return
    subject = _MADE[probe.method].format(name=findings.name)
    if (words := probe.settings.get("words", "any")) != "any":
        subject += f", of {words} words at most,"
    score, reference = probe.optimised.score, probe.reference.score
    scored = [standing for standing in map(probe.average_system, probe.systems) if not math.isnan(standing.score)]
    if math.isnan(score):
        yield f"{subject} have no score."
        return
    clauses = []
    if scored:
        best = min(scored, key=lambda standing: -standing.score if probe.better == "higher" else standing.score)
        beaten = sum(probe.is_better(score, standing.score) for standing in scored)
        leader = f"the best, {best.name}, has {_write(best.score)}"
        clauses.append(f"better than {_write_part(beaten, len(scored), 'system')} ({leader})")
    if not math.isnan(reference):
        way = "better" if probe.is_better(score, reference) else "worse" if score != reference else "no better"
        clauses.append(f"{way} than the references ({_write(reference)})")
    comparison = f", {_join(clauses)}" if clauses else ""
    yield f"{subject} score {_write(score)}{comparison}."


def _describe_length(findings: ScoreFindings) -> Iterator[str]:
    """Whether length may explain it."""
    probe = findings.probe
    if probe is None or math.isnan(probe.length_share) or math.isnan(probe.optimised.score):
        return
    share = probe.length_share
    words = f"{probe.optimised.words:.0f} words to {probe.optimised.words / share:.0f}"
    if share >= LONGER:
        yield f"They are {share:.1f} times as long as the systems' ({words}), and length may explain part of this."
    elif share <= SHORTER:
        yield f"They are shorter than the systems' ({words})."
    else:
        yield f"They are about as long as the systems' ({words}), so that length does not explain it."


def _describe_rank(findings: ScoreFindings) -> Iterator[str]:
    """Where a score with references puts them."""
    ranked = findings.ranked
    if ranked is not None:
        yield f"By {ranked.metric}, which compares with references, they are {_order(ranked.rank, ranked.ranked)}."


def _describe_above(findings: ScoreFindings) -> Iterator[str]:
    """How many systems it puts above the references."""
    above = findings.above
    if above is not None and above.systems:
        yield f"It puts {_write_part(len(above.above), above.systems, 'system')} above the references."


def _describe_pseudo(findings: ScoreFindings) -> Iterator[str]:
    """Whether it is more like comparing with its own favourites than with references."""
    pseudo = findings.pseudo
    if pseudo is None or math.isnan(pseudo.pseudo_r):
        return
    start = f"Its means of {format_count(pseudo.systems, 'system')} correlate at {_write(pseudo.pseudo_r, 2)} with"
    own = f"those of {pseudo.metric} against its own favourites"
    if math.isnan(pseudo.gold_r):
        yield f"{start} {own}."
    else:
        way = "and" if pseudo.gold_r >= pseudo.pseudo_r else "but"
        yield f"{start} {own}, {way} at {_write(pseudo.gold_r, 2)} with those against the references."


def _describe_attacks(findings: ScoreFindings) -> Iterator[str]:
    """Which attacks raise it."""
    if not findings.attacks:
        return
    judged = [row for row in findings.attacks if row.works is not None]
    working = findings.working
    score = findings.name if findings.probe is None else "it"
    if not judged:
        yield f"Whether attacks improve {score} cannot be said: there is no interval, or neither way is good."
    elif working:
        named = [f"{row.attack} ({_write_change(row)})" for row in working[:NAMED_ATTACKS]]
        if len(working) > NAMED_ATTACKS:
            named.append(f"{len(working) - NAMED_ATTACKS} more")
        start = "The only attack tried" if len(judged) == 1 else f"Of {len(judged)} attacks {len(working)}"
        yield f"{start} {'improves' if len(working) == 1 else 'improve'} {score}: {_join(named)}."
    elif len(judged) == 1:
        yield f"The only attack tried, {judged[0].attack}, does not improve {score}."
    else:
        yield f"None of {len(judged)} attacks improves {score}."
    undefined = [f"{row.attack} ({row.undefined})" for row in findings.attacks if row.undefined]
    if undefined:
        yield f"Some attacked summaries have no score: {_join(undefined)}."


def _conclude(findings: ScoreFindings) -> Iterator[str]:
    """What follows, where the numbers say enough."""
    reasons = list(_list_reasons(findings))
    if reasons:
        yield f"So a better {findings.name} does not show a better summary here: {_join_clauses(reasons)}."
    elif findings.probe is not None and any(row.works is not None for row in findings.attacks):
        yield "Nothing here shows that it is easily pleased; another search or another attack may."


def _list_reasons(findings: ScoreFindings) -> Iterator[str]:
    probe, ranked, above = findings.probe, findings.ranked, findings.above
    if probe is not None and ranked is not None and _beats_all(probe) and 2 * ranked.rank > ranked.ranked + 1:
        yield "what it likes best is in the lower half by comparison with references"
    if above is not None and 2 * len(above.above) > above.systems:
        yield "it puts most systems above people"
    if findings.working:
        yield "changes that no reader would want improve it"


def _beats_all(probe: Probe) -> bool:
    """Whether the optimised summaries score better than every system."""
    scores = [probe.average_system(name).score for name in probe.systems]
    return bool(scores) and all(probe.is_better(probe.optimised.score, score) for score in scores)


def _write_change(row: AttackEffect) -> str:
    return f"{_write(row.clean)} to {_write(row.attacked)}"


def _write_part(part: int, whole: int, noun: str) -> str:
    """How many of how many.

    >>> [_write_part(part, whole, "system") for part, whole in ((3, 3), (0, 3), (1, 3), (1, 1))]
    ['all 3 systems', 'none of 3 systems', '1 of 3 systems', 'the only system']
    """
    if whole == 1:
        return f"the only {noun}" if part else f"not even the only {noun}"
    if part == whole:
        return f"all {format_count(whole, noun)}"
    return f"{part or 'none'} of {format_count(whole, noun)}"


def _order(rank: int, ranked: int) -> str:
    """A place among several.

    >>> _order(1, 5), _order(5, 5), _order(2, 5), _order(13, 20)
    ('first of 5', 'last of 5', '2nd of 5', '13th of 20')
    """
    if rank == 1:
        return f"first of {ranked}"
    if rank == ranked:
        return f"last of {ranked}"
    ending = "th" if rank % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(rank % 10, "th")
    return f"{rank}{ending} of {ranked}"


def _write(value: float, decimals: int = 3) -> str:
    """A number with a real minus sign."""
    return f"{value:.{decimals}f}".replace("-", "\u2212")


def _join_clauses(clauses: Sequence[str]) -> str:
    """Whole clauses with commas, also before `and`: "above people and changes ..." would be misread.

    >>> _join_clauses(["it rains", "the wind blows"]), _join_clauses(["it rains"])
    ('it rains, and the wind blows', 'it rains')
    """
    return ", and ".join([", ".join(clauses[:-1]), clauses[-1]]) if len(clauses) > 1 else "".join(clauses)


def _join(parts: Sequence[str]) -> str:
    """Parts of a sentence with commas, and `and` before the last.

    >>> _join(["a", "b", "c"]), _join(["a"])
    ('a, b and c', 'a')
    """
    return " and ".join([", ".join(parts[:-1]), parts[-1]]) if len(parts) > 1 else "".join(parts)
