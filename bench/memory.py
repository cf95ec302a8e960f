"""`python -m bench.memory [ROWS] [WORKERS]`: memory and seconds of scoring a long stream.

The goal is a million pairs with two workers within 700 MB over all processes, and 100 seconds on two quiet cores. Pages
that several processes share count once: what is added up is the proportional share of each (Linux). CPU seconds do not
depend on what else a machine does; the seconds of a clock do.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bench.__main__ import write_repeated
from bench.pairs import timed_pairs

if TYPE_CHECKING:
    from collections.abc import Iterator

SAMPLE_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class Usage:
    """What a command took: seconds by the clock and of cores, and at most so many megabytes over all its processes."""

    seconds: float
    cpu_seconds: float
    megabytes: float


def measure_command(command: list[str], environment: dict[str, str]) -> Usage:
    """Run a command, and look again and again at the memory of all its processes."""
    start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.Popen(command, env=environment)
    most = workers_cpu = 0.0
    while process.poll() is None:
        processes = list(list_processes(process.pid))
        most = max(most, sum(map(read_megabytes, processes)))
        # The fork server's children are not waited for by this process: their seconds are read while they live.
        workers_cpu = max(workers_cpu, sum(map(read_cpu_seconds, processes[1:])))
        time.sleep(SAMPLE_SECONDS)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    own_cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Usage(time.perf_counter() - start, own_cpu + workers_cpu, most)


def list_processes(process: int) -> Iterator[int]:
    """A process and all that it started."""
    yield process
    for file in Path(f"/proc/{process}/task").glob("*/children"):
        try:
            children = file.read_text().split()
        except OSError:  # it has ended
            continue
        for child in children:
            yield from list_processes(int(child))


def read_megabytes(process: int) -> float:
    """The memory of a process; of pages that it shares, its part."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


def read_cpu_seconds(process: int) -> float:
    """The seconds of cores that a process has used."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main(rows: int, workers: int) -> None:
    """Score a generated file."""
    _, pairs = timed_pairs()
    with tempfile.TemporaryDirectory() as folder:
        run = Path(folder) / "run.jsonl"
        write_repeated(run, pairs, rows)
        command = [sys.executable, "-m", "gistmeter", "score", str(run), "-m", "rouge1,rouge2,rougeLsum"]
        command += ["-o", f"{folder}/scores.parquet", "--workers", str(workers)]
        usage = measure_command(command, {**os.environ, "GISTMETER_CACHE": folder})
        size = run.stat().st_size / 1e6
    print(
        f"{rows:,} pairs ({size:,.0f} MB) with {workers} worker(s): {usage.seconds:,.0f} s, "
        f"{usage.cpu_seconds:,.0f} s of cores, at most {usage.megabytes:,.0f} MB over all processes"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000, int(sys.argv[2]) if len(sys.argv) > 2 else 2)
