"""`python -m bench.memory [ROWS]`: peak memory of scoring a long stream (goal: one million pairs under 500 MB)."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench.__main__ import write_repeated
from bench.pairs import timed_pairs


def main(rows: int, workers: int) -> None:
    """Score a generated file in a process of its own and read its peak from the system."""
    _, pairs = timed_pairs()
    with tempfile.TemporaryDirectory() as folder:
        run = Path(folder) / "run.jsonl"
        write_repeated(run, pairs, rows)
        command = [sys.executable, "-m", "gistmeter", "score", str(run), "-m", "rouge1,rouge2,rougeLsum"]
        start = time.perf_counter()
        subprocess.run(
            [*command, "-o", f"{folder}/scores.parquet", "--workers", str(workers)],
            check=True,
            env={**os.environ, "GISTMETER_CACHE": folder},
        )
        taken = time.perf_counter() - start
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
        size = run.stat().st_size / 1e6
    print(f"{rows:,} pairs ({size:,.0f} MB) in {taken:,.0f} s with {workers} worker(s): peak {peak:,.0f} MB")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000, int(sys.argv[2]) if len(sys.argv) > 2 else 1)
