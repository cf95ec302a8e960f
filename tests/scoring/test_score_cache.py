"""The cache: a key for every text, setting and line of code that counts, and numbers that cannot be damaged unseen."""

import itertools
import os
import sqlite3
from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmeter import Example, Unit
from gistmeter.api import score
from gistmeter.io.batches import JsonBatch, RecordDefaults, RecordLocations
from gistmeter.metrics import parse_metric
from gistmeter.metrics.metric import Column, Metric
from gistmeter.scoring import cache as cache_module
from gistmeter.scoring.batch import Job
from gistmeter.scoring.cache import (
    ScoreCache,
    cache_files,
    cache_keys,
    cache_path,
    clear_cache,
    code_digest,
    content_digests,
    encode_fields,
    identify_metric,
)
from gistmeter.scoring.resume import _digest_job

ALL = frozenset({"references", "document", "units"})
EXAMPLE = Example(
    doc_id="d",
    system="s",
    summary="It rained.",
    references=("Rain fell.", "A wet day."),
    documents=("It rained all day.", "The river rose."),
    language="en",
    units=(Unit("It rained.", weight=2.0, sentence=0, present=True), Unit("All day.")),
)


def with_documents(*documents):
    return replace(EXAMPLE, document=None, documents=documents)


CHANGES = {
    "language": replace(EXAMPLE, language="de"),
    "summary": replace(EXAMPLE, summary="It rained"),
    "a reference": replace(EXAMPLE, references=("Rain fell.", "A wet day")),
    "a reference fewer": replace(EXAMPLE, references=("Rain fell.",)),
    "the order of references": replace(EXAMPLE, references=("A wet day.", "Rain fell.")),
    "references as one": replace(EXAMPLE, references=("Rain fell.A wet day.",)),
    "references cut elsewhere": replace(EXAMPLE, references=("Rain fell.A", " wet day.")),
    "an empty reference": replace(EXAMPLE, references=("Rain fell.", "A wet day.", "")),
    "a document": with_documents("It rained all day.", "The river fell."),
    "documents as one": with_documents("It rained all day.\n\nThe river rose."),
    "a unit's text": replace(EXAMPLE, units=(replace(EXAMPLE.units[0], text="It snowed."), EXAMPLE.units[1])),
    "a unit's weight": replace(EXAMPLE, units=(replace(EXAMPLE.units[0], weight=3.0), EXAMPLE.units[1])),
    "a unit's sentence": replace(EXAMPLE, units=(replace(EXAMPLE.units[0], sentence=1), EXAMPLE.units[1])),
    "a unit's presence": replace(EXAMPLE, units=(replace(EXAMPLE.units[0], present=None), EXAMPLE.units[1])),
    "a unit fewer": replace(EXAMPLE, units=EXAMPLE.units[:1]),
    "a reference become a document": replace(
        EXAMPLE, references=("Rain fell.",), document=None, documents=("A wet day.", *EXAMPLE.documents)
    ),
}


@dataclass(frozen=True, slots=True)
class Counted(Metric):
    """Scores each example 1; `batch_sizes` notes what it was asked."""

    setting: str = "plain"
    number: float = 1.0
    batch_sizes: list = field(default_factory=list, compare=False, metadata={"state": True})

    name = "counted"
    columns = (Column("one", "1"), Column("two", "2"))
    needs = frozenset()

    def score(self, examples):
        self.batch_sizes.append(len(examples))
        return np.tile([self.number, 2.0], (len(examples), 1))


@dataclass(frozen=True, slots=True)
class CheapCounted(Counted):
    """The same, so quick that batches are looked up whole."""

    cheap = True


@pytest.mark.parametrize("change", CHANGES, ids=str)
def test_all_that_a_metric_reads_is_in_the_digest(change):
    assert content_digests(ALL, [EXAMPLE]) != content_digests(ALL, [CHANGES[change]])


def test_no_two_changes_have_the_same_digest():
    digests = content_digests(ALL, [EXAMPLE, *CHANGES.values()])
    assert len(set(digests)) == 1 + len(CHANGES)


def test_what_a_metric_does_not_read_does_not_count():
    renamed = replace(EXAMPLE, doc_id="other", system="another")
    assert content_digests(ALL, [EXAMPLE]) == content_digests(ALL, [renamed])
    bare = replace(EXAMPLE, references=(), document=None, documents=(), units=())
    for reads, alike in (
        (frozenset(), bare),
        (frozenset({"references"}), replace(bare, references=EXAMPLE.references)),
        (frozenset({"document"}), replace(bare, documents=EXAMPLE.documents)),
        (frozenset({"units"}), replace(bare, units=EXAMPLE.units)),
    ):
        assert content_digests(reads, [EXAMPLE]) == content_digests(reads, [alike])
    # but a metric that reads references, and finds none, is asked something else than one that reads none
    assert content_digests(frozenset(), [bare]) != content_digests(frozenset({"references"}), [bare])


