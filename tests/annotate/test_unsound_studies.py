"""Studies that were edited, cut short or forged: each is refused in a sentence, and nothing of it is changed."""

import hashlib
import json
import re
import sqlite3
from contextlib import closing

import pytest

from gistmeter.annotate import Store, open_study
from gistmeter.annotate.grading import hand_in
from gistmeter.annotate.products import collect_product
from gistmeter.annotate.serving import check_address
from gistmeter.annotate.study import StudySettings, msgspec
from gistmeter.errors import ArgumentError, DataError
from study_raters import make_study


@pytest.fixture
def answered(tmp_path):
    """The folder of a study in which somebody answered all items of an assignment."""
    store = make_study(tmp_path)
    [rater] = store.invite(1)
    work = store.claim_work(rater.id)
    for item in store.study.list_items(work.batch, work.attempt):
        value = {"same": 97, "different": 2}.get(item.control, 50)
        store.save_answer(work.id, item.id, {"value": value}, seconds=60.0, form=item.id)
    assert hand_in(store, work).passed
    store.close()
    return tmp_path / "study"


def forge(folder):
    """Make the digests fit what is there."""
    settings = json.loads((folder / "study.json").read_text())
    settings["items_digest"] = hashlib.sha256((folder / "items.jsonl").read_bytes()).hexdigest()
    (folder / "study.json").write_text(json.dumps(settings))
    fingerprint = msgspec.json.decode((folder / "study.json").read_bytes(), type=StudySettings).fingerprint()
    change_answers(folder, f"UPDATE facts SET value = '{fingerprint}' WHERE name = 'fingerprint'")  # noqa: S608


def change_answers(folder, *statements):
    with closing(sqlite3.connect(folder / "answers.sqlite")) as connection:
        for name in ("answers_stay", "answers_last"):
            connection.execute(f"DROP TRIGGER IF EXISTS {name}")
        connection.execute("PRAGMA ignore_check_constraints = ON")
        for statement in statements:
            connection.execute(statement)
        connection.commit()


def no_raters(settings):
    settings["raters"] = 0


def countless_raters(settings):
    settings["raters"] = 10**15


def no_order(settings):
    settings["batches"][0]["orders"] = []


def empty_order(settings):
    settings["batches"][0]["orders"][0] = []


def same_number(settings):
    settings["batches"].append(settings["batches"][0])


def no_batch(settings):
    settings["batches"] = []


@pytest.mark.parametrize("edit", [no_raters, countless_raters, no_order, empty_order, same_number, no_batch])
def test_a_plan_that_is_none_is_refused(answered, edit):
    settings = json.loads((answered / "study.json").read_text())
    edit(settings)
    (answered / "study.json").write_text(json.dumps(settings))
    forge(answered)
    with pytest.raises(DataError, match="was edited: raters, batches and orders"):
        open_study(answered)


@pytest.mark.parametrize(
    ("edit", "sentence"),
    [
        (lambda item: item["shown"].pop("first"), "item '.+' of .+ is not one of the task focus-coverage"),
        (lambda item: item["shown"].update(first=3), "item '.+' of .+ is not one of the task focus-coverage"),
        (lambda item: item.update(id="2"), "raters, batches and orders|names items"),
    ],
)
def test_an_item_that_cannot_be_shown_is_refused(answered, edit, sentence):
    lines = [json.loads(line) for line in (answered / "items.jsonl").read_text().splitlines()]
    edit(lines[0])
    (answered / "items.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    forge(answered)
    with pytest.raises(DataError, match=sentence):
        Store(open_study(answered))


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ({"begin": 3}, "'begin' of the study's words is a text"),
        ({"progress": "{name} of {total}"}, "'progress' of the study's words has {name}"),
        ({"instructions": "Read."}, "'instructions' of the study's words is a list of sentences"),
        ({"begin": " "}, "'begin' of the study's words is empty"),
    ],
)
def test_words_that_no_page_can_say_are_refused(answered, words, sentence):
    settings = json.loads((answered / "study.json").read_text())
    (answered / "study.json").write_text(json.dumps({**settings, "words": words}))
    with pytest.raises(DataError, match="were edited: " + re.escape(sentence)):
        Store(open_study(answered))


@pytest.mark.parametrize("language", ["xx", "../../demo/en", ""])
def test_a_language_without_pages_is_refused(answered, language):
    settings = json.loads((answered / "study.json").read_text())
    (answered / "study.json").write_text(json.dumps({**settings, "language": language}))
    forge(answered)
    with pytest.raises(DataError, match="was edited: there are no pages in"):
        Store(open_study(answered))


