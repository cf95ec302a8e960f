"""Where the limits of scoring are, to the last number: workers, batches on their way, records that are looked at."""

from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool

import pytest

import gistmeter as gm
from gistmeter.errors import ArgumentError, DataError, GistmeterError, GistmeterWarning, MetricError
from gistmeter.example import Example
from gistmeter.io.batches import ReadyBatch, RecordDefaults, RecordLocations
from gistmeter.metrics import parse_metrics
from gistmeter.scoring.backends import processes
from gistmeter.scoring.backends.engine import check_engine
from gistmeter.scoring.backends.in_flight import collect_in_order
from gistmeter.scoring.batch import Job
from gistmeter.scoring.inputs import as_run, label_metrics
from gistmeter.scoring.run import score_in_memory, score_to_file

GERMAN = "Der Rat hat am Montag das neue Budget beschlossen, aber die Steuern sind nicht gesunken."
ENGLISH = "The council passed the new budget on Monday, but taxes did not fall."


def test_as_many_workers_as_are_said_and_no_more():
    for workers in (1, 1024):
        check_engine("local", workers)
    for workers in (0, 1025):
        with pytest.raises(ArgumentError, match=f"`workers` is at least 1 and at most 1,024, not {workers}"):
            check_engine("local", workers)


@pytest.mark.parametrize(
    ("given", "message"), [({"workers": 1025}, "at most 1,024"), ({"engine": "spark"}, "not spark")]
)
def test_both_ways_to_score_check_their_workers_before_anything_else(given, message, tmp_path):
    run = as_run([Example(doc_id="1", system="a", summary="x", references=("x",))])
    with pytest.raises(ArgumentError, match=message):
        score_in_memory(run, label_metrics("rouge1"), **given)
    with pytest.raises(ArgumentError, match=message):
        score_to_file(run, label_metrics("rouge1"), tmp_path / "s.parquet", **given)
    assert list(tmp_path.iterdir()) == []


def test_three_batches_of_a_worker_are_on_their_way_and_come_back_in_order():
    """Two workers: the seventh batch is handed in when the first is back, so that memory stays what six take."""
    events = []

    def submit(batch):
        events.append(f"{batch} out")
        return batch

    def wait(ticket):
        events.append(f"{ticket} back")
        return ticket

    assert list(collect_in_order(range(8), submit=submit, wait=wait, workers=2)) == list(range(8))
    assert events == [
        *("0 out", "1 out", "2 out", "3 out", "4 out", "5 out", "0 back"),
        *("6 out", "1 back", "7 out", "2 back", "3 back", "4 back", "5 back", "6 back", "7 back"),
    ]


def make_batch(summaries, first_line):
    examples = [
        Example(doc_id=str(number), system="a", summary=text, references=(text,))
        for number, text in enumerate(summaries, start=first_line)
    ]
    return ReadyBatch(RecordLocations("run.jsonl", "line", range(first_line, first_line + len(examples))), examples)


def test_the_first_two_hundred_records_say_which_language_it_is():
    """What comes after them is not looked at, or a long run would be read for nothing."""
    job = Job(parse_metrics("rouge1"), RecordDefaults())
    words = {
        line: [key for key in job.score(make_batch([GERMAN], line)).counts if key.startswith("words of en:de")]
        for line in (1, 200, 201)
    }
    assert words == {1: ["words of en:de"], 200: ["words of en:de"], 201: []}


@pytest.mark.filterwarnings("error::gistmeter.errors.GistmeterWarning")
def test_a_summary_scored_alone_is_compared_with_no_other():
    """That it is its own reference misleads nobody before there are two."""
    own = {"doc_id": "1", "summary": ENGLISH, "reference": ENGLISH}
    assert gm.score([own | {"system": "a"}], "rouge1").notes == ()
    with pytest.raises(
        GistmeterWarning, match=r"2 of 2 summaries are one of their own references .*: a \(1\), b \(1\)"
    ):
        gm.score([own | {"system": "a"}, own | {"system": "b"}], "rouge1")


def test_a_name_that_is_half_a_character_is_refused():
    """As a damaged file may have it; a summary may hold one, which is content as any other."""
    whole = {"doc_id": "1", "system": "a", "summary": "x \ud800", "references": ["x"]}
    assert len(gm.score([whole], "rouge1").table) == 1
    for field in ("doc_id", "system"):
        with pytest.raises(DataError, match=f"`{field}` .*half a character"):
            gm.score([whole | {field: "1\ud800"}], "rouge1")


def test_a_worker_that_died_is_said_with_what_to_do(monkeypatch):
    """The system ends what takes too much memory; the pool of processes says only that it is broken."""

    class BrokenPool(ThreadPoolExecutor):
        def __init__(self, workers, **_settings):
            super().__init__(workers)

        def submit(self, *_call):
            broken = Future()
            broken.set_exception(BrokenProcessPool())
            return broken

    monkeypatch.setattr(processes, "ProcessPoolExecutor", BrokenPool)
    job = Job(parse_metrics("rouge1"), RecordDefaults())
    with pytest.raises(GistmeterError, match=r"a worker process died .*finished parts are kept"):
        list(processes.score_in_processes(job, [make_batch([ENGLISH], 1)], 2))


def test_half_a_character_in_a_text_is_scored_and_refused_where_it_would_be_written(tmp_path):
    example = Example(doc_id="1", system="a", summary="It rained \ud800.", references=("It rained.",))
    in_memory = gm.score([example], "rouge1").table
    assert gm.score([example], "rouge1", output=tmp_path / "s.parquet").table.equals(in_memory)
    with pytest.raises(DataError, match=r"cannot write .*run\.jsonl: a text holds half a character \('.ud800'\)"):
        gm.write_run([example], tmp_path / "run.jsonl")
    assert [file.name for file in tmp_path.iterdir()] == ["s.parquet"]


@pytest.mark.parametrize("nothing", ["", [], {}])
def test_no_metric_is_a_mistake_in_every_form(nothing):
    with pytest.raises(MetricError, match="no metric was asked for"):
        gm.score([{"summary": "It rained.", "reference": "It rained."}], nothing)
