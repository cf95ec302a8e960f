"""Tables: the calibrations that gistmeter ships, fitted by itself to human judgments (scripts/fit_trust_tables.py).

A file of tables is JSON, one per metric. A table is found by the signature of a score without its version, and the
column; it holds the curve on every dataset, what they say together, and how well each is foretold by the others.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from gistmeter.errors import DataError
from gistmeter.ranking.trust.calibration import Fewer, People
from gistmeter.ranking.trust.transfer import LeftOut, PooledSlopes  # noqa: TC001
from gistmeter.scores import Better  # noqa: TC001  (read when a file is decoded)
from gistmeter.signature import without_version

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from gistmeter.ranking.trust.calibration import Calibration

_FILE_DIGITS = 5


@dataclass(frozen=True, slots=True)
class Dataset:
    """A set of summaries that people judged: which, how, and whether the pooled answer counts it."""

    name: str
    aspect: str
    """The judgment that stands for people."""
    about: str
    references: int
    """How many references each document has."""
    pooled: bool = True


@dataclass(frozen=True, slots=True)
class CalibratedSet:
    """The curve of a metric on one dataset, as it is kept in a file."""

    dataset: Dataset
    slope: float
    low: float
    high: float
    systems: int
    documents: int
    pairs: int
    agreeing: float
    undecided: int
    insignificant: int
    typical_gap: float
    largest_gap: float
    repeat: float
    fewer: tuple[Fewer, ...]


@dataclass(frozen=True, slots=True)
class PeopleTable:
    """What is known for one choice of pairs: all that people rank, or those that they tell apart significantly."""

    sets: tuple[CalibratedSet, ...]
    pooled: tuple[PooledSlopes, ...]
    left_out: tuple[LeftOut, ...]


@dataclass(frozen=True, slots=True)
class Provenance:
    """How a table came about."""

    command: str
    date: str
    gistmeter: str
    resamples: int
    confidence: float
    seed: int


@dataclass(frozen=True, slots=True)
class Table:
    """All calibrations of one column of one metric."""

    spelling: str
    """The metric as a user writes it."""
    signature: str
    """Without the version."""
    column: str
    better: Better
    scale: float
    """What the scores go up to: 1 or 100."""
    made: Provenance
    people: dict[People, PeopleTable]

    @property
    def name(self) -> str:
        """How the column is called in a table of scores, such as rouge1.f1."""
        return f"{self.spelling}.{self.column}"


def round_calibration(dataset: Dataset, calibration: Calibration) -> CalibratedSet:
    """A calibration as it is kept: the resampled slopes go, and numbers are rounded to five digits."""
    return CalibratedSet(
        dataset=dataset,
        slope=round_to_file_digits(calibration.slope),
        low=round_to_file_digits(calibration.low),
        high=round_to_file_digits(calibration.high),
        systems=calibration.systems,
        documents=calibration.documents,
        pairs=calibration.pairs,
        agreeing=round_to_file_digits(calibration.agreeing),
        undecided=calibration.undecided,
        insignificant=calibration.insignificant,
        typical_gap=round_to_file_digits(calibration.typical_gap),
        largest_gap=round_to_file_digits(calibration.largest_gap),
        repeat=round_to_file_digits(calibration.repeat),
        fewer=tuple(Fewer(subset.documents, round_to_file_digits(subset.factor)) for subset in calibration.fewer),
    )


def round_to_file_digits(value: float) -> float:
    """A number with as many digits as a file keeps.

    >>> round_to_file_digits(41.2345678), round_to_file_digits(0.000123456789)
    (41.235, 0.00012346)
    """
    return float(f"{value:.{_FILE_DIGITS}g}")


def write_tables(tables: Iterable[Table], path: str | Path) -> None:
    """Write a file of tables."""
    encoded = msgspec.json.format(msgspec.json.encode(list(tables)), indent=1)
    Path(path).write_bytes(encoded + b"\n")


def read_tables(path: str | Path) -> tuple[Table, ...]:
    """Read a file that `write_tables` wrote."""
    file = Path(path)
    if not file.is_file():
        raise DataError(f"there is no file {path}")
    return _decode_tables(file.read_bytes(), str(path))


@functools.cache
def read_shipped_tables() -> Mapping[tuple[str, str], Table]:
    """The tables in the package, by signature (without version) and column.

    >>> sorted({table.spelling for table in read_shipped_tables().values()})
    ['content', 'rouge1', 'rouge2', 'rougeL', 'rougeLsum']
    """
    files = sorted(resources.files("gistmeter.ranking.trust").joinpath("data").iterdir(), key=lambda file: file.name)
    tables = [
        table for file in files if file.name.endswith(".json") for table in _decode_tables(file.read_bytes(), file.name)
    ]
    return {(table.signature, table.column): table for table in tables}


def find_table(signature: str, column: str) -> Table | None:
    """The shipped table for a signature (with or without its version) and a column; None if there is none.

    >>> find_table("rouge1|stem:none|v:0.1.0", "f1") is None
    True
    """
    return read_shipped_tables().get((without_version(signature), column))


def _decode_tables(data: bytes, name: str) -> tuple[Table, ...]:
    try:
        tables: Any = msgspec.json.decode(data, type=tuple[Table, ...])
    except msgspec.DecodeError as error:  # a ValidationError is one, too
        raise DataError(f"{name} is not a file of calibration tables: {error}") from None
    return tuple(tables)
