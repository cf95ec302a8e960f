"""Records in memory: examples, dicts and datasets as they are, frames row by row."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from gistmeter.errors import ArgumentTypeError, DataError
from gistmeter.io.fields import FIELD_NAMES

if TYPE_CHECKING:
    from collections.abc import Iterator


class Frame(Protocol):
    """A table with named columns: a frame of pandas, polars, pyarrow or another library."""

    @property
    def columns(self) -> Any:
        """Its columns."""


_KEPT_NAMES = frozenset(name for names in FIELD_NAMES.values() for name in names)


@dataclass(frozen=True, slots=True)
class GivenRecords:
    """Examples or records in memory, with what messages call them and one of them."""

    items: Iterable[Any]
    name: str = "the examples given"
    unit: str = "example"

    def __iter__(self) -> Iterator[Any]:
        return iter(self.items)


@dataclass(frozen=True, slots=True)
class _FrameRows:
    """The rows of a narwhals frame as dicts; they can be gone through again."""

    frame: Any

    def __iter__(self) -> Iterator[dict[str, Any]]:
        yield from self.frame.iter_rows(named=True)


def take_given(given: Any) -> GivenRecords:
    """Examples, dicts, a dataset or a frame (pandas, polars, pyarrow and what else narwhals knows) as records.

    >>> import polars as pl
    >>> records = take_given(pl.DataFrame({"summary": ["It rained."], "reference": ["Rain fell."]}))
    >>> records.name, list(records)
    ('the frame', [{'summary': 'It rained.', 'reference': 'Rain fell.'}])
    """
    if isinstance(given, list | tuple):
        return GivenRecords(given)
    rows = _read_frame(given, "`run` is a frame, and this is a column of one: texts are given as `predictions=`")
    if rows is not None:
        return GivenRecords(rows, "the frame", "row")
    if not isinstance(given, Iterable):
        raise ArgumentTypeError(f"`run` is a file, examples or dicts, a frame or a dataset, not {type(given).__name__}")
    is_dataset = hasattr(given, "column_names")
    return GivenRecords(given, "the dataset", "row") if is_dataset else GivenRecords(given)


def read_frame_columns(given: Any, argument: str = "scores") -> dict[str, list[Any]] | None:
    """The values of a frame by column, with None for what is missing in a column of texts; None where it is no frame.

    >>> import polars as pl
    >>> read_frame_columns(pl.DataFrame({"doc_id": ["1"], "own": [0.5]})), read_frame_columns("scores.parquet")
    ({'doc_id': ['1'], 'own': [0.5]}, None)
    """
    rows = _read_frame(given, f"`{argument}` is a frame, and this is a column of one")
    if rows is None:
        return None
    columns = {str(name): rows.frame[name].to_list() for name in rows.frame.columns}
    return {name: _without_nan_texts(values) for name, values in columns.items()}


def _without_nan_texts(values: list[Any]) -> list[Any]:
    """Values with None in the place of the NaN that pandas has where a text is missing."""
    if any(isinstance(value, str) for value in values):
        return [value if isinstance(value, str) or value == value else None for value in values]  # noqa: PLR0124
    return values


def _read_frame(given: Any, refusal: str) -> _FrameRows | None:
    """The rows of a frame; None where it is none, and an error with this sentence where it is a single column."""
    import narwhals as nw

    index_names = getattr(getattr(given, "index", None), "names", None) or ()
    if any(name in _KEPT_NAMES for name in index_names):
        given = given.reset_index()  # the names of documents may be the index of a pandas frame
    try:
        frame = nw.from_native(given, pass_through=True, allow_series=True)
        if isinstance(frame, nw.LazyFrame):
            frame = frame.collect()
    except nw.exceptions.NarwhalsError as error:
        raise DataError(f"the frame cannot be read: {' '.join(str(error).split())}") from None
    if isinstance(frame, nw.Series):
        raise ArgumentTypeError(refusal)
    return _FrameRows(frame) if isinstance(frame, nw.DataFrame) else None
