"""Attacks on metrics: cheap changes that no reader would want, and which of them a metric rewards."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gistmeter import stats
from gistmeter.io.runs import Run
from gistmeter.models.runtime.settings import use_settings
from gistmeter.probe.attacks.attacked_run import attack_run
from gistmeter.probe.attacks.effects import AttackEffect, AttackEffects, order_by_gain
from gistmeter.ranking.columns import choose_columns, pool_for, refuse_infinite
from gistmeter.scoring.inputs import as_run, label_metrics
from gistmeter.scoring.run import fit_metric, score_in_memory
from gistmeter.stats.ties import tie_width
from gistmeter.text.words import split_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.arrays import BoolArray, FloatArray, IntArray
    from gistmeter.example import Example
    from gistmeter.models.runtime.settings import RuntimeSettings
    from gistmeter.probe.attacks.attacked_run import AttackedRun
    from gistmeter.probe.attacks.registry import Attack
    from gistmeter.ranking.columns import Pool
    from gistmeter.scores import ScoreColumn, Scores
    from gistmeter.scoring.inputs import Metrics, RunLike
    from gistmeter.scoring.run import Progress


def attack(
    run: RunLike,
    metrics: Metrics,
    *,
    attacks: Sequence[str] | None = None,
    systems: Sequence[str] | None = None,
    sample: int | None = None,
    lower: Sequence[str] = (),
    higher: Sequence[str] = (),
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
    cache: bool = True,
    progress: Progress | None = None,
    runtime: RuntimeSettings | None = None,
) -> AttackEffects:
    """Which cheap changes of a summary a metric rewards, and by how much.

    Parameters
    ----------
    run
        Examples, a file or files of records, or an opened `Run`.
    metrics
        What to attack, as for `gistmeter.score`; metrics that compare with references can be attacked, too.
    attacks
        Names of attacks, such as `pad` and `copy` (`list_attacks` has all); None tries all that the run has what it
        takes for.
    systems
        The systems whose summaries are attacked; None takes all.
    sample
        A number of documents to draw; None takes all.
    lower, higher
        Scores of which lower, or higher, is better, where they themselves say otherwise.
    resamples, confidence
        Of the bootstrap over documents.
    seed
        Of what attacks draw, of the sample and of the bootstrap.
    cache
        Whether scores are looked up in the score cache and kept there.
    progress
        Called after each batch with how far scoring is.
    runtime
        How models run; by default as the environment says.

    Returns
    -------
    AttackEffects
        For each score and attack the mean before and after, the change with its interval, and how many scores the
        attack made undefined.

    Raises
    ------
    ArgumentError
        If there is no such attack, or `sample` is less than 1.
    DataError
        If an attack that was named needs documents, or several of them, and the run has none; if there is no such
        system; if the summaries lack what a metric needs.
    MetricError
        If there is no such metric or setting.

    >>> from gistmeter import Example
    >>> text = "Rain fell in Rome. The river rose. Streets were closed for a day. Nobody was hurt."
    >>> run = [Example(doc_id=str(n), system="a", summary="It rained.", document=text) for n in range(3)]
    >>> effects = attack(run, "js", attacks=["copy", "repeat"], cache=False)
    >>> [(row.attack, row.attacked < row.clean, row.works) for row in effects.rows]
    [('copy', True, True), ('repeat', False, False)]
    """
    labelled = label_metrics(metrics)
    attacked = attack_run(as_run(run).examples(), attacks, systems=systems, sample=sample, seed=seed)
    clean_run = Run(memory=list(attacked.clean))
    with use_settings(runtime):
        # Fitted once, to the clean summaries: an attack must not change what a word weighs.
        fitted = {label: fit_metric(label, metric, clean_run) for label, metric in labelled.items()}
        clean = score_in_memory(clean_run, fitted, cache=cache, progress=progress)
        changed = score_in_memory(Run(memory=list(attacked.changed)), fitted, cache=cache, progress=progress)
    comparison = _Comparison(attacked, clean, changed, resamples=resamples, confidence=confidence, seed=seed)
    rows = []
    for column in choose_columns(clean, None, lower=lower, higher=higher):
        effects = [comparison.measure(each, column) for each in attacked.attacks]
        rows += sorted(effects, key=order_by_gain)
    return AttackEffects(
        rows=tuple(rows),
        resamples=resamples,
        confidence=confidence,
        seed=seed,
        signatures=dict(clean.signatures),
        left_out=attacked.left_out,
        scoring_notes=clean.notes,
    )


class _Comparison:
    """Clean and attacked summaries, score by score."""

    def __init__(
        self, attacked: AttackedRun, clean: Scores, changed: Scores, *, resamples: int, confidence: float, seed: int
    ) -> None:
        self.attacked, self.clean, self.changed = attacked, clean, changed
        self.resamples, self.confidence, self.seed = resamples, confidence, seed
        documents = {name: number for number, name in enumerate(clean.documents)}
        self.document_of = np.array([documents[example.doc_id] for example in attacked.clean])
        systems = {name: number for number, name in enumerate(clean.systems)}
        self.system_of = np.array([systems[example.system] for example in attacked.clean])
        self.clean_words = _count_words(attacked.clean)
        self.changed_words = _count_words(attacked.changed)

    def measure(self, attack: Attack, column: ScoreColumn) -> AttackEffect:
        """What one attack does to one score."""
        pairs = self.attacked.pairs[attack.name]
        before_rows = np.array([pair.clean for pair in pairs], dtype=np.intp)
        after_rows = np.array([pair.changed for pair in pairs], dtype=np.intp)
        all_clean = _list_parts(self.clean, column)
        before, after = all_clean[before_rows], _list_parts(self.changed, column)[after_rows]
        had, has = _find_scored(before), _find_scored(after)
        both = had & has
        pool = pool_for(column)
        before, after, documents = before[both], after[both], self.document_of[before_rows[both]]
        value_before, value_after = _pool_all(before, pool), _pool_all(after, pool)
        low = high = np.nan
        if len(set(documents.tolist())) > 1:
            interval = stats.bootstrap_difference(
                _sum_by_document(after, documents),
                _sum_by_document(before, documents),
                pool,
                resamples=self.resamples,
                confidence=self.confidence,
                seed=self.seed,
            )
            low, high = interval.low, interval.high
        return AttackEffect(
            attack=attack.name,
            about=attack.about,
            column=column.name,
            better=column.better,
            clean=value_before,
            attacked=value_after,
            change=value_after - value_before,
            low=low,
            high=high,
            better_share=np.nan if column.parts else _share_better(before, after, column),
            beats=self._count_beaten(all_clean, value_after, column, pool),
            systems=len(self.clean.systems),
            summaries=int(both.sum()),
            documents=len(set(documents.tolist())),
            undefined=int((had & ~has).sum()),
            unscored=int((~had).sum()),
            skipped=len(self.attacked.clean) - len(pairs),
            words=_average(self.changed_words[after_rows]),
            clean_words=_average(self.clean_words[before_rows]),
        )

    def _count_beaten(self, clean: FloatArray, attacked: float, column: ScoreColumn, pool: Pool) -> int | None:
        """How many systems have a worse mean than the attacked summaries."""
        if column.better == "neither" or np.isnan(attacked):
            return None
        means = [_pool_all(clean[self.system_of == number], pool) for number in range(len(self.clean.systems))]
        return sum(mean < attacked if column.better == "higher" else mean > attacked for mean in means)


def _list_parts(scores: Scores, column: ScoreColumn) -> FloatArray:
    """The additive parts of a score, a row for each summary in the order of the run."""
    parts = scores.long_parts(column.name).numbers
    refuse_infinite(parts, column)
    return parts


def _find_scored(parts: FloatArray) -> BoolArray:
    """Which summaries have a score."""
    return np.asarray(parts.any(axis=1))


def _pool_all(parts: FloatArray, pool: Pool) -> float:
    return float(pool(parts.sum(axis=0)[None])[0]) if len(parts) else float("nan")


def _sum_by_document(parts: FloatArray, documents: IntArray) -> FloatArray:
    """Sums of parts, a row for each document that has any."""
    _, numbers = np.unique(documents, return_inverse=True)
    sums = np.zeros((int(numbers.max()) + 1, parts.shape[1]))
    np.add.at(sums, numbers, parts)
    return sums


def _share_better(before: FloatArray, after: FloatArray, column: ScoreColumn) -> float:
    """How often the attacked summary scores better; ties count half."""
    if column.better == "neither" or not len(before):
        return float("nan")
    gains = (after[:, 0] - before[:, 0]) * (1 if column.better == "higher" else -1)
    width = tie_width(after[:, 0], before[:, 0])
    return float(((gains > width) + 0.5 * (np.abs(gains) <= width)).mean())


def _count_words(examples: Sequence[Example]) -> FloatArray:
    return np.array([float(len(split_words(example.summary, language=example.language))) for example in examples])


def _average(values: FloatArray) -> float:
    return float(values.mean()) if len(values) else float("nan")
