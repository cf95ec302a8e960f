"""Write invented ratings for the example run, so that the documentation has judgments to show.

    python scripts/make_demo_judgments.py src/gistmeter/demo/judgments.jsonl

Nobody rated these summaries. Three made-up raters give 1 to 5 for content, around what one would expect of each
system, with noise of their own.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

from gistmeter.demo import demo_run
from gistmeter.io.runs import open_run

EXPECTED = {"careful": 4.4, "lead3": 3.9, "dreamer": 2.6, "terse": 3.1, "looper": 1.3}
STRICTNESS = (0.0, -0.3, 0.2)


def main(output: Path) -> None:
    """One line for each summary."""
    rng = np.random.default_rng(12)
    ease: dict[str, float] = {}
    lines = []
    for example in open_run([demo_run()]).examples():
        ease.setdefault(example.doc_id, rng.normal(0, 0.25))
        level = EXPECTED[example.system] + ease[example.doc_id] + rng.normal(0, 0.45)
        ratings = [int(np.clip(round(level + strict + rng.normal(0, 0.5)), 1, 5)) for strict in STRICTNESS]
        record = {
            "doc_id": example.doc_id,
            "system": example.system,
            "human": {"content": round(sum(ratings) / len(ratings), 4)},
            "annotators": {"content": ratings},
        }
        lines.append(json.dumps(record))
    output.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
