"""Slow metrics save and show what is finished every few seconds, whatever the size of their batches."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from gistmeter.example import Example
from gistmeter.io.batches import join_batches
from gistmeter.io.runs import open_run
from gistmeter.metrics.metric import Column, Metric
from gistmeter.scores import Scores
from gistmeter.scoring import pacing
from gistmeter.scoring.batch import ScoredBatch
from gistmeter.scoring.inputs import as_run
from gistmeter.scoring.run import ScoringInterrupted, score_in_memory, score_to_file

ROWS = 40


@dataclass(frozen=True)
class Slow(Metric):
    """The length of a summary, after a while; it stops where it is told to."""

    name: ClassVar = "slow"
    needs: ClassVar = frozenset()
    columns: ClassVar = (Column("length", "its characters"),)
    slow: ClassVar = True
    sizes: ClassVar[list[int]] = []
    stop_at: ClassVar[int | None] = None

    def score(self, examples):
        type(self).sizes.append(len(examples))
        if self.stop_at is not None and sum(self.sizes) > self.stop_at:
            raise KeyboardInterrupt
        return np.array([[float(len(example.summary))] for example in examples])


@pytest.fixture
def slow(monkeypatch):
    """The metric, whose batches are said to take half a second a summary."""
    monkeypatch.setattr(Slow, "sizes", [])
    original = pacing.Pace.learn

    def learn(self, scored):
        scored.seconds = 0.5 * len(scored.doc_ids)
        original(self, scored)

    monkeypatch.setattr(pacing.Pace, "learn", learn)
    return Slow()


def make_run():
    return as_run([Example(doc_id=f"{number}", system="a", summary="word " * number) for number in range(1, ROWS + 1)])


def test_batches_take_a_few_seconds(slow):
    scores = score_in_memory(make_run(), {"slow": slow})
    # Two to begin with; then 3 seconds of half a second each.
    assert slow.sizes == [2, *[6] * 6, 2]
    assert scores.table["slow.length"].to_list() == [5.0 * number for number in range(1, ROWS + 1)]


def test_a_quick_metric_soon_has_large_batches():
    pace = pacing.Pace()
    sizes = []
    for _ in range(6):
        sizes.append(pace.rows)
        batch = ScoredBatch([""] * pace.rows, [], None, np.empty((0, 0)), {}, {}, [], seconds=0.001)
        pace.learn(batch)
    assert sizes == [2, 8, 32, 128, 256, 256]


def test_what_is_finished_is_kept_and_told_exactly(slow, tmp_path, monkeypatch):
    output = tmp_path / "s.parquet"
    monkeypatch.setattr(Slow, "stop_at", 20)
    with pytest.raises(ScoringInterrupted) as stopped:
        score_to_file(make_run(), {"slow": slow}, output, cache=False)
    assert (stopped.value.summaries, stopped.value.answers) == (20, 0)  # 2 + 3 * 6
    assert not output.exists()
    monkeypatch.setattr(Slow, "stop_at", 0)
    with pytest.raises(ScoringInterrupted) as stopped_again:  # before anything new is finished
        score_to_file(make_run(), {"slow": slow}, output, cache=False)
    assert stopped_again.value.summaries == 20
    monkeypatch.setattr(Slow, "stop_at", None)
    monkeypatch.setattr(Slow, "sizes", [])
    monkeypatch.setattr(pacing, "FIRST_ROWS", 7)  # batches of other sizes than before
    steps = []
    score_to_file(make_run(), {"slow": slow}, output, cache=False, progress=steps.append)
    assert sum(slow.sizes) == 20
    assert sum(step.rows for step in steps if step.resumed) == 20
    assert Scores.read(output).table["slow.length"].to_list() == [5.0 * number for number in range(1, ROWS + 1)]


def test_joined_batches_are_what_a_larger_batch_is(tmp_path):
    lines = [json.dumps({"doc_id": f"{number}", "summary": "Rain."}) for number in range(5)]
    (tmp_path / "a.jsonl").write_text("\n".join([*lines[:2], "", *lines[2:]]))
    run = open_run([tmp_path / "a.jsonl"])
    whole = next(run.batches(5))
    joined = join_batches(list(run.batches(1)))
    assert joined.content() == whole.content()
    assert joined.examples(run.defaults) == whole.examples(run.defaults)
    assert [joined.locations.describe(index) for index in range(5)] == [
        whole.locations.describe(index) for index in range(5)
    ]
    assert joined.read_bytes == whole.read_bytes


@pytest.mark.more
def test_ctrl_c_tells_what_is_kept_and_the_same_command_goes_on(tmp_path):
    from gistmeter.demo import demo_run

    environment = {**os.environ, "GISTMETER_CACHE": str(tmp_path / "cache")}
    command = [sys.executable, "-m", "gistmeter", "score", str(demo_run()), "-m", "qags", "-o", "s.parquet"]
    process = subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.PIPE, stdout=subprocess.PIPE)
    parts = tmp_path / ".s.parquet.parts"
    deadline = time.monotonic() + 300
    while not list(parts.glob("part-*.parquet")) and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    message = re.search(r"kept: (\d+) finished summar(?:y|ies) and ([\d,]+) answers? to questions", errors.decode())
    assert message, errors
    import polars as pl

    summaries = sum(len(pl.read_parquet(part)) for part in parts.glob("part-*.parquet"))
    assert 0 < summaries == int(message[1])
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, check=True, timeout=300)
    assert b"60 summaries scored" in done.stderr
    assert len(Scores.read(tmp_path / "s.parquet")) == 60
