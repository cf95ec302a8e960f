"""Control: how many of the questions of marked spans a summary answers, and how long it is (Deutsch, 2022, 6.6.2)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from gistmeter.errors import ArgumentError, DataError
from gistmeter.models.runtime.settings import use_settings
from gistmeter.qa.compare import tokenize_answer
from gistmeter.qa.examiner import Examiner
from gistmeter.result import Result
from gistmeter.scoring.answer_store import use_cached_answers
from gistmeter.scoring.inputs import as_run
from gistmeter.stats import bootstrap_interval, ratio
from gistmeter.summarize.compression.summarizer import SpanSummarizer
from gistmeter.summarize.documents import collect_sources
from gistmeter.summarize.marking import choose_spans
from gistmeter.summarize.predicting import PREDICTED
from gistmeter.text.sentences import find_sentences
from gistmeter.weights import EMBEDDED
from gistmeter.wording import format_count

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.models.runtime.settings import RuntimeSettings
    from gistmeter.scoring.inputs import RunLike
    from gistmeter.summarize.documents import Source
    from gistmeter.summarize.marking import SpanSource
    from gistmeter.summarize.spans import DocumentSpans, Span

Writer = Literal["embedded", "sentences", "unmarked", "lead3"]
"""Who writes: the embedded summarizer; whole sentences with marks; the same summarizer without marks, as long; the
first three sentences."""

WRITERS: dict[Writer, str] = {
    "embedded": "with marks",
    "sentences": "whole sentences with marks",
    "unmarked": "without marks, as long",
    "lead3": "first three sentences",
}
DEFAULT_K = (1, 5, 10, 20)
LEAD_SENTENCES = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlRow:
    """What one writer did with k marked spans: means over documents, with 95% intervals."""

    writer: str
    k: int
    recall: float
    """The share of the spans' questions that the summary answers: question recall."""

    low: float
    high: float
    agreed: float
    """The same where the answer must share a word with the span."""

    words: float
    words_low: float
    words_high: float
    ratio: float
    """Marked spans for each word of a summary, over all documents together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Control(Result):
    """Question recall and length by writer and k."""

    rows: tuple[ControlRow, ...]
    documents: int
    answerer: str
    spans: str

    def records(self) -> list[dict[str, Any]]:
        """A row for each writer and k."""
        return [
            {
                "summaries": row.writer,
                "k": row.k,
                "question recall": row.recall,
                "low": row.low,
                "high": row.high,
                "with its word": row.agreed,
                "words": row.words,
                "words low": row.words_low,
                "words high": row.words_high,
                "k / words": row.ratio,
            }
            for row in self.rows
        ]

    def details(self) -> dict[str, Any]:
        """How it was measured."""
        return {"documents": self.documents, "answerer": self.answerer, "spans": self.spans}

    def __getitem__(self, key: tuple[str, int]) -> ControlRow:
        """The row of a writer and a k."""
        return next(row for row in self.rows if (row.writer, row.k) == key)


class _Written(NamedTuple):
    """A summary of a document by a writer for its first k spans."""

    writer: str
    k: int
    document: int
    text: str
    spans: tuple[Span, ...]


def measure_control(
    run: RunLike,
    *,
    spans: SpanSource = PREDICTED,
    k: Sequence[int] = DEFAULT_K,
    writers: Sequence[str] = tuple(WRITERS),
    systems: bool = True,
    answerer: str = EMBEDDED,
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
    writers
        Who writes: `embedded`, `sentences` (whole ones with marks), `unmarked` (the same summarizer without marks, no
        longer than `embedded`) and `lead3`.
    systems
        Whether systems of the run are measured.
    answerer
        Who answers: `embedded`, `slots`, or a model by name. Take another than the one that labelled silver spans.
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
        A row for each writer and k.

    Raises
    ------
    ArgumentError
        A writer is unknown, or a k is less than 1.
    DataError
        The run is empty, or no document has spans with questions.
    """
    unknown = [name for name in writers if name not in WRITERS]
    if unknown:
        raise ArgumentError(f"`writers` are {', '.join(WRITERS)}, not {unknown[0]!r}")
    if not k or min(k) < 1:
        raise ArgumentError("`k` are numbers of spans from 1")
    opened = as_run(run).rereadable()
    sources = collect_sources(opened)
    by_system = _collect_systems(opened) if systems else {}
    with use_settings(runtime), use_cached_answers(cache):
        chosen = choose_spans(sources, spans, k=max(k), predictor=predictor, cache=cache)
        chosen = [_add_questions(source, document) for source, document in zip(sources, chosen, strict=True)]
        written: list[_Written] = []
        total = 2 * len(sources)
        for number, (source, document) in enumerate(zip(sources, chosen, strict=True)):
            if document.spans:
                written += _write_all(number, source, document, k=k, writers=writers, by_system=by_system)
            if progress is not None:
                progress(number + 1, total)
        if not written:
            raise DataError("no document has spans with questions: there is nothing to ask")
        verdicts = _judge(written, sources, Examiner(model=answerer), progress=progress)
    documents = len({summary.document for summary in written})
    groups = dict.fromkeys((summary.writer, summary.k) for summary in written)
    rows = tuple(_average(writer, count, written, verdicts, resamples=resamples, seed=seed) for writer, count in groups)
    name = spans if isinstance(spans, str) else "given"
    return Control(rows=rows, documents=documents, answerer=answerer, spans=name)


