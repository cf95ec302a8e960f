"""The assignments of multi_summeval as gistmeter's types."""

from __future__ import annotations

from gistmeter.human import read_assignments
from gistmeter.io.records import read_records
from gistmeter.judgments import Judgments


def records(data, language):
    """The assignments of one language, as they are in the file."""
    every = read_records(str(data / "multi_summeval/assignments.jsonl.gz"))
    return [record for record in every if record["language"] == language]


def judgments(data, language):
    """The z-scores, which are by assignment; one worker did a task twice."""
    return Judgments.from_records(records(data, language))


def assignments(data, language):
    """What quality control looks at."""
    return read_assignments(records(data, language))
