"""Answers of `gistmeter.meta` as sheets: their rows, with a caption that says how they came about."""

from __future__ import annotations

from functools import singledispatch
from math import isnan
from typing import TYPE_CHECKING

from gistmeter import meta
from gistmeter.report.sheets.groups import agreement_caption, grouped_caption, grouped_sheet
from gistmeter.report.sheets.levels import levels_caption, levels_sheet
from gistmeter.report.tables.sheet import Sheet
from gistmeter.wording import format_count

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gistmeter.result import Result


@singledispatch
def result_sheet(result: Result) -> Sheet:
    """The table of an answer, with its caption and notes."""
    return Sheet.of(result.records(), caption=caption(result), notes=result.notes)


@singledispatch
def caption(result: Result) -> str:
    """How the numbers of an answer came about."""
    raise NotImplementedError(f"no caption for {type(result).__name__}")


@caption.register(meta.Correlations)
def _(result: meta.Correlations) -> str:
    size = f"{format_count(result.systems, 'system')}, {format_count(result.documents, 'document')}"
    return f"{size}; undefined correlations (constant scores): {result.undefined}."


@caption.register(meta.FoldCorrelations)
def _(result: meta.FoldCorrelations) -> str:
    members = result.by
    sizes = f"{min(result.sizes)} to {max(result.sizes)} {members}"
    folds = f"means over {len(result.sizes)} folds of {sizes}"
    return f"{result.aspect}: {folds}; undefined correlations: {result.undefined}."


@caption.register(meta.CorrelationIntervals)
def _(result: meta.CorrelationIntervals) -> str:
    first = result.rows[0].interval
    how = "Fisher"
    if first.method:
        how = f"bootstrap by {first.method}, {first.resamples:,} resamples, seed {result.seed}"
    return f"{first.confidence:.0%} intervals ({first.interval}: {how})."


@caption.register(meta.AllDocumentIntervals)
def _(result: meta.AllDocumentIntervals) -> str:
    first = result.rows[0].change.judged
    what = f"System level with {result.aspect}, {result.coefficient}"
    means = f"means of systems over {format_count(result.judged, 'judged document')}, and over all {result.scored:,}"
    how = f"bootstrap by {result.method}, {first.resamples:,} resamples, seed {result.seed}"
    narrowed = "" if isnan(result.mean_narrowed) else f" Narrower by {result.mean_narrowed:.0%} on average."
    return f"{what}: {means}. {first.confidence:.0%} intervals ({how}).{narrowed}"


@caption.register(meta.SystemScores)
def _(result: meta.SystemScores) -> str:
    scored = "" if result.scored is None else f", and over all {result.scored:,}"
    means = f"Means over {format_count(result.judged, 'judged document')}{scored}"
    return f"{means}, with {result.confidence:.0%} bootstrap intervals over documents."


_QUESTIONS: Mapping[str, str] = {
    "two-sided": "does one of x and y agree better with people than the other?",
    "greater": "does x agree better with people than y?",
    "less": "does x agree worse with people than y?",
}


@caption.register(meta.PairTest)
def _(result: meta.PairTest) -> str:
    test = result.test
    how = f"{test.test} test"
    if test.exact:
        how += f" by {test.method} (all {test.draws:,} ways to swap)"
    elif test.method:
        draws = "permutations" if test.test == "permutation" else "resamples"
        how += f" by {test.method} ({test.draws:,} {draws}, seed {result.seed})"
    return f"{how}, {test.alternative}, alpha {result.alpha:g}: {_QUESTIONS[test.alternative]}"


@caption.register(meta.AllPairsTest)
def _(result: meta.AllPairsTest) -> str:
    tested = result.comparison
    draws = f"{tested.permutations:,} permutations, seed {tested.seed}"
    if tested.ways:
        draws = f"all {tested.ways:,} ways to swap"
    return (
        f"{result.level} level, {result.coefficient}; one-sided permutation tests by {tested.method} of all pairs, "
        f"{draws}, {tested.correction} correction, alpha {tested.alpha:g}."
    )


