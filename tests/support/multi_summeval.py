"""The assignments of multi_summeval as gistmeter's types."""

from __future__ import annotations

from gistmeter.human import read_assignments
from gistmeter.io.records import read_records
from gistmeter.judgments import Judgments

# Koto, Lau and Baldwin (2021), Table 1: quality in percent, agreement on focus and on coverage.
TABLE_1 = {
    "ID": (97, 0.64, 0.63),
    "FR": (98, 0.63, 0.65),
    "TR": (97, 0.74, 0.79),
    "ZH": (92, 0.61, 0.60),
    "RU": (98, 0.60, 0.64),
    "DE": (90, 0.78, 0.83),
    "ES": (95, 0.60, 0.61),
}


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
