"""The pairs that are timed: REALSumm when the research data is there, else the example run, repeated."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

from gistmeter import Example
from gistmeter.api import read_run
from gistmeter.demo import demo_run
from gistmeter.io.runs import read_records


def timed_pairs(most: int = 2500) -> tuple[str, list[Example]]:
    """What the pairs are, and the pairs: one sentence a line, one reference each."""
    path = Path(os.environ.get("GISTMETER_DATA", "../shared/data")) / "realsumm/realsumm.jsonl.gz"
    if path.exists():
        records = list(read_records(str(path)))[:most]
        return "REALSumm", [
            Example(
                doc_id=record["doc_id"],
                system=record["system_id"],
                summary=record["summary"]["sentences"],
                references=(record["references_own"][0],),
            )
            for record in records
        ]
    demo = [
        replace(one, references=one.references[:1], summary=one.summary.replace(". ", ".\n"))
        for one in read_run(demo_run())
    ]
    copies = [replace(one, doc_id=f"{one.doc_id}-{i}") for i in range(most // len(demo) + 1) for one in demo]
    return "the example run, repeated", copies[:most]
