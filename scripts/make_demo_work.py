"""Write invented assignments for the example run, so that the documentation has quality control to show.

    python scripts/make_demo_work.py src/gistmeter/demo/work.jsonl

Nobody rated these summaries. Two tasks of six documents each, with ten traps, are done by made-up raters who move a
slider from 0 to 100. Their strictness, and how much of the slider they use, are their own and change from task to task.
One of them does not read.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gistmeter.demo import demo_run
from gistmeter.io.runs import open_run

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gistmeter.example import Example

EXPECTED = {"careful": 82, "lead3": 68, "dreamer": 38, "terse": 50, "looper": 12}
TRAPS = ("same", "different") * 5


@dataclass(frozen=True)
class Work:
    """A made-up rater in one task."""

    rater: str
    task: str
    shift: float
    stretch: float
    minutes: float
    reads: bool = True


WORK = (
    Work("ann", "morning", -12, 0.9, 52.5),
    Work("ben", "morning", 10, 0.6, 58.0),
    Work("cleo", "morning", 0, 1.0, 61.5),
    Work("dora", "morning", 0, 1.0, 24.0, reads=False),
    Work("ann", "evening", 4, 0.8, 55.0),
    Work("ben", "evening", 22, 0.5, 28.5),
    Work("cleo", "evening", -8, 1.0, 66.0),
)


def main(output: Path) -> None:
    """One line for each answer."""
    rng = np.random.default_rng(12)
    examples = list(open_run([demo_run()]).examples())
    documents = list(dict.fromkeys(example.doc_id for example in examples))
    batches = {
        "morning": [example for example in examples if example.doc_id in documents[:6]],
        "evening": [example for example in examples if example.doc_id in documents[6:]],
    }
    levels = {(example.doc_id, example.system): EXPECTED[example.system] + rng.normal(0, 9) for example in examples}
    records = [record for work in WORK for record in answers(work, batches[work.task], levels, rng)]
    output.write_text("\n".join(map(json.dumps, records)) + "\n", encoding="utf-8")


def answers(
    work: Work, batch: list[Example], levels: dict[tuple[str, str], float], rng: np.random.Generator
) -> Iterator[dict[str, Any]]:
    """What a rater answers: how the assignment went, then traps, then summaries."""
    names = {"rater": work.rater, "task": work.task}
    yield {**names, "minutes": work.minutes}
    for kind in TRAPS:
        right = rng.normal(97, 4) if kind == "same" else rng.normal(3, 4)
        yield {**names, "trap": kind, "value": slider(right if work.reads else rng.uniform(0, 100))}
    for example in batch:
        level = 50 + work.stretch * (levels[example.doc_id, example.system] + rng.normal(0, 9) - 50) + work.shift
        value = slider(level if work.reads else rng.uniform(0, 100))
        item = {"doc_id": example.doc_id, "system": example.system, "aspect": "content"}
        yield {**names, **item, "value": value, "scale": "0-100"}


def slider(value: float) -> int:
    """Where a slider from 0 to 100 stands."""
    return int(np.clip(round(value), 0, 100))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
