"""Summarize: summaries of documents that say the spans that are marked in them."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gistmeter.arguments import outside_level
from gistmeter.errors import ArgumentError, DataError, GistmeterWarning
from gistmeter.io.writing import check_records_path, write_records
from gistmeter.models.runtime.settings import use_settings
from gistmeter.result import Result
from gistmeter.scoring.inputs import as_run
from gistmeter.summarize.documents import collect_sources
from gistmeter.summarize.markable import make_markable
from gistmeter.summarize.marking import NO_SPANS, choose_spans
from gistmeter.summarize.predicting import PREDICTED
from gistmeter.summarize.stages import Stages
from gistmeter.summarize.writers import open_writer
from gistmeter.weights import EMBEDDED
from gistmeter.wording import format_count, join_names

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from gistmeter.models.runtime.settings import RuntimeSettings
    from gistmeter.scoring.inputs import RunLike
    from gistmeter.summarize.compression.summarizer import Keep
    from gistmeter.summarize.documents import Source
    from gistmeter.summarize.markable import MarkableDocument
    from gistmeter.summarize.marking import SpanSource
    from gistmeter.summarize.spans import DocumentSpans
    from gistmeter.summarize.writers import Summary

DEFAULT_SYSTEM = "spansum"


@dataclass(frozen=True, slots=True, kw_only=True)
class Summaries(Result):
    """The summaries of a run."""

    summaries: tuple[Summary, ...]
    model: str
    remarks: tuple[str, ...] = ()

    def records(self) -> list[dict[str, Any]]:
        """A row for each document."""
        return [
            {
                "document": summary.doc_id,
                "marked": len(summary.marked),
                "said": len(summary.covered),
                "words": summary.words,
                "summary": summary.text,
            }
            for summary in self.summaries
        ]

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader should know."""
        return self.remarks


def summarize(
    run: RunLike,
    *,
    spans: SpanSource = None,
    k: int | None = None,
    marks: Sequence[str] = (),
    words: int | None = None,
    keep: Keep | None = None,
    model: str = EMBEDDED,
    predictor: str = EMBEDDED,
    system: str = DEFAULT_SYSTEM,
    output: str | Path | None = None,
    cache: bool = True,
    progress: Callable[[int, int], None] | None = None,
    runtime: RuntimeSettings | None = None,
) -> Summaries:
    """Summaries that say what is marked in the documents (Deutsch, 2022, chapter 6).

    The embedded summarizer takes the sentences of the document that have marked spans, leaves out what these do not
    need (see `keep`), and says names in the place of pronouns that would not be understood. It adds nothing.

    Parameters
    ----------
    run
        Documents: a file, records, examples or a frame. Summaries may be missing.
    spans
        What to say: `predicted` (the default where there are no marks), `silver` (what the first reference states), a
        file of spans or spans themselves, or `none` beside marks.
    k
        How many spans of a document at most, the first ones; by default 20 predicted ones, or all that are given or
        silver.
    marks
        Words of the documents to say in any case, where they first stand.
    words
        The most words of a summary; by default as many as it takes, of whole sentences 85. Within it the spans with the
        highest scores are said.
    keep
        What stays of a sentence with spans: what these need (`marked`), so that the summary says them and little else,
        or all of it (`sentences`), where early sentences are preferred. By default predicted spans, which are guesses,
        keep whole sentences, and spans that somebody chose or a reference states keep what is marked.
    model
        `embedded`, or a sequence-to-sequence model by name or folder that was taught the marks (`gistmeter train
        summarizer`).
    predictor
        Who predicts spans: `embedded`, or a file that `gistmeter train salience` wrote.
    system
        The name of the system in the run that is written.
    output
        A file (.jsonl) to write the summaries to, as a run that `gistmeter score` reads.
    cache
        Keep the questions and answers of silver spans and what a model by name writes, so that what was stopped goes
        on where it was.
    progress
        Called with how much is done, and how much there is to do.
    runtime
        How models run; by default as the environment says.

    Returns
    -------
    Summaries
        For each document its summary, in the order of the run.

    Raises
    ------
    ArgumentError
        A number is less than 1.
    DataError
        The run is empty, a document has no text, spans do not fit their document, or a mark stands nowhere.
    MetricError
        There is no such model, or it does not know the marks.

    Examples
    --------
    >>> document = "On Monday, Ann Lee, a nurse, won the race in Rome. She thanked Bo Tan, who trains her."
    >>> summarize([{"document": document}], marks=["Rome", "Bo Tan"]).summaries[0].text
    'Ann Lee won the race in Rome. She thanked Bo Tan.'
    """
    for name, value in (("k", k), ("words", words)):
        if value is not None and value < 1:
            raise ArgumentError(f"`{name}` is at least 1, not {value}")
    opened = as_run(run)
    if output is not None:
        check_records_path(output, "a run", opened.input_files)
    sources = collect_sources(opened)
    if spans is None:
        spans = NO_SPANS if marks else PREDICTED
    if keep is not None and model != EMBEDDED:
        raise ArgumentError("`keep` is for the embedded summarizer: a model by name writes as it was taught")
    if keep is None:
        keep = "sentences" if spans == PREDICTED and not marks and model == EMBEDDED else "marked"
    stages = Stages(progress, stages=2, steps=len(sources))
    with use_settings(runtime), open_writer(model, keep=keep, words=words, cache=cache) as write:
        chosen = choose_spans(
            sources, spans, k=k, marks=marks, predictor=predictor, cache=cache, progress=stages.begin()
        )
        remarks = _note_unmarked(chosen)
        tell_written = stages.begin()
        summaries = []
        for number, (source, document) in enumerate(zip(sources, chosen, strict=True), start=1):
            summaries.append(write(source, document.spans))
            tell_written(number, len(sources))
    if words is None and keep == "marked":
        remarks += _note_unsaid(summaries, model=model)
    written = Summaries(summaries=tuple(summaries), model=model, remarks=remarks)
    if output is not None:
        write_records(map(_to_record, sources, summaries, [system] * len(sources)), output, "a run")
    return written


