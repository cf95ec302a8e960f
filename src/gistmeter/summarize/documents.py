"""The documents of a run, each once, with its references: what spans are found in and summaries are written of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gistmeter.errors import DataError
from gistmeter.scoring.inputs import as_run
from gistmeter.text.languages import language_code
from gistmeter.text.words import has_words
from gistmeter.wording import join_names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.scoring.inputs import RunLike


@dataclass(frozen=True, slots=True)
class Source:
    """A document and the references of it that have words."""

    doc_id: str
    document: str
    references: tuple[str, ...] = ()


def collect_sources(run: RunLike) -> list[Source]:
    """The documents of a run in its order, each once; summaries may be missing.

    >>> collect_sources([{"doc_id": "1", "document": "It rained."}])
    [Source(doc_id='1', document='It rained.', references=())]
    """
    sources: dict[str, Source] = {}
    for example in as_run(run).without_summaries().examples():
        references = tuple(text for text in example.references if has_words(text))
        earlier = sources.get(example.doc_id)
        if earlier is None or not earlier.document:
            references = references or (earlier.references if earlier else ())
            sources[example.doc_id] = Source(example.doc_id, example.document or "", references)
        elif example.document and example.document != earlier.document:
            raise DataError(f"there are two documents of the name {example.doc_id!r}: give each a `doc_id` of its own")
        elif references and not earlier.references:
            sources[example.doc_id] = Source(example.doc_id, earlier.document, references)
        if language_code(example.language) != "en":
            raise DataError(f"spans are found in English documents, but {example.doc_id} is in {example.language!r}")
    if not sources:
        raise DataError("the run is empty: there are no documents in it")
    without = [source.doc_id for source in sources.values() if not has_words(source.document)]
    if without:
        raise DataError(
            f"spans are phrases of a document, but {join_names(without)} {_have(without)} no `document`: "
            "give the documents with `documents=`"
        )
    return list(sources.values())


def check_references(sources: Sequence[Source]) -> None:
    """Refuse documents without references, against which nothing can be labelled."""
    without = [source.doc_id for source in sources if not source.references]
    if without:
        raise DataError(
            f"silver spans are what references state, but {join_names(without)} {_have(without)} no `references`: give "
            "them with `references=`, or predict spans without them (`gistmeter spans predict`)"
        )


def _have(names: Sequence[str]) -> str:
    return "has" if len(names) == 1 else "have"