def _collect_systems(run: Any) -> dict[str, dict[str, str]]:
    """Summaries by document and system."""
    summaries: dict[str, dict[str, str]] = {}
    for example in run.without_summaries().examples():
        if example.summary:
            summaries.setdefault(example.doc_id, {})[example.system] = example.summary
    return summaries


def _add_questions(source: Source, document: DocumentSpans) -> DocumentSpans:
    """The spans with their questions, without those that no question asks for."""
    if all(span.question for span in document.spans):
        return document
    asked = Examiner().ask_questions([source.document])[source.document]
    texts = {(question.start, question.end): question.text for question in asked}
    spans = [replace(span, question=span.question or texts.get((span.start, span.end))) for span in document.spans]
    return replace(document, spans=tuple(span for span in spans if span.question))


def _write_all(
    number: int,
    source: Source,
    document: DocumentSpans,
    *,
    k: Sequence[int],
    writers: Sequence[str],
    by_system: dict[str, dict[str, str]],
) -> list[_Written]:
    """The summaries of a document by all writers, for all k."""
    pruning = SpanSummarizer(source.document)
    whole = SpanSummarizer(source.document, prune=False) if "sentences" in writers else None
    sentences = find_sentences(source.document)[:LEAD_SENTENCES]
    lead = " ".join(source.document[start:end] for start, end in sentences)
    written = []
    for count in k:
        spans = document.spans[:count]
        marked = pruning.write(spans).text
        texts: dict[str, str] = {}
        for writer in writers:
            if writer == "embedded":
                texts[WRITERS["embedded"]] = marked
            elif writer == "sentences" and whole is not None:
                texts[WRITERS["sentences"]] = whole.write(spans).text
            elif writer == "unmarked":
                texts[WRITERS["unmarked"]] = pruning.write_lead(len(marked.split()))
            elif writer == "lead3":
                texts[WRITERS["lead3"]] = lead
        texts |= by_system.get(source.doc_id, {})
        written += [
            _Written(writer=name, k=count, document=number, text=text, spans=spans) for name, text in texts.items()
        ]
    return written


def _judge(
    written: Sequence[_Written],
    sources: Sequence[Source],
    examiner: Examiner,
    *,
    progress: Callable[[int, int], None] | None,
) -> FloatArray:
    """For each summary the share of its questions that it answers, and that it answers with a word of the span."""
    shares = np.zeros((len(written), 2))
    for number in range(len(sources)):
        rows = [row for row, summary in enumerate(written) if summary.document == number]
        answers = examiner.answer_questions(
            (span.question or "", written[row].text) for row in rows for span in written[row].spans
        )
        for row in rows:
            summary = written[row]
            given = [(span, answers[span.question or "", summary.text]) for span in summary.spans]
            answered = [answer.answered for _, answer in given]
            agreed = [
                answer.answered and not set(tokenize_answer(span.text)).isdisjoint(tokenize_answer(answer.text))
                for span, answer in given
            ]
            shares[row] = np.mean(answered), np.mean(agreed)
        if progress is not None:
            progress(len(sources) + number + 1, 2 * len(sources))
    return shares


def _average(
    writer: str, k: int, written: Sequence[_Written], shares: FloatArray, *, resamples: int, seed: int
) -> ControlRow:
    rows = [row for row, summary in enumerate(written) if (summary.writer, summary.k) == (writer, k)]
    words = np.array([len(written[row].text.split()) for row in rows], dtype=float)
    table = np.stack([shares[rows, 0], shares[rows, 1], words])
    means = bootstrap_interval(np.stack([table, np.ones_like(table)], axis=-1), ratio, resamples=resamples, seed=seed)
    spans = sum(len(written[row].spans) for row in rows)
    return ControlRow(
        writer=writer,
        k=k,
        recall=float(means.value[0]),
        low=float(means.low[0]),
        high=float(means.high[0]),
        agreed=float(means.value[1]),
        words=float(means.value[2]),
        words_low=float(means.low[2]),
        words_high=float(means.high[2]),
        ratio=spans / words.sum() if words.sum() else float("nan"),
    )


def describe_control(control: Control) -> str:
    """A caption: what was measured, and on how much."""
    return (
        f"Questions of the k first {control.spans} spans that summaries of "
        f"{format_count(control.documents, 'document')} answer (answerer: {control.answerer}), 95% intervals over "
        "documents; with its word: the answer shares a word with the span."
    )
