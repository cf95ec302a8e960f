"""The spool: finished work is on disk at once, and what is on disk is never scored again."""

import itertools
import json
import os
import time

import polars as pl
import pytest
from polars.testing import assert_frame_equal

from gistmeter.api import score
from gistmeter.errors import DataError
from gistmeter.io.runs import open_run
from gistmeter.metrics import parse_metric
from gistmeter.metrics.registry import parse_metrics
from gistmeter.scoring import resume as spool_module
from gistmeter.scoring.backends.processes import score_in_processes
from gistmeter.scoring.batch import Job
from gistmeter.scoring.resume import Spool, StoredPart
from gistmeter.scoring.run import name_number_columns, score_to_file

ROWS = 512


@pytest.fixture
def run(tmp_path):
    """Four batches, the last one short."""
    path = tmp_path / "run.jsonl"
    with path.open("w") as stream:
        for number in range(3 * ROWS + 100):
            record = {
                "doc_id": f"d{number}",
                "system": "a",
                "summary": f"rain w{number % 7}",
                "reference": "rain w1 w2",
            }
            stream.write(json.dumps(record) + "\n")
    return path


@pytest.fixture
def scored(monkeypatch):
    """The first position of each batch that is really scored."""
    positions = []
    plain = Job.score

    def noting(self, batch):
        positions.append(batch.first_position)
        return plain(self, batch)

    monkeypatch.setattr(Job, "score", noting)
    return positions


@pytest.fixture
def parts(run, tmp_path, monkeypatch):
    """The parts that a run leaves when it is stopped before the output is written."""
    monkeypatch.setattr(spool_module, "_PART_ROWS", ROWS)
    with monkeypatch.context() as patch:
        patch.setattr("gistmeter.scoring.run.write_table", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            score(run, "rouge1", output=tmp_path / "s.parquet", cache=False)
    stored = sorted((tmp_path / ".s.parquet.parts").glob("part-*.parquet"))
    assert len(stored) == 4
    return stored


def go_on(run, tmp_path):
    """Score once more, check the table against one that was never interrupted, and that nothing is left behind."""
    resumed = score(run, "rouge1", output=tmp_path / "s.parquet", cache=False)
    assert not (tmp_path / ".s.parquet.parts").exists()
    plain = score(run, "rouge1")
    assert_frame_equal(resumed.table, plain.table, check_exact=True)
    assert resumed.columns == plain.columns


def test_all_parts_are_taken_over(run, tmp_path, parts, scored):
    score(run, "rouge1", output=tmp_path / "s.parquet", cache=False)
    assert scored == []


@pytest.mark.parametrize("missing", [0, 1, 3])
def test_a_missing_part_costs_its_own_batches(run, tmp_path, parts, scored, missing):
    parts[missing].unlink()  # as when a run is killed while it clears up
    score(run, "rouge1", output=tmp_path / "s.parquet", cache=False)
    assert scored == [missing * ROWS]
    go_on(run, tmp_path)


def test_a_changed_line_costs_its_own_batch(run, tmp_path, parts, scored):
    lines = run.read_text().splitlines(keepends=True)
    lines[600] = lines[600].replace("rain", "snow")
    run.write_text("".join(lines))
    score(run, "rouge1", output=tmp_path / "s.parquet", cache=False)
    assert scored == [ROWS]
    go_on(run, tmp_path)


def rewrite_part(path, change=lambda table: table, *, sealed=False, **metadata):
    """Write a part with another table or other metadata, beside the same checksum; `sealed`, with one that fits."""
    described = json.loads(pl.read_parquet_metadata(path)["gistmeter-part"]) | metadata
    table = change(pl.read_parquet(path))
    if sealed:
        described["checksum"] = spool_module._checksum_table(table, described["digests"])
    table.write_parquet(path, metadata={"gistmeter-part": json.dumps(described)})


@pytest.mark.more
@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.write_bytes(b"no parquet"),
        lambda path: path.write_bytes(path.read_bytes()[:-50]),
        lambda path: pl.read_parquet(path).write_parquet(path),  # says nothing of itself
        lambda path: rewrite_part(path, lambda table: table.with_columns(pl.col("rouge1.f1") + 1e-12)),
        lambda path: rewrite_part(path, lambda table: table.with_columns(pl.col("rouge1.precision") * 2)),
        lambda path: rewrite_part(path, lambda table: table.with_columns(pl.lit("b").alias("system"))),
        lambda path: rewrite_part(path, lambda table: table.with_columns(pl.lit("d").alias("doc_id"))),
        lambda path: rewrite_part(path, lambda table: table.reverse()),
        lambda path: rewrite_part(path, lambda table: table.drop("rouge1.f1")),
        lambda path: rewrite_part(path, lambda table: table.drop("rouge1.f1"), sealed=True),
        lambda path: rewrite_part(path, lambda table: table.with_columns(pl.lit(1.0).alias("more")), sealed=True),
        lambda path: rewrite_part(path, digests=[]),
        lambda path: rewrite_part(path, digests=[], sealed=True),
        lambda path: rewrite_part(path, digests=["0" * 32]),
        lambda path: rewrite_part(path, digests=None),
        lambda path: rewrite_part(path, traits=[]),
        lambda path: rewrite_part(path, checksum=""),
    ],
)
def test_a_damaged_part_is_scored_again(run, tmp_path, parts, scored, damage):
    damage(parts[1])
    score(run, "rouge1", output=tmp_path / "s.parquet", cache=False)
    assert scored == [ROWS]
    go_on(run, tmp_path)


