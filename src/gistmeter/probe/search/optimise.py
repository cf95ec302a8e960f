"""Optimise: the extract of each document that a metric likes best (Deutsch, 2022, section 5.4.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.errors import DataError
from gistmeter.metrics.extracts import join_extract
from gistmeter.models.runtime.settings import use_settings
from gistmeter.probe.files import check_probe_path, write_probe
from gistmeter.probe.scored import FoundSummary, count_summaries, make_probe
from gistmeter.probe.search.document import SearchOptions, search_document
from gistmeter.probe.search.scoring import DEFAULT_SHORTLIST
from gistmeter.probe.search.store import FindStore
from gistmeter.probe.search.strategies import check_exact
from gistmeter.probe.sources import check_texts, group_documents
from gistmeter.probe.steps import Steps
from gistmeter.probe.target import Target
from gistmeter.scoring.answer_store import use_cached_answers
from gistmeter.scoring.inputs import as_run
from gistmeter.wording import format_count, join_names

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from gistmeter.metrics.metric import Metric
    from gistmeter.models.runtime.settings import RuntimeSettings
    from gistmeter.probe.results import Probe
    from gistmeter.probe.search.strategies import Search
    from gistmeter.probe.sources import SourceDocument
    from gistmeter.scoring.inputs import RunLike


def optimise(
    run: RunLike,
    metric: str | Metric,
    *,
    sentences: int | None = None,
    words: int | None = None,
    search: Search = "greedy",
    beam: int = 4,
    shortlist: int = DEFAULT_SHORTLIST,
    first_words: int | None = None,
    output: str | Path | None = None,
    cache: bool = True,
    progress: Callable[[int, int], None] | None = None,
    runtime: RuntimeSettings | None = None,
) -> Probe:
    """The summary of each document that a metric without references likes best, made of sentences of the document.

    What a metric gives to such summaries is near the most that it gives to any. Where they stand above all systems,
    and above what people wrote, the metric can be had without writing a good summary.

    Parameters
    ----------
    run
        Summaries of systems with their documents: a file, examples, records or a frame. References are scored, too.
    metric
        What to make as good as possible: a metric (its main score) or one of its scores, such as `simetrix.cosine`.
    sentences
        How many sentences a summary may have; 3 by default, or with `words` as many as fit.
    words
        How many words it may have, so that length cannot explain its score; by default any number.
    search
        `greedy` adds the sentence that helps most until none does; `beam` does so with several summaries at a time;
        `exact` goes through all summaries, for short documents.
    beam
        How many summaries a beam keeps.
    shortlist
        For metrics that estimate what a summary is worth from its sentences: how many of the best estimates are
        scored at each step.
    first_words
        Choose only among sentences that begin within so many words of the document; the thesis took 512.
    output
        A file (.jsonl) to write the probe to.
    cache
        Keep scores, answers and what was found, so that a search that was stopped goes on where it was.
    progress
        Called with how much is done, and how much there is to do.
    runtime
        How models run; by default as the environment says.

    Returns
    -------
    Probe
        The summaries, and what the metric gives to them, to the systems and to the first references.

    Raises
    ------
    MetricError
        There is no such metric, it needs references, or neither high nor low is better by it.
    DataError
        The run is empty or has no documents, or there is nothing to choose.
    ArgumentError
        There is no such `search`, or the exact one would take too long.

    Examples
    --------
    >>> document = "It rained in Rome. Nobody was there. In Rome it rained all day, and rain fell at night."
    >>> probe = optimise([{"summary": "A dry day.", "document": document}], "js", sentences=1)
    >>> probe.documents[0].summary, probe.rank
    ('In Rome it rained all day, and rain fell at night.', 1)
    """
    options = SearchOptions(
        search=search, sentences=sentences, words=words, beam=beam, shortlist=shortlist, first_words=first_words
    )
    target = Target.of(metric)
    target.check_free()
    opened = as_run(run)
    if output is not None:
        check_probe_path(output, opened.input_files)
    opened = opened.rereadable()
    with use_settings(runtime):
        documents = group_documents(opened.examples())
        check_texts(documents)
        target.check_languages(source.first.language for source in documents)
        if search == "exact":
            for source in documents:
                check_exact(options.list_candidates(source), source.doc_id)
        target = target.fit(opened)
        steps = Steps(progress, len(documents) + count_summaries(documents))
        with use_cached_answers(cache):
            summaries, remarks = _search_documents(target, documents, options, cache=cache, steps=steps)
        probe = make_probe(
            target,
            summaries,
            method="optimise",
            settings=options.describe(),
            remarks=remarks,
            cache=cache,
            note_scored=steps.add,
        )
    if output is not None:
        write_probe(probe, output)
    return probe


def _search_documents(
    target: Target, documents: Sequence[SourceDocument], options: SearchOptions, *, cache: bool, steps: Steps
) -> tuple[list[FoundSummary], list[str]]:
    """What was found for each document, and remarks on those where something was in the way."""
    summaries: list[FoundSummary] = []
    without: list[str] = []
    short: list[str] = []
    with FindStore(target, options.describe(), cache=cache) as store:
        for source in documents:
            candidates = options.list_candidates(source)
            if options.most_sentences is not None and len(candidates.sentences) < options.most_sentences:
                short.append(source.doc_id)
            best = store.find(source)
            if best is None:
                best = search_document(target, source, candidates, options)
                if best is not None:
                    store.keep(source, best)
            if best is None:
                without.append(source.doc_id)
            else:
                summaries.append(
                    FoundSummary(
                        source=source,
                        summary=join_extract(candidates.sentences, best.choice),
                        sentences=best.choice,
                        tried=best.tried,
                    )
                )
            steps.add()
    if not summaries:
        budget = "" if options.words is None else f" of at most {format_count(options.words, 'word')}"
        raise DataError(
            f"there is nothing to choose: no document has a sentence{budget} that {target.label} gives a score to"
        )
    return summaries, _write_remarks(without, short, options)


def _write_remarks(without: Sequence[str], short: Sequence[str], options: SearchOptions) -> list[str]:
    remarks = []
    if without:
        remarks.append(
            f"left out {format_count(len(without), 'document')} without a sentence to choose: {join_names(without)}"
        )
    if short:
        remarks.append(
            f"{format_count(len(short), 'document')} with fewer than {options.most_sentences} sentences, all of which "
            f"could be chosen: {join_names(short)}"
        )
    return remarks
