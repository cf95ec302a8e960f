"""Measure, and write docs/embedding-numbers.md: all, or the tables named (`python -m bench.figures coherence`).

`--rows` measures some rows of a table alone; the others stay as they stand on the page.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from bench.figures.measures import measured
from bench.figures.page import block, blocks_of, page
from bench.figures.specs import sections

if TYPE_CHECKING:
    from collections.abc import Sequence

OUTPUT = Path(__file__).parent.parent.parent / "docs" / "embedding-numbers.md"
TITLE = "Embedding measures in figures"
TEXT = """
How far the measures that read models agree with people, with the models that install with gistmeter and need no
network, beside what the papers print for theirs. `make figures` measures all of it from the research data and writes
this page (half an hour on one core the first time; scores are cached). `python -m bench.figures coherence`
measures one table anew. The tables, with the published figures, are data: `bench/figures/tables`. Tests pin the main
figures.

The encoder is all-MiniLM-L6-v2 (6 layers of 384 numbers, 22 million parameters); the models of the papers have 110
million to 1.5 billion. Settings were chosen on some of these same data, and the page says where: a difference of .01
between settings is not to be trusted. How layers and weights were chosen stands in [Models](models.md).
"""


def main(wanted: Sequence[str], *, rows: Sequence[str] = (), every: int = 1) -> None:
    """Measure the tables wanted, or all when none is named. The page is written after each; the others stay."""
    known = {table.key for section in sections() for table in section.tables}
    if unknown := set(wanted) - known:
        sys.exit(f"there is no table {', '.join(sorted(unknown))} (there are {', '.join(sorted(known))})")
    named = {
        row.name for section in sections() for table in section.tables for row in table.rows if table.key in wanted
    }
    if unknown := set(rows) - named:
        sys.exit(f"the tables named have no row {', '.join(sorted(unknown))}")
    blocks = blocks_of(OUTPUT.read_text(encoding="utf-8")) if OUTPUT.exists() else {}
    for section in sections():
        for table in section.tables:
            if wanted and table.key not in wanted:
                continue
            start = time.perf_counter()
            step = every if table.sparing else 1
            figures = measured(table, rows or None, every=step)
            before = blocks.get(table.title, "") if rows else ""
            blocks[table.title] = block(table, figures, every=step, before=before)
            OUTPUT.write_text(page(TITLE, TEXT, sections(), blocks), encoding="utf-8")
            print(f"{table.key}: {time.perf_counter() - start:.0f} s", file=sys.stderr, flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="bench.figures", description=__doc__)
    parser.add_argument("tables", nargs="*", help="keys of tables; all when none is named")
    parser.add_argument("--every", type=int, default=1, help="long tables on every so many documents; the page says so")
    parser.add_argument("--rows", nargs="+", default=(), metavar="ROW", help="only these rows of the tables named")
    given = parser.parse_args()
    main(given.tables, rows=given.rows, every=given.every)
