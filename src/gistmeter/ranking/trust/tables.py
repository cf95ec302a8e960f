"""Tables: calibrations in files, those that gistmeter ships (scripts/fit_trust_tables.py) and those of users.

A file of tables is JSON, one per metric. A table is found by the signature of a score without its version, and the
column; it holds the curve on every dataset, what they say together, and how well each is foretold by the others.
Fields with a default came later: files without them are still read.
"""

from __future__ import annotations

import functools
import gzip
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from gistmeter.errors import DataError
from gistmeter.io.atomic import write_atomically
from gistmeter.io.files import read_file
from gistmeter.io.json_lines import decode_json
from gistmeter.ranking.trust.calibration import Fewer, People
from gistmeter.ranking.trust.transfer import LeftOut, PooledSlopes  # noqa: TC001
from gistmeter.scores import UNKNOWN_SIGNATURE, Better
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
    sample: str = ""
    """Which of the judged documents were scored, such as "every 4th document"; empty for all of them."""


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
    inputs: str = ""
    """Digest of the scores and judgments that the curve was fitted to."""
    bias: str = ""
    """What the metric took from these judgments when it was built, such as "its judge learned from these judgments"."""


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
    """Empty where the command leaves it out, so that the same inputs give the same file."""
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
    scale: float | None
    """What the scores go up to, 1 or 100; None where they have no upper bound."""
    made: Provenance
    people: dict[People, PeopleTable]

    @property
    def provenance(self) -> Provenance:
        """How the table came about; files call it `made`."""
        return self.made

    @property
    def name(self) -> str:
        """How the column is called in a table of scores, such as rouge1.f1."""
        return f"{self.spelling}.{self.column}" if self.spelling else self.column


def round_calibration(dataset: Dataset, calibration: Calibration, *, inputs: str = "", bias: str = "") -> CalibratedSet:
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
        inputs=inputs,
        bias=bias,
    )


def round_to_file_digits(value: float) -> float:
    """A number with as many digits as a file keeps.

    >>> round_to_file_digits(41.2345678), round_to_file_digits(0.000123456789)
    (41.235, 0.00012346)
    """
    return float(f"{value:.{_FILE_DIGITS}g}")


def write_tables(tables: Iterable[Table], path: str | Path) -> None:
    """Write a file of tables: JSON with a line for each dataset; gzipped if its name ends so."""
    encoded = msgspec.json.encode(list(tables)).decode()
    for start in ('{"spelling":', '"people":', '{"dataset":{', '"pooled":[', '"left_out":['):
        encoded = encoded.replace(start, f"\n{start}")
    content = f"{encoded}\n".encode()
    with write_atomically(Path(path)) as part:
        # Without a time in it, the same tables give the same bytes.
        part.write_bytes(gzip.compress(content, mtime=0) if str(path).endswith(".gz") else content)


def read_tables(path: str | Path) -> tuple[Table, ...]:
    """Read a file that `write_tables` wrote."""
    file = Path(path)
    if not file.is_file():
        raise DataError(f"there is no file {path}")
    return _decode_tables(read_file(str(file)), str(path))


@functools.cache
def read_shipped_tables() -> Mapping[tuple[str, str], Table]:
    """The tables in the package, by signature (without version) and column.

    >>> {"content", "rouge1", "rougeLsum"} <= {table.spelling for table in read_shipped_tables().values()}
    True
    """
    files = sorted(resources.files("gistmeter.ranking.trust").joinpath("data").iterdir(), key=lambda file: file.name)
    tables = [
        table
        for file in files
        if file.name.endswith(".json.gz")
        for table in _decode_tables(gzip.decompress(file.read_bytes()), file.name)
    ]
    return {(table.signature, table.column): table for table in tables}


def find_table(signature: str, column: str, tables: Iterable[Table] = (), *, spelling: str = "") -> Table | None:
    """The table for a signature (with or without its version) and a column; None if there is none.

    `tables` are looked at before those that gistmeter ships. Scores of unknown signature, as in a plain table of
    another program, are told apart by the `spelling` of their metric.

    >>> find_table("rouge1|stem:none|v:0.1.0", "f1") is None
    True
    """
    plain = without_version(signature)
    for table in tables:
        if (table.signature, table.column) == (plain, column) and (
            plain != UNKNOWN_SIGNATURE or table.spelling == spelling
        ):
            return table
    return read_shipped_tables().get((plain, column))


def _decode_tables(data: bytes, name: str) -> tuple[Table, ...]:
    return decode_json(data, name, "a file of calibration tables", kind=tuple[Table, ...])
