"""Measure, and write docs/pyramid-numbers.md: `python -m bench.figures.pyramids [SECTION...]`.

Sections: agreement, judges, contradictions, units, coreference, easiness. With some named, the others
stay as they stand on the page.
"""

from __future__ import annotations

import re
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from bench.contradictions import measure as contradictions
from bench.figures import coreference, pyramid_easiness, pyramid_judges, pyramid_units
from bench.figures.page import Table
from bench.figures.runs import DATA
from gistmeter import Example, score
from gistmeter.io.folds import draw_folds, index_folds, read_folds
from gistmeter.io.runs import open_run
from gistmeter.stats import correlate_by_folds

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

OUTPUT = Path(__file__).parent.parent.parent / "docs" / "pyramid-numbers.md"
TEXT = """# Pyramids in figures

What the parts behind `lite2pyramid`, `lite3pyramid` and the mixes between them are worth, with the models that install
with gistmeter, beside what Zhang and Bansal (2021) print and released. `make figures` writes this page. More figures of
the judges are in their cards: `gistmeter models show presence` and `gistmeter models show entailment`.
"""
_AGREEMENT = """Correlation with people's recall of content units (LitePyramid), nothing being learned from these
summaries: within five folds of documents, averaged (REALSumm's folds as released, PyrXSum's drawn). Documents in which
all summaries are alike are left out. Published figures are those of Table 1; its Lite2Pyramid-0 reads RoBERTa-large
(l3c), and its ROUGE is recall."""
_MEASURES = (
    ("ROUGE-1 recall", "rouge1(stem=porter,tokenizer=rouge155)", "recall"),
    ("content words (floor)", "content", "recall"),
    ("Lite2Pyramid, zero-shot, p3c", "lite2pyramid(model=embedded-nli,value=p3c)", "recall"),
    ("Lite2Pyramid, zero-shot, l3c", "lite2pyramid(model=embedded-nli)", "recall"),
    ("Lite3Pyramid, zero-shot, p3c", "lite3pyramid(model=embedded-nli,value=p3c)", "recall"),
)
_PUBLISHED = {
    "ROUGE-1 recall": ((0.53, 0.50, 0.82, 0.83), (0.52, 0.50, 0.92, 0.90)),
    "Lite2Pyramid, zero-shot, l3c": ((0.56, 0.53, 0.86, 0.82), (0.73, 0.72, 0.96, 0.92)),
}


def main() -> None:
    """Write the page."""
    sections = {
        "agreement": ("Agreement with people", agreement),
        "judges": ("A judge that learned from people", pyramid_judges.tables),
        "contradictions": ("What a summary contradicts", contradictions.tables),
        "units": ("Units cut by machine", lambda: pyramid_units.tables(coreference.clusters_of_roles)),
        "coreference": ("Coreference", coreference.tables),
        "easiness": ("Easy and hard sentences", pyramid_easiness.tables),
    }
    asked = sys.argv[1:] or list(sections)
    before = dict(re.findall(r"^## (.+)\n((?:(?!## ).*\n?)*)", OUTPUT.read_text("utf-8"), flags=re.MULTILINE))
    parts = [TEXT]
    for name, (heading, tables) in sections.items():
        start = time.perf_counter()
        pending = f"Not measured yet: `python -m bench.figures.pyramids {name}` does it."
        body = "\n".join(map(str, tables())) if name in asked else before.get(heading, pending).strip() + "\n"
        parts += [f"## {heading}\n", body]
        print(f"{heading}: {time.perf_counter() - start:.0f} s", file=sys.stderr, flush=True)
    OUTPUT.write_text("\n".join(parts).rstrip() + "\n", encoding="utf-8")


def agreement() -> Iterator[Table]:
    """One table for each set."""
    for place, name in enumerate(("realsumm", "pyrxsum")):
        examples = list(
            open_run([DATA / name / f"{name}.jsonl.gz"], units=[DATA / name / "documents.jsonl.gz"]).examples()
        )
        rows: list[list[str | float | None]] = []
        for what, metric, column in _MEASURES:
            rows.append([f"{what}: `{metric}`", *within_folds(examples, name, f"{metric}.{column}", metric)])
            if what in _PUBLISHED:
                rows.append(["*published*", *_PUBLISHED[what][place]])
        title = {"realsumm": "REALSumm", "pyrxsum": "PyrXSum"}[name]
        yield Table(title, _AGREEMENT, ["", "summary r", "summary ρ", "system r", "system ρ"], rows)


def within_folds(examples: list[Example], name: str, column: str, metric: str) -> list[float]:
    """Pearson and Spearman at summary and system level, averaged over folds."""
    scores = score(examples, metric, cache=True, markers="keep")
    ours, people = scores.matrix(column), _people(examples, scores.systems, scores.documents)
    file = DATA / name / "folds.json"
    folds = index_folds(read_folds(file) if file.exists() else draw_folds(scores.documents, 5), scores.documents)
    return [
        correlate_by_folds(ours, people, folds, level=level, coefficient=coefficient).value
        for level in ("summary", "system")
        for coefficient in ("pearson", "spearman")
    ]


def _people(examples: list[Example], systems: Sequence[str], documents: Sequence[str]) -> NDArray[np.float64]:
    found = {(one.system, one.doc_id): float(np.mean([bool(unit.present) for unit in one.units])) for one in examples}
    return np.array([[found[system, document] for document in documents] for system in systems])


if __name__ == "__main__":
    main()
