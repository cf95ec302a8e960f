"""Measure what scores are made of, into docs/insight.md: `python -m bench.figures.insight` (two minutes of a core)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import gistmeter as gm
from bench.figures.page import figure
from bench.figures.runs import realsumm, summeval
from bench.figures.trust import put_block

if TYPE_CHECKING:
    from gistmeter.example import Example

OUTPUT = Path(__file__).parent.parent.parent / "docs" / "insight.md"
PUBLISHED_SYSTEMS = ("abs_ptr_generator_out_pointer_gen_cov", "abs_presumm_out_ext_abs")
"""Of REALSumm: pointer-generator with coverage and BertSumExtAbs, which the thesis looks at on CNN/DailyMail."""
SUMMEVAL_SYSTEM = "M11"
METRICS = {"rouge1(stem=wordnet)": "ROUGE-1", "bertscore(idf=none)": "BERTScore", "content": "content"}


def main() -> None:
    """Write the table."""
    text = OUTPUT.read_text(encoding="utf-8")
    OUTPUT.write_text(put_block(text, "categories", categories_block()), encoding="utf-8")


def categories_block() -> str:
    """A row for each category: shares on REALSumm's two systems and on one of SummEval, published ones in brackets."""
    two_systems = [lower_texts(example) for example in realsumm().examples if example.system in PUBLISHED_SYSTEMS]
    one_system = [example for example in summeval().examples if example.system == SUMMEVAL_SYSTEM]
    sets = {"REALSumm": (two_systems, "cnndm"), "SummEval": (one_system, None)}
    shares = {
        name: gm.insight.categories(run, list(METRICS), published=published) for name, (run, published) in sets.items()
    }
    as_verbs = gm.insight.categories(two_systems, list(METRICS)[:2], published="cnndm", auxiliaries="verb")
    columns = [(name, metric) for name in sets for metric in METRICS]
    lines = [
        f"| category | {' | '.join(f'{METRICS[metric]}, {name}' for name, metric in columns)} |",
        f"|---|{'---|' * len(columns)}",
    ]
    first = next(iter(METRICS))
    for row in shares["REALSumm"].rows:
        if row.metric == first:
            cells = (_write_cell(shares[name][metric, row.category]) for name, metric in columns)
            lines.append(f"| {row.title} | {' | '.join(cells)} |")
    verbs = (
        f"{as_verbs[metric, name].title} {_write_cell(as_verbs[metric, name])} ({METRICS[metric]})"
        for name in ("vb", "topic", "information")
        for metric in list(METRICS)[:2]
    )
    about = (
        "Shares in percent, 95% intervals in square brackets, published ones of CNN/DailyMail in round ones: "
        f"{len(two_systems)} summaries by pointer-generator and BertSumExtAbs (REALSumm, lower-cased as in the "
        f"thesis) and {len(one_system)} by one system of SummEval, first reference."
    )
    lines += ["", about, "", f"With `--auxiliaries verb` on REALSumm: {'; '.join(verbs)}."]
    return "\n".join(lines)


def lower_texts(example: Example) -> Example:
    """An example in lower case, as the summaries that the thesis looked at."""
    return replace(
        example, summary=example.summary.lower(), references=tuple(text.lower() for text in example.references)
    )


def _write_cell(row: gm.insight.CategoryShare) -> str:
    printed = f" ({figure(100 * row.published, 1)})" if row.published == row.published else ""
    return f"{100 * row.share:.1f} [{100 * row.low:.1f}, {100 * row.high:.1f}]{printed}"


if __name__ == "__main__":
    main()
