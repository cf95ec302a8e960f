"""The summaries that a probe found, scored beside those of the systems and the references."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gistmeter.io.runs import Run
from gistmeter.probe.results import OPTIMISED, REFERENCE, Probe, ProbedDocument
from gistmeter.probe.search.candidates import count_words
from gistmeter.scoring.run import score_in_memory

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from gistmeter.example import Example
    from gistmeter.probe.results import ProbeMethod
    from gistmeter.probe.sources import SourceDocument
    from gistmeter.probe.target import Target


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundSummary:
    """What was found for one document, before it is scored beside the others."""

    source: SourceDocument
    summary: str
    sentences: tuple[int, ...] = ()
    picked_from: str = ""
    tried: int = 0


def make_probe(
    target: Target,
    summaries: Sequence[FoundSummary],
    *,
    method: ProbeMethod,
    settings: Mapping[str, str],
    remarks: Sequence[str] = (),
    cache: bool = True,
    note_scored: Callable[[int], None] | None = None,
) -> Probe:
    """The probe: all summaries of the documents, scored by the metric itself; `note_scored` hears how many are."""
    examples: list[Example] = []
    for each in summaries:
        examples.append(each.source.write_example(OPTIMISED, each.summary))
        if each.source.reference is not None:
            examples.append(each.source.write_example(REFERENCE, each.source.reference))
        examples += each.source.examples
    scores = score_in_memory(
        Run(memory=examples),
        {target.label: target.metric},
        cache=cache,
        progress=None if note_scored is None else lambda advance: note_scored(advance.rows),
    )
    column = scores.column(target.name)
    table = scores.table.select("doc_id", "system", column.name)
    values = {(document, system): score for document, system, score in table.iter_rows()}
    return Probe(
        metric=target.label,
        column=target.column.name,
        better=target.better,
        signature=column.signature,
        method=method,
        settings=dict(settings),
        documents=tuple(_describe_document(each, values) for each in summaries),
        remarks=tuple(remarks),
    )


def count_summaries(sources: Sequence[SourceDocument]) -> int:
    """How many summaries `make_probe` scores of these documents."""
    return sum(1 + (source.reference is not None) + len(source.examples) for source in sources)


def _describe_document(best: FoundSummary, values: Mapping[tuple[str, str], float | None]) -> ProbedDocument:
    source = best.source
    language = source.first.language

    def read(system: str) -> float:
        value = values.get((source.doc_id, system))
        return math.nan if value is None else value

    return ProbedDocument(
        doc_id=source.doc_id,
        summary=best.summary,
        score=read(OPTIMISED),
        words=count_words(best.summary, language),
        system_scores={example.system: read(example.system) for example in source.examples},
        system_words={example.system: count_words(example.summary, language) for example in source.examples},
        reference_score=read(REFERENCE),
        reference_words=0 if source.reference is None else count_words(source.reference, language),
        sentences=best.sentences,
        source=best.picked_from,
        tried=best.tried,
    )
