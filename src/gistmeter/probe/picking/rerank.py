"""Rerank: of given summaries the one that a metric likes best (Deutsch, 2022, section 5.4.3)."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

from gistmeter.errors import ArgumentError, DataError
from gistmeter.io.runs import Run
from gistmeter.judgments import Judgments
from gistmeter.models.runtime.settings import use_settings
from gistmeter.probe.files import check_probe_path, write_probe
from gistmeter.probe.picking.picks import Reranking, judge_picks
from gistmeter.probe.picking.pools import drop_empty, fill_documents, generate_pool, group_candidates
from gistmeter.probe.scored import FoundSummary, count_summaries, make_probe
from gistmeter.probe.sources import check_texts, group_documents
from gistmeter.probe.steps import Steps
from gistmeter.probe.target import Target
from gistmeter.scoring.inputs import as_run
from gistmeter.scoring.run import score_in_memory
from gistmeter.wording import format_count, join_names, note_left_out

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gistmeter.metrics.metric import Metric
    from gistmeter.models.runtime.settings import RuntimeSettings
    from gistmeter.probe.picking.pools import CandidateSource
    from gistmeter.probe.sources import SourceDocument
    from gistmeter.scoring.inputs import RunLike

DEFAULT_BEAMS = 16


def rerank(
    run: RunLike | None,
    metric: str | Metric,
    *,
    candidates: CandidateSource | None = None,
    generate: str | None = None,
    beams: int = DEFAULT_BEAMS,
    judgments: Judgments | str | Path | None = None,
    output: str | Path | None = None,
    cache: bool = True,
    progress: Callable[[int, int], None] | None = None,
    runtime: RuntimeSettings | None = None,
) -> Reranking:
    """Of given summaries of each document the one that a metric without references likes best.

    Parameters
    ----------
    run
        Summaries of systems with their documents. Where nothing else is given, the pick is among these; where
        `candidates` bring their documents, it may be None.
    metric
        What to pick by: a metric (its main score) or one of its scores, such as `simetrix.cosine`.
    candidates
        Other summaries to pick from: a file or records, each with a `summary`, or with a list of them as `candidates`.
    generate
        A summarizer that writes what is picked from: the name or folder of a sequence-to-sequence model.
    beams
        How many summaries it writes of each document, by beam search.
    judgments
        What people gave to the summaries of the run: judgments, or a file of them, which may be the run itself.
    output
        A file (.jsonl) to write the probe to.
    cache
        Keep scores and look them up.
    progress
        Called with how much is done, and how much there is to do.
    runtime
        How models run; by default as the environment says.

    Returns
    -------
    Reranking
        The picks as a probe, and what people gave to them, beside the mean of the pool and the best possible.

    Raises
    ------
    MetricError
        There is no such metric or model, the metric needs references, or neither high nor low is better by it.
    DataError
        The pool is empty, or has no documents where the metric needs them, or nobody judged it.

    Examples
    --------
    >>> document = "It rained in Rome. Nobody was there. In Rome it rained all day, and rain fell at night."
    >>> run = [{"doc_id": "1", "system": name, "summary": text, "document": document, "human": {"relevance": given}}
    ...        for name, text, given in [("a", "A dry day.", 1), ("b", "It rained in Rome.", 4)]]
    >>> reranking = rerank(run, "js", judgments=Judgments.from_records(run))
    >>> reranking.probe.documents[0].source, reranking.aspects[0].picks, reranking.aspects[0].pool
    ('b', 4.0, 2.5)
    """
    target = Target.of(metric)
    target.check_free()
    _check_arguments(run, candidates=candidates, generate=generate, judgments=judgments)
    opened = Run(memory=[]) if run is None else as_run(run).rereadable()
    if output is not None:
        check_probe_path(output, opened.input_files)
    people = Judgments.read(judgments) if isinstance(judgments, str | Path) else judgments
    with use_settings(runtime):
        documents = [] if run is None else group_documents(opened.examples())
        pool, sources = _make_pool(documents, candidates=candidates, generate=generate, beams=beams, progress=progress)
        pool, empty = drop_empty(pool)
        target = target.fit(Run(memory=[example for source in sources for example in source.examples]))
        names = {source.doc_id for source in pool}
        picked_sources = [source for source in sources if source.doc_id in names]
        steps = Steps(progress, count_summaries(picked_sources) + sum(len(source.examples) for source in pool))
        picks, unscored = _pick(target, pool, picked_sources, cache=cache, steps=steps)
        settings = {"pool": _name_pool(candidates, generate)}
        if generate is not None:
            settings |= {"model": generate, "beams": str(beams)}
        probe = make_probe(
            target,
            picks,
            method="rerank",
            settings=settings,
            remarks=[
                *note_left_out(
                    "document",
                    [source.doc_id for source in documents],
                    (source.doc_id for source in sources),
                    "without candidates",
                ),
                *_write_remarks(empty, unscored),
            ],
            cache=cache,
            note_scored=steps.add,
        )
    if output is not None:
        write_probe(probe, output)
    return Reranking(probe=probe, aspects=() if people is None else judge_picks(probe, people))


def _check_arguments(run: object, *, candidates: object | None, generate: str | None, judgments: object | None) -> None:
    if candidates is not None and generate is not None:
        raise ArgumentError("`candidates` and `generate` do not go together: pick from the one or from the other")
    if run is None and (candidates is None or generate is not None):
        raise ArgumentError("there is nothing to choose from: give a run, or `candidates`")
    if judgments is not None and (candidates is not None or generate is not None):
        raise ArgumentError("`judgments` are of the summaries of the run, and these are picked from other summaries")


def _name_pool(candidates: object | None, generate: str | None) -> str:
    if candidates is not None:
        return "candidates"
    return "systems" if generate is None else "beams"


def _make_pool(
    documents: Sequence[SourceDocument],
    *,
    candidates: CandidateSource | None,
    generate: str | None,
    beams: int,
    progress: Callable[[int, int], None] | None,
) -> tuple[list[SourceDocument], list[SourceDocument]]:
    """What is picked from, and beside it the documents with what the systems made of them."""
    if candidates is not None:
        pool = group_candidates(candidates)
        return pool, fill_documents(pool, documents) if documents else pool
    if generate is None:
        return list(documents), list(documents)
    from gistmeter.models.generation import load_beam_summarizer

    check_texts(documents)
    summarizer = load_beam_summarizer(generate, beams=beams)
    return generate_pool(documents, summarizer.write_beams, Steps(progress, len(documents)).add), list(documents)


def _pick(
    target: Target, pool: Sequence[SourceDocument], sources: Sequence[SourceDocument], *, cache: bool, steps: Steps
) -> tuple[list[FoundSummary], list[str]]:
    """The best of each document's pool, the first of equal ones; and the documents without any score."""
    examples = [
        source.write_example(example.system, example.summary)
        for each, source in zip(pool, sources, strict=True)
        for example in each.examples
    ]
    target.check_examples(examples)
    scores = score_in_memory(
        Run(memory=examples),
        {target.label: target.metric},
        cache=cache,
        progress=lambda advance: steps.add(advance.rows),
    )
    table = scores.table.select("doc_id", "system", target.name)
    values = {(document, system): score for document, system, score in table.iter_rows()}
    picks: list[FoundSummary] = []
    unscored: list[str] = []
    for each, source in zip(pool, sources, strict=True):
        best, best_value = None, -math.inf
        for example in each.examples:
            score = values.get((each.doc_id, example.system))
            if score is not None and target.sign * score > best_value:
                best, best_value = example, target.sign * score
        if best is None:
            unscored.append(each.doc_id)
        else:
            picks.append(
                FoundSummary(source=source, summary=best.summary, picked_from=best.system, tried=len(each.examples))
            )
    if not picks:
        raise DataError(f"there is nothing to choose: {target.label} gives no summary of the pool a score")
    return picks, unscored


def _write_remarks(empty: Sequence[str], unscored: Sequence[str]) -> list[str]:
    return [
        f"left out {format_count(len(names), 'document')} {why}: {join_names(names)}"
        for names, why in ((empty, "whose pool has no words"), (unscored, "whose pool has no score"))
        if names
    ]