def test_a_part_of_several_batches_that_begins_alike(run, tmp_path, monkeypatch, scored):
    monkeypatch.setattr(spool_module, "_PART_ROWS", 2 * ROWS)
    monkeypatch.setattr(spool_module, "_PART_SECONDS", 1000.0)
    with monkeypatch.context() as patch:
        patch.setattr("gistmeter.scoring.run.write_table", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            score(run, "rouge1", output=tmp_path / "s.parquet", cache=False)
    del scored[:]
    lines = run.read_text().splitlines(keepends=True)
    lines[600] = lines[600].replace("rain", "snow")
    run.write_text("".join(lines))
    score(run, "rouge1", output=tmp_path / "s.parquet", cache=False)
    assert scored == [0, ROWS]  # the first part holds both; the second part stays
    go_on(run, tmp_path)


def test_progress_says_what_was_taken_over(run, tmp_path, parts):
    parts[2].unlink()
    steps = []
    opened = open_run([run])
    score_to_file(opened, parse_metrics("rouge1"), tmp_path / "s.parquet", cache=False, progress=steps.append)
    assert [(step.rows, step.resumed) for step in steps] == [(ROWS, True), (ROWS, True), (ROWS, False), (100, True)]
    assert sum(step.read_bytes for step in steps) == run.stat().st_size


@pytest.fixture
def spool(tmp_path):
    metrics = {"rouge1": parse_metric("rouge1")}
    opened = Spool(tmp_path / "s.parquet", name_number_columns(metrics), Job(metrics, open_run_defaults()))
    yield opened
    opened.discard()


def open_run_defaults():
    from gistmeter.io.batches import RecordDefaults

    return RecordDefaults()


def score_batches(run, spool):
    job = Job({"rouge1": parse_metric("rouge1")}, open_run_defaults())
    for batch in open_run([run]).batches(ROWS):
        yield (spool.digest(batch),), job.score(batch)


def test_a_finished_batch_does_not_wait_for_the_next(run, spool, monkeypatch):
    monkeypatch.setattr(spool_module, "_PART_SECONDS", 0.05)
    batches = score_batches(run, spool)
    spool.add(*next(batches))  # the next batch takes an hour
    deadline = time.monotonic() + 20
    while not list(spool.folder.glob("part-*.parquet")) and time.monotonic() < deadline:
        time.sleep(0.01)
    [part] = spool.folder.glob("part-*.parquet")
    assert len(pl.read_parquet(part)) == ROWS
    spool.flush()  # nothing is waiting any more
    assert len(list(spool.folder.glob("part-*.parquet"))) == 1


def test_batches_that_come_at_once_share_a_part(run, spool, monkeypatch):
    monkeypatch.setattr(spool_module, "_PART_SECONDS", 1000.0)
    monkeypatch.setattr(spool_module, "_PART_ROWS", 2 * ROWS)
    for digest, batch in score_batches(run, spool):
        spool.add(digest, batch)
    sizes = [len(pl.read_parquet(path)) for path in sorted(spool.folder.glob("part-*.parquet"))]
    assert sizes == [2 * ROWS]  # 1,024 rows are a part; the rest is waiting
    table = spool.table().collect()
    assert table["doc_id"].to_list() == [f"d{number}" for number in range(3 * ROWS + 100)]


def wait_for_parts(spool, count):
    deadline = time.monotonic() + 20
    while len(list(spool.folder.glob("part-*.parquet"))) < count and time.monotonic() < deadline:
        time.sleep(0.01)
    return sorted(spool.folder.glob("part-*.parquet"))


def test_a_batch_finished_out_of_turn_gets_a_part_of_its_own(run, spool, monkeypatch):
    monkeypatch.setattr(spool_module, "_PART_SECONDS", 0.05)
    batches = list(open_run([run]).batches(ROWS))
    scored = list(score_batches(run, spool))
    for number in (1, 3):
        spool.note_finished(batches[number], scored[number][1])  # while the first takes an hour
    early = wait_for_parts(spool, 2)
    assert [pl.read_parquet(path)["doc_id"][0] for path in early] == [f"d{ROWS}", f"d{3 * ROWS}"]
    # Killed now, the run would go on with the first and the third alone.
    resumed = list(spool.resume(iter(batches)))
    assert [type(entry) for entry in resumed] == [type(batches[0]), StoredPart, type(batches[0]), StoredPart]
    # Not killed, all come in their turn, and nothing is written twice.
    for digest, batch in scored:
        spool.add(digest, batch)
    table = spool.table().collect()
    assert table["doc_id"].to_list() == [f"d{number}" for number in range(3 * ROWS + 100)]
    assert len(wait_for_parts(spool, 4)) == 4


def test_a_batch_whose_turn_comes_soon_shares_a_part(run, spool, monkeypatch):
    monkeypatch.setattr(spool_module, "_PART_SECONDS", 1000.0)
    batches = list(open_run([run]).batches(ROWS))
    scored = list(score_batches(run, spool))
    for batch, (_, done) in reversed(list(zip(batches, scored, strict=True))):
        spool.note_finished(batch, done)
    for digest, done in scored:
        spool.add(digest, done)
    spool.flush()
    assert len(list(spool.folder.glob("part-*.parquet"))) == 1


def test_workers_tell_what_they_finished(run):
    """The batches that processes finish are reported at once, each with its scores."""
    job = Job({"rouge1": parse_metric("rouge1")}, open_run_defaults())
    reported = {}
    batches = list(open_run([run]).batches(ROWS))
    scored = score_in_processes(
        job, iter(batches), 2, lambda batch, done: reported.update({batch.first_position: done})
    )
    expected = {batch.first_position: done for batch, done in zip(batches, scored, strict=True)}
    assert reported.keys() == expected.keys()
    assert all(reported[position].doc_ids == expected[position].doc_ids for position in reported)


def test_what_fails_in_the_background_is_raised(run, spool, monkeypatch):
    monkeypatch.setattr(spool_module, "_PART_SECONDS", 0.01)
    monkeypatch.setattr(
        Spool, "_write_part", lambda self, batches: (_ for _ in ()).throw(DataError("the disk is full"))
    )
    spool._flushed = time.monotonic() + 1
    batches = score_batches(run, spool)
    spool.add(*next(batches))
    deadline = time.monotonic() + 20
    while spool._failure is None and time.monotonic() < deadline:
        time.sleep(0.01)
    with pytest.raises(DataError, match="the disk is full"):
        spool.add(*next(batches))


def test_other_files_beside_parts_are_none(run, spool):
    (spool.folder / "part-note.parquet").write_text("mine")
    (spool.folder / "part-000007.parquet").write_text("broken")
    batches = list(open_run([run]).batches(ROWS))
    assert list(spool.resume(iter(batches))) == batches
    spool.add(*next(score_batches(run, spool)))
    spool.flush()
    [first, *_] = spool.resume(iter(batches))
    assert isinstance(first, StoredPart)


def test_one_run_at_a_time(run, tmp_path, spool):
    own = spool._lock.read_text()
    assert own == str(os.getpid())
    for owner, refused in (
        (str(os.getppid()), True),
        ("999999999", False),
        ("nobody", False),
        (own, False),
        ("", False),
    ):
        spool._lock.write_text(owner)
        if refused:
            with pytest.raises(DataError, match=rf"another run is writing .*s\.parquet \(process {owner}\)"):
                score(run, "rouge1", output=tmp_path / "s.parquet", cache=False)
        else:
            assert len(score(run, "rouge1", output=tmp_path / "s.parquet", cache=False)) == 3 * ROWS + 100
            spool.folder.mkdir()


def test_a_killed_process_that_nobody_reaped_is_not_running(tmp_path):
    process = os.fork()
    if process == 0:
        os._exit(0)
    deadline = time.monotonic() + 20
    while not spool_module._is_zombie(process) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not spool_module._is_running(str(process))
    os.waitpid(process, 0)
    assert spool_module._is_running(str(os.getppid()))
    assert not spool_module._is_zombie(os.getppid())


def test_digests_tell_batches_and_jobs_apart(run, tmp_path):
    metrics = [parse_metrics("rouge1"), parse_metrics("rouge2")]
    batches = list(open_run([run]).batches(ROWS))
    spools = [
        Spool(tmp_path / f"{n}.parquet", [], Job(dict(each), open_run_defaults())) for n, each in enumerate(metrics)
    ]
    digests = [spool.digest(batch) for spool, batch in itertools.product(spools, batches)]
    assert len(set(digests)) == 8
    for spool in spools:
        spool.release()
        assert not spool.folder.exists()
