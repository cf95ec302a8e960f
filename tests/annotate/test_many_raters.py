"""Fifty raters at once, and a server that is killed: no error, no answer lost or doubled, nobody too many.

`GISTMETER_LOAD_SECONDS=60 GISTMETER_KILLS=20 pytest -m slow tests/annotate/test_many_raters.py -s` is the whole
minute and all kills, and prints figures.
"""

import os
import sqlite3
import sys
from collections import Counter

import numpy as np
import pytest

from gistmeter.annotate import Store, measure_progress, open_study
from simulated_raters import Server, run_load, run_to_the_end
from study_browser import hold_port
from study_raters import examples, make_study

SECONDS = float(os.environ.get("GISTMETER_LOAD_SECONDS", "12"))
KILLS = int(os.environ.get("GISTMETER_KILLS", "3"))
RATERS = 50


@pytest.fixture
def port():
    with hold_port() as held:
        yield held


def check_answers(folder, record):
    """Every acknowledged answer is there as it was given, and none is there that was not given once."""
    connection = sqlite3.connect(folder / "answers.sqlite")
    rows = connection.execute("SELECT form, value FROM answers WHERE whole = 1").fetchall()
    connection.close()
    by_form = Counter(form for form, _ in rows)
    assert max(by_form.values()) == 1
    values = dict(rows)
    lost = [
        value for _, stamp, value in record.acknowledged if values.get(stamp.split("-")[1]) != f'{{"value":{value}}}'
    ]
    assert lost == []
    given = {stamp.split("-")[1] for _, stamp, _ in record.acknowledged}
    return len(rows), len(set(values) - given)


def check_plan(folder):
    """Each batch has no fewer people than planned, and no more than planned and those who were being waited for."""
    store = Store(open_study(folder))
    planned = store.study.settings.raters
    for row in measure_progress(store).batches:
        assert row.passed + row.working + row.open >= planned
        assert row.passed + row.working <= planned
    store.close()


@pytest.mark.slow
def test_fifty_raters_at_once(tmp_path, port):
    make_study(tmp_path, run=examples(60), raters=25, per_assignment=100, minutes=0, least=0).close()
    server = Server(tmp_path / "study", port, RATERS)
    begun = server.measure_cpu()
    record = run_load(server, seconds=SECONDS, think=1.0)
    each = 1000 * (server.measure_cpu() - begun) / len(record.seconds)
    server.stop()
    rows, _ = check_answers(tmp_path / "study", record)
    check_plan(tmp_path / "study")
    middle, slow = np.quantile(record.seconds, [0.5, 0.95])
    times = f"p50 {middle:.3f} s, p95 {slow:.3f} s, {each:.1f} ms of computing by the server for each"
    sys.stdout.write(f"{len(record.seconds)} requests, {rows} answers, {times}\n")
    assert record.errors == []
    assert record.lost_connections == 0
    assert len(record.acknowledged) == rows


@pytest.mark.slow
def test_a_killed_server_loses_no_answer(tmp_path, port):
    """Twenty people answer 480 items without a pause, six of them carelessly, so that their assignments are given out
    again; the server is killed each time 20 more are answered, until the study is done."""
    planned, kills = 10, KILLS
    make_study(tmp_path, run=examples(10), raters=planned, per_assignment=12, controls=2, minutes=0).close()
    server = Server(tmp_path / "study", port, 20)
    record = run_to_the_end(server, kills=kills, answers=20, careless=6)
    server.stop()
    rows, unheard = check_answers(tmp_path / "study", record)
    lost = record.lost_connections
    store = Store(open_study(tmp_path / "study"))
    states = Counter(work.state for work in store.list_work())
    counts = f"{rows} answers, {len(record.acknowledged)} acknowledged, {unheard} saved but not heard of"
    sys.stdout.write(f"{kills} kills, {lost} lost connections, {counts}; {dict(states)}\n")
    assert record.errors == []
    assert lost >= kills
    people = Counter((work.batch, work.rater) for work in store.list_work() if work.rater is not None)
    assert set(people.values()) == {1}  # nobody did a batch twice
    judged = Counter(
        item for work in store.list_work() if work.state == "passed" for item in store.read_answers(work.id)
    )
    assert set(judged.values()) == {planned}  # every item has the planned number of people: none fewer, none more
    assert set(judged) == set(store.study.items)
    assert set(states) == {"passed", "failed"}  # nothing is open, and nobody is waited for
    assert rows == sum(len(store.read_answers(work.id)) for work in store.list_work())
    assert rows == sum(len(store.study.list_items(work.batch, work.attempt)) for work in store.list_work())
    store.close()
