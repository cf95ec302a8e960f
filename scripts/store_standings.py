"""Store how the scores of judged summaries and systems are spread, for `gistmeter check`.

python scripts/store_standings.py [METRIC...] [--data ../shared/data] [--scores build/trust-scores] [--every 10]
    [--sets SummEval PyrXSum]

Writes src/gistmeter/ranking/trust/data/standings/<metric>.json.gz for the metrics named, or for those of QUICK. For
each dataset with documents and references (SummEval, REALSumm, PyrXSum, RoSE) a file has the percentiles of the scores
of single summaries and the means of systems: numbers, no text and no names. Scores that the folder has with today's
signature are taken from there. `--every` takes only every so many documents, and `--sets` only some of the datasets,
for metrics that take long: `check` then has columns for these alone.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench.trust import sets  # noqa: E402

from gistmeter.ranking.columns import main_columns  # noqa: E402
from gistmeter.ranking.trust.standings import (  # noqa: E402
    StandingSet,
    StandingTable,
    plain_measure,
    spread_scores,
    write_standings,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.scores import ScoreColumn

FEWEST_SUMMARIES = 90
"""A dataset with fewer scores, such as XSum's single sentences for coherence, has no standings."""
TARGET = ROOT / "src/gistmeter/ranking/trust/data/standings"
FEWER_SETS = ("bleu", "chrf", "autosummeng", "memog", "npower", "lite3pyramid")
"""Metrics that heed case, which systems of some sets ignore, or whose model learned from the labels of some sets."""
QUICK = (
    *("rouge1", "rouge2", "rouge3", "rouge4", "rougeL", "rougeLsum", "rougeW", "rougeS4", "rougeSU4"),
    *("bleu", "chrf", "meteor", "content", "autosummeng", "memog", "npower", "js", "simetrix"),
    *("length", "compression", "novelty", "fragments", "repetition"),
)


def choose_sets(metric: str, names: Sequence[str] = ()) -> list[sets.JudgedSet]:
    """The sets whose systems are counted: all of content but repeated ones, fewer for the metrics of FEWER_SETS.

    With `names`, those of them that are named.
    """
    calibrated = sets.read_metrics().get(metric)
    only = calibrated.sets if calibrated is not None and metric in FEWER_SETS else ()
    return [
        judged
        for judged in sets.read_sets()
        if judged.question == "content"
        and judged.pooled
        and (not only or judged.name in only)
        and (not names or judged.name in names)
    ]


def store_metric(metric: str, *, every: int, names: Sequence[str], data: Path, scores: Path) -> int:
    """Write the standings of a metric; gives how many scores there are."""
    spread: dict[str, tuple[ScoreColumn, list[StandingSet]]] = {}
    for judged in choose_sets(metric, names):
        scored = sets.score_run(judged.run, metric, every=every, data=data, folder=scores)
        about = judged.about.partition(",")[0]
        for column in main_columns(scored.columns, every=metric.startswith("rouge")):
            values = scored.matrix(column.name).values if not column.parts else np.zeros((0, 0))
            if np.isfinite(values).sum() >= FEWEST_SUMMARIES:
                spread.setdefault(column.name, (column, []))[1].append(
                    spread_scores(
                        judged.name,
                        about,
                        values,
                        references=sets.read_runs()[judged.run].references,
                        sample=sets.describe_sample(every),
                    )
                )
    tables = [
        StandingTable(
            spelling=metric,
            signature=plain_measure(column.signature),
            column=column.short,
            better=column.better,
            sets=tuple(of_column),
        )
        for column, of_column in spread.values()
    ]
    write_standings(tables, TARGET / f"{metric}.json.gz")
    return len(tables)


def main() -> None:
    """Score and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("metrics", nargs="*", metavar="METRIC", default=QUICK)
    parser.add_argument("--data", type=Path, default=sets.DATA)
    parser.add_argument("--scores", type=Path, default=sets.SCORES, help="where scores are and are written")
    parser.add_argument("--every", type=int, default=1, help="take only every so many documents")
    names = [judged.name for judged in choose_sets("")]
    parser.add_argument("--sets", nargs="+", default=(), choices=names, help="take only these datasets")
    asked = parser.parse_args()
    TARGET.mkdir(exist_ok=True)
    for metric in asked.metrics:
        started = time.perf_counter()
        count = store_metric(metric, every=asked.every, names=asked.sets, data=asked.data, scores=asked.scores)
        print(f"{metric}: {count} scores, {time.perf_counter() - started:.0f} s", flush=True)


if __name__ == "__main__":
    main()
