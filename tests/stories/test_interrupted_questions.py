"""Slow metrics, interrupted again and again: the file is that of a run that nobody interrupted."""

import json
import os
import re
import signal
import subprocess
import sys

import pytest

from gistmeter.demo import demo_run

FINISHED = re.compile(r"(?<!\d)[1-9][\d,]* (?:summar|question|answer)")
LONGEST_SECONDS = 3600


def score(run, output, cache, *, interrupt):
    """Score a run in a process of its own; Ctrl-C once something is finished, if asked. Gives exit code and lines."""
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache), "OMP_NUM_THREADS": "1"}
    words = [sys.executable, "-m", "gistmeter", "score", str(run), "-m", "qags,questeval", "-o", str(output)]
    # A shell that starts the tests in the background has them ignore Ctrl-C, and what they start would ignore it, too.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=environment)
    signal.signal(signal.SIGINT, before)
    lines = []
    for line in process.stderr:
        lines.append(line)
        if interrupt and FINISHED.search(line):
            process.send_signal(signal.SIGINT)
            interrupt = False
    return process.wait(LONGEST_SECONDS), "".join(lines)


@pytest.mark.slow
def test_the_whole_demo_by_questions_is_resumed_to_the_same_file(tmp_path):
    assert_resumed_alike(demo_run(), tmp_path, interruptions=3)


@pytest.mark.slow
def test_two_documents_by_questions_are_resumed_to_the_same_file(tmp_path):
    """A quarter of the whole demo's time: 82 CPU seconds for all runs, of 156."""
    lines = demo_run().read_text().splitlines(keepends=True)
    documents = sorted({json.loads(line)["doc_id"] for line in lines})[:2]
    run = tmp_path / "run.jsonl"
    run.write_text("".join(line for line in lines if json.loads(line)["doc_id"] in documents))
    assert_resumed_alike(run, tmp_path, interruptions=3)


@pytest.mark.slow
def test_two_summaries_by_questions_is_resumed_to_the_same_file(tmp_path):
    run = tmp_path / "run.jsonl"
    run.write_text("".join(demo_run().read_text().splitlines(keepends=True)[:2]))
    assert_resumed_alike(run, tmp_path, interruptions=1)


def assert_resumed_alike(run, folder, *, interruptions):
    whole, resumed = folder / "whole.parquet", folder / "resumed.parquet"
    for _ in range(interruptions):
        code, lines = score(run, resumed, folder / "cache", interrupt=True)
        assert code == 130, lines
        assert re.search(r"[1-9][\d,]* (?:new )?(?:summar|answer)", lines.splitlines()[-1]), lines  # what is kept
        assert not resumed.exists()
    assert score(run, resumed, folder / "cache", interrupt=False)[0] == 0
    assert score(run, whole, folder / "another cache", interrupt=False)[0] == 0
    assert resumed.read_bytes() == whole.read_bytes()
