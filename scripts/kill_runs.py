"""Kill scoring again and again: the output must come out byte for byte as if nothing had happened.

    python scripts/kill_runs.py --kills 40 --workers 2

A run of so many summaries is scored into a file by a process with workers of its own, which is killed (SIGKILL) after a
time drawn with the seed, and started again, until so many kills have hit. The start that finishes must take over every
summary that the parts on disk hold: nothing is scored twice. Prints a line for each trial, and exits with 1 where one
failed.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

METRICS = "rouge1,rougeLsum"
CHILD = """
import json, sys
from pathlib import Path
from gistmeter.io.runs import open_run
from gistmeter.metrics.registry import parse_metrics
from gistmeter.scoring.run import score_to_file
resumed = 0
def note(advance):
    global resumed
    resumed += advance.rows if advance.resumed else 0
run, metrics, output, workers = open_run([sys.argv[1]]), parse_metrics(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4])
score_to_file(run, metrics, output, workers=workers, cache=False, progress=note)
print(json.dumps({"resumed": resumed}))
"""


@dataclass(frozen=True, slots=True)
class Trial:
    """A run that was killed some times and then finished."""

    kills: int
    parts: int
    """Parts on disk before the start that finished."""
    stored_rows: int
    """Summaries that these parts hold."""
    resumed_rows: int
    """Summaries that the last start took over from them."""
    identical: bool
    """Whether the output is that of a run that nobody killed."""

    @property
    def is_good(self) -> bool:
        """Whether nothing was scored twice and nothing came out otherwise."""
        return self.identical and self.stored_rows == self.resumed_rows


def write_run(path: Path, summaries: int) -> Path:
    """A run of invented summaries."""
    draw = random.Random(0)
    words = [f"word{number}" for number in range(500)]
    with path.open("w", encoding="utf-8") as stream:
        for number in range(summaries):
            reference = draw.choices(words, k=60)
            summary = [*draw.choices(words, k=25), *reference[:20]]
            record = {"doc_id": f"d{number // 2}", "system": "ab"[number % 2], "summary": " ".join(summary)}
            stream.write(json.dumps({**record, "references": [" ".join(reference)]}) + "\n")
    return path


def start(run: Path, output: Path, workers: int) -> subprocess.Popen[str]:
    """Score the run in a process of its own."""
    command = [sys.executable, "-c", CHILD, str(run), METRICS, str(output), str(workers)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def try_kills(run: Path, expected: bytes, folder: Path, *, kills: int, workers: int, rng: random.Random) -> Trial:
    """Kill a run so many times, each time a while after its first part is there, then let it finish."""
    output = folder / "scores.parquet"
    parts = folder / ".scores.parquet.parts"
    done = 0
    for _ in range(kills):
        process = start(run, output, workers)
        before = set(parts.glob("part-*.parquet"))
        deadline = time.monotonic() + 300
        while process.poll() is None and set(parts.glob("part-*.parquet")) == before and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(rng.random() * 0.6)
        if process.poll() is None:
            os.kill(process.pid, signal.SIGKILL)
            done += 1
        process.communicate()
    if output.exists():  # the last one was quicker than its killer
        return Trial(kills=done, parts=0, stored_rows=0, resumed_rows=0, identical=output.read_bytes() == expected)
    stored = {path: count_rows(path) for path in parts.glob("part-*.parquet")}
    process = start(run, output, workers)
    printed, _ = process.communicate()
    return Trial(
        kills=done,
        parts=len(stored),
        stored_rows=sum(stored.values()),
        resumed_rows=json.loads(printed)["resumed"],
        identical=output.read_bytes() == expected,
    )


def count_rows(path: Path) -> int:
    """How many summaries a part holds."""
    import polars as pl

    return pl.scan_parquet(path, glob=False).select(pl.len()).collect().item()


def main() -> int:
    """Kill runs until there were enough kills."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=40)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--summaries", type=int, default=40_000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    rng = random.Random(given.seed)
    killed = failed = trials = 0
    with tempfile.TemporaryDirectory() as folder:
        run = write_run(Path(folder) / "run.jsonl", given.summaries)
        undisturbed = Path(folder) / "expected.parquet"
        start(run, undisturbed, given.workers).communicate()
        expected = undisturbed.read_bytes()
        while killed < given.kills:
            trials += 1
            trial_folder = Path(folder) / f"trial{trials}"
            trial_folder.mkdir()
            trial = try_kills(run, expected, trial_folder, kills=rng.randint(1, 3), workers=given.workers, rng=rng)
            killed += trial.kills
            failed += not trial.is_good
            print(trial, flush=True)
    print(
        f"{trials} runs, killed {killed} times: {trials - failed} byte-identical with nothing scored twice, "
        f"{failed} not"
    )
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
