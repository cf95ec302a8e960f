"""Label: the silver spans of the documents of a run, against their references."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, get_args

from gistmeter.errors import ArgumentError, suggestion
from gistmeter.models.runtime.settings import use_settings
from gistmeter.scoring.answer_store import use_cached_answers
from gistmeter.scoring.inputs import as_run
from gistmeter.summarize.documents import Source, check_references, collect_sources
from gistmeter.summarize.labelling.by_questions import label_by_questions
from gistmeter.summarize.labelling.by_sentences import label_by_sentences
from gistmeter.summarize.labelling.by_words import label_by_words
from gistmeter.summarize.span_files import check_spans_path, write_spans
from gistmeter.weights import EMBEDDED

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from gistmeter.models.runtime.settings import RuntimeSettings
    from gistmeter.scoring.inputs import RunLike
    from gistmeter.summarize.spans import DocumentSpans

LabelMethod = Literal["qa", "lexical", "entities", "sentences"]
"""How spans are found salient: questions (6.2), noun phrases, entities or sentences that the reference has (6.5)."""

LABEL_METHODS: tuple[LabelMethod, ...] = get_args(LabelMethod)


def label(
    run: RunLike,
    *,
    method: str = "qa",
    reference: Literal["first", "all"] = "first",
    model: str = EMBEDDED,
    asker: str = EMBEDDED,
    threshold: float | None = None,
    output: str | Path | None = None,
    cache: bool = True,
    progress: Callable[[int, int], None] | None = None,
    runtime: RuntimeSettings | None = None,
) -> list[DocumentSpans]:
    """The silver spans of each document: what its reference states (Deutsch, 2022, sections 6.2 and 6.5).

    Parameters
    ----------
    run
        Documents with references: a file, records, examples or a frame. Summaries may be missing.
    method
        `qa`: noun phrases whose question the reference answers, with a word of the phrase. `lexical`, `entities`: noun
        phrases, or named entities, that stand in the reference, where the document first has them. `sentences`: those
        that greedily make ROUGE-2 best.
    reference
        Label against the `first` reference of a document, as in the thesis, or against `all`: what any of them states.
    model, asker, threshold
        Who answers, who asks, and when a question counts as unanswerable, as for the metric qaeval; for `qa` alone.
    output
        A file (.jsonl) to write the spans to.
    cache
        Keep questions and answers, so that a labelling that was stopped goes on where it was.
    progress
        Called with how many documents are done, and how many there are.
    runtime
        How models run; by default as the environment says.

    Returns
    -------
    list of DocumentSpans
        For each document its spans in their order, with the phrases of the references that state them.

    Raises
    ------
    ArgumentError
        There is no such method.
    DataError
        The run is empty, or a document has no text or no references.

    Examples
    --------
    >>> run = [{"document": "Ann Lee won the race. It rained in Rome.", "reference": "The race went to Ann Lee."}]
    >>> [span.text for span in label(run, method="lexical")[0].spans]
    ['Ann Lee', 'the race']
    """
    chosen = check_method(method)
    opened = as_run(run)
    if output is not None:
        check_spans_path(output, opened.input_files)
    sources = collect_sources(opened)
    check_references(sources)
    if reference == "first":
        sources = [Source(source.doc_id, source.document, source.references[:1]) for source in sources]
    labelled = []
    with use_settings(runtime), use_cached_answers(cache):
        find = _finder(chosen, model=model, asker=asker, threshold=threshold)
        for number, source in enumerate(sources, start=1):
            labelled.append(find(source))
            if progress is not None:
                progress(number, len(sources))
    if output is not None:
        write_spans(labelled, output)
    return labelled


def check_method(method: str) -> LabelMethod:
    """The method of a name, or an error that lists them.

    >>> check_method("questions")
    Traceback (most recent call last):
    gistmeter.errors.ArgumentError: `method` is qa, lexical, entities or sentences, not 'questions'
    """
    for name in LABEL_METHODS:
        if method == name:
            return name
    *names, last = LABEL_METHODS
    close = suggestion(method, LABEL_METHODS)
    raise ArgumentError(f"`method` is {', '.join(names)} or {last}, not {method!r}{close}")


def _finder(
    method: LabelMethod, *, model: str, asker: str, threshold: float | None
) -> Callable[[Source], DocumentSpans]:
    if method == "sentences":
        return label_by_sentences
    if method == "lexical":
        return lambda source: label_by_words(source, "chunks", method)
    if method == "entities":
        return lambda source: label_by_words(source, "entities", method)
    from gistmeter.qa.examiner import Examiner

    examiner = Examiner(model=model, asker=asker, threshold=threshold)
    return lambda source: label_by_questions(source, examiner)
