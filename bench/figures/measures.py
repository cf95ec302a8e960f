"""What stands in the columns of each table: correlations of a row's scores with what people said."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from bench.figures import released, runs
from bench.figures.correlations import bounded_pearson, levels, pearson, ranks, system_means, tabulate
from bench.figures.novel import NOVEL_TRIGRAMS, novel_trigrams
from bench.figures.scoring import scored

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bench.figures.page import Bounded
    from bench.figures.runs import FloatArray, Judged
    from bench.figures.specs import Row, Table
    from gistmeter.probe import LabelledSummary
    from gistmeter.probe.detection import ColumnDetection
    from gistmeter.stats.tables import Level

    Numbers = list[float | Bounded | None]

GROUPS = ("C-PG", "C-BT", "X-PG", "X-BT")
SYSTEMS = (("PG",), ("BERT",), ("LEAD3",), ("PROPHETNET",), ("PG", "BERT", "LEAD3", "PROPHETNET"))
ASPECTS = ("consistency", "relevance", "coherence", "fluency")
ROSE_ASPECTS = ("acu", "normalized_acu", "ref_free")
LEVELS: tuple[Level, ...] = ("system", "summary")
LANGUAGES = ("EN", "ID", "FR", "TR", "ZH", "RU", "DE", "ES")


def measured(table: Table, names: Sequence[str] | None = None, *, every: int = 1) -> dict[str, Numbers]:
    """The figures of each row that has something to measure, or of the rows named, on every so many documents."""
    rows = [row for row in table.rows if (row.metric or row.released) and (names is None or row.name in names)]
    return _MEASURES[table.measure]([replace(row, every=max(row.every, every)) for row in rows])


def values_of(judged: Judged, rows: Sequence[Row]) -> list[FloatArray]:
    """The scores of each row, in the order of the examples, turned so that more is better."""
    spelled = [row.metric for row in rows if row.metric != NOVEL_TRIGRAMS]
    scores = judged.scores(spelled) if spelled else None
    found = []
    for row in rows:
        if scores is None or row.metric == NOVEL_TRIGRAMS:
            values, lower = novel_trigrams(judged.examples), True
        else:
            name = f"{row.metric}.{row.column}"
            values = scores.table[name].to_numpy()
            lower = row.less or next(one for one in scores.columns if one.name == name).better == "lower"
        found.append(-values if lower else values)
    return found


def _of_all(run: Callable[[], Judged], figures: Callable[[FloatArray, Judged], Numbers]) -> Callable:
    """A measure on one set of judged summaries, or on every so many of its documents."""

    def measure(rows: Sequence[Row]) -> dict[str, Numbers]:
        found: dict[str, Numbers] = {}
        for step in sorted({row.every for row in rows}):
            some = [row for row in rows if row.every == step]
            judged = run().every(step)
            for row, values in zip(some, values_of(judged, some), strict=True):
                found[row.name] = figures(values, judged)
        return found

    return measure


def _faithfulness(values: FloatArray, judged: Judged) -> Numbers:
    human = judged.human["faithfulness"]
    return [pearson(values, human), ranks(values, human).rho]


def _by_group(aspect: str) -> Callable[[FloatArray, Judged], Numbers]:
    def figures(values: FloatArray, judged: Judged) -> Numbers:
        parts = [judged.part(group) for group in GROUPS]
        found = [pearson(values[part], judged.human[aspect][part]) for part in parts]
        return [*found, float(np.mean(found))]

    return figures


def _coherence(values: FloatArray, judged: Judged) -> Numbers:
    human = judged.human["coherence_z"]
    parts = [np.isin(judged.groups, systems) for systems in SYSTEMS]
    return [pearson(values[part], human[part]) for part in parts]


def _recall(rows: Sequence[Row]) -> dict[str, Numbers]:
    """System and summary level on REALSumm and PyrXSum (LitePyramid recall), and SummEval (relevance)."""
    found: dict[str, Numbers] = {row.name: [] for row in rows}
    sets = (
        ("REALSumm", runs.realsumm, "litepyramid_recall"),
        ("PyrXSum", runs.pyrxsum, "litepyramid_recall"),
        ("SummEval", runs.summeval, "relevance"),
    )
    for name, run, aspect in sets:
        judged = run().every(rows[0].every)
        some = [row for row in rows if not row.groups or name in row.groups]
        scores = dict(zip(some, values_of(judged, some), strict=True))
        for row in rows:
            found[row.name] += levels(scores[row], judged.human[aspect], judged) if row in scores else (None, None)
    return found


def _pooled(values: FloatArray, judged: Judged) -> Numbers:
    return [number for aspect in ASPECTS for number in ranks(values, judged.human[aspect])]


def correlate_with_intervals(values: FloatArray, judged: Judged, aspects: Sequence[str]) -> Numbers:
    """Pearson with each aspect over systems and within documents; 95% intervals over documents, systems being given."""
    ours = tabulate(judged, values)
    found: Numbers = []
    for aspect in aspects:
        people = tabulate(judged, judged.human[aspect])
        found += [bounded_pearson(ours, people, level) for level in LEVELS]
    return found


def _over_systems(values: FloatArray, judged: Judged) -> Numbers:
    return list(ranks(system_means(values, judged), system_means(judged.human["consistency"], judged)))


def _languages(aspect: str) -> Callable[[Sequence[Row]], dict[str, Numbers]]:
    """Pearson in each language over the summaries of both systems, and the mean of languages."""

    def measure(rows: Sequence[Row]) -> dict[str, Numbers]:
        found: dict[str, Numbers] = {}
        for languages in dict.fromkeys(row.groups or LANGUAGES for row in rows):
            judged = runs.eight_languages()
            judged = judged.only(np.isin(judged.groups, languages))
            some = [row for row in rows if (row.groups or LANGUAGES) == languages]
            ours = [row for row in some if row.metric]
            scored = dict(zip(ours, values_of(judged, ours), strict=True))
            for row in some:
                values = released.values(row.released, aspect, judged) if row.released else scored[row]
                parts = {language: judged.part(language) for language in languages}
                each = {one: pearson(values[part], judged.human[aspect][part]) for one, part in parts.items()}
                mean = float(np.mean(list(each.values()))) if len(each) == len(LANGUAGES) else None
                found[row.name] = [*(each.get(language) for language in LANGUAGES), mean]
        return found

    return measure


def _token_states(rows: Sequence[Row]) -> dict[str, Numbers]:
    """Mean Pearson of precision with focus and of recall with coverage, over four languages and over the other four."""
    correlations: dict[str, dict[str, list[float]]] = {row.name: {"precision": [], "recall": []} for row in rows}
    for language in LANGUAGES:  # idf of references goes by the run: each language is one
        judged = runs.eight_languages()
        judged = judged.only(judged.part(language))
        scores = scored(judged.examples, [row.metric for row in rows])
        for row in rows:
            for column, aspect in (("precision", "focus"), ("recall", "coverage")):
                values = scores.table[f"{row.metric}.{column}"].to_numpy()
                correlations[row.name][column].append(pearson(values, judged.human[aspect]))
    numbers: dict[str, Numbers] = {}
    for name, by_column in correlations.items():
        halves = [[float(np.mean(values[half])) for values in by_column.values()] for half in (slice(4), slice(4, 8))]
        numbers[name] = [value for means in halves for value in (*means, float(np.mean(means)))]
    return numbers


def _subtle_errors(rows: Sequence[Row]) -> dict[str, Numbers]:
    """How scores answer to errors: rho, tau-c, and the share of pairs told apart."""
    answers = _detect_errors(rows, runs.subtle_errors)
    return {name: [answer.spearman, answer.kendall, answer.pairs] for name, answer in answers.items()}


def _kinds_of_errors(rows: Sequence[Row]) -> dict[str, Numbers]:
    """The share of pairs told apart by what is wrong in one of them."""
    answers = _detect_errors(rows, runs.errors_by_kind)
    return {name: [answer.pairs_by_kind[kind] for kind in runs.ERROR_KINDS] for name, answer in answers.items()}


def _detect_errors(
    rows: Sequence[Row], corrupted: Callable[[int], Sequence[LabelledSummary]]
) -> dict[str, ColumnDetection]:
    """How the score of each row answers to the errors in every so many documents."""
    from gistmeter.probe import measure_detection

    found: dict[str, ColumnDetection] = {}
    for step in sorted({row.every for row in rows}):
        of_step = [row for row in rows if row.every == step]
        labelled = corrupted(step)
        scores = scored([summary.example for summary in labelled], [row.metric for row in of_step])
        lower = [f"{row.metric}.{row.column}" for row in of_step if row.less]
        answers = {answer.column: answer for answer in measure_detection(labelled, scores, lower=lower).rows}
        found |= {row.name: answers[f"{row.metric}.{row.column}"] for row in of_step}
    return found


def _units(rows: Sequence[Row]) -> dict[str, Numbers]:
    """Precision, recall and F1 of the boundaries of discourse units; a row is a split, read from the bare text."""
    from gistmeter.training.edus.texts import measure_boundaries, read_edu_texts

    texts = read_edu_texts(runs.DATA / "linguistic/edu_segmentation.jsonl.gz")
    found: dict[str, Numbers] = {}
    for row in rows:
        split, way = row.released.split()
        agreement = getattr(measure_boundaries([one for one in texts if one.split == split]), way)
        found[row.name] = [agreement.precision, agreement.recall, agreement.f1]
    return found


_MEASURES: dict[str, Callable[[Sequence[Row]], dict[str, Numbers]]] = {
    "faithfulness": _of_all(runs.ffci_faithfulness, _faithfulness),
    "focus": _of_all(runs.ffci_pairs, _by_group("focus")),
    "coverage": _of_all(runs.ffci_pairs, _by_group("coverage")),
    "coherence": _of_all(runs.ffci_coherence, _coherence),
    "recall": _recall,
    "pooled": _of_all(runs.summeval, _pooled),
    "aspects": _of_all(runs.summeval, partial(correlate_with_intervals, aspects=ASPECTS)),
    "rose": _of_all(runs.rose, partial(correlate_with_intervals, aspects=ROSE_ASPECTS)),
    "systems": _of_all(runs.summeval, _over_systems),
    "focus-languages": _languages("focus"),
    "coverage-languages": _languages("coverage"),
    "token-states": _token_states,
    "errors": _subtle_errors,
    "kinds": _kinds_of_errors,
    "units": _units,
}