def test_a_text_is_not_taken_for_the_name_of_a_field():
    first = Example(doc_id="d", system="s", summary="z", references=("x", "documents"), documents=("y",))
    second = Example(doc_id="d", system="s", summary="z", references=("x",), documents=("documents", "y"))
    both = frozenset({"references", "document"})
    assert content_digests(both, [first]) != content_digests(both, [second])


TEXTS = st.lists(st.text(alphabet="ab'[(,1) \ud800é", max_size=4), max_size=3)
FIELDS = st.lists(st.tuples(st.sampled_from(["a", "b", "references", "documents"]), TEXTS.map(tuple)), max_size=3)


@given(FIELDS, FIELDS)
def test_other_fields_have_another_encoding(first, second):
    assert (encode_fields(first) == encode_fields(second)) == (first == second)


def test_a_key_has_the_setting_the_content_and_the_code(monkeypatch):
    digests = content_digests(ALL, [EXAMPLE, *CHANGES.values()])
    metrics = [Counted(), Counted(setting="other"), Counted(number=2.0), parse_metric("rouge1"), parse_metric("rouge2")]
    keys = [key for metric in metrics for key in cache_keys(metric, digests[:3])]
    rouges = ("rouge1(stem=none)", "rouge1(references=max)", "rougeL", "rougeS", "rougeW")
    keys += [key for spelling in rouges for key in cache_keys(parse_metric(spelling), digests[:1])]
    assert len(set(keys)) == len(keys)
    assert {len(key) for key in keys} == {16}
    assert cache_keys(Counted(), digests[:3]) == keys[:3]
    monkeypatch.setattr(cache_module, "code_digest", lambda metric: "changed")
    assert not set(cache_keys(Counted(), digests[:3])) & set(keys)


def test_a_cheap_metric_has_one_key_for_the_batch():
    digests = content_digests(ALL, [EXAMPLE, *CHANGES.values()])
    [key] = cache_keys(CheapCounted(), digests)
    assert cache_keys(CheapCounted(), digests[:-1]) != [key]
    assert cache_keys(CheapCounted(), digests[::-1]) != [key]
    assert len(cache_keys(Counted(), digests)) == len(digests)


def test_signature_code_and_spelling_are_the_identity():
    # bertscore without rescaling reads English alike under two spellings; other languages need not
    metric = parse_metric("bertscore")
    identity = identify_metric(metric)
    assert metric.signature().encode() in identity
    assert code_digest(metric).encode() in identity
    assert identity.endswith(b"bertscore")
    assert b"spelling', []" in identify_metric(parse_metric("rouge1"))
    inner = parse_metric("jackknife(metric=rouge1)")
    assert code_digest(parse_metric("rouge1")) in code_digest(inner).split("+")
    assert len(code_digest(inner).split("+")) == 2


def test_code_that_cannot_be_read_is_never_the_same():
    written = type("Written", (Counted,), {"__module__": "no_such_module_of_a_notebook", "__slots__": ()})
    other = type("Written", (Counted,), {"__module__": "no_such_module_of_a_notebook", "__slots__": ()})
    assert code_digest(written()) == code_digest(written())
    assert code_digest(written()) != code_digest(other())


@pytest.mark.parametrize("kind", [Counted, CheapCounted])
def test_only_what_is_absent_is_scored(kind, tmp_path):
    path = tmp_path / "scores.sqlite"
    examples = [replace(EXAMPLE, doc_id=str(index), summary=f"text {index % 3}") for index in range(5)]
    metric = kind()
    job = Job({"counted": metric}, RecordDefaults(), path)

    def describe(example):
        return example.name

    first = job._score_all(examples, describe)[0]
    again = job._score_all(examples, describe)[0]
    more = job._score_all([*examples, replace(EXAMPLE, summary="new")], describe)[0]
    assert metric.batch_sizes == ([5, 6] if kind.cheap else [5, 1])
    np.testing.assert_array_equal(first, np.tile([1.0, 2.0], (5, 1)))
    np.testing.assert_array_equal(again, first)
    np.testing.assert_array_equal(more, np.tile([1.0, 2.0], (6, 1)))
    job.close()


