"""Answers on disk: append-only, handed out one by one, and never too few nor too many."""

import sqlite3
import threading
import time
from collections import Counter

import pytest

from gistmeter.annotate import Store, open_study
from gistmeter.errors import DataError
from study_raters import Clock, make_study


def answer_all(store, work, value=50, seconds=20.0):
    for item in store.study.list_items(work.batch, work.attempt):
        right = {"same": 100, "different": 0}.get(item.control, value)
        store.save_answer(work.id, item.id, {"value": right}, seconds=seconds, form=f"{work.id} {item.id}")


def test_an_answer_is_never_changed_nor_removed(tmp_path):
    store = make_study(tmp_path)
    [rater] = store.invite(1)
    work = store.claim_work(rater.id)
    assert store.save_answer(work.id, "1", {"value": 3}, seconds=1, form="a")
    assert not store.save_answer(work.id, "1", {"value": 4}, seconds=1, form="a")  # the same form, sent twice
    assert store.save_answer(work.id, "1", {"value": 5}, seconds=1, form="b")
    assert store.read_answers(work.id)["1"].value == {"value": 5}
    assert store.count_rows(work.id) == 2
    connection = sqlite3.connect(store.study.answers_file)
    for statement in ("UPDATE answers SET value = '{}'", "DELETE FROM answers"):
        with pytest.raises(sqlite3.IntegrityError, match="answers are never"):
            connection.execute(statement)
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()


def test_answers_are_there_after_a_restart(tmp_path):
    store = make_study(tmp_path)
    [rater] = store.invite(1)
    work = store.claim_work(rater.id)
    store.save_answer(work.id, "1", {"value": 3}, seconds=1, form="a")
    again = Store(open_study(tmp_path / "study"))  # the first was not closed, as after a kill
    assert again.find_rater(rater.token).name == "rater-1"
    assert again.find_work(rater.id).id == work.id
    assert again.read_answers(work.id)["1"].value == {"value": 3}
    assert again.admin_token == store.admin_token


def test_tokens_have_128_bits_and_the_file_is_private(tmp_path):
    store = make_study(tmp_path)
    raters = store.invite(20)
    assert len({rater.token for rater in raters}) == 20
    assert all(len(rater.token) == 22 for rater in raters)  # 16 bytes in base64
    assert store.find_rater("") is None
    assert store.find_rater(raters[0].token + "x") is None
    assert store.study.answers_file.stat().st_mode & 0o077 == 0


def test_no_two_people_get_the_same_assignment(tmp_path):
    store = make_study(tmp_path, raters=3)
    raters = store.invite(12)
    claimed = []
    barrier = threading.Barrier(12)

    def claim(rater):
        barrier.wait()
        claimed.append(store.claim_work(rater.id))

    threads = [threading.Thread(target=claim, args=(rater,)) for rater in raters]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    given = [work for work in claimed if work is not None]
    planned = 3 * len(store.study.batches)
    assert len(given) == min(12, planned)
    assert len({work.id for work in given}) == len(given)
    assert max(Counter(work.batch for work in given).values()) <= 3


def test_a_failed_assignment_is_given_to_somebody_else(tmp_path):
    store = make_study(tmp_path, raters=1, per_assignment=40)
    ann, ben = store.invite(2)
    work = store.claim_work(ann.id)
    store.finish_work(work.id, passed=False, reasons="too fast")
    assert store.claim_work(ann.id) is None  # she did this batch
    again = store.claim_work(ben.id)
    assert (again.batch, again.attempt) == (work.batch, 1)
    store.finish_work(again.id, passed=True)
    assert [state.state for state in store.list_work()] == ["failed", "passed"]


def test_an_idle_assignment_is_given_to_somebody_else_and_may_be_finished(tmp_path):
    clock = Clock()
    store = make_study(tmp_path, raters=1, per_assignment=40, clock=clock)
    ann, ben, cleo = store.invite(3)
    work = store.claim_work(ann.id)
    clock.now += 23 * 3600
    store.save_answer(work.id, "1", {"value": 3}, seconds=1, form="a")
    clock.now += 23 * 3600
    assert store.claim_work(ben.id) is None  # she was here less than a day ago
    assert not store.has_open_work(ben.id)
    clock.now += 2 * 3600
    assert store.has_open_work(ben.id)
    assert not store.has_open_work(ann.id)  # it is her own
    other = store.claim_work(ben.id)
    assert other is not None
    assert store.find_work(ann.id).id == work.id
    store.finish_work(work.id, passed=True)
    store.finish_work(other.id, passed=True)
    assert store.claim_work(cleo.id) is None
    assert not store.has_open_work(cleo.id)
    # One planned, and one more that was being done.
    assert Counter(state.state for state in store.list_work()) == {"passed": 2}


