"""What cannot be scored is missing, and is counted with its reason; what was cut short says so."""

import pickle
from dataclasses import dataclass

import numpy as np
import pytest

from gistmeter import Example, GistmeterWarning
from gistmeter.api import score
from gistmeter.errors import DataError
from gistmeter.io.batches import ReadyBatch, RecordDefaults, RecordLocations
from gistmeter.metrics.metric import Column, Metric
from gistmeter.scoring.batch import OWN_REFERENCE, READ_MARKERS, Job, add_traits, missing_key


@dataclass(frozen=True, slots=True)
class Doubtful(Metric):
    """Scores the length of a summary; an odd length has no score in either column, one under 3 not in the first."""

    name = "doubtful"
    columns = (Column("first", "length"), Column("second", "length"))
    needs = frozenset({"references"})

    def score(self, examples):
        lengths = np.array([float(len(example.summary)) for example in examples])
        scores = np.stack([lengths, lengths], axis=1)
        scores[lengths < 3, 0] = np.nan
        scores[lengths % 2 == 1] = np.nan
        return scores

    def why_missing(self, example):
        return "it is odd" if len(example.summary) % 2 and len(example.summary) < 6 else "it is long and odd"


def make_examples(*summaries, references=("some reference",)):
    return [
        Example(doc_id=str(number), system="s", summary=text, references=references)
        for number, text in enumerate(summaries)
    ]


def score_batch(examples, metrics=None, defaults=None):
    batch = ReadyBatch(RecordLocations("f.csv", "row", range(1, len(examples) + 1)), examples, read_bytes=7)
    return Job(metrics or {"doubtful": Doubtful()}, defaults or RecordDefaults()).score(batch)


def count_faults(scored):
    """What is counted of a batch beside its languages, and the words that speak for each."""
    languages = ("words of", "records in")
    return {key: count for key, count in scored.counts.items() if count and not key.startswith(languages)}


def test_missing_scores_are_counted_by_reason():
    scored = score_batch(make_examples("ab", "abc", "abcd", "abcde", "abcdefg"))
    # ab has its second score, and so is not missing; abc and abcde are odd, abcdefg is long and odd
    assert count_faults(scored) == {
        missing_key("doubtful", "it is odd"): 2,
        missing_key("doubtful", "it is long and odd"): 1,
    }
    assert scored.read_bytes == 7
    assert scored.doc_ids == list("01234")
    assert set(scored.systems) == {"s"}


def test_the_note_says_how_many_and_why():
    with pytest.warns(GistmeterWarning) as warned:
        score(make_examples("ab", "abc", "abcd", "abcde", "abcdefg"), {"d": Doubtful()})
    assert [str(warning.message) for warning in warned] == [
        "3 of 5 summaries have no d (NaN): it is odd (2); it is long and odd (1)"
    ]
    with pytest.warns(GistmeterWarning) as warned:
        score(make_examples("abc", "abcd"), {"d": Doubtful()})
    assert [str(warning.message) for warning in warned] == ["1 of 2 summaries have no d (NaN): it is odd"]


def test_empty_texts_are_counted_by_what_is_empty():
    examples = [
        Example(doc_id="1", system="s", summary="", references=("x",), document="x"),
        Example(doc_id="2", system="s", summary=" \n", references=("", " "), document="x"),
        Example(doc_id="3", system="s", summary="ab", references=("", "x"), documents=("", "\t")),
        Example(doc_id="4", system="s", summary="ab", references=("x",), documents=("x", "")),
    ]
    counts = score_batch(examples).counts
    assert (counts["empty summary"], counts["empty references"], counts["empty document"]) == (2, 1, 1)


def test_a_need_that_is_lacking_is_named_with_its_row():
    examples = [*make_examples("ab"), Example(doc_id="9", system="s", summary="ab")]
    with pytest.raises(DataError, match=r"^doubtful needs `references`, but s/9 \(row 2 of f\.csv\) has none$"):
        score_batch(examples)


def test_own_references_are_counted_by_system_where_they_are_compared():
    examples = [
        Example(doc_id="1", system="a", summary="It rained.", references=("It rained.", "Rain.")),
        Example(doc_id="2", system="a", summary="It rained.", references=("Rain.",)),
        Example(doc_id="3", system="b", summary="Rain.", references=("Rain.",)),
        Example(doc_id="4", system="b", summary=" ", references=(" ",)),
    ]
    counts = score_batch(examples).counts
    assert (counts[OWN_REFERENCE + "a"], counts[OWN_REFERENCE + "b"]) == (1, 1)

    @dataclass(frozen=True, slots=True)
    class Alone(Doubtful):
        needs = frozenset()

    assert not any(key.startswith(OWN_REFERENCE) for key in score_batch(examples, {"alone": Alone()}).counts)


def test_markers_are_read_and_counted_unless_they_are_kept():
    examples = make_examples("It rained<q>a lot", "It rained")
    read = score_batch(examples)
    assert read.counts[READ_MARKERS] == 1
    assert read.traits == {"doubtful": {}}

    as_written = score_batch(examples, defaults=RecordDefaults(markers="keep"))
    assert as_written.counts[READ_MARKERS] == 0
    assert as_written.traits == {"doubtful": {"markers": {"keep"}}}


def test_traits_of_batches_join():
    total = {"a": {"language": {"en"}}}
    add_traits(total, {"a": {"language": {"de"}, "stem": {"porter"}}, "b": {"language": {"fr"}}})
    assert total == {"a": {"language": {"en", "de"}, "stem": {"porter"}}, "b": {"language": {"fr"}}}


def test_a_batch_without_metrics_has_no_numbers():
    batch = ReadyBatch(RecordLocations("f", "row", range(2)), make_examples("ab", "cd"))
    scored = Job({}, RecordDefaults()).score(batch)
    assert scored.numbers.shape == (2, 0)
    assert count_faults(scored) == {}


def test_metrics_stand_side_by_side():
    job = Job({"a": Doubtful(), "b": Doubtful()}, RecordDefaults())
    assert job.width == 4
    scored = score_batch(make_examples("abcd", "ab"), job.metrics)
    np.testing.assert_array_equal(scored.numbers, [[4, 4, 4, 4], [np.nan, 2, np.nan, 2]])


def test_a_job_travels_to_a_worker(tmp_path):
    job = Job({"doubtful": Doubtful()}, RecordDefaults(language="de"), tmp_path / "scores.sqlite")
    sent = pickle.loads(pickle.dumps(job))  # noqa: S301
    assert (sent, sent.runtime) == (job, job.runtime)
    batch = ReadyBatch(RecordLocations("f", "row", range(2)), make_examples("abcd", "ab"))
    np.testing.assert_array_equal(sent.score(batch).numbers, [[4, 4], [np.nan, 2]])
    assert sent.cache_path.exists()
    sent.close()
    assert not sent._opened
