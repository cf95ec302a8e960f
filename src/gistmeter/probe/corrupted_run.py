"""A whole run corrupted: its summaries or references with subtle errors, or a labelled run read as it is."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

from gistmeter.errors import DataError
from gistmeter.io.files import STDIN
from gistmeter.probe.corruption import DEFAULT_FLOOR, corrupt, turn_references_into_summaries
from gistmeter.probe.labelled_run import check_labelled_path, read_labelled_run, write_labelled_run
from gistmeter.scoring.inputs import as_run
from gistmeter.stats.tables import check_choice
from gistmeter.weights import EMBEDDED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from gistmeter.example import Example
    from gistmeter.io.runs import Run
    from gistmeter.probe.corruption import LabelledSummary
    from gistmeter.probe.words.replacement import WordKind
    from gistmeter.scoring.inputs import RunLike

CorruptedTexts = Literal["summaries", "references"]


def corrupt_run(
    run: RunLike,
    *,
    of: CorruptedTexts = "summaries",
    errors: int | Sequence[int] = 3,
    words: WordKind | Sequence[WordKind] = "any",
    floor: float = DEFAULT_FLOOR,
    seed: int = 0,
    model: str = EMBEDDED,
    output: str | Path | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> list[LabelledSummary]:
    """The summaries of a run, clean and corrupted; those of a run that was corrupted before as they are.

    Parameters
    ----------
    run
        Examples, a file or files of records, or an opened `Run`. Files whose records say which errors are in them are
        taken as they are.
    of
        What to corrupt: the `summaries`, or the `references` of each document.
    errors
        How many errors to put into each; several numbers make several versions.
    words
        What to replace: `any` word by the likeliest other one, as in the paper; `content` words, `names` or `numbers`
        by others of their kind; `negation` or `roles` turned round. Several make several versions.
    floor
        The least mean probability of a piece that the model may give to what is put in; not with `any`.
    seed
        Of the words drawn.
    model
        The masked-word model: embedded, a folder or a name.
    output
        A file (.jsonl) to write the labelled run to.
    progress
        Called with how many summaries are done, and how many there are.

    Raises
    ------
    ArgumentError
        If less than one error is asked for, or there is nothing called `of` or `words`.
    MetricError
        If the model, or a kind of `words` other than `any`, does not read the language.
    DataError
        If the run has no word to replace, or the output cannot be written; the latter before any work.

    >>> from gistmeter import Example
    >>> example = Example(doc_id="1", system="a", summary="", references=("It rained in Rome all day.",))
    >>> summaries = corrupt_run([example], of="references", errors=2)
    >>> [(summary.example.system, len(summary.errors)) for summary in summaries]
    [('reference1', 0), ('reference1+2', 2)]
    """
    check_choice("of", of, CorruptedTexts)
    opened = as_run(run)
    if output is not None:
        check_labelled_path(output, opened.input_files)

    def make(examples: Iterable[Example]) -> Iterator[LabelledSummary]:
        return corrupt(examples, errors=errors, words=words, floor=floor, seed=seed, model=model)

    summaries = _read_or_corrupt(opened, make, of=of, progress=progress)
    if output is not None:
        write_labelled_run(summaries, Path(output))
    return summaries


def _read_or_corrupt(
    opened: Run,
    make: Callable[[Iterable[Example]], Iterator[LabelledSummary]],
    *,
    of: CorruptedTexts,
    progress: Callable[[int, int], None] | None,
) -> list[LabelledSummary]:
    labelled = read_labelled_run(opened.files) if opened.files and STDIN not in opened.files else None
    if labelled is not None:
        return labelled
    examples = list(opened.examples() if of == "summaries" else turn_references_into_summaries(opened.examples()))
    summaries: list[LabelledSummary] = []
    done = 0
    for summary in make(examples):
        summaries.append(summary)
        done += not summary.errors
        if progress is not None:
            progress(done, len(examples))
    if not any(summary.errors for summary in summaries):
        raise DataError(f"there are no {of} with a word to replace in the run")
    return summaries