@result_sheet.register(meta.PairAgreement)
def _(result: meta.PairAgreement) -> Sheet:
    short = {"significant pairs": "significant", "tie-calibrated": "tied"}  # a line of the terminal holds all columns
    rows = [{short.get(name, name): value for name, value in record.items()} for record in result.records()]
    return Sheet.of(rows, caption=caption(result), notes=result.notes)


@caption.register(meta.PairAgreement)
def _(result: meta.PairAgreement) -> str:
    pairs = "pairs whose scores differ by so much" if result.gaps else "closest pairs (u: their widest gap)"
    return (
        f"System pairs ranked as by {result.aspect}: all, those people separate significantly, soft; tied is "
        f"tie-calibrated, by document. Then the system-level correlation on the {pairs}. "
        f"{result.permutations:,} permutations, seed {result.seed}."
    )


@caption.register(meta.LabelScores)
def _(result: meta.LabelScores) -> str:
    first = result.rows[0].interval
    labels = result.aspect if result.cut is None else f"{result.aspect} (cut at {result.cut:g})"
    return (
        f"{result.positive} good summaries told from {result.negative} bad ones by {labels}; 0.5 is chance. "
        f"{first.confidence:.0%} intervals: bootstrap by {result.method}, {result.resamples:,} resamples; "
        f"{result.threshold_from}. Scores that share a letter do not differ significantly (paired permutation test by "
        f"documents, {result.permutations:,} permutations, Holm-corrected, alpha {result.alpha:g}). Seed {result.seed}."
    )


@caption.register(meta.MetricRelations)
def _(result: meta.MetricRelations) -> str:
    return f"{result.matrix.level} level, {result.matrix.coefficient}."


@caption.register(meta.AnchorRelations)
def _(result: meta.AnchorRelations) -> str:
    anchors = result.anchors
    between = f"{anchors.first} and {anchors.second} correlate {anchors.between:.3f}"
    return f"{anchors.level} level, {anchors.coefficient}; {between}."


@caption.register(meta.IntervalCoverage)
def _(result: meta.IntervalCoverage) -> str:
    first = result.levels[0]
    return (
        f"{result.metric} with {result.aspect}, {first.coefficient}, {first.trials:,} trials: share of "
        f"{first.confidence:.0%} intervals on one half of systems and documents that hold the correlation on the other."
    )


@caption.register(meta.TestPower)
def _(result: meta.TestPower) -> str:
    how = (
        "noise of the size that thinning tokens makes was added"
        if result.curves.degraded == "noise"
        else "ROUGE-1 of a share of the tokens"
    )
    return (
        f"Share of trials in which a test says that {result.metric} agrees with {result.aspect} better than its worse "
        f"version ({how}); {result.curves.level} level, {result.curves.coefficient}, alpha {result.curves.alpha:g}."
    )


@caption.register(meta.NormalityTests)
def _(result: meta.NormalityTests) -> str:
    return f"Shapiro-Wilk tests that reject normality at alpha {result.alpha:g}."


@caption.register(meta.Stability)
def _(result: meta.Stability) -> str:
    return f"{result.coefficient} of two rankings by documents drawn anew, {result.trials:,} trials."


@caption.register(meta.ReferenceCounts)
def _(result: meta.ReferenceCounts) -> str:
    first = result.levels[0]
    how = f"{first.combine} over references"
    return f"{result.metric} ({how}) with {result.aspect}, {first.coefficient}; mean over random choices."


@caption.register(meta.StudyPlan)
def _(result: meta.StudyPlan) -> str:
    return result.plan.caveats


@caption.register(meta.RaterAgreements)
def _(result: meta.RaterAgreements) -> str:  # noqa: ARG001
    return "Krippendorff's alpha: 1 is perfect agreement, 0 what chance gives. Items have two ratings or more."


result_sheet.register(meta.CorrelationTable, levels_sheet)
caption.register(meta.CorrelationTable, levels_caption)
result_sheet.register(meta.GroupedAnswer, grouped_sheet)
caption.register(meta.GroupedAnswer, grouped_caption)
caption.register(meta.GroupedAgreement, agreement_caption)
