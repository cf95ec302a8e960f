"""Result: what every answer of `gistmeter.meta` and `gistmeter.human` can become."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from gistmeter.io.json_lines import nan_to_null
from gistmeter.views import ChartView

if TYPE_CHECKING:
    import polars as pl


class Result(ChartView, ABC):
    """The answer to a question about scores or judgments: typed fields, which become rows, a frame, JSON, a picture.

    The picture is drawn by `plot` and `gistmeter.write_figure`, the table for a paper by `to_latex`.
    """

    __slots__ = ()

    @abstractmethod
    def records(self) -> list[dict[str, Any]]:
        """The rows of the answer's table, each with the same keys; NaN where a number is missing."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader of the table should know."""
        return ()

    def details(self) -> dict[str, Any]:
        """What JSON carries beside the rows."""
        return {}

    def to_frame(self) -> pl.DataFrame:
        """The rows as a polars frame."""
        import polars as pl

        return pl.DataFrame(self.records(), infer_schema_length=None)

    def to_dict(self) -> dict[str, Any]:
        """The answer as JSON has it: `rows`, `notes` and details; None where a number is missing.

        The values of a single row stand at the top as well.
        """
        rows = self.records()
        top = rows[0] if len(rows) == 1 else {}
        data: dict[str, Any] = nan_to_null({**top, **self.details(), "rows": rows, "notes": list(self.notes)})
        return data

    def to_json(self) -> str:
        """The answer as JSON text, on one line."""
        return json.dumps(self.to_dict(), ensure_ascii=False)
