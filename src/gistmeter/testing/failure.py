"""What a failed assertion says: scores and limits, the evidence, and the weakest sentence."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from gistmeter.checking.finders import FINDERS
from gistmeter.checking.texts import CheckedTexts, read_sentences
from gistmeter.report.plain_evidence import evidence_text, shorten_text
from gistmeter.scoring.explain import explain
from gistmeter.wording import replace_controls

if TYPE_CHECKING:
    from gistmeter.example import Example
    from gistmeter.metrics.metric import Metric
    from gistmeter.testing.limits import Limit, ScoredLimits

_SUPPORT_METRICS = ("consistency", "faithfulness")
"""Where one of these is limited, models are loaded anyway: they then also judge which sentences lack support."""


def describe_failure(scored: ScoredLimits) -> str:
    """The message of a failed assertion, as plain text."""
    parts = [_list_scores(scored)]
    parts += [f"note: {note}" for note in scored.notes]
    failed = {limit.label: limit.metric for limit in scored.failed}
    parts += [evidence_text(evidence) for evidence in explain(scored.example, failed).values()]
    weakest = _describe_weakest(scored)
    parts += [weakest] if weakest else []
    return replace_controls("\n\n".join(parts))


def _list_scores(scored: ScoredLimits) -> str:
    failed = scored.failed
    values = {limit.name: _format_value(limit, scored.values[limit.name]) for limit in scored.limits}
    name_width, value_width = max(map(len, values)), max(map(len, values.values()))
    lines = [f"the summary fails by {len(failed)} of {len(scored.limits)} scores"]
    for limit in (*failed, *(limit for limit in scored.limits if limit not in failed)):
        verb = "must be" if limit in failed else "is"
        value = values[limit.name]
        lines.append(f"  {limit.name:<{name_width}}  {value:>{value_width}}  {verb} {limit.side} {limit.number:g}")
    return "\n".join(lines)


def _format_value(limit: Limit, value: float) -> str:
    return f"missing ({limit.metric.missing})" if math.isnan(value) else f"{value:.3f}"


def _describe_weakest(scored: ScoredLimits) -> str:
    """The sentence that most speaks against, with why; of a support that fails, the least supported one."""
    models = any(limit.metric.name in _SUPPORT_METRICS for limit in scored.limits)
    texts = CheckedTexts(scored.example, read_sentences(scored.example.summary, scored.example.language), models=models)
    findings = [finding for find in FINDERS for finding in find(texts)]
    if findings:
        weights = [sum(f.weight for f in findings if f.sentence == n) for n in range(len(texts.sentences))]
        weakest = max(range(len(weights)), key=weights.__getitem__)
        reasons = [f"  - {finding.why}" for finding in findings if finding.sentence == weakest]
        return "\n".join([f"weakest sentence: {shorten_text(texts.sentences[weakest].text)}", *reasons])
    return next(filter(None, (_describe_least_supported(limit.metric, scored.example) for limit in scored.failed)), "")


def _describe_least_supported(metric: Metric, example: Example) -> str:
    """The sentence that a metric of support finds least supported; empty for other metrics."""
    from gistmeter.metrics.consistency.consistency import Consistency
    from gistmeter.metrics.ffci.faithfulness import Faithfulness

    supports: list[tuple[float, str, str]] = []
    if isinstance(metric, Faithfulness) and metric.match == "sentences":
        supports = [(each.score, each.sentence, each.nearest) for each in metric.support_sentences(example)]
    elif isinstance(metric, Consistency):
        supports = [(each.support, each.sentence, each.best) for each in metric.judge_sentences(example)]
    if not supports:
        return ""
    support, sentence, nearest = min(supports)
    return (
        f"weakest sentence: {shorten_text(sentence)}\n  - its support by the document is {support:.3f}, the lowest; "
        f"nearest there: {shorten_text(nearest)}"
    )