def test_words_can_be_edited_while_a_study_runs_and_words_of_another_version_are_left(answered):
    settings = json.loads((answered / "study.json").read_text())
    (answered / "study.json").write_text(json.dumps({**settings, "words": {"begin": "Go", "word of old": "Yes"}}))
    Store(open_study(answered)).close()


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("UPDATE answers SET value = '[]'", "an answer to item .+ is not one"),
        ("UPDATE answers SET value = '{}'", "an answer to item .+ is not one"),
        ("UPDATE answers SET value = '{'", "an answer to item .+ is not one"),
        ("UPDATE answers SET value = '{\"value\": 1e999}'", "an answer to item .+ is not one"),
        ('UPDATE answers SET value = \'{"value": "many"}\'', "an answer to item .+ is not one"),
        ("UPDATE answers SET whole = 0, value = '{'", "an answer to item .+ is not one"),
        ("UPDATE answers SET whole = 0, value = '{\"value\": [3]}'", "an answer to item .+ is not one"),
        ("UPDATE answers SET value = X'FF'", "row 1 of the answers is not one"),
        ("UPDATE answers SET seconds = 'long'", "row 1 of the answers is not one"),
        ("UPDATE answers SET item = 'none'", "answers what nobody was asked"),
        ("UPDATE answers SET assignment = 99", "answers what nobody was asked"),
        ("UPDATE assignments SET batch = 99 WHERE id = 1", "assignment 1 is of nobody's"),
        ("UPDATE assignments SET rater = 99 WHERE id = 1", "assignment 1 is of nobody's"),
        ("UPDATE assignments SET started = 'now'", "row 1 of the assignments is not one"),
        ("UPDATE raters SET name = X'00'", "row 1 of the raters is not one"),
        ("DROP TABLE raters", "no such table"),
        ("DELETE FROM facts WHERE name = 'secret'", "what forms are signed with"),
        ("UPDATE facts SET value = 'no number' WHERE name = 'secret'", "what forms are signed with"),
    ],
)
def test_an_answer_that_nobody_gave_is_refused(answered, statement, sentence):
    change_answers(answered, "PRAGMA foreign_keys = OFF", statement)
    with pytest.raises(DataError, match=sentence) as refused:
        Store(open_study(answered))
    assert "answers.sqlite" in str(refused.value)


def test_a_damaged_or_empty_file_of_answers_is_refused_and_stays(answered):
    file = answered / "answers.sqlite"
    content = file.read_bytes()
    for damaged, sentence in (
        (content[: len(content) // 2], "damaged|malformed|cannot use"),
        (content[:4096] + b"\xff" * 4096 + content[8192:], "damaged|malformed|cannot use"),
        (b"", "is empty: put a copy of it there, or remove it"),
    ):
        file.write_bytes(damaged)
        with pytest.raises(DataError, match=sentence):
            Store(open_study(answered))
        assert file.read_bytes() == damaged
    file.write_bytes(content)
    Store(open_study(answered)).close()


def test_what_cannot_be_made_of_answers_is_said(tmp_path):
    store = make_study(tmp_path, "faithfulness")
    [rater] = store.invite(1)
    work = store.claim_work(rater.id)
    item = store.study.list_items(work.batch, work.attempt)[0]
    store.save_answer(work.id, item.id, {"marks": [{"kind": 3}]}, seconds=60.0, form="1")
    with pytest.raises(DataError, match="was changed: an answer is not one"):
        collect_product(store, "spans", states=("taken",))


def test_a_file_that_is_no_study_is_not_written_over(tmp_path):
    (tmp_path / "study").mkdir()
    (tmp_path / "study" / "items.jsonl").write_text("mine")
    with pytest.raises(DataError, match="has a file items"):
        make_study(tmp_path)
    assert (tmp_path / "study" / "items.jsonl").read_text() == "mine"


@pytest.mark.parametrize("host", ["[", "a b", "x/y", "x?y", "\x1b[2J", "a@b"])
def test_a_host_that_is_none_is_refused(host):
    with pytest.raises(ArgumentError, match="`host` is the name or address of a machine"):
        check_address(host, 0, None)


@pytest.mark.parametrize("base_url", ["http://[", "http://x:many", "http://x:99999999", "ftp://x", "https://", "x"])
def test_an_address_that_is_none_is_refused(base_url):
    with pytest.raises(ArgumentError, match="`base_url` is an address"):
        check_address(None, 0, base_url)


def test_hosts_are_names_and_addresses():
    for host in ("localhost", "0.0.0.0", "::1", "[::1]", "my-machine.example", "münchen.example"):  # noqa: S104
        assert check_address(host, 0, "https://example.org:8443/study").host == host
