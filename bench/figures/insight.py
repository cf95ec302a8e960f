"""Measure what scores are made of, into docs/insight.md: `python -m bench.figures.insight [BLOCK ...]`.

The blocks are `categories`, `units`, `every` and `np_chunks`; each takes a minute or two of a core.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import gistmeter as gm
from bench.figures.page import figure
from bench.figures.pyramid_folds import examples_of
from bench.figures.runs import realsumm, summeval
from bench.figures.trust import put_block
from gistmeter.insight.shares.intervals import bootstrap_means

if TYPE_CHECKING:
    from collections.abc import Callable

    from bench.figures.runs import Judged
    from gistmeter.example import Example

OUTPUT = Path(__file__).parent.parent.parent / "docs" / "insight.md"
PUBLISHED_SYSTEMS = ("abs_ptr_generator_out_pointer_gen_cov", "abs_presumm_out_ext_abs")
"""Of REALSumm: pointer-generator with coverage and BertSumExtAbs, which the thesis looks at on CNN/DailyMail."""
SUMMEVAL_SYSTEM = "M11"
METRICS = {"rouge1(stem=wordnet)": "ROUGE-1", "bertscore(idf=none)": "BERTScore", "content": "content"}
UNIT_METRICS = {**METRICS, "qaeval": "QAEval", "lite2pyramid": "lite2pyramid"}
RESTRICTED = {"rouge1": "ROUGE-1", "rouge1(category=np_chunks)": "noun chunks alone"}
PUBLISHED_CORRELATIONS = {"ROUGE-1": (0.49, 0.48, 0.80, 0.80), "noun chunks alone": (0.45, 0.44, 0.79, 0.80)}
"""Table 6 of the thesis, TAC 2008: summary level r and rho, system level r and rho."""


def main() -> None:
    """Write the blocks that are named, all by default."""
    blocks: dict[str, Callable[[], str]] = {
        "categories": categories_block,
        "units": units_block,
        "every": every_block,
        "np_chunks": np_chunks_block,
    }
    for name in sys.argv[1:] or blocks:
        block = blocks[name]()
        OUTPUT.write_text(put_block(OUTPUT.read_text(encoding="utf-8"), name, block), encoding="utf-8")


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
        f"{len(two_systems)} summaries by pointer-generator and BertSumExtAbs, lower-cased as in the thesis "
        f"(REALSumm), and {len(one_system)} by one system of SummEval, first reference."
    )
    lines += ["", about, "", f"With `--auxiliaries verb` on REALSumm: {'; '.join(verbs)}."]
    return "\n".join(lines)


def units_block() -> str:
    """A row for each metric: its share of content units, its lead over ROUGE, Table 13's bins, published ones."""
    run = _choose_units_run()
    shares = gm.insight.units(run, list(UNIT_METRICS), spans="guessed", published="tac2008")
    first = next(iter(UNIT_METRICS))
    by_metric = {
        metric: np.array([each.share for each in shares.by_summary if each.metric == metric]) for metric in UNIT_METRICS
    }
    documents = np.array([each.doc_id for each in shares.by_summary if each.metric == first])
    lines = [
        "| metric | share | more than ROUGE-1 | 0-25% | 25-50% | 50-75% | 75-100% | published (TAC 2008) |",
        f"|---|{'---|' * 7}",
    ]
    for metric, title in UNIT_METRICS.items():
        row = shares[metric]
        difference = by_metric[metric] - by_metric[first]
        both = np.isfinite(difference)
        lead = bootstrap_means(difference[both][:, None], documents[both].tolist(), resamples=1000, seed=0)
        more = (
            ""
            if metric == first
            else f"{100 * lead.value[0]:+.1f} [{100 * lead.low[0]:+.1f}, {100 * lead.high[0]:+.1f}]"
        )
        bins = " | ".join(f"{100 * part:.0f}" for part in row.bins)
        printed = f"{100 * row.published:.0f}" if row.published == row.published else ""
        if row.published_bins:
            printed += f" ({', '.join(f'{100 * part:.0f}' for part in row.published_bins)})"
        interval = f"{100 * row.share:.1f} [{100 * row.low:.1f}, {100 * row.high:.1f}]"
        lines.append(f"| {title} | {interval} | {more} | {bins} | {printed} |")
    about = (
        f"Shares in percent, with 95% intervals over documents, of {len(run)} summaries of REALSumm (every second "
        "document) by pointer-generator and BertSumExtAbs, against content units whose places are guessed (`--spans "
        "guessed`); what that is more than ROUGE-1's, over the summaries that match by both; then how many percent of "
        "the summaries have a share in each bin. Published: means of Figure 13 and bins of Table 13, with marked spans."
    )
    return "\n".join([*lines, "", about])


