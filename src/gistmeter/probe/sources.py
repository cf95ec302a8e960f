"""The documents of a run, each with its summaries, references and the text that extracts come from."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from gistmeter.errors import DataError
from gistmeter.wording import join_names

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gistmeter.example import Example


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """A document and what the systems made of it."""

    examples: tuple[Example, ...]

    @property
    def doc_id(self) -> str:
        """The name of the document."""
        return self.examples[0].doc_id

    @property
    def first(self) -> Example:
        """The first example that has the document's text, else the first of all."""
        return next((example for example in self.examples if example.document), self.examples[0])

    @property
    def reference(self) -> str | None:
        """The first reference."""
        return next((example.references[0] for example in self.examples if example.references), None)

    def write_example(self, system: str, summary: str) -> Example:
        """A summary of the document as an example."""
        return replace(self.first, system=system, summary=summary, units=())


def group_documents(examples: Iterable[Example]) -> list[SourceDocument]:
    """The examples of a run by document, in the order of the run; a run without any is refused.

    >>> from gistmeter import Example
    >>> run = [Example(doc_id=name, system="a", summary="x") for name in ("1", "2")]
    >>> [source.doc_id for source in group_documents(run)]
    ['1', '2']
    """
    by_document: dict[str, list[Example]] = {}
    for example in examples:
        by_document.setdefault(example.doc_id, []).append(example)
    if not by_document:
        raise DataError("the run is empty: there are no documents to probe with")
    return [SourceDocument(tuple(grouped)) for grouped in by_document.values()]


def check_texts(documents: Iterable[SourceDocument]) -> None:
    """Refuse documents without a text, of which nothing can be extracted."""
    without = [source.doc_id for source in documents if not source.first.document]
    if without:
        raise DataError(
            f"extracts are chosen from the document, but {join_names(without)} has no `document`: "
            "give the documents with `documents=`"
        )
