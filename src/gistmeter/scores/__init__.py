"""Scores: the table of a run (`table.py`), and what its columns are (`column.py`)."""

from gistmeter.scores.column import (
    DIAGNOSTIC_MARK,
    UNKNOWN_SIGNATURE,
    Better,
    ScoreColumn,
    note_assumed_directions,
)
from gistmeter.scores.table import KEYS, LongParts, Scores, ScoresLike, SystemMatrix

__all__ = [
    "DIAGNOSTIC_MARK",
    "KEYS",
    "UNKNOWN_SIGNATURE",
    "Better",
    "LongParts",
    "ScoreColumn",
    "Scores",
    "ScoresLike",
    "SystemMatrix",
    "note_assumed_directions",
]
