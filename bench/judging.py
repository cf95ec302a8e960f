"""Speed of judging content units: pairs a second, against a plain loop of transformers over the same pairs.

`python -m bench.judging`. One core, CPU seconds. The plain loop runs the same encoder with a classification head on
[summary, unit] in batches of 32, in the order of the data, as the authors' released code does.
"""

from __future__ import annotations

import logging
import os
import time
import warnings
from typing import TYPE_CHECKING

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("GISTMETER_THREADS", "1")

from gistmeter.demo import demo_run
from gistmeter.io.runs import open_run
from gistmeter.models.runtime.locate import locate
from gistmeter.units.judge import UnitJudge

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Pairs = Sequence[tuple[str, str]]

BATCH = 32


def main(most: int = 800) -> None:
    """Print the table."""
    warnings.simplefilter("ignore")
    logging.disable(logging.WARNING)
    pairs = _pairs(most)
    print(f"{len(pairs)} pairs of summary and unit, {len(set(pairs))} distinct; one core\n")
    print("| what | CPU seconds | pairs/s | ratio |\n| --- | --- | --- | --- |")
    runs: dict[str, Callable[[], object]] = {
        "transformers, plain loop, whole summaries": lambda: plain(pairs),
        "embedded-nli (two best sentences)": lambda: UnitJudge("embedded-nli").judge_pairs(pairs),
        "embedded judge": lambda: UnitJudge().judge_pairs(pairs),
    }
    first = 0.0
    for what, run in runs.items():
        start = time.process_time()
        run()
        taken = time.process_time() - start
        first = first or taken
        print(f"| {what} | {taken:.1f} | {len(pairs) / taken:.0f} | {first / taken:.1f}x |")


def plain(pairs: Pairs) -> None:
    """A classifier on the embedded encoder (its head's numbers do not matter for the time it takes)."""
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    folder = str(locate().folder)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForSequenceClassification.from_pretrained(folder, num_labels=3).eval()
    with torch.inference_mode():
        for start in range(0, len(pairs), BATCH):
            some = pairs[start : start + BATCH]
            first, second = ([pair[side] for pair in some] for side in (0, 1))
            model(**tokenizer(first, second, padding=True, truncation=True, max_length=512, return_tensors="pt"))


def _pairs(most: int) -> list[tuple[str, str]]:
    """Pairs of REALSumm where the research data is there, else of the example run."""
    from pathlib import Path

    data = Path(os.environ.get("GISTMETER_DATA", "../shared/data")) / "realsumm"
    if data.exists():
        run = open_run([data / "realsumm.jsonl.gz"], units=[data / "documents.jsonl.gz"])
    else:
        run = open_run([demo_run()])
    return [(one.summary, unit.text) for one in run.examples() for unit in one.units][:most]


if __name__ == "__main__":
    main()
