"""Every score of the demo with every metric: record them once, compare after a change that should change none.

python scripts/compare_scores.py record scores.json            before
python scripts/compare_scores.py compare scores.json           after; exit 1 when a score moved by more than 1e-12
python scripts/compare_scores.py compare scores.json --skip qags,questeval    leave out what takes minutes
python scripts/compare_scores.py compare scores.json --only rouge1,content    look at a few
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
from pathlib import Path

TOLERANCE = 1e-12
# Settings that reach code the defaults do not.
VARIANTS = (
    "rouge2(stem=none,references=max)",
    "rougeL(stopwords=smart)",
    "sts(segment=edu)",
    "bertscore(idf=references)",
    "faithfulness(match=tokens)",
    "qaeval(model=slots)",
    "qags(aspect=coverage,model=slots)",
    "lite2pyramid(model=embedded-nli)",
)


def demo_scores(skipped: set[str], only: set[str]) -> dict[str, list[float]]:
    """The columns of all metrics, each in the order of the demo's rows."""
    os.environ["GISTMETER_WORDNET"] = "none"  # METEOR reads the WordNet of the machine
    import gistmeter as gm
    from gistmeter.demo import demo_run
    from gistmeter.errors import GistmeterError
    from gistmeter.metrics.registry import BUILT_IN

    spellings = [name for entry in BUILT_IN for name in entry.names]
    columns: dict[str, list[float]] = {}
    for spelling in [*spellings, *VARIANTS]:
        name = spelling.split("(")[0]
        if name in skipped or (only and name not in only):
            continue
        try:
            scores = gm.score(str(demo_run()), spelling)
        except GistmeterError as error:
            print(f"left out {spelling}: {error}", file=sys.stderr)
            continue
        for column in scores.columns:
            if column.name in scores.table.columns:
                columns[column.name] = [math.nan if value is None else value for value in scores.table[column.name]]
        print(f"{spelling}", file=sys.stderr, flush=True)
    return columns


def _names() -> list[str]:
    """The names of all metrics, without settings."""
    from gistmeter.metrics.registry import BUILT_IN

    return [name for entry in BUILT_IN for name in entry.names]


def moved_scores(before: dict[str, list[float]], after: dict[str, list[float]]) -> list[str]:
    """A line for each column that is missing or whose scores moved."""
    lines = []
    for name, old in before.items():
        new = after.get(name)
        if new is None:
            lines.append(f"{name}: no longer there")
            continue
        gaps = [
            0.0 if math.isnan(a) and math.isnan(b) else abs(a - b) if math.isfinite(a - b) else math.inf
            for a, b in zip(old, new, strict=True)
        ]
        if max(gaps) > TOLERANCE:
            lines.append(f"{name}: {sum(gap > TOLERANCE for gap in gaps)} scores moved, at most by {max(gaps):.3g}")
    return lines


def main() -> int:
    """Record or compare; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=["record", "compare"])
    parser.add_argument("file", type=Path)
    parser.add_argument("--skip", default="", help="names of metrics to leave out, with commas between them")
    parser.add_argument("--only", default="", help="names of the only metrics to look at")
    options = parser.parse_args()
    skipped = {name for name in options.skip.split(",") if name}
    only = {name for name in options.only.split(",") if name}
    columns = demo_scores(skipped, only)
    if options.action == "record":
        options.file.write_text(json.dumps(columns), encoding="utf-8")
        return 0
    before = json.loads(options.file.read_text(encoding="utf-8"))
    wanted = {}
    for column, old in before.items():
        name = next(
            (
                metric
                for metric in sorted(_names(), key=len, reverse=True)
                if column.startswith((f"{metric}.", f"{metric}("))
            ),
            "",
        )
        if name not in skipped and (not only or name in only):
            wanted[column] = old
    lines = moved_scores(wanted, columns)
    print("\n".join(lines) or f"{len(wanted)} columns: every score is the same")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
