"""Slow metrics save and show what is finished every few seconds, whatever the size of their batches."""

import json
import os
import queue
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

import gistmeter.cli.score as commands
from gistmeter.example import Example
from gistmeter.io.batches import join_batches
from gistmeter.io.runs import open_run
from gistmeter.metrics.metric import Column, Metric
from gistmeter.models.answering.spans import NO_ANSWER
from gistmeter.qa.answer_store import use_answer_store
from gistmeter.qa.cache import ANSWERS, ResultCache, ResultFormat
from gistmeter.scores import Scores
from gistmeter.scoring import pacing
from gistmeter.scoring.batch import ScoredBatch
from gistmeter.scoring.inputs import as_run
from gistmeter.scoring.run import Advance, ScoringInterrupted, score_in_memory, score_to_file

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


@pytest.mark.more
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


ASKING = """
import time
from dataclasses import dataclass
from pathlib import Path
import numpy as np
from gistmeter.metrics.metric import Column, Metric
from gistmeter.models.answering.spans import NO_ANSWER
from gistmeter.qa.cache import ANSWERS

LOG = Path("answered.txt")

def answer(pairs):
    lines = LOG.read_text().splitlines() if LOG.exists() else []
    if len(lines) >= 18 and not Path("go").exists():
        Path("waiting").touch()
        time.sleep(600)
    LOG.write_text("".join(f"{line}\\n" for line in [*lines, *map(repr, pairs)]))
    return [NO_ANSWER for _ in pairs]

@dataclass(frozen=True)
class Asking(Metric):
    name = "asking"
    needs = frozenset()
    columns = (Column("length", "its characters"),)
    slow = True

    def score(self, examples):
        ANSWERS.get_or_make(("test",), [(str(n), each.summary) for each in examples for n in range(5)], answer)
        return np.array([[float(len(each.summary))] for each in examples])
"""
"""A metric that asks five questions a summary; without a file `go` it stops for a long time after 18 of them."""


@pytest.mark.more
def test_ctrl_c_tells_what_is_kept_and_the_same_command_goes_on(tmp_path):
    (tmp_path / "asking.py").write_text(ASKING)
    summaries = ["word " * number for number in range(1, ROWS + 1)]
    rows = [{"doc_id": f"{number}", "system": "a", "summary": text} for number, text in enumerate(summaries)]
    (tmp_path / "run.jsonl").write_text("\n".join(map(json.dumps, rows)))
    paths = os.pathsep.join([str(tmp_path), *filter(None, [os.environ.get("PYTHONPATH")])])
    environment = {**os.environ, "GISTMETER_CACHE": str(tmp_path / "cache"), "PYTHONPATH": paths}
    command = [sys.executable, "-m", "gistmeter", "score", "run.jsonl", "-m", "asking:Asking", "-o", "s.parquet"]
    process = subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.PIPE, stdout=subprocess.PIPE)
    while not (tmp_path / "waiting").exists() and process.poll() is None:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=300)
    assert process.returncode == 130, errors
    answered = (tmp_path / "answered.txt").read_text().splitlines()
    import polars as pl

    finished = sum(len(pl.read_parquet(part)) for part in (tmp_path / ".s.parquet.parts").glob("part-*.parquet"))
    assert 0 < finished < ROWS
    message = f"kept: {finished} finished summaries and {len(answered)} new answers to questions; the same command"
    assert message in errors.decode()
    (tmp_path / "go").touch()
    subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, check=True, timeout=300)
    # Nothing that was answered is asked again, though the last answers are of summaries that were not finished.
    answered = (tmp_path / "answered.txt").read_text().splitlines()
    assert len(answered) == len(set(answered)) == 5 * ROWS
    assert Scores.read(tmp_path / "s.parquet").table.to_series(2).to_list() == list(map(len, summaries))


class Memory(dict):
    """An answer store."""

    def look_up(self, keys):
        return {key: self[key] for key in keys if key in self}

    def save(self, values, kind):
        self.update(values)


def test_answers_are_saved_while_others_are_still_made():
    cache = ResultCache("answer", ResultFormat(str.encode, lambda packed, _: packed.decode(), len), 1 << 20)
    contents = [(f"{number}",) for number in range(100)]
    sizes = []

    def make(missing):
        sizes.append(len(missing))
        if len(sizes) == 3:
            raise KeyboardInterrupt
        return ["answer" for _ in missing]

    store = Memory()
    with use_answer_store(store):
        with pytest.raises(KeyboardInterrupt):
            cache.get_or_make(("somebody",), contents, make)
        assert len(store) == 8 + 32
        cache.clear()  # as another process
        assert len(cache.get_or_make(("somebody",), contents, make)) == 100
    assert sizes == [8, 32, 60, 8, 32, 20]  # 40 are not asked again
    cache.clear()
    cache.get_or_make(("somebody",), contents, make)  # nothing is stored, so there is nothing to wait for
    assert sizes[6:] == [100]


@dataclass(frozen=True)
class Asking(Metric):
    """A metric that asks each summary twenty questions."""

    name: ClassVar = "asking"
    needs: ClassVar = frozenset()
    columns: ClassVar = (Column("length", "its characters"),)
    slow: ClassVar = True
    model_roles: ClassVar = frozenset({"answerer"})

    def score(self, examples):
        pairs = [(str(number), example.summary) for example in examples for number in range(20)]
        ANSWERS.get_or_make(("a test of progress",), pairs, lambda missing: [NO_ANSWER for _ in missing])
        return np.zeros((len(examples), 1))


@pytest.mark.parametrize("in_memory", [False, True])
@pytest.mark.parametrize("cache", [False, True])
def test_questions_are_counted_before_their_summary_is_finished(tmp_path, monkeypatch, cache, in_memory):
    monkeypatch.setenv("GISTMETER_CACHE", str(tmp_path / "cache"))
    ANSWERS.clear()
    steps = []
    if in_memory:
        score_in_memory(make_run(), {"asking": Asking()}, cache=cache, progress=steps.append)
    else:
        score_to_file(make_run(), {"asking": Asking()}, tmp_path / "s.parquet", cache=cache, progress=steps.append)
    assert steps[0].loads_models
    # The first two summaries have 40 questions: eight, then four times as many.
    assert [(step.rows, step.answers) for step in steps[1:4]] == [(0, 8), (0, 32), (2, 0)]
    assert sum(step.answers for step in steps) == 20 * ROWS
    assert sum(step.rows for step in steps) == ROWS


def test_a_pipe_is_told_that_models_are_loaded(monkeypatch):
    monkeypatch.setattr(commands, "FIRST_LINE_SECONDS", 0.0)
    lines = queue.SimpleQueue()
    monkeypatch.setattr(commands.o, "say", lines.put)
    with commands.progress_bar(100) as progress:
        progress(Advance(rows=0, read_bytes=0, loads_models=True))
        assert lines.get(timeout=60) == "scoring: loading models"
        progress(Advance(rows=0, read_bytes=0, answers=8))
        assert lines.get(timeout=0) == "scoring: 0 summaries, 8 questions answered"