def test_an_open_assignment_that_is_not_needed_any_more_is_withdrawn(tmp_path):
    clock = Clock()
    store = make_study(tmp_path, raters=1, per_assignment=40, clock=clock)
    ann, ben, cleo = store.invite(3)
    work = store.claim_work(ann.id)
    clock.now += 25 * 3600
    second = store.claim_work(ben.id)
    store.finish_work(second.id, passed=False)  # opens a third
    store.finish_work(work.id, passed=True)
    assert [state.state for state in store.list_work()] == ["passed", "failed", "withdrawn"]
    assert store.claim_work(cleo.id) is None


def test_a_full_disk_is_said_and_nothing_is_lost(tmp_path):
    store = make_study(tmp_path)
    [rater] = store.invite(1)
    work = store.claim_work(rater.id)
    store.save_answer(work.id, "1", {"value": 3}, seconds=1, form="a")
    pages = store.database.connection.execute("PRAGMA page_count").fetchone()[0]
    store.database.connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(DataError, match="database or disk is full"):
        store.save_answer(work.id, "2", {"text": "x" * 500_000}, seconds=1, form="b")
    assert store.read_answers(work.id)["1"].value == {"value": 3}
    store.database.connection.execute("PRAGMA max_page_count = 100000")
    assert store.save_answer(work.id, "3", {"value": 3}, seconds=1, form="z")


def test_nothing_is_added_to_what_was_handed_in(tmp_path):
    store = make_study(tmp_path)
    [rater] = store.invite(1)
    work = store.claim_work(rater.id)
    assert store.save_answer(work.id, "1", {"value": 3}, seconds=9, form="a")
    rows = store.count_rows(work.id)
    assert store.save_answer(work.id, "1", {"value": 4}, seconds=9, form="b")
    assert not store.finish_work(work.id, passed=True, rows=rows)  # graded before the second answer came
    assert store.finish_work(work.id, passed=True, rows=rows + 1)
    assert not store.save_answer(work.id, "1", {"value": 5}, seconds=9, form="c")
    assert store.read_answers(work.id)["1"].value == {"value": 4}


def test_a_commit_that_fails_leaves_no_transaction_open(tmp_path):
    store = make_study(tmp_path)

    def fail_at_commit():
        with store.database.transaction() as connection:
            connection.execute("PRAGMA defer_foreign_keys = ON")  # nobody has the number 99, which the commit notices
            connection.execute("INSERT INTO assignments (batch, attempt, state, rater) VALUES (9, 9, 'open', 99)")

    with pytest.raises(DataError, match="FOREIGN KEY constraint failed"):
        fail_at_commit()
    assert not store.database.connection.in_transaction
    assert len(store.invite(1)) == 1


def insert_at_once(store, rows):
    """Let threads write these rows while another transaction is going on; gives what became of each."""
    outcomes = {}

    def insert(row):
        try:
            outcomes[row[5]] = store.database.insert_row(*row)
        except DataError as error:
            outcomes[row[5]] = str(error)

    threads = [threading.Thread(target=insert, args=(row,)) for row in rows]
    with store.database.transaction():
        for thread in threads:
            thread.start()
        while len(store.database._waiting) < len(rows):
            time.sleep(0.001)
    for thread in threads:
        thread.join()
    return outcomes


def test_answers_that_come_together_share_a_commit(tmp_path, monkeypatch):
    store = make_study(tmp_path)
    work = store.claim_work(store.invite(1)[0].id)
    write, sizes = store.database._write_rows, []
    monkeypatch.setattr(store.database, "_write_rows", lambda rows: (sizes.append(len(rows)), write(rows)))
    rows = [("1", "{}", 1, 1.0, 1.0, form, work.id) for form in ("a", "b", "c")]
    assert insert_at_once(store, rows) == {"a": True, "b": True, "c": True}
    assert sizes == [3]
    assert store.count_rows(work.id) == 3


def test_an_answer_that_cannot_be_written_takes_no_other_with_it(tmp_path):
    store = make_study(tmp_path)
    work = store.claim_work(store.invite(1)[0].id)
    rows = [("1", value, 1, 1.0, 1.0, form, work.id) for form, value in (("a", "{}"), ("bad", None), ("c", "{}"))]
    outcomes = insert_at_once(store, rows)
    assert "NOT NULL constraint failed" in outcomes.pop("bad")
    assert outcomes == {"a": True, "c": True}
    assert store.count_rows(work.id) == 2


def test_threads_that_ended_leave_no_file_open(tmp_path):
    """A server takes threads and lets them go for weeks, and a process may have a thousand files open or so."""
    store = make_study(tmp_path)
    for _ in range(5):
        thread = threading.Thread(target=store.list_raters)
        thread.start()
        thread.join()
    # The connection of this thread, and that of the last one, which nobody has opened another since.
    assert len(store.database._opened) == 2
    store.close()
    assert len(store.database._opened) == 0
    assert store.list_raters() == []  # it opens again
