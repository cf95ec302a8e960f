"""Files that keep a result of many rows: JSON lines, the first with all but the rows, each other one a row."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec

from gistmeter.errors import DataError
from gistmeter.io.atomic import check_output
from gistmeter.io.json_lines import describe_type_fault, nan_to_null, read_json_lines, write_json_lines

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gistmeter.io.json_lines import NumberedRecord

ResultType = TypeVar("ResultType", bound=Any)

_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadedFile(Generic[ResultType]):
    """A kind of file: which result it keeps, and how sentences speak of it."""

    mark: str
    """What the first line has, with the version of the format."""
    result: type[ResultType]
    rows: str
    """The field of the result that has the rows."""
    row: type
    content: str
    """What the file is of, such as `a probe`."""
    row_content: str
    """What a row is, such as `probed document`."""
    form: str
    """What to say of a file that is named otherwise: `a probe is JSON lines`."""
    writers: str
    """Which commands write such files."""

    def check_path(self, path: str | Path, inputs: Iterable[str | Path] = ()) -> None:
        """Refuse a file that no such result can be written to, or that is an input, before any long work."""
        if Path(path).suffix not in (".jsonl", ".ndjson"):
            raise DataError(f"cannot write {path}: {self.form}, name it .jsonl")
        check_output(path, inputs)

    def write(self, result: ResultType, path: str | Path) -> int:
        """Write a result; says how many rows it has."""
        self.check_path(path)
        header = {field.name: getattr(result, field.name) for field in fields(result) if field.name != self.rows}
        rows = (nan_to_null(asdict(row)) for row in getattr(result, self.rows))
        return write_json_lines([{self.mark: _VERSION, **header}, *rows], Path(path)) - 1

    def read(self, path: str | Path) -> ResultType:
        """The result that was written to a file."""
        return self.parse(read_json_lines(path), path)

    def parse(self, records: Iterable[NumberedRecord], path: str | Path) -> ResultType:
        """The result that the lines of a file are; `path` is its name, for errors."""
        lines = iter(records)
        header = next((numbered.record for numbered in lines), None)
        if header is None or header.get(self.mark) != _VERSION:
            raise DataError(f"{path} is no file of {self.content}: {self.writers} such files")
        rows: list[Any] = []
        for line, record in lines:
            try:
                rows.append(msgspec.convert(self._fill_numbers(record), self.row))
            except msgspec.ValidationError as error:
                fault = describe_type_fault(error)
                raise DataError(f"line {line} of {path} is no {self.row_content}: {fault}") from None
        names = {field.name for field in fields(self.result)}
        given = {key: value for key, value in header.items() if key in names} | {self.rows: ()}
        try:
            result = msgspec.convert(given, self.result)
        except msgspec.ValidationError as error:
            fault = describe_type_fault(error)
            raise DataError(f"line 1 of {path} is no beginning of {self.content}: {fault}") from None
        whole: ResultType = replace(result, **{self.rows: tuple(rows)})
        return whole

    def _fill_numbers(self, record: dict[str, Any]) -> dict[str, Any]:
        """A record with NaN for the numbers that are missing, which JSON has as null."""
        kinds = {field.name: field.type for field in fields(self.row)}
        return {name: _fill(value, kinds.get(name)) for name, value in record.items()}


def _fill(value: Any, kind: Any) -> Any:
    if kind == "float" and value is None:
        return math.nan
    if kind == "Mapping[str, float]" and isinstance(value, dict):
        return {key: _fill(inside, "float") for key, inside in value.items()}
    return value
