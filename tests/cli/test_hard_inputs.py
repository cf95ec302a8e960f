"""The edges of a machine: standard input, pipes, long names, full and read-only disks. One sentence each."""

import errno
import io
import json
import os
import sys
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest

from gistmeter.errors import DataError, GistmeterError
from gistmeter.io import atomic

RUN = (
    '{"doc_id": "1", "system": "a", "summary": "It rained.", "references": ["It rained."], "document": "It rained."}\n'
)
LONG = "x" * 5000


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "run.jsonl").write_text(RUN)
    (tmp_path / "lines.txt").write_text("It rained.\n")
    nested = "[" * 5000 + "]" * 5000
    (tmp_path / "nested.csv").write_text(f'doc_id,system,summary,reference\n1,a,x,"{nested}"\n')
    os.mkfifo(tmp_path / "pipe.jsonl")
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(RUN.encode())))
    return tmp_path


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("score - -", "- is standard input, which can be read once"),
        ("score run.jsonl --references - --documents -", "- is standard input, which can be read once"),
        ("probe rerank - -m js --candidates -", "- is standard input, which can be read once"),
        ("probe rerank - -m js --judgments -", "- is standard input, which can be read once"),
        ("score --summaries - --references lines.txt", "with --summaries lines of all files are counted first"),
        ("score --summaries a=lines.txt --references -", "with --summaries lines of all files are counted first"),
        ("score pipe.jsonl", "pipe.jsonl: it is a pipe or a device"),
        ("score run.jsonl --references pipe.jsonl", "it is a pipe or a device"),
        ("score run.jsonl -m qaeval(people=pipe.jsonl)", "it is a pipe or a device"),
        ("rank pipe.jsonl", "it is a pipe or a device"),
        ("meta correlate pipe.jsonl", "it is a pipe or a device"),
        ("score /dev/null", "it is a pipe or a device"),
        (f"score {LONG}.jsonl", "File name too long"),
        (f"score run.jsonl --references {LONG}", "File name too long"),
        (f"rank {LONG}.parquet", "File name too long"),
        (f"meta correlate {LONG}.json", "File name too long"),
        (f"human quality {LONG}", "File name too long"),
        (f"score run.jsonl -o {LONG}.csv", "File name too long"),
        (f"units mix -o u.jsonl --plan {LONG} --units run.jsonl", "File name too long"),
        ("score run.jsonl --workers 99999999", "--workers is at least 1 and at most 1,024, not 99999999"),
        ("score run.jsonl --language dothraki", "unknown language 'dothraki'"),
        ("score run.jsonl --language englsh", "did you mean English (en)?"),
        ("score run.jsonl --language 12", "unknown language '12'"),
        ("models recommended --language dothraki", "unknown language"),
        (f"score run.jsonl -m {'focus(metric=' * 1000}rouge1{')' * 1000}", "nested 1,000 deep"),
    ],
)
def test_one_sentence(command, folder, words, sentence):
    code, output, errors = command(*words.split())
    assert (code, output, errors.count("\n")) == (2, "", 1)
    assert sentence in errors


@pytest.mark.parametrize(
    "words",
    [
        "probe attack run.jsonl -m js --resamples 99999999999",
        "rank run.jsonl --resamples 99999999999",
        "compare run.jsonl a b --permutations 99999999999",
        "meta stability run.jsonl --trials 99999999999",
        "human gold run.jsonl --rounds 99999999999",
        "annotate serve study --open 99999999999",
        "score run.jsonl -m bertscore --threads 99999999999",
    ],
)
def test_a_number_that_would_run_without_an_end_is_refused(command, folder, words):
    code, output, errors = command(*words.split())
    assert (code, output) == (2, "")
    assert f"'{words.split()[-2]}'" in errors  # which option, and the most it takes
    assert any(most in errors for most in ("10000000", "10000", "1024"))


def test_brackets_in_a_cell_are_text(command, folder):
    assert command("score", "nested.csv", "-m", "rouge1")[0] == 0  # no list of references, whatever its depth


def test_standard_input_alone_still_works(command, folder):
    assert command("score", "-", "-m", "rouge1")[0] == 0


def test_workers_and_engines_are_checked_in_python():
    import gistmeter as gm

    run = [gm.Example(doc_id="1", system="a", summary="x", references=("x",))]
    for arguments in ({"workers": 0}, {"workers": -1}, {"engine": "spark"}):
        with pytest.raises(GistmeterError):
            gm.score(run, "rouge1", **arguments)


