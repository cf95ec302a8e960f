"""The assignments of multi_summeval as gistmeter's types."""

from __future__ import annotations

import gzip
import json
from collections import Counter

from gistmeter.human import Assignment
from gistmeter.judgments import Judgments


def records(data, language):
    """The assignments of one language, as they are in the file."""
    with gzip.open(data / "multi_summeval/assignments.jsonl.gz") as file:
        every = [json.loads(line) for line in file]
    return [record for record in every if record["language"] == language]


def judgments(data, language):
    """The z-scores. They are by assignment, and one worker did a task twice: a rater is a worker on a task, once."""
    rows, times = [], Counter()
    for record in records(data, language):
        who = (record["worker"], record["task"])
        times[who] += 1
        for key, value in record["z"].items():
            _, number, first, _, system = key.split("-")
            rows.append(
                {
                    "doc_id": number,
                    "system": system,
                    "aspect": "focus" if first == "REFERENCE" else "coverage",
                    "rater": f"{record['worker']}/{record['task']}/{times[who]}",
                    "value": value,
                    "scale": "z",
                }
            )
    return Judgments.from_records(rows)


def assignments(data, language):
    """What quality control looks at."""
    return [
        Assignment(one["worker"], str(one["task"]), one["quality_score"], minutes=one["minutes"])
        for one in records(data, language)
    ]