def test_rows_come_back_under_their_own_keys(tmp_path):
    cache = ScoreCache(tmp_path / "scores.sqlite")
    keys = [bytes([index]) * 16 for index in range(3)]
    rows = np.array([[1.0, np.nan], [-0.0, 1e-300], [np.inf, 3.0]])
    cache.store_scores(keys, rows)
    stored, present = cache.find_scores([keys[2], b"?" * 16, keys[0], keys[2], keys[1]], 2)
    assert present.tolist() == [True, False, True, True, True]
    np.testing.assert_array_equal(stored[present], rows[[2, 0, 2, 1]])
    assert np.isnan(stored[1]).all()
    assert np.signbit(stored[4, 0])
    for width in (1, 3):
        assert not cache.find_scores(keys, width).present.any()
    cache.store_scores(keys[:1], np.array([[7.0, 8.0]]))  # the newer one counts
    np.testing.assert_array_equal(cache.find_scores(keys[:1], 2).scores, [[7.0, 8.0]])
    cache.close()
    assert not cache.is_usable
    assert cache.find(keys) == {}
    cache.store({keys[0]: b"late"})
    cache.close()


def test_keys_may_be_of_any_length(tmp_path):
    cache = ScoreCache(tmp_path / "scores.sqlite")
    values = {b"": b"none", b"k": b"short", b"k" * 64: b"64", b"k" * 65: b"65", b"k" * 500: b"long"}
    cache.store(values)
    assert cache.find(list(values)) == values


def test_more_keys_than_one_question_takes(tmp_path, monkeypatch):
    monkeypatch.setattr(cache_module, "BATCH_KEYS", 4)
    cache = ScoreCache(tmp_path / "scores.sqlite")
    keys = [index.to_bytes(16) for index in range(11)]
    cache.store_scores(keys, np.arange(11.0)[:, None])
    np.testing.assert_array_equal(cache.find_scores(keys, 1).scores[:, 0], np.arange(11.0))


