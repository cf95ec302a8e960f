"""Pools: the summaries of each document among which the one with the best score is picked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gistmeter.errors import DataError
from gistmeter.io.fields import parse_example
from gistmeter.io.records import read_records
from gistmeter.probe.sources import SourceDocument, group_documents
from gistmeter.text.words import has_words
from gistmeter.wording import join_names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from gistmeter.example import Example

CandidateSource = str | Path | Iterable[Mapping[str, Any]]
"""A file of candidates, or records: each has a `summary`, or a list of them as `candidates`."""

_CANDIDATES = "candidates"


def read_candidates(given: CandidateSource) -> list[Example]:
    """The candidates of a file or of records as examples; the system of one without any is its number.

    >>> records = [{"doc_id": "1", "candidates": ["It rained.", "It rained a lot."]}]
    >>> [(example.system, example.summary) for example in read_candidates(records)]
    [('1', 'It rained.'), ('2', 'It rained a lot.')]
    """
    name = str(given) if isinstance(given, str | Path) else "the candidates"
    records = read_records(name) if isinstance(given, str | Path) else given
    systems: dict[str, set[str]] = {}
    examples: list[Example] = []
    for position, record in enumerate(records):
        where = f"record {position + 1} of {name}"
        for flat in _list_summaries(record, where):
            try:
                example = parse_example(flat, position=position, system="")
            except DataError as error:
                raise DataError(f"{where}: {error}") from None
            others = systems.setdefault(example.doc_id, set())
            number = len(others) + 1
            if not example.system or example.system in others:
                example = replace(example, system=f"{example.system} {number}".strip())
            others.add(example.system)
            examples.append(example)
    if not examples:
        raise DataError(f"there is nothing to choose from: {name} has no summaries")
    return examples


def fill_documents(pool: Sequence[SourceDocument], documents: Sequence[SourceDocument]) -> list[SourceDocument]:
    """The pool with the texts, references and systems of the run's documents beside it, by document.

    What is in the pool and not in the run stays as it is; the run's other documents are left out.
    """
    by_name = {source.doc_id: source for source in documents}
    missing = [source.doc_id for source in pool if source.doc_id not in by_name]
    if missing and len(missing) == len(pool):
        raise DataError(f"the pool and the run have no document in common: the pool has {join_names(missing)}")
    return [by_name.get(source.doc_id, source) for source in pool]


def generate_pool(
    documents: Sequence[SourceDocument], write: Callable[[str], list[str]], note: Callable[[], None]
) -> list[SourceDocument]:
    """For each document what a summarizer writes, the same text once; `note` hears of each document."""
    pool = []
    for source in documents:
        texts = dict.fromkeys(write(source.first.document or ""))
        examples = [source.write_example(str(number), text) for number, text in enumerate(texts, start=1)]
        pool.append(SourceDocument(tuple(examples)))
        note()
    return pool


def drop_empty(pool: Sequence[SourceDocument]) -> tuple[list[SourceDocument], list[str]]:
    """The pool without summaries that have no words, and the documents of which nothing is left."""
    filled: list[SourceDocument] = []
    empty: list[str] = []
    for source in pool:
        worded = tuple(example for example in source.examples if has_words(example.summary))
        if worded:
            filled.append(SourceDocument(worded))
        else:
            empty.append(source.doc_id)
    if not filled:
        raise DataError("the pool is empty: no summary in it has a word")
    return filled, empty


def group_candidates(given: CandidateSource) -> list[SourceDocument]:
    """Candidates by document."""
    return group_documents(read_candidates(given))


def _list_summaries(record: Mapping[str, Any], where: str) -> Iterator[dict[str, Any]]:
    """A record for each candidate of a record."""
    if _CANDIDATES not in record:
        yield dict(record)
        return
    texts = record[_CANDIDATES]
    if isinstance(texts, str) or not isinstance(texts, Iterable) or not all(isinstance(text, str) for text in texts):
        raise DataError(f"`candidates` of {where} is a list of texts")
    others = {key: value for key, value in record.items() if key not in (_CANDIDATES, "summary")}
    for text in texts:
        yield {**others, "summary": text}
