"""The engine: same scores by every road, resume without scoring twice, a cache that cannot be wrong."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

from gistmeter import Example, GistmeterWarning, Scores
from gistmeter.api import score
from gistmeter.errors import ArgumentError, DataError
from gistmeter.metrics import parse_metric
from gistmeter.scoring import resume as spool_module
from gistmeter.scoring.batch import Job
from gistmeter.scoring.cache import cache_path

METRICS = ["rouge1", "rougeLsum(stem=none)", "bleu"]


def write_run(path: Path, documents: int, systems=("a", "b")) -> Path:
    rng = np.random.default_rng(0)
    words = [f"word{i}" for i in range(300)]
    with path.open("w") as stream:
        for i in range(documents):
            reference = " ".join(rng.choice(words, 20))
            for system in systems:
                summary = " ".join(rng.choice(words, 15)) + " " + reference[:40]
                record = {"doc_id": f"d{i}", "system": system, "summary": summary, "references": [reference]}
                stream.write(json.dumps(record) + "\n")
    return path


@pytest.fixture
def run(tmp_path):
    return write_run(tmp_path / "run.jsonl", 1000)


@pytest.fixture
def scored(monkeypatch):
    """Counts the batches that are really scored."""
    counted = []
    plain = Job.score

    def counting(self, batch):
        counted.append(len(batch))
        return plain(self, batch)

    monkeypatch.setattr(Job, "score", counting)
    return counted


@pytest.mark.more
def test_memory_file_workers_and_formats_agree(run, tmp_path):
    expected = score(run, METRICS)
    for suffix in ("parquet", "jsonl", "csv"):
        written = score(run, METRICS, output=tmp_path / f"s.{suffix}", workers=2 if suffix == "parquet" else 1)
        assert_frame_equal(written.table, expected.table, check_exact=True)
        assert written.columns == expected.columns
        assert_frame_equal(Scores.read(tmp_path / f"s.{suffix}").table, expected.table, check_exact=True)


def test_two_workers_keep_the_order_and_pass_errors_on(run, tmp_path):
    with run.open("a") as stream:
        stream.write('{"doc_id": "x", "system": "a", "summary": "s"}\n')
    with pytest.raises(DataError, match=r"rouge1 needs `references`, but a/x \(line 2001 of .*run.jsonl\) has none"):
        score(run, "rouge1", output=tmp_path / "s.parquet", workers=2)
    assert not (tmp_path / "s.parquet").exists()


@pytest.mark.more
def test_an_interrupted_run_goes_on_and_scores_nothing_twice(run, tmp_path, monkeypatch, scored):
    monkeypatch.setattr(spool_module, "_PART_ROWS", 512)
    output = tmp_path / "s.parquet"
    plain = Job.score

    def stop_at_third(self, batch):
        if len(scored) == 2:
            raise KeyboardInterrupt
        return plain(self, batch)

    with monkeypatch.context() as patch:
        patch.setattr(Job, "score", stop_at_third)
        with pytest.raises(KeyboardInterrupt):
            score(run, METRICS, output=output, cache=False)
    assert not output.exists()
    assert scored == [512, 512]
    resumed = score(run, METRICS, output=output, cache=False)
    assert scored == [512, 512, 512, 464]
    assert_frame_equal(resumed.table, score(run, METRICS).table, check_exact=True)
    assert not list(tmp_path.glob(".s.parquet*"))


def test_a_changed_file_or_setting_is_scored_anew(run, tmp_path, monkeypatch, scored):
    monkeypatch.setattr(spool_module, "_PART_ROWS", 512)
    output = tmp_path / "s.parquet"
    with monkeypatch.context() as patch:
        patch.setattr("gistmeter.scoring.run.write_table", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            score(run, "rouge1", output=output, cache=False)
    del scored[:]
    lines = run.read_text().splitlines(keepends=True)
    lines[600] = lines[600].replace("word", "werd")
    run.write_text("".join(lines))
    changed = score(run, "rouge1", output=output, cache=False)
    assert scored == [512]  # the other parts are as they were
    assert_frame_equal(changed.table, score(run, "rouge1").table, check_exact=True)


def test_the_output_is_whole_or_absent(run, tmp_path, monkeypatch):
    output = tmp_path / "s.parquet"
    output.write_text("old")
    monkeypatch.setattr(
        pl.LazyFrame, "sink_parquet", lambda *_, **__: (_ for _ in ()).throw(OSError(28, "No space left"))
    )
    with pytest.raises(DataError, match=r"cannot write .*No space left"):
        score(run, "rouge1", output=output, replace=True)
    assert output.read_text() == "old"


@pytest.mark.parametrize("metric", ["rouge1", "bleu"])
def test_the_cache_gives_the_same_scores(run, monkeypatch, metric):
    plain = score(run, metric)
    first = score(run, metric, cache=True)
    assert cache_path().exists()
    calls = []
    with monkeypatch.context() as patch:
        patch.setattr(type(parse_metric(metric)), "score", lambda self, examples: calls.append(len(examples)))
        second = score(run, metric, cache=True)
    assert calls == []
    for cached in (first, second):
        assert_frame_equal(cached.table, plain.table, check_exact=True)


def test_the_cache_is_keyed_by_setting_and_content(run, tmp_path):
    score(run, "rouge1", cache=True)
    for other in ("rouge1(stem=none)", "rouge1(references=max)", "rouge2"):
        assert_frame_equal(score(run, other, cache=True).table, score(run, other).table, check_exact=True)
    run.write_text(run.read_text().replace("word1 ", "other "))
    assert_frame_equal(score(run, "rouge1", cache=True).table, score(run, "rouge1").table, check_exact=True)


def test_no_cache_writes_none(run, tmp_path):
    score(run, "rouge1", output=tmp_path / "s.parquet", cache=False)
    assert not cache_path().exists()


def test_a_broken_cache_is_no_obstacle(run):
    cache_path().parent.mkdir(parents=True, exist_ok=True)
    cache_path().write_bytes(b"this is not a database" * 100)
    assert_frame_equal(score(run, "rouge1", cache=True).table, score(run, "rouge1").table)


def test_the_cache_refuses_rows_of_another_width(run):
    score(run, "bleu", cache=True)
    with sqlite3.connect(cache_path()) as connection:
        connection.execute("UPDATE scores SET numbers = x'00'")
    assert_frame_equal(score(run, "bleu", cache=True).table, score(run, "bleu").table)


def test_a_summary_twice_is_a_mistake(tmp_path):
    run = tmp_path / "run.jsonl"
    run.write_text('{"doc_id": "d", "system": "a", "summary": "x", "reference": "x"}\n' * 2)
    with pytest.raises(DataError, match=r"line 2 of .*: document 'd' by system 'a' is there twice"):
        score(run, "rouge1")


def test_an_empty_run_is_a_mistake(tmp_path):
    (tmp_path / "run.jsonl").write_text("\n")
    with pytest.raises(DataError, match=r"there are no summaries in .*run.jsonl"):
        score(tmp_path / "run.jsonl", "rouge1")
    with pytest.raises(DataError, match="there are no summaries"):
        score([], "rouge1")


def test_empty_texts_are_said_once_with_their_count():
    examples = [
        Example(doc_id=str(i), system="a", summary=summary, references=(reference,))
        for i, (summary, reference) in enumerate([("", "x"), (" ", "x"), ("x", ""), ("x", "x y")])
    ]
    with pytest.warns(GistmeterWarning) as warned:
        scores = score(examples, ["rouge1", "rouge2"])
    assert [str(item.message) for item in warned] == [
        "2 of 4 summaries are empty: their scores of overlap are 0",
        "1 of 4 summaries have only empty references: scores against them are missing (NaN)",
    ]
    values = scores.table["rouge1.f1"].to_list()
    assert values[:2] == [0, 0]
    assert np.isnan(values[2])


def test_empty_documents_are_said_where_documents_are_read():
    examples = [
        Example(doc_id=str(i), system="a", summary="x", references=("x",), document=document)
        for i, document in enumerate(["", "x y", " "])
    ]
    with pytest.warns(GistmeterWarning) as warned:
        score(examples, "js")
    sentence = "2 of 3 summaries have an empty document: scores against it are missing (NaN)"
    assert [str(item.message) for item in warned] == [sentence]
    assert score(examples, "length").notes == ()  # which reads no document


def test_outputs_that_cannot_be_written_are_refused_before_scoring(run, tmp_path, scored):
    (tmp_path / "folder.parquet").mkdir()
    for path, message in {
        "s.xlsx": "name it .parquet, .jsonl or .csv",
        "none/s.parquet": "does not exist",
        "folder.parquet": "it is a folder",
    }.items():
        with pytest.raises(DataError, match=message):
            score(run, "rouge1", output=tmp_path / path)
    assert scored == []


@pytest.mark.slow
def test_kill_9_and_again(tmp_path):
    run = write_run(tmp_path / "run.jsonl", 40_000)
    output = tmp_path / "scores.parquet"
    command = [sys.executable, "-m", "gistmeter", "score", str(run), "-m", "rouge1,rougeLsum", "--no-cache"]
    command += ["-o", str(output), "--workers", "2"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, start_new_session=True)
    parts = tmp_path / ".scores.parquet.parts"
    deadline = time.monotonic() + 120
    while not list(parts.glob("part-*.parquet")) and time.monotonic() < deadline:
        time.sleep(0.02)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    retained = {path.name: path.stat().st_mtime_ns for path in parts.glob("part-*.parquet")}
    assert retained
    assert not output.exists()
    time.sleep(2)  # the orphaned workers notice and leave
    states = subprocess.run(
        ["ps", "-s", str(process.pid), "-o", "stat="], capture_output=True, text=True, check=False
    ).stdout.split()
    assert [state for state in states if not state.startswith("Z")] == []  # a zombie only waits to be reaped
    again = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "80,000 summaries" in again.stderr
    assert len(Scores.read(output)) == 80_000
    assert not parts.exists()


@pytest.mark.slow
def test_ctrl_c_keeps_what_is_done(tmp_path):
    run = write_run(tmp_path / "run.jsonl", 40_000)
    output = tmp_path / "scores.parquet"
    command = [
        sys.executable,
        "-m",
        "gistmeter",
        "score",
        str(run),
        "-m",
        "rouge1,rougeLsum",
        "-o",
        str(output),
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    parts = tmp_path / ".scores.parquet.parts"
    while not list(parts.glob("part-*.parquet")) and process.poll() is None:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "the same command goes on from there" in errors
    assert "Traceback" not in errors
    assert subprocess.run(command, capture_output=True, text=True, check=False).returncode == 0


THREADS_WHEN_NUMPY_IS_LOADED = """
import os, sys

