"""Report: everything that probes and attacks say about metrics, with the verdicts."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gistmeter.errors import ArgumentError, DataError
from gistmeter.io.runs import Run
from gistmeter.metrics.spelling import split_list
from gistmeter.models.runtime.settings import use_settings
from gistmeter.probe.against_references import ReferenceComparison
from gistmeter.probe.attacks import AttackEffects, attack
from gistmeter.probe.attacks.attacked_run import choose_documents
from gistmeter.probe.findings.files import ScoreAttacks, collect_attacks, read_finding
from gistmeter.probe.findings.findings import ProbeReport, ScoreFindings
from gistmeter.probe.results import Probe
from gistmeter.probe.search.optimise import optimise
from gistmeter.probe.target import Target
from gistmeter.ranking.columns import main_columns
from gistmeter.scores import ScoreColumn
from gistmeter.scoring.inputs import as_run

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gistmeter.models.runtime.settings import RuntimeSettings
    from gistmeter.probe.search.strategies import Search
    from gistmeter.scoring.inputs import RunLike


def report(
    run: RunLike,
    metrics: str | Sequence[str] = (),
    *,
    probes: Sequence[Probe | AttackEffects | str | Path] = (),
    against: str = "rouge2",
    sentences: int | None = None,
    words: int | None = None,
    search: Search = "greedy",
    attacks: Sequence[str] | None = None,
    sample: int | None = None,
    resamples: int = 1000,
    confidence: float = 0.95,
    seed: int = 0,
    cache: bool = True,
    progress: Callable[[float], None] | None = None,
    runtime: RuntimeSettings | None = None,
) -> ProbeReport:
    """What a metric likes, what people wrote by it, and which attacks work, with a verdict for each score.

    Parameters
    ----------
    run
        Summaries of systems with documents, and with references where there are any: of these the first counts.
    metrics
        The metrics, or scores of them such as `simetrix.cosine`; by default those of `probes`. Those that need
        references are attacked alone.
    probes
        What `optimise`, `rerank`, `direct` or `attack` gave before, or files of it: it is not made again.
    against
        The score with references that systems and optimised summaries are held against.
    sentences, words, search
        As for `optimise`, for metrics without a probe.
    attacks, resamples, confidence, seed
        As for `attack`, for metrics without effects of attacks.
    sample
        A number of documents to draw for both; None takes all.
    cache
        Whether scores, and what was found, are kept and looked up.
    progress
        Called now and then with the share of the work that is done.
    runtime
        How models run; by default as the environment says.

    Returns
    -------
    ProbeReport
        For each score its findings: `verdict`, `standings`, `above`, `ranked`, `pseudo`, `attacks`.

    Raises
    ------
    ArgumentError
        If there is neither a metric nor a probe, or no such attack, or if `against` needs no references.
    DataError
        If the run has not the documents that were probed, lacks what a metric needs, or a file cannot be read.
    MetricError
        If there is no such metric.

    >>> document = "It rained in Rome. Nobody was there. In Rome it rained all day, and rain fell at night."
    >>> texts = {"document": document, "references": ["A wet day in Rome."]}
    >>> run = [{"doc_id": doc_id, "system": "a", "summary": "A dry day.", **texts} for doc_id in "12"]
    >>> findings = report(run, "js", against="rouge1", attacks=["copy"], cache=False)["js.divergence"]
    >>> findings.working[0].attack, findings.above.above
    ('copy', ())
    """
    named = [metrics] if isinstance(metrics, str) else list(metrics)
    targets = {target.name: target for target in map(Target.of, [name for text in named for name in split_list(text)])}
    given = [read_finding(each) if isinstance(each, str | Path) else each for each in probes]
    if not targets:
        targets = {target.name: target for target in map(Target.of, _list_probed(given))}
    if not targets:
        raise ArgumentError("there is nothing to report on: no metric is named, and no file of a probe says of one")
    if Target.of(against).metric.is_reference_free(Target.of(against).column.name):
        raise ArgumentError(f"`against` is a metric that compares with references, such as rouge2: {against} does not")
    opened = as_run(run).rereadable()
    if sample is not None:
        opened = Run(memory=choose_documents(list(opened.examples()), sample, seed))
    steps = _Steps(progress, len(targets) + 1)
    with use_settings(runtime):
        effects = [each for each in given if isinstance(each, AttackEffects)]
        attacked = {row.column for each in effects for row in each.rows}
        lacking = {target.label: target.metric for target in targets.values() if target.name not in attacked}
        if lacking:
            effects.append(
                attack(
                    opened,
                    lacking,
                    attacks=attacks,
                    resamples=resamples,
                    confidence=confidence,
                    seed=seed,
                    cache=cache,
                )
            )
        steps.finish_one()
        scores = []
        for target in targets.values():
            own_probes: list[Probe | None] = [
                each for each in given if isinstance(each, Probe) and each.name == target.name
            ]
            if not own_probes and target.metric.is_reference_free(target.column.name):
                own_probes.append(
                    optimise(
                        opened,
                        target.name,
                        sentences=sentences,
                        words=words,
                        search=search,
                        cache=cache,
                        progress=steps.show_part,
                    )
                )
            own_attacks = collect_attacks(effects, target.name)
            for probe in own_probes or [None]:
                scores.append(_gather(target, probe, own_attacks, opened, against, cache=cache))
                own_attacks = ScoreAttacks()  # of several probes of a score the first has the attacks
            steps.finish_one()
    return ProbeReport(scores=tuple(scores), against=Target.of(against).name)


def _list_probed(given: Sequence[Probe | AttackEffects]) -> list[str]:
    """The scores that probes and attacks are of: of a metric's own the main ones."""
    names = [each.name for each in given if isinstance(each, Probe)]
    attacked = dict.fromkeys(
        row.column for each in given if not isinstance(each, Probe) for row in each.rows if row.better != "neither"
    )
    names += [column.name for column in main_columns(ScoreColumn(name, "") for name in attacked)]
    return list(dict.fromkeys(names))


@dataclass(slots=True)
class _Steps:
    """How much is done, told to whoever wants to know."""

    progress: Callable[[float], None] | None
    total: int
    done: int = 0

    def finish_one(self) -> None:
        self.done += 1
        self.show_part(0, 1)

    def show_part(self, done: int, total: int) -> None:
        """How much of the present step is done."""
        if self.progress is not None:
            self.progress(min(1.0, (self.done + done / total) / self.total))


def _gather(
    target: Target, probe: Probe | None, attacks: ScoreAttacks, run: Run, against: str, *, cache: bool
) -> ScoreFindings:
    """All that is known about one score."""
    ranked = pseudo = None
    remarks = attacks.notes
    if probe is not None:
        comparison = ReferenceComparison.of(probe, run, against, cache=cache)
        pseudo = comparison.correlate()
        try:
            ranked = comparison.rank()
        except DataError as error:
            remarks = (*remarks, str(error))
    return ScoreFindings(
        name=target.name,
        better=target.better,
        signature=attacks.signature if probe is None else probe.signature,
        reference_free=target.metric.is_reference_free(target.column.name),
        probe=probe,
        ranked=ranked,
        pseudo=pseudo,
        against_better=Target.of(against).better,
        attacks=attacks.rows,
        confidence=attacks.confidence,
        remarks=remarks,
    )
