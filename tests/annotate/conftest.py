"""Studies that people go through to their end, and studies of each task for a browser."""

import json
import re
from dataclasses import replace

import pytest

from gistmeter.annotate.tasks import find_task, salient_phrases
from gistmeter.api import read_run
from gistmeter.demo import demo_run
from gistmeter.example import Unit
from study_raters import Clock, PageRater, make_study, open_client


@pytest.fixture
def finish(tmp_path):
    """Makes a study and lets people with these answers go through it; gives its store."""
    stores = []

    def make(task, run, *people, **options):
        clock = Clock()
        store = make_study(tmp_path, task, run=run, clock=clock, raters=len(people), **options)
        client = open_client(store)
        for rater, answer in zip(store.invite(len(people)), people, strict=True):
            page = PageRater(client, store, rater.token, answer, clock, seconds=400).finish()
            assert "handed in" in page.text
        stores.append(store)
        return store

    yield make
    for store in stores:
        store.close()


@pytest.fixture(scope="module")
def demo():
    return read_run(demo_run())


@pytest.fixture
def open_task(browser, tmp_path, demo, monkeypatch):
    """Makes a study of a task from the example run, and its store."""
    stores = []
    monkeypatch.setattr(salient_phrases, "find_spans", lambda texts: [find_names(text) for text in texts])

    def make(task, **options):
        run = [example for example in demo if example.system in ("dreamer", "careful")][:6]
        if task == "unit-merging":
            references = [run[0].references[0], run[0].summary]
            units = [Unit(f"Fact {number}, which is stated", sentence=number) for number in range(4)]
            run = [replace(run[0], references=references, units=units)]
        if task == "unit-writing":
            units = [Unit("The council voted 9 to 4", sentence=0), Unit("The wall was breached twice", sentence=0)]
            run = [replace(run[0], units=units)]
        if task.startswith("answers"):
            run = find_task("answers").read_source([write_questions(tmp_path, run[0], task)], None)
        stores.append(make_study(tmp_path, task.partition(":")[0], run=run, raters=1, controls=None, **options))
        return stores[-1]

    yield make
    for store in stores:
        store.close()


def find_names(text):
    """Words with a capital letter, in the place of noun phrases."""
    return [match.span() for match in re.finditer(r"[A-Z]\w+", text)]


def write_questions(folder, example, task):
    field = (
        {"expected": "9 to 4", "predicted": "4 to 9", "correct": None} if task == "answers:verify" else {"answer": None}
    )
    summary = {"doc_id": example.doc_id, "system": example.system, "text": example.summary}
    lines = [
        json.dumps({"id": f"q{number}", **summary, "question": f"How did the council vote, {number}?", **field})
        for number in range(8)
    ]
    (folder / "questions.jsonl").write_text("\n".join(lines))
    return str(folder / "questions.jsonl")