class Watch:
    def find_spec(self, name, *_):
        if name == "numpy":
            print(os.environ["OPENBLAS_NUM_THREADS"])
            os._exit(0)

sys.meta_path.insert(0, Watch())
print("numpy is not loaded", flush=True)
import gistmeter.scoring.backends.preload
"""


@pytest.mark.parametrize(("asked", "threads"), [(None, "1"), ("3", "3")])
def test_workers_multiply_on_one_thread_each_unless_asked_otherwise(asked, threads):
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    environment |= {"OPENBLAS_NUM_THREADS": asked} if asked else {}
    command = [sys.executable, "-uc", THREADS_WHEN_NUMPY_IS_LOADED]
    printed = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    assert printed.splitlines() == ["numpy is not loaded", threads]


def test_wrong_workers_and_engines_are_named(tmp_path):
    example = Example(doc_id="1", system="a", summary="It rained.", references=("It rained a lot.",))
    for output in (None, tmp_path / "scores.parquet"):
        with pytest.raises(ArgumentError, match="`workers` is 1 or more, not 0"):
            score([example], "rouge1", workers=0, output=output)
        with pytest.raises(ValueError, match=r"`engine` cannot be .spark. .it is one of local, ray"):
            score([example], "rouge1", engine="spark", output=output)


@pytest.mark.more
def test_workers_find_the_compiled_loops_loaded():
    code = "import sys, gistmeter.scoring.backends.preload; print('gistmeter.metrics.overlap.rouge' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "True"
