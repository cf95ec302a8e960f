"""What control measures: question recall and length, by writer, number of marked spans and answerer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from gistmeter.result import Result
from gistmeter.wording import format_count, join_names


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlRow:
    """What one writer did with k marked spans, by one answerer: means over documents, with 95% intervals."""

    writer: str
    k: int
    answerer: str
    documents: int
    recall: float
    """The share of the spans' questions that the summary answers: question recall."""

    low: float
    high: float
    agreed: float
    """The same where the answer must share a word with the span."""

    agreed_low: float
    agreed_high: float
    words: float
    words_low: float
    words_high: float
    ratio: float
    """Marked spans for each word of a summary, over all documents together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Control(Result):
    """Question recall and length by writer and k, for each answerer."""

    rows: tuple[ControlRow, ...]
    documents: int
    answerers: tuple[str, ...]
    spans: str
    remarks: tuple[str, ...] = ()

    def records(self) -> list[dict[str, Any]]:
        """A row for each answerer, writer and k."""
        return [
            {
                **({"answerer": row.answerer} if len(self.answerers) > 1 else {}),
                "summaries": row.writer,
                "k": row.k,
                "question recall": row.recall,
                "low": row.low,
                "high": row.high,
                "with its word": row.agreed,
                "words": row.words,
                "words low": row.words_low,
                "words high": row.words_high,
                "k / words": row.ratio,
            }
            for row in self.rows
        ]

    def details(self) -> dict[str, Any]:
        """How it was measured."""
        return {"documents": self.documents, "answerers": list(self.answerers), "spans": self.spans}

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left out."""
        return self.remarks

    def select(self, answerer: str) -> tuple[ControlRow, ...]:
        """The rows of one answerer."""
        return tuple(row for row in self.rows if row.answerer == answerer)


def describe_control(control: Control) -> str:
    """A caption: what was measured, and on how much."""
    who = "answerer" if len(control.answerers) == 1 else "answerers"
    return (
        f"Questions of the k first {control.spans} spans that summaries of "
        f"{format_count(control.documents, 'document')} answer ({who}: {join_names(control.answerers)}), 95% intervals "
        "over documents; with its word: the answer shares a word with the span."
    )
