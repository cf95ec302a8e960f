"""Measuring control: how many of the questions of marked spans a summary answers, and how long it is."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, get_args

import numpy as np

from gistmeter.errors import ArgumentError, DataError, suggestion
from gistmeter.models.answering.answerer import answering_threshold
from gistmeter.models.runtime.settings import use_settings
from gistmeter.qa.compare import tokenize_answer
from gistmeter.qa.examiner import Examiner
from gistmeter.scoring.answer_store import use_cached_answers
from gistmeter.scoring.inputs import as_run
from gistmeter.stats import bootstrap_interval, ratio
from gistmeter.summarize.control.result import Control, ControlRow
from gistmeter.summarize.control.texts import WRITERS, ControlWriter, SystemSummaries, collect_systems, write_texts
from gistmeter.summarize.documents import collect_sources
from gistmeter.summarize.marking import choose_spans
from gistmeter.summarize.predicting import PREDICTED
from gistmeter.summarize.stages import Stages
from gistmeter.summarize.writers import open_writer
from gistmeter.weights import EMBEDDED
from gistmeter.wording import format_count

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.models.runtime.settings import RuntimeSettings
    from gistmeter.scoring.inputs import RunLike
    from gistmeter.summarize.control.texts import WrittenText
    from gistmeter.summarize.documents import Source
    from gistmeter.summarize.marking import SpanSource
    from gistmeter.summarize.spans import DocumentSpans

DEFAULT_K = (1, 5, 10, 20)


def measure_control(
    run: RunLike,
    *,
    spans: SpanSource = PREDICTED,
    k: Sequence[int] = DEFAULT_K,
    words: int | None = None,
    writers: Sequence[str] = tuple(WRITERS),
    models: Sequence[str] = (),
    systems: bool = True,
    answerer: str | Sequence[str] = EMBEDDED,
    predictor: str = EMBEDDED,
    cache: bool = True,
    resamples: int = 1000,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
    runtime: RuntimeSettings | None = None,
) -> Control:
    """How many questions of the k first spans summaries answer, and how long they are (Deutsch, 2022, Fig. 23).

    Parameters
    ----------
    run
        Documents. The summaries of systems in it are measured as well; their texts do not depend on k.
    spans
        Which spans are marked: `predicted`, `silver`, a file, or spans.
    k
        How many spans are marked. A document with fewer has all its spans marked.
    words
        The most words of the summaries of `embedded`; by default as many as the spans take.
    writers
        Who writes: `embedded`, `sentences` (whole ones with marks), `unmarked` (the same summarizer without marks, as
        many first sentences as fit into the words of `embedded`, at least one) and `lead3`.
    models
        Summarizers by name or folder that were taught the marks (`gistmeter train summarizer`), to measure as well.
    systems
        Whether systems of the run are measured.
    answerer
        Who answers: `embedded`, `slots`, or a model by name; several judge the same summaries, side by side.
        Silver spans are chosen by `embedded`: take another beside it that had no part in the choice.
    predictor
        Who predicts spans.
    cache
        Keep questions and answers, so that what was stopped goes on where it was.
    resamples, seed
        Of the intervals.
    progress
        Called with how much is done, and how much there is to do.
    runtime
        How models run.

    Returns
    -------
    Control
        A row for each answerer, writer and k.

    Raises
    ------
    ArgumentError
        A writer is unknown, there is no answerer, or a number is less than 1.
    DataError
        The run is empty, or no document has spans with questions.
    MetricError
        There is no such model, or it does not know the marks.
    """
    chosen_writers = [_check_writer(name) for name in writers]
    if not k or min(k) < 1:
        raise ArgumentError("`k` are numbers of spans from 1")
    if words is not None and words < 1:
        raise ArgumentError(f"`words` is at least 1, not {words}")
    answerers = tuple(dict.fromkeys([answerer] if isinstance(answerer, str) else answerer))
    if not answerers:
        raise ArgumentError("`answerer` names nobody: leave it out for the embedded one")
    for name in answerers:
        answering_threshold(name)  # one that is not there is told before anything is predicted and written
    opened = as_run(run).rereadable()
    sources = collect_sources(opened)
    titles = (*WRITERS.values(), *models)
    by_system = collect_systems(opened, titles) if systems else SystemSummaries({})
    stages = Stages(progress, stages=2 + len(answerers), steps=len(sources))
    with use_settings(runtime), use_cached_answers(cache), ExitStack() as opened_writers:
        by_name = {name: opened_writers.enter_context(open_writer(name, cache=cache)) for name in models}
        given = choose_spans(sources, spans, k=max(k), predictor=predictor, cache=cache, progress=stages.begin())
        tell_written = stages.begin()
        chosen, written = [], []
        for number, (source, document) in enumerate(zip(sources, given, strict=True)):
            chosen.append(_add_questions(source, document))
            if chosen[-1].spans:
                written += write_texts(
                    number,
                    source,
                    chosen[-1],
                    k=k,
                    words=words,
                    writers=chosen_writers,
                    models=by_name,
                    systems=by_system,
                )
            tell_written(number + 1, len(sources))
        if not written:
            raise DataError("no document has spans with questions: there is nothing to ask")
        shares = {
            name: judge_texts(written, len(sources), Examiner(model=name), tell=stages.begin()) for name in answerers
        }
    groups = dict.fromkeys((text.writer, text.k) for text in written)
    measured = [source.doc_id for source, document in zip(sources, chosen, strict=True) if document.spans]
    return Control(
        rows=tuple(
            _average(writer, count, name, written, shares[name], resamples=resamples, seed=seed)
            for name in answerers
            for writer, count in groups
        ),
        documents=len(measured),
        answerers=answerers,
        spans=spans if isinstance(spans, str) else "given",
        remarks=(*_note_unasked(given, chosen), *by_system.note_missing(measured)),
    )


def _check_writer(name: str) -> ControlWriter:
    names: tuple[ControlWriter, ...] = get_args(ControlWriter)
    for writer in names:
        if name == writer:
            return writer
    raise ArgumentError(f"unknown writer {name!r}{suggestion(name, names)} (there is {', '.join(names)})")


def _add_questions(source: Source, document: DocumentSpans) -> DocumentSpans:
    """The spans with their questions, without those that no question asks for."""
    if all(span.question for span in document.spans):
        return document
    asked = Examiner().ask_questions([source.document])[source.document]
    texts = {(question.start, question.end): question.text for question in asked}
    spans = [replace(span, question=span.question or texts.get((span.start, span.end))) for span in document.spans]
    return replace(document, spans=tuple(span for span in spans if span.question))


def _note_unasked(given: Sequence[DocumentSpans], asked: Sequence[DocumentSpans]) -> tuple[str, ...]:
    """A remark on spans that no question asks for, and on documents that have no others."""
    unasked = sum(len(before.spans) - len(after.spans) for before, after in zip(given, asked, strict=True))
    empty = sum(not document.spans for document in asked)
    remarks = []
    if unasked:
        remarks.append(f"left out {format_count(unasked, 'span')} that no question asks for (no noun phrases)")
    if empty:
        remarks.append(f"left out {format_count(empty, 'document')} without a span to ask for")
    return tuple(remarks)


def judge_texts(
    written: Sequence[WrittenText], documents: int, examiner: Examiner, *, tell: Callable[[int, int], None]
) -> FloatArray:
    """For each summary the share of its questions that it answers, and that it answers with a word of the span."""
    shares = np.zeros((len(written), 2))
    rows_of: list[list[int]] = [[] for _ in range(documents)]
    for row, text in enumerate(written):
        rows_of[text.document].append(row)
    for number, rows in enumerate(rows_of, start=1):
        answers = examiner.answer_questions(
            (span.question or "", written[row].text) for row in rows for span in written[row].spans
        )
        for row in rows:
            summary = written[row]
            pairs = [(span, answers[span.question or "", summary.text]) for span in summary.spans]
            answered = [answer.answered for _, answer in pairs]
            agreed = [
                answer.answered and not set(tokenize_answer(span.text)).isdisjoint(tokenize_answer(answer.text))
                for span, answer in pairs
            ]
            shares[row] = np.mean(answered), np.mean(agreed)
        tell(number, documents)
    return shares


def _average(
    writer: str, k: int, answerer: str, written: Sequence[WrittenText], shares: FloatArray, *, resamples: int, seed: int
) -> ControlRow:
    rows = [row for row, text in enumerate(written) if (text.writer, text.k) == (writer, k)]
    words = np.array([len(written[row].text.split()) for row in rows], dtype=float)
    table = np.stack([shares[rows, 0], shares[rows, 1], words])
    means = bootstrap_interval(np.stack([table, np.ones_like(table)], axis=-1), ratio, resamples=resamples, seed=seed)
    recall, agreed, length = (
        (float(means.value[column]), float(means.low[column]), float(means.high[column])) for column in range(3)
    )
    spans = sum(len(written[row].spans) for row in rows)
    return ControlRow(
        writer=writer,
        k=k,
        answerer=answerer,
        documents=len(rows),
        recall=recall[0],
        low=recall[1],
        high=recall[2],
        agreed=agreed[0],
        agreed_low=agreed[1],
        agreed_high=agreed[2],
        words=length[0],
        words_low=length[1],
        words_high=length[2],
        ratio=spans / words.sum() if words.sum() else float("nan"),
    )
