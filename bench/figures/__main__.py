"""Measure, and write docs/embedding-numbers.md."""

from __future__ import annotations

import sys
from pathlib import Path

from bench.figures import estime, ffci, languages, recall
from bench.figures.page import page

OUTPUT = Path(__file__).parent.parent.parent / "docs" / "embedding-numbers.md"
TEXT = """How far the measures that read models agree with people, with the models that install with gistmeter and need
no network, beside what the papers printed for theirs. `make figures` writes this page from the research data (about
an hour on two cores the first time; scores are cached). Figures are correlations; "publ." is what the paper prints.

The encoder is all-MiniLM-L6-v2 (6 layers of 384), fifty times smaller than most models of the papers. How the
layers and weights were chosen stands in [Models](models.md)."""
SECTIONS = {
    "FFCI": ffci.tables,
    "Recall of content": recall.tables,
    "ESTIME": estime.tables,
    "Eight languages": languages.tables,
}


def main() -> None:
    """Write the page."""
    sections = []
    for heading, tables in SECTIONS.items():
        print(heading, file=sys.stderr, flush=True)
        sections.append((heading, list(tables())))
    OUTPUT.write_text(page("Embedding measures in figures", TEXT, sections), encoding="utf-8")


if __name__ == "__main__":
    main()