def make_markable_documents(run: RunLike, written: Summaries) -> list[MarkableDocument]:
    """The documents of a run made ready for any marks; those that their summaries say are marked at first.

    Parameters
    ----------
    run
        The documents that were summarized.
    written
        What `summarize` gave for them.

    Returns
    -------
    list of MarkableDocument
        One for each document, for `gistmeter.report.page.marking.write_marking_page`.
    """
    sources = {source.doc_id: source for source in collect_sources(run)}
    return [
        make_markable(summary.doc_id, sources[summary.doc_id].document, summary.covered)
        for summary in written.summaries
    ]


def _note_unmarked(chosen: Sequence[DocumentSpans]) -> tuple[str, ...]:
    """A remark on documents in which nothing is marked; that nothing is marked anywhere is an error."""
    without = [document.doc_id for document in chosen if not document.spans]
    if not without:
        return ()
    names = join_names(without)
    if len(without) == len(chosen):
        reason = (
            "it has no noun phrase that could be marked" if chosen[0].candidates == 0 else "nothing is marked in it"
        )
        raise DataError(f"there is nothing to say of {names}: {reason}; mark words of it yourself (--mark)")
    remark = f"nothing is marked in {names}: the summary of {format_count(len(without), 'document')} is empty"
    warnings.warn(remark, GistmeterWarning, stacklevel=outside_level())
    return (remark,)


def _note_unsaid(summaries: Sequence[Summary], *, model: str) -> tuple[str, ...]:
    """A remark on marks that no limit of words kept out and that are still not written from."""
    unsaid = [
        f"{span.text!r} ({summary.doc_id})"
        for summary in summaries
        for span in summary.marked
        if span not in summary.covered
    ]
    if not unsaid:
        return ()
    reason = (
        "they stand in no sentence, but in a dateline or an invitation to scroll"
        if model == EMBEDDED
        else "they stand after what the model reads of the document"
    )
    remark = f"{format_count(len(unsaid), 'marked span')} not written from: {join_names(unsaid)}; {reason}"
    warnings.warn(remark, GistmeterWarning, stacklevel=outside_level())
    return (remark,)


def _to_record(source: Source, summary: Summary, system: str) -> dict[str, Any]:
    return {
        "doc_id": source.doc_id,
        "system": system,
        "summary": summary.text,
        "references": list(source.references),
        "document": source.document,
        "marked": [{"start": span.start, "end": span.end, "text": span.text} for span in summary.marked],
    }
