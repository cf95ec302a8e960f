"""Origin: the files a run was read from, as the user wrote them, so that its texts can be found again."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any


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

    @property
    def sources(self) -> tuple[str, ...]:
        """The files of summaries."""
        return self.files or tuple(self.summaries.values())

    @property
    def named(self) -> tuple[str, ...]:
        """All files."""
        return (*self.sources, *self.references, *self.documents, *self.units, *self.labels.values())

    def missing(self) -> list[str]:
        """The files that are not where they were, seen from here."""
        return [file for file in self.named if not Path(file).is_file()]

    def as_data(self) -> dict[str, Any]:
        """For a file of scores."""
        return asdict(self)

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Origin:
        """What `as_data` gave."""
        return cls(
            files=tuple(data["files"]),
            summaries=dict(data["summaries"]),
            references=tuple(data["references"]),
            documents=tuple(data["documents"]),
            language=data["language"],
            units=tuple(data.get("units", ())),  # files of scores of earlier versions have none
            labels=dict(data.get("labels", {})),
        )