def test_a_flipped_bit_is_a_miss(tmp_path):
    path = tmp_path / "scores.sqlite"
    cache = ScoreCache(path)
    key = b"k" * 16
    cache.store_scores([key], np.array([[0.25, 0.5]]))
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA synchronous=OFF")
    [(sealed,)] = connection.execute("SELECT numbers FROM scores")
    flipped = [bytearray(sealed) for _ in range(8 * len(sealed))]  # every bit of the numbers and of their checksum
    for bit, damaged in enumerate(flipped):
        damaged[bit // 8] ^= 1 << bit % 8
    for damaged in (*map(bytes, flipped), sealed[:-1], sealed + b"\0", b"", "text", 5, 0.5):
        connection.execute("UPDATE scores SET numbers = ?", (damaged,))
        assert not cache.find_scores([key], 2).present.any(), damaged
        assert cache.find([key]) == {}
    connection.execute("UPDATE scores SET numbers = ?", (sealed,))
    assert cache.find_scores([key], 2).present.all()
    connection.close()


def test_a_row_under_another_key_is_a_miss(tmp_path):
    path = tmp_path / "scores.sqlite"
    cache = ScoreCache(path)
    cache.store_scores([b"a" * 16], np.array([[0.25]]))
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE scores SET key = ?", (b"b" * 16,))
    assert cache.find([b"b" * 16]) == {}


def test_damaged_numbers_are_scored_again():
    examples = [replace(EXAMPLE, doc_id=str(index), summary=f"text {index}") for index in range(3)]
    plain = score(examples, "meteor")
    score(examples, "meteor", cache=True)
    with sqlite3.connect(cache_path()) as connection:
        rows = connection.execute("SELECT key, numbers FROM scores").fetchall()
        for key, sealed in rows:
            connection.execute("UPDATE scores SET numbers = ? WHERE key = ?", (b"\1" + sealed[1:], key))
    assert rows
    assert score(examples, "meteor", cache=True).table.equals(plain.table)
    with sqlite3.connect(cache_path()) as connection:
        assert connection.execute("SELECT key, numbers FROM scores").fetchall() == rows


@pytest.mark.parametrize("note", ["", "no json", b"\0", 5, '["0000", ["gistmeter"]]', None])
def test_a_damaged_note_on_code_is_read_anew(note, monkeypatch):
    cache_module.module_digest.cache_clear()
    with ScoreCacheFile():
        expected = cache_module.module_digest("gistmeter.metrics.surface.length")
        cache_module.module_digest.cache_clear()
        with sqlite3.connect(cache_path()) as connection:
            assert connection.execute("SELECT count(*) FROM code").fetchone()[0] > 5
            connection.execute("UPDATE code SET note = ?", (note,))
        assert cache_module.module_digest("gistmeter.metrics.surface.length") == expected
        cache_module.module_digest.cache_clear()
        with sqlite3.connect(cache_path()) as connection:  # written anew, and read: only the files' own stamps count
            connection.execute("UPDATE code SET stamp = 'older' WHERE path LIKE '%length.py'")
        assert cache_module.module_digest("gistmeter.metrics.surface.length") == expected
    cache_module.module_digest.cache_clear()


class ScoreCacheFile:
    """The cache's file exists, so that notes on code go there."""

    def __enter__(self):
        ScoreCache(cache_path()).close()

    def __exit__(self, *_):
        clear_cache()


def test_files_are_listed_and_removed():
    assert cache_files() == []
    cache = ScoreCache(cache_path())
    cache.store({b"k": b"value"})
    listed = cache_files()
    assert {file.name for file, _ in listed} == {"scores.sqlite", "scores.sqlite-wal", "scores.sqlite-shm"}
    assert all(size == file.stat().st_size for file, size in listed)
    cache.close()
    clear_cache()
    assert cache_files() == []


def test_the_folder_is_the_users_to_name(tmp_path, monkeypatch):
    monkeypatch.setenv("GISTMETER_CACHE", str(tmp_path / "mine"))
    assert cache_path() == tmp_path / "mine" / "scores.sqlite"
    monkeypatch.setenv("GISTMETER_CACHE", "")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_path().name == "scores.sqlite"
    assert cache_path().parent.name == "gistmeter"


def test_a_full_cache_is_read_but_not_written(tmp_path, monkeypatch):
    path = tmp_path / "scores.sqlite"
    cache = ScoreCache(path)
    cache.store({b"k": b"value"})
    cache.close()
    monkeypatch.setattr(cache_module, "MAX_FILE_BYTES", path.stat().st_size)
    cache = ScoreCache(path)
    cache.store({b"at the limit": b"value"})
    assert cache.find([b"k", b"at the limit"]) == {b"k": b"value", b"at the limit": b"value"}
    cache.close()
    monkeypatch.setattr(cache_module, "MAX_FILE_BYTES", path.stat().st_size - 1)
    cache = ScoreCache(path)
    cache.store({b"beyond": b"value"})
    assert cache.find([b"k", b"beyond"]) == {b"k": b"value"}
    cache.close()


def test_a_failed_write_leaves_the_file_to_others(tmp_path):
    path = tmp_path / "scores.sqlite"
    cache = ScoreCache(path)
    with sqlite3.connect(path) as connection:
        connection.execute(
            "CREATE TRIGGER refuse BEFORE INSERT ON scores WHEN NEW.key = x'62' BEGIN SELECT RAISE(FAIL, 'full'); END"
        )
    cache.store({b"a": b"1", b"b": b"2"})  # the second fails: neither is there
    assert cache.find([b"a", b"b"]) == {}
    other = ScoreCache(path)
    other.store({b"c": b"3"})  # not held up by an open transaction
    cache.store({b"d": b"4"})
    assert cache.find([b"c", b"d"]) == {b"c": b"3", b"d": b"4"}


@pytest.mark.skipif(os.getuid() == 0, reason="root may write anywhere")
def test_a_folder_that_may_not_be_written_is_no_obstacle(tmp_path):
    (tmp_path / "closed").mkdir(mode=0o500)
    assert not ScoreCache(tmp_path / "closed" / "deeper" / "scores.sqlite").is_usable


def test_jobs_that_score_otherwise_have_another_digest():
    rouge, bleu = parse_metric("rouge1"), parse_metric("bleu")
    jobs = [
        Job({"rouge1": rouge}, RecordDefaults()),
        Job({"rouge": rouge}, RecordDefaults()),
        Job({"rouge1": parse_metric("rouge1(stem=none)")}, RecordDefaults()),
        Job({"rouge1": rouge, "bleu": bleu}, RecordDefaults()),
        Job({"bleu": bleu, "rouge1": rouge}, RecordDefaults()),
        Job({"rouge1": rouge}, RecordDefaults(language="de")),
        Job({"rouge1": rouge}, RecordDefaults(markers="keep")),
        Job({"rouge1": rouge}, RecordDefaults(references={"d": ("x",)})),
        Job({"rouge1": rouge}, RecordDefaults(documents={"d": ("x",)})),
        Job({"rouge1": rouge}, RecordDefaults(references={"d": ("x", "y")})),
        Job({"rouge1": rouge}, RecordDefaults(units={"d": (Unit("x"),)})),
    ]
    assert len({_digest_job(job) for job in jobs}) == len(jobs)
    assert _digest_job(jobs[0]) == _digest_job(Job({"rouge1": parse_metric("rouge1")}, RecordDefaults()))


def test_batches_of_other_lines_have_other_content():
    def content(system, position, *lines):
        return JsonBatch(RecordLocations("f", "line", range(9)), system, position, lines).content()

    contents = [content("a", 0, b"{}", b"{ }"), content("a", 0, b"{ }", b"{}"), content("a", 1, b"{}", b"{ }")]
    contents += [content("b", 0, b"{}", b"{ }"), content("a", 0, b"{}"), content("a 0\n{}", 0, b"{ }")]
    contents += [content("a\n1", 0), content("a", 1, b"0"), content("a", 0, b"")]
    assert not any(first == second for first, second in itertools.combinations(contents, 2))
