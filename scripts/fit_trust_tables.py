"""Fit the calibration tables of `gistmeter trust` to human judgments, with gistmeter's own scores.

python scripts/fit_trust_tables.py [--data ../shared/data] [--date 2026-01-31] [--compare]

Writes src/gistmeter/trust/data/<metric>.json. The same data, seed and date give the same bytes. No text and no score
of a single summary goes into a table: only slopes, counts and shares. `--compare` writes nothing and prints the
leave-one-dataset-out log-loss of the two kinds of curve.

Not calibrated, on purpose: BLEU and chrF, which heed case, because in these datasets some systems write lower case and
some do not, so that agreement would measure typography; METEOR, whose signature names the WordNet of one machine.
"""

from __future__ import annotations

import argparse
import dataclasses
import datetime
import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.api import read_run, score
from gistmeter.judgments import Judgments
from gistmeter.meta.study import Study
from gistmeter.ranking.trust.calibration import SUBSETS, People, calibrate, system_pairs
from gistmeter.ranking.trust.tables import (
    Dataset,
    PeopleTable,
    Provenance,
    Table,
    round_calibration,
    round_to_file_digits,
    write_tables,
)
from gistmeter.ranking.trust.transfer import LeftOut, PooledSlopes, leave_one_out, pool_slopes
from gistmeter.signature import without_version
from gistmeter.version import __version__

if TYPE_CHECKING:
    from gistmeter.ranking.trust.calibration import SystemPairs
    from gistmeter.scores import Better, Scores

METRICS = ("rouge1", "rouge2", "rougeL", "rougeLsum", "content")
COLUMNS = ("f1", "recall")
PEOPLE: tuple[People, ...] = ("all", "significant")
RESAMPLES, CONFIDENCE, SEED = 2000, 0.95, 0
TARGET = Path(__file__).resolve().parent.parent / "src/gistmeter/trust/data"

EXPERTS = "CNN/DM news, relevance rated 1-5 by 3 experts (Fabbri et al., 2021)"
UNITS = "{}, share of the reference's content units that crowd workers find in the summary ({})"
SETS = {
    Dataset("SummEval", "relevance", EXPERTS, references=1): "summeval/summeval.jsonl.gz",
    Dataset(
        "REALSumm", "litepyramid_recall", UNITS.format("CNN/DM news", "Bhandari et al., 2020"), references=1
    ): "realsumm/realsumm.jsonl.gz",
    Dataset(
        "PyrXSum", "litepyramid_recall", UNITS.format("XSum news", "Zhang and Bansal, 2021"), references=1
    ): "pyrxsum/pyrxsum.jsonl.gz",
    # The same people and summaries once more: shown, but not counted twice in the pooled answer.
    Dataset("SummEval-11", "relevance", EXPERTS, references=11, pooled=False): "summeval/summeval.jsonl.gz",
}


def judged(data: Path, dataset: Dataset) -> tuple[Scores, Study]:
    """A dataset scored with all metrics against its first references, and joined with its judgments."""
    path = data / SETS[dataset]
    examples = [dataclasses.replace(one, references=one.references[: dataset.references]) for one in read_run(path)]
    if any(len(one.references) != dataset.references for one in examples):
        raise SystemExit(f"{path} does not have {dataset.references} references throughout")
    scores = score(examples, METRICS)
    return scores, Study.join(scores, Judgments.read(path))


def fitted(name: str, scored: dict[Dataset, tuple[Scores, Study]], made: Provenance) -> Table:
    """The table of one column."""
    described = [scores.column(name) for scores, _ in scored.values()]
    signatures = {without_version(column.signature) for column in described}
    if len(signatures) > 1:
        raise SystemExit(f"{name} is not the same measure on all datasets: {signatures}")
    column = described[0]
    people: dict[People, PeopleTable] = {}
    for chosen in PEOPLE:
        found = {
            dataset: calibrate(
                matrices[name],
                matrices[dataset.aspect],
                better=column.better,
                people=chosen,
                resamples=RESAMPLES,
                confidence=CONFIDENCE,
                seed=SEED,
            )
            for dataset, (_, matrices) in scored.items()
        }
        together = [calibration for dataset, calibration in found.items() if dataset.pooled]
        counts = [*SUBSETS, min(one.documents for one in together)]
        people[chosen] = PeopleTable(
            tuple(round_calibration(dataset, calibration) for dataset, calibration in found.items()),
            tuple(
                PooledSlopes(one.documents, round_to_file_digits(one.low), round_to_file_digits(one.high))
                for one in pool_slopes(together, documents=counts, confidence=CONFIDENCE)
            ),
            tuple(_rounded(one) for one in leave_one_out(_pairs(name, scored, chosen, column.better))),
        )
    return Table(column.metric, signatures.pop(), column.short, column.better, 1.0, made, people)


def _pairs(
    name: str, scored: dict[Dataset, tuple[Scores, Study]], chosen: People, better: Better
) -> dict[str, SystemPairs]:
    return {
        dataset.name: system_pairs(matrices[name], matrices[dataset.aspect], better=better, people=chosen, seed=SEED)
        for dataset, (_, matrices) in scored.items()
        if dataset.pooled
    }


def _rounded(one: LeftOut) -> LeftOut:
    numbers = (round_to_file_digits(value) for value in (one.loss, one.own_loss, one.predicted, one.observed))
    return LeftOut(one.dataset, *numbers)


def main() -> None:
    """Score, fit, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("GISTMETER_DATA", "../shared/data")))
    parser.add_argument("--date", default=datetime.date.today().isoformat(), help="the date to write into the tables")
    parser.add_argument("--compare", action="store_true", help="print how the kinds of curve compare; write nothing")
    asked = parser.parse_args()
    started = time.perf_counter()
    scored = {dataset: judged(asked.data, dataset) for dataset in SETS}
    names = {metric: [f"{metric}.{column}" for column in COLUMNS] for metric in METRICS}
    if asked.compare:
        for shape in ("logistic", "isotonic"):
            losses = [
                [one.loss for one in leave_one_out(_pairs(name, scored, "all", "higher"), shape=shape)]
                for columns in names.values()
                for name in columns
            ]
            print(f"{shape}: mean log-loss of a dataset left out {np.mean(losses):.3f} (a coin: {np.log(2):.3f})")
        return
    made = Provenance("python scripts/fit_trust_tables.py", asked.date, __version__, RESAMPLES, CONFIDENCE, SEED)
    TARGET.mkdir(exist_ok=True)
    for metric, columns in names.items():
        write_tables([fitted(name, scored, made) for name in columns], TARGET / f"{metric}.json")
        print(f"{TARGET / metric}.json")
    print(f"{time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()
