"""Ctrl-C while workers score: what is kept is told in full, and a second Ctrl-C ends them at once."""

import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

import gistmeter.cli.score as commands
from gistmeter.example import Example
from gistmeter.metrics.metric import Column, Metric
from gistmeter.models.answering.spans import NO_ANSWER
from gistmeter.qa.cache import ANSWERS
from gistmeter.scoring import run as scoring
from gistmeter.scoring.backends.processes import BatchesAbandoned, score_in_processes
from gistmeter.scoring.batch import Job
from gistmeter.scoring.inputs import as_run
from gistmeter.scoring.resume import _is_running
from gistmeter.scoring.run import ScoringInterrupted, score_to_file


@dataclass(frozen=True)
class Asking(Metric):
    """A metric that asks each summary five questions."""

    name: ClassVar = "asking"
    needs: ClassVar = frozenset()
    columns: ClassVar = (Column("length", "its characters"),)
    slow: ClassVar = True

    def score(self, examples):
        pairs = [(str(number), example.summary) for example in examples for number in range(5)]
        ANSWERS.get_or_make(("interrupted",), pairs, lambda missing: [NO_ANSWER for _ in missing])
        return np.array([[float(len(example.summary))] for example in examples])


@dataclass(frozen=True)
class Sleeping(Asking):
    """A metric that takes its time."""

    name: ClassVar = "sleeping"

    def score(self, examples):
        time.sleep(600)
        return np.zeros((len(examples), 1))


def make_run(rows=6):
    return as_run([Example(doc_id=f"{number}", system="a", summary="word " * number) for number in range(1, rows + 1)])


@pytest.mark.more
@pytest.mark.parametrize("stop", [KeyboardInterrupt, BatchesAbandoned])
def test_what_workers_finished_out_of_turn_is_told(stop, tmp_path, monkeypatch):
    """The second of three batches is finished when the first still runs: its two summaries and ten answers are kept."""
    ANSWERS.clear()

    def score_the_second(job, batches, *, workers, engine, note_finished):
        [_, second, *_] = batches
        note_finished(second, job.score(second))
        raise stop
        yield

    monkeypatch.setattr(scoring, "score_batches", score_the_second)
    for cache, summaries, answers in ((True, 2, 10), (False, 2, 0)):
        with pytest.raises(ScoringInterrupted) as stopped:
            score_to_file(make_run(), {"asking": Asking()}, tmp_path / f"{cache}.parquet", workers=2, cache=cache)
        interruption = stopped.value
        assert (interruption.summaries, interruption.answers) == (summaries, answers)
        assert interruption.more_answers == (cache and stop is BatchesAbandoned)
        ANSWERS.clear()


def test_ctrl_c_while_the_output_is_written_keeps_all(tmp_path, monkeypatch):
    def stop(*values):
        raise KeyboardInterrupt

    monkeypatch.setattr(scoring, "write_table", stop)
    with pytest.raises(ScoringInterrupted) as stopped:
        score_to_file(make_run(), {"asking": Asking()}, tmp_path / "s.parquet", cache=False)
    assert stopped.value.summaries == 6
    assert list((tmp_path / ".s.parquet.parts").glob("part-*.parquet"))


def test_the_sentence_says_new_answers_and_at_least(tmp_path, capsys):
    for more, words in ((False, "3 finished summaries and 1 new answer"), (True, "and at least 1 new answer")):
        with pytest.raises(Exception, match="130"), commands.explain_interrupt(tmp_path / "s.parquet"):
            raise ScoringInterrupted(summaries=3, answers=1, more_answers=more)
        assert words in capsys.readouterr().err


@pytest.mark.more
def test_a_second_ctrl_c_ends_workers_in_the_middle(monkeypatch):
    run = make_run(2)
    workers = []

    def stop(self, *, wait, cancel_futures):
        workers.extend(self._processes)
        raise KeyboardInterrupt

    batches = run.batches(1)

    def interrupt_after_one():
        yield next(batches)
        raise KeyboardInterrupt

    job = Job({"sleeping": Sleeping()}, run.defaults)
    with monkeypatch.context() as patched:
        patched.setattr(ProcessPoolExecutor, "shutdown", stop)
        with pytest.raises(BatchesAbandoned):
            list(score_in_processes(job, interrupt_after_one(), 2))
    deadline = time.monotonic() + 60
    while any(_is_running(str(worker)) for worker in workers) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert workers
    assert not any(_is_running(str(worker)) for worker in workers)
