"""The files that a run was read from, as the user wrote them, so that its texts can be read again."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import msgspec

_PACKAGE = Path(__file__).resolve().parents[2]
"""The folder of gistmeter, with the run of `gistmeter demo`."""


@dataclass(frozen=True, slots=True)
class Origin:
    """What `open_run` was asked for. Empty for examples that came from memory or standard input."""

    files: tuple[str, ...] = ()
    summaries: dict[str, str] = field(default_factory=dict)
    references: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    language: str | None = None
    units: tuple[str, ...] = ()
    labels: dict[str, str] = field(default_factory=dict)
    human_row: bool = False
    weights: tuple[str, ...] = ()
    markers: Literal["read", "keep"] = "read"
    """Whether markers of tokenizers and models were read as what they stand for."""
    fields: dict[str, str] = field(default_factory=dict)
    """In which columns fields were, where these have other names than gistmeter knows."""

    @property
    def summary_files(self) -> tuple[str, ...]:
        """The files of summaries."""
        return self.files or tuple(self.summaries.values())

    @property
    def all_files(self) -> tuple[str, ...]:
        """All files: of summaries, references, documents, units, their weights and labels."""
        texts = (*self.summary_files, *self.references, *self.documents)
        return (*texts, *self.units, *self.weights, *self.labels.values())

    @property
    def files_by_part(self) -> dict[str, tuple[str, ...]]:
        """The files of each part, by the argument that names them."""
        return {
            "run": self.files,
            "summaries": tuple(self.summaries.values()),
            "references": self.references,
            "documents": self.documents,
            "units": self.units,
            "weights": self.weights,
            "labels": tuple(self.labels.values()),
        }

    def has_same_names(self, other: Origin) -> bool:
        """Whether another origin has files of the same names, in whichever folders, for all parts.

        >>> Origin(references=("old/refs.txt",)).has_same_names(Origin(references=("refs.txt",)))
        True
        """
        return {part: [Path(file).name for file in files] for part, files in self.files_by_part.items()} == {
            part: [Path(file).name for file in files] for part, files in other.files_by_part.items()
        }

    def replace_moved(self, moved: Origin) -> Origin:
        """This origin with the files that are elsewhere now; files of records stand for all that was read.

        >>> origin = Origin(summaries={"a": "a.txt"}, references=("r.txt",))
        >>> origin.replace_moved(Origin(references=("new/r.txt",))).all_files
        ('a.txt', 'new/r.txt')
        """
        if moved.files or (moved.summaries and not self.summaries):
            origin = moved
        else:
            parts = ("summaries", "references", "documents", "units", "weights", "labels")
            origin = replace(self, **{part: getattr(moved, part) for part in parts if getattr(moved, part)})
        language = moved.language or self.language
        return replace(
            origin,
            human_row=self.human_row,
            markers=self.markers,
            language=language,
            fields=moved.fields or self.fields,
        )

    def look_beside(self, folder: Path) -> Origin:
        """This origin with files that are not here, but lie in a folder under the same relative names, named there."""

        def find(file: str) -> str:
            return str(folder / file) if not Path(file).is_file() and (folder / file).is_file() else file

        return replace(
            self,
            files=tuple(map(find, self.files)),
            summaries={system: find(file) for system, file in self.summaries.items()},
            references=tuple(map(find, self.references)),
            documents=tuple(map(find, self.documents)),
            units=tuple(map(find, self.units)),
            weights=tuple(map(find, self.weights)),
            labels={system: find(file) for system, file in self.labels.items()},
        )

    def missing_files(self) -> list[str]:
        """The files that are not there any more (relative paths start at the current folder)."""
        return [file for file in self.all_files if not Path(file).is_file()]

    def outside_files(self, folder: Path) -> list[str]:
        """The files that a table of scores in `folder` may not make anybody read.

        A table may come from anyone. It may name what lies beside it or in the working directory, links followed, and
        what comes with gistmeter; nothing hidden (`.ssh`), and nothing else.

        >>> Origin(files=("/etc/passwd", "run.jsonl", ".ssh/key")).outside_files(Path("scores"))
        ['/etc/passwd', '.ssh/key']
        """
        homes = [home for home in (folder.resolve(), Path.cwd().resolve()) if home != Path(home.anchor)]
        return [file for file in self.all_files if not _lies_within(file, homes)]

    def as_data(self) -> dict[str, Any]:
        """These files as data that JSON can hold, for a file of scores."""
        return asdict(self)


class StoredOrigin(msgspec.Struct):
    """The origin as a file of scores has it; one of an earlier version lacks the last fields."""

    files: tuple[str, ...]
    summaries: dict[str, str]
    references: tuple[str, ...]
    documents: tuple[str, ...]
    language: str | None
    units: tuple[str, ...] = ()
    labels: dict[str, str] = {}
    human_row: bool = False
    weights: tuple[str, ...] = ()
    markers: Literal["read", "keep"] = "keep"  # earlier versions took markers for words
    fields: dict[str, str] = {}

    def as_origin(self) -> Origin:
        """The origin itself."""
        return Origin(**msgspec.structs.asdict(self))


def _lies_within(file: str, homes: list[Path]) -> bool:
    """Whether a file lies in one of these folders, in none of their hidden folders, or in gistmeter's own."""
    try:
        path = Path(file).resolve()
    except (OSError, ValueError, RuntimeError):  # too long, a null character, links in a circle
        return False
    if path.is_relative_to(_PACKAGE):
        return True
    inside = [path.relative_to(home).parts for home in homes if path.is_relative_to(home)]
    return any(not any(part.startswith(".") for part in parts) for parts in inside)
