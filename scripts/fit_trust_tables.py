"""Fit the calibration tables of `gistmeter trust` to human judgments, with gistmeter's own scores.

python scripts/fit_trust_tables.py [METRIC...] [--data ../shared/data] [--scores build/trust-scores] [--date 2026-01-31]

Writes src/gistmeter/ranking/trust/data/<metric>.json.gz for each metric of bench/trust/metrics.toml, or those named.
Scores that the folder has with today's signature are taken from there, others are scored into it, which takes hours
for all of the models' measures; interrupted, the same command goes on with the next metric and dataset. The same
scores, seed and date give the same bytes. No text and no score of a single summary goes into a table: only slopes,
counts, shares and a digest of what they were fitted to. `--compare` writes nothing and prints the
leave-one-dataset-out log-loss of the two kinds of curve.
"""

from __future__ import annotations

import argparse
import datetime
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench.trust import sets  # noqa: E402

from gistmeter.metrics.registry import parse_metric  # noqa: E402
from gistmeter.ranking.trust.calibration import system_pairs  # noqa: E402
from gistmeter.ranking.trust.fit import FitOptions, JudgedScores, fit_table  # noqa: E402
from gistmeter.ranking.trust.lookup import plain_signature  # noqa: E402
from gistmeter.ranking.trust.tables import write_tables  # noqa: E402
from gistmeter.ranking.trust.transfer import leave_one_out  # noqa: E402
from gistmeter.scores import ScoreColumn  # noqa: E402

if TYPE_CHECKING:
    from bench.trust.sets import CalibratedMetric

    from gistmeter.ranking.trust.tables import Table

TARGET = ROOT / "src/gistmeter/ranking/trust/data"
JudgedColumns = dict[str, tuple[ScoreColumn, list[JudgedScores]]]
COMMAND = "python scripts/fit_trust_tables.py"


def judge_columns(metric: CalibratedMetric, data: Path, scores: Path) -> JudgedColumns:
    """The columns of a metric, each with its scores and people's judgments on every set it has."""
    judged: JudgedColumns = {}
    for judged_set in metric.judged_sets():
        scored = sets.score_run(judged_set.run, metric.name, every=metric.every, data=data, folder=scores)
        study = sets.join_judgments(judged_set.run, scored, data=data)
        for column in metric.choose_columns(scored):
            first, of_column = judged.setdefault(column.name, (column, []))
            if sets.describe_measure(first.signature) != sets.describe_measure(column.signature):
                raise SystemExit(f"{column.name} is not the same measure on all datasets: {column.signature}")
            of_column.append(
                JudgedScores(
                    dataset=metric.dataset(judged_set),
                    scores=study[column.name],
                    judgments=study[judged_set.aspect],
                    bias=metric.bias(judged_set),
                )
            )
    return judged


def judge_twins(metric: CalibratedMetric, data: Path, scores: Path) -> JudgedColumns:
    """The columns of a metric that are, by design, those of others."""
    signature = plain_signature(parse_metric(metric.name))
    judged: JudgedColumns = {}
    for column, twin in metric.twins.items():
        twin_metric = sets.read_metrics()[twin.partition(".")[0]]
        of_twin, judged_scores = judge_columns(twin_metric, data, scores)[twin]
        name = f"{metric.name}.{column}"
        judged[name] = ScoreColumn(name, signature, of_twin.better), judged_scores
    return judged


def main() -> None:
    """Score, fit, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("metrics", nargs="*", metavar="METRIC", help="only these")
    parser.add_argument("--data", type=Path, default=sets.DATA)
    parser.add_argument("--scores", type=Path, default=sets.SCORES, help="where scores are and are written")
    parser.add_argument("--date", default=datetime.date.today().isoformat(), help="the date to write into the tables")
    parser.add_argument("--compare", action="store_true", help="print how the kinds of curve compare; write nothing")
    asked = parser.parse_args()
    losses: dict[str, list[float]] = {"logistic": [], "isotonic": []}
    for metric in sets.names(asked.metrics):
        started = time.perf_counter()
        judge = judge_twins if metric.twins else judge_columns
        judged = judge(metric, asked.data, asked.scores)
        if asked.compare:
            for column, judged_scores in judged.values():
                pairs = {
                    judged_set.dataset.name: system_pairs(judged_set.scores, judged_set.judgments, better=column.better)
                    for judged_set in judged_scores
                    if judged_set.dataset.pooled
                }
                if len(pairs) > 1:
                    for shape, of_shape in losses.items():
                        of_shape += [left_out.loss for left_out in leave_one_out(pairs, shape=shape)]
            continue
        options = FitOptions(command=COMMAND, date=asked.date)
        tables: list[Table] = [fit_table(column, judged_scores, options) for column, judged_scores in judged.values()]
        path = TARGET / f"{metric.name}.json.gz"
        write_tables(tables, path)
        print(f"{path.relative_to(ROOT)}: {len(tables)} scores, {time.perf_counter() - started:.0f} s", flush=True)
    if asked.compare:
        for shape, of_shape in losses.items():
            print(f"{shape}: mean log-loss of a dataset left out {np.mean(of_shape):.3f} (a coin: {np.log(2):.3f})")


if __name__ == "__main__":
    main()
