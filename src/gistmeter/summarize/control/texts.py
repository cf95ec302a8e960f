"""Summaries to measure: what each writer makes of a document for its first k spans, beside those of systems."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple

from gistmeter.errors import DataError
from gistmeter.summarize.compression.summarizer import SpanSummarizer
from gistmeter.text.sentences import find_sentences
from gistmeter.wording import format_count

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from gistmeter.io.runs import Run
    from gistmeter.summarize.documents import Source
    from gistmeter.summarize.spans import DocumentSpans, Span
    from gistmeter.summarize.writers import Summary

ControlWriter = Literal["embedded", "sentences", "unmarked", "lead3"]
"""Who writes: the embedded summarizer; whole sentences with marks; the same summarizer without marks, as long; the
first three sentences."""

WRITERS: dict[ControlWriter, str] = {
    "embedded": "with marks",
    "sentences": "whole sentences with marks",
    "unmarked": "without marks, as long",
    "lead3": "first three sentences",
}
LEAD_SENTENCES = 3


class WrittenText(NamedTuple):
    """A summary of a document by a writer for its first k spans."""

    writer: str
    k: int
    document: int
    text: str
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class SystemSummaries:
    """The summaries of the systems of a run, by document and system; an empty summary is one that says nothing."""

    by_document: Mapping[str, Mapping[str, str]]
    systems: tuple[str, ...] = ()

    def note_missing(self, documents: Sequence[str]) -> tuple[str, ...]:
        """A remark for each system that has summaries of some documents only: its means are over these."""
        counts = {
            system: sum(system in self.by_document.get(name, {}) for name in documents) for system in self.systems
        }
        return tuple(
            f"{system} has summaries of {count} of {format_count(len(documents), 'document')}: its means are over these"
            for system, count in counts.items()
            if count < len(documents)
        )


def collect_systems(run: Run, titles: Sequence[str]) -> SystemSummaries:
    """The summaries of the systems that wrote any; records without a summary are documents alone."""
    summaries: dict[str, dict[str, str]] = {}
    writing: dict[str, None] = {}
    for example in run.without_summaries().examples():
        summaries.setdefault(example.doc_id, {})[example.system] = example.summary
        if example.summary:
            writing[example.system] = None
    clash = next((title for title in titles if title in writing), None)
    if clash is not None:
        raise DataError(f"a system of the run is called {clash!r}, as a writer that it is compared with: rename it")
    by_document = {
        name: {system: text for system, text in texts.items() if system in writing} for name, texts in summaries.items()
    }
    return SystemSummaries(by_document, tuple(writing))


def write_texts(
    number: int,
    source: Source,
    document: DocumentSpans,
    *,
    k: Sequence[int],
    words: int | None,
    writers: Sequence[ControlWriter],
    models: Mapping[str, Callable[[Source, Sequence[Span]], Summary]],
    systems: SystemSummaries,
) -> list[WrittenText]:
    """The summaries of a document by all writers, for all k; the embedded summarizer writes so many words at most."""
    pruning = SpanSummarizer(source.document)
    whole = SpanSummarizer(source.document, keep="sentences") if "sentences" in writers else pruning
    lead = " ".join(source.document[start:end] for start, end in find_sentences(source.document)[:LEAD_SENTENCES])
    written = []
    for count in k:
        spans = document.spans[:count]
        marked = pruning.write(spans, words=words).text
        texts = {}
        for writer in writers:
            if writer == "embedded":
                text = marked
            elif writer == "sentences":
                text = whole.write(spans).text
            elif writer == "unmarked":
                text = pruning.write_lead(len(marked.split()))
            else:
                text = lead
            texts[WRITERS[writer]] = text
        texts |= {name: write(source, spans).text for name, write in models.items()}
        texts |= systems.by_document.get(source.doc_id, {})
        written += [
            WrittenText(writer=name, k=count, document=number, text=text, spans=spans) for name, text in texts.items()
        ]
    return written
