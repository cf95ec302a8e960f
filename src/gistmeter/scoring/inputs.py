"""What callers may give: a run in any form, metrics by spelling, by object or by label."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gistmeter.errors import ArgumentError, ArgumentTypeError, DataError, suggestion
from gistmeter.example import Example
from gistmeter.io.files import STDIN, file_format
from gistmeter.io.memory.given import Frame, take_given
from gistmeter.io.records import is_run_file
from gistmeter.io.runs import Run, open_run, reopen_run
from gistmeter.io.score_tables import TABLE_SUFFIXES
from gistmeter.metrics.metric import Metric
from gistmeter.metrics.registry import parse_metrics
from gistmeter.scores import Scores
from gistmeter.wording import join_names

if TYPE_CHECKING:
    from gistmeter.io.score_files.origin import Origin

Metrics = str | Metric | Iterable[str | Metric] | Mapping[str, Metric]
"""A spelling (several with commas between), a metric, several of either, or metrics by label."""


RunLike = str | Path | Sequence[str | Path] | Iterable[Example] | Iterable[Mapping[str, Any]] | Frame | Run
"""A file of records, several, examples or records in memory, a frame, a dataset, or an opened run."""


@dataclass(frozen=True, slots=True)
class ScoredRun:
    """The run that scores were computed from: None when files of it are missing, or when the scores name none."""

    run: Run | None
    missing_files: tuple[str, ...] = ()
    untrusted_files: tuple[str, ...] = ()
    """Files that were not read because the table of scores, which may be anybody's, has no business with them."""
    missing_parts: tuple[str, ...] = ()
    """The arguments that say where the missing files are now."""

    def describe_absence(self) -> str | None:
        """Why there is no run, as the end of a sentence; None where there is."""
        if self.untrusted_files:
            return (
                f"{join_names(self.untrusted_files)} was not read, because it is outside the folder of the scores and "
                "the working directory; `trust_origin=True` allows it"
            )
        if self.missing_files:
            parts = self.missing_parts or ("run",)
            return f"{join_names(self.missing_files)} is not here; give {' and '.join(f'`{part}=`' for part in parts)}"
        return "the scores do not say where they came from; give `run=`" if self.run is None else None


def as_run(given: RunLike) -> Run:
    """A run in any form as an opened `Run`."""
    if isinstance(given, Run):
        return given
    if isinstance(given, str | Path):
        return open_run([given])
    if isinstance(given, Example):
        return Run(memory=[given])
    if isinstance(given, Mapping):
        names = join_names([str(name) for name in given])
        raise ArgumentTypeError(
            f"`run` is a list of records, a frame or a dataset, not a mapping ({names}): give [record] for a single "
            "record, one split of a dataset, or lists as `predictions=` and `references=`"
        )
    if isinstance(given, list | tuple) and given and all(isinstance(item, str | Path) for item in given):
        _refuse_texts(given)
        return open_run(given)
    return Run(memory=take_given(given))


def _refuse_texts(files: Sequence[str | Path]) -> None:
    """Refuse a list of texts, which stands where files are expected."""
    for number, file in enumerate(map(str, files), start=1):
        try:
            is_file = Path(file).exists()
        except (OSError, ValueError):  # longer than a name can be, or with a null character
            is_file = False
        if not is_file and any(letter.isspace() for letter in file.strip()):
            raise ArgumentError(
                f"`run` is a list of files, but item {number} is a text: give summaries as `predictions=`, "
                "or examples, dicts or a frame"
            )


def label_metrics(metrics: Metrics) -> dict[str, Metric]:
    """Metrics by label, which begins the names of their columns: as they were written, or as a mapping labels them.

    >>> list(label_metrics("rouge1, rouge2(stem=none)"))
    ['rouge1', 'rouge2(stem=none)']
    """
    return dict(metrics) if isinstance(metrics, Mapping) and metrics else parse_metrics(metrics)


def find_example(run: RunLike, doc_id: str, system: str) -> Example:
    """The example of one document and system in a run; an unknown name suggests."""
    documents: set[str] = set()
    systems: set[str] = set()
    for example in as_run(run).examples():
        if example.doc_id == doc_id and example.system == system:
            return example
        documents.add(example.doc_id)
        systems.add(example.system)
    if not systems:
        raise DataError("there are no summaries in the run")
    if system not in systems:
        listed = ", ".join(sorted(systems)[:20])
        raise DataError(f"there is no system {system!r}{suggestion(system, systems)} (there is {listed})")
    raise DataError(f"there is no document {doc_id!r} by {system}{suggestion(doc_id, documents)}")


def read_given_scores(given: object) -> Scores | None:
    """Scores, where scores or a file of them were given in the place of a run."""
    if isinstance(given, Scores):
        return given
    if not isinstance(given, str | Path) or str(given) == STDIN or file_format(str(given)) not in TABLE_SUFFIXES:
        return None
    return None if is_run_file(given) else Scores.read(given)


def find_texts(scores: Scores) -> Run:
    """The run that scores were computed from; that it cannot be read is an error."""
    scored_run = find_scored_run(scores)
    if scored_run.run is None:
        reason = (scored_run.describe_absence() or "").partition(";")[0]
        raise DataError(f"there are no texts to these scores: {reason}; give the run itself")
    return scored_run.run


def find_scored_run(scores: Scores, *, moved: Origin | None = None, trust_origin: bool = False) -> ScoredRun:
    """The run that scores were computed from, opened again, or the files that are no longer there.

    Files that are not here are looked for beside the scores; `moved` names those that are elsewhere now. A table that
    was read from a file names files that only `trust_origin` lets it read: those outside its own folder and the working
    directory.
    """
    origin = scores.origin if scores.file is None else scores.origin.look_beside(scores.file.parent)
    if moved is not None:
        origin = origin.replace_moved(moved)
    named = set() if moved is None else set(moved.all_files)
    if scores.file is not None and not trust_origin:
        outside = [file for file in origin.outside_files(scores.file.parent) if file not in named]
        if outside:
            return ScoredRun(None, untrusted_files=tuple(outside))
    missing = [file for file in origin.missing_files() if file not in named]  # what was named is refused when opened
    if missing or not origin.summary_files:
        parts = [part for part, files in origin.files_by_part.items() if set(files) & set(missing)]
        return ScoredRun(None, tuple(missing), missing_parts=tuple(parts))
    return ScoredRun(reopen_run(origin))
