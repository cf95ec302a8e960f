"""Writers: who writes the summary of a document with marked spans, and which of these it could take up."""

from __future__ import annotations

import contextlib
import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gistmeter.errors import ArgumentError
from gistmeter.scoring.cache import ScoreCache, cache_path, module_digest
from gistmeter.summarize.compression.summarizer import Keep, SpanSummarizer
from gistmeter.weights import EMBEDDED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from gistmeter.models.generation.marked import MarkedSummarizer
    from gistmeter.summarize.documents import Source
    from gistmeter.summarize.spans import Span

_WRITING_MODULE = "gistmeter.models.generation.marked"
"""Who writes: a summary that was kept by other code of it, or of what it imports, is not taken."""


DEFAULT_SENTENCE_WORDS = 85
"""The most words of a summary of whole sentences where no limit is given: as long as the first three of an article."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """The summary of a document, the spans that were marked in it, and those of them that it was written from."""

    doc_id: str
    text: str
    marked: tuple[Span, ...]
    covered: tuple[Span, ...]
    """Of the marked spans those that fitted. A model by name is given those that stand in what it reads of the
    document, and need not say them."""

    @property
    def words(self) -> int:
        """How many words it has."""
        return len(self.text.split())


@contextlib.contextmanager
def open_writer(
    model: str, *, keep: Keep = "marked", words: int | None = None, cache: bool = True
) -> Iterator[Callable[[Source, Sequence[Span]], Summary]]:
    """What writes the summary of a document for some spans; of a model by name each summary is kept at once."""
    if model == EMBEDDED:
        yield lambda source, spans: _write_embedded(source, spans, keep, words)
        return
    if words is not None:
        raise ArgumentError("`words` is for the embedded summarizer: a model by name writes as long as it was taught")
    from gistmeter.models.generation.marked import load_marked_summarizer

    summarizer = load_marked_summarizer(model)
    if not cache:
        yield lambda source, spans: _write_by_name(source, spans, summarizer, None)
        return
    with contextlib.closing(ScoreCache(cache_path())) as opened:
        yield lambda source, spans: _write_by_name(source, spans, summarizer, opened)


def _write_embedded(source: Source, spans: Sequence[Span], keep: Keep, words: int | None) -> Summary:
    limit = DEFAULT_SENTENCE_WORDS if words is None and keep == "sentences" else words
    written = SpanSummarizer(source.document, keep=keep).write(spans, words=limit)
    if spans and not written.text and words is None:  # every sentence is longer than the limit that nobody asked for
        written = SpanSummarizer(source.document).write(spans[:1])
    return Summary(doc_id=source.doc_id, text=written.text, marked=tuple(spans), covered=written.covered)


def _write_by_name(
    source: Source, spans: Sequence[Span], summarizer: MarkedSummarizer, cache: ScoreCache | None
) -> Summary:
    ordered = sorted(spans, key=lambda span: (span.start, span.end))
    ends = [(span.start, span.end) for span in ordered]
    read = summarizer.count_read(source.document, ends)
    key = _make_key(source.document, ends, summarizer)
    stored = cache.find([key]).get(key) if cache is not None else None
    text = summarizer.write(source.document, ends) if stored is None else stored.decode()
    if cache is not None and stored is None:
        cache.store({key: text.encode()})
    return Summary(doc_id=source.doc_id, text=text, marked=tuple(spans), covered=tuple(ordered[:read]))


def _make_key(document: str, ends: Sequence[tuple[int, int]], summarizer: MarkedSummarizer) -> bytes:
    facts = (module_digest(_WRITING_MODULE), summarizer.name, summarizer.digest, str(summarizer.beams), repr(ends))
    content = "\0".join((*facts, document))
    return hashlib.blake2b(b"summaries\0" + content.encode(errors="surrogatepass"), digest_size=16).digest()
