"""Records of JSON lines to learn from, each with where it stands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from gistmeter.errors import DataError
from gistmeter.io.json_lines import read_json_lines

if TYPE_CHECKING:
    from collections.abc import Iterator


class Record(NamedTuple):
    """A decoded line, and which line of which file it is."""

    fields: dict[str, Any]
    position: str

    def require_lists(self, *names: str) -> None:
        """Refuse a record in which one of these fields is not a list."""
        for name in names:
            if not isinstance(self.fields.get(name), list):
                raise DataError(f"{self.position} has no list `{name}`")


def read_records(path: str | Path) -> Iterator[Record]:
    """The records of a JSONL file, gzipped or not; empty lines are passed over."""
    file = Path(path).expanduser()
    for number, record in read_json_lines(file):
        yield Record(record, f"line {number} of {file.name}")