def every_block() -> str:
    """QAEval's share of content units by any and by every token of its phrases: the setting decides its lead."""
    run = _choose_units_run()
    shares = {tokens: gm.insight.units(run, "qaeval", spans="guessed", tokens=tokens) for tokens in ("any", "every")}
    parts = [
        f"{100 * row.share:.1f} [{100 * row.low:.1f}, {100 * row.high:.1f}] with `--tokens {tokens}`"
        for tokens, result in shares.items()
        for row in result.rows
    ]
    return f"QAEval's share on these {len(run)} summaries, in percent with 95% intervals: {', '.join(parts)}."


def _choose_units_run() -> list[Example]:
    """Summaries of every second document of REALSumm by the two published systems: questions take time."""
    run = [example for example in examples_of("realsumm") if example.system in PUBLISHED_SYSTEMS]
    chosen = set(sorted({example.doc_id for example in run})[::2])
    return [example for example in run if example.doc_id in chosen]


def np_chunks_block() -> str:
    """Correlations of ROUGE-1 and of ROUGE-1 on noun chunks with people, beside Table 6 of the thesis."""
    lines = [
        "| data | metric | summary level r | ρ | system level r | ρ |",
        f"|---|{'---|' * 5}",
    ]
    for title, printed in PUBLISHED_CORRELATIONS.items():
        lines.append(
            f"| TAC 2008, responsiveness (published) | {title} | {' | '.join(figure(each, 2) for each in printed)} |"
        )
    for name, judged, aspect in (
        ("REALSumm, content", realsumm(), "litepyramid_recall"),
        ("SummEval, relevance", summeval(), "relevance"),
    ):
        for title, values in _correlate(judged, aspect).items():
            lines.append(f"| {name} | {title} | {' | '.join(figure(each, 2) for each in values)} |")
    about = (
        "Recall of ROUGE-1 with all references, of all words and of the words in noun chunks, with people's judgments: "
        "Pearson's r and Spearman's ρ, over systems within documents (summary level) and over the systems' means "
        "(system level)."
    )
    return "\n".join([*lines, "", about])


def _correlate(judged: Judged, aspect: str) -> dict[str, list[float]]:
    """The correlations of each metric: summary level r and rho, then system level."""
    scores = {title: gm.metric(metric).score(judged.examples)[:, 1] for metric, title in RESTRICTED.items()}
    study = gm.meta.Study.from_tables(
        {name: _arrange(judged, values) for name, values in {**scores, aspect: judged.human[aspect]}.items()},
        aspects=[aspect],
        better="higher",
    )
    answer = gm.meta.correlate(study, level=("summary", "system"), coefficient=("pearson", "spearman"))
    return {title: [row.correlation.value for row in answer.rows if row.metric == title] for title in scores}


def _arrange(judged: Judged, values: np.ndarray) -> np.ndarray:
    """Values as systems x documents."""
    systems = {name: row for row, name in enumerate(dict.fromkeys(each.system for each in judged.examples))}
    documents = {name: column for column, name in enumerate(dict.fromkeys(each.doc_id for each in judged.examples))}
    table = np.full((len(systems), len(documents)), np.nan)
    for example, value in zip(judged.examples, values, strict=True):
        table[systems[example.system], documents[example.doc_id]] = value
    return table


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