@pytest.mark.parametrize("suffix", [".parquet", ".csv", ".html"])
def test_a_name_with_a_null_character_is_refused(tmp_path, suffix):
    with pytest.raises(DataError, match="null character"):
        atomic.check_output(tmp_path / f"s\0{suffix}")


FAILURES = [OSError(errno.ENOSPC, "No space left on device"), OSError(errno.EROFS, "Read-only file system")]


@pytest.mark.parametrize("failure", FAILURES, ids=["full", "read-only"])
@pytest.mark.parametrize(
    "words",
    [
        "score run.jsonl -m rouge1 -o s.parquet",
        "score run.jsonl -m rouge1 -o s.csv",
        "score run.jsonl -m rouge1 -o s.jsonl",
        "score run.jsonl -m rouge1 --report r.html",
        "human standardise judged.jsonl -o z.jsonl",
    ],
)
def test_no_writer_fails_with_more_than_a_sentence(command, folder, monkeypatch, words, failure):
    people = [
        {"doc_id": "1", "system": system, "rater": "r", "aspect": "x", "value": len(system)} for system in ("a", "bb")
    ]
    (folder / "judged.jsonl").write_text("".join(json.dumps(judgment) + "\n" for judgment in people))
    table = {
        "doc_id": ["1", "2", "3"],
        "system": ["a"] * 3,
        "x": [0.1, 0.4, 0.2],
        "y": [0.5, 0.1, 0.2],
        "z": [1.0, 2.0, 4.0],
    }
    pl.DataFrame(table).write_csv(folder / "scores.csv")

    def refuse(*_arguments, **_options):
        raise failure

    monkeypatch.setattr(atomic.tempfile, "mkstemp", refuse)
    code, _, errors = command(*words.split())
    assert code == 2
    last = errors.splitlines()[-1]
    assert last.startswith("gistmeter: cannot write")
    assert failure.strerror in last


@pytest.mark.parametrize("failure", FAILURES, ids=["full", "read-only"])
def test_weights_cards_and_baselines_fail_alike(tmp_path, monkeypatch, failure):
    """The writers of trainings and models: what was there before stays as it was."""
    from gistmeter.models.encoder.baselines import Baseline
    from gistmeter.models.next_sentence.heads import PairHead, write_head
    from gistmeter.training.card import Card

    card = Card(title="x", about=["x"], command="x", recipe=["x"], data=["x"])
    baseline = Baseline(model="x", weights="x", language="en", idf="none", pairs=1, texts="x", layers={})
    head = PairHead(arrays={"out.bias": np.zeros(1)}, reads="x", digest="x")
    writers = [card.write, baseline.write, lambda file: write_head(file, head)]
    file = tmp_path / "weights"
    file.write_text("before")

    def refuse(*_arguments, **_options):
        raise failure

    monkeypatch.setattr(atomic.tempfile, "mkstemp", refuse)
    for write in writers:
        with pytest.raises(DataError, match=f"cannot write .*: {failure.strerror}"):
            write(file)
    assert file.read_text() == "before"


def test_errors_of_polars_are_sentences_of_the_writer(tmp_path, monkeypatch):
    broken = pl.exceptions.ComputeError("Invalid thrift: transport error\nsecond line")
    path = tmp_path / "s.parquet"
    for free, reason in ((1 << 40, "Invalid thrift: transport error"), (0, "No space left on device")):
        monkeypatch.setattr(atomic.shutil, "disk_usage", lambda _folder, free=free: SimpleNamespace(free=free))
        with pytest.raises(DataError) as refused, atomic.write_atomically(path):
            raise broken
        assert str(refused.value) == f"cannot write {path}: {reason}"
    assert list(tmp_path.iterdir()) == []


def test_a_cache_on_a_read_only_disk_is_not_cleared(command, monkeypatch, tmp_path):
    monkeypatch.setenv("GISTMETER_CACHE", str(tmp_path))
    (tmp_path / "scores.sqlite").touch()

    def refuse(_file, missing_ok=False):
        raise OSError(errno.EROFS, "Read-only file system")

    monkeypatch.setattr("pathlib.Path.unlink", refuse)
    code, _, errors = command("cache", "--clear")
    assert (code, errors) == (2, f"gistmeter: cannot remove {tmp_path / 'scores.sqlite'}: Read-only file system\n")
