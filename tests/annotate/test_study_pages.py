"""The pages as a browser without JavaScript uses them: every answer is kept, every wrong request is answered calmly."""

import re
import socket

import pytest
from starlette.testclient import TestClient

from gistmeter.annotate import collect_judgments, measure_progress
from gistmeter.annotate.grading import hand_in_forgotten
from gistmeter.annotate.serving import EVERYWHERE, check_address
from gistmeter.annotate.web import rater_pages
from gistmeter.annotate.web.app import make_app
from gistmeter.errors import DataError
from gistmeter.example import Example
from gistmeter.report.tables.numbers import format_number
from study_raters import Clock, PageRater, examples, good_slider, make_study, open_client, read_form

ATTACK = "<script>window.pwned=1</script><img src=x onerror='window.pwned=2'> & it rained."


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def store(tmp_path, clock):
    new_store = make_study(tmp_path, clock=clock, per_assignment=16, controls=4)
    yield new_store
    new_store.close()


@pytest.fixture
def client(store):
    return open_client(store)


def begin(client, store):
    [rater] = store.invite(1)
    page = PageRater(client, store, rater.token, good_slider()).start()
    return rater, page


def test_a_rater_goes_through_an_assignment(client, store, clock):
    [rater] = store.invite(1)
    person = PageRater(client, store, rater.token, good_slider(), clock)
    page = person.finish()
    assert "Your work is handed in and saved" in page.text
    assert re.search(r"<code>[0-9A-F]{10}</code>", page.text)
    [work] = [state for state in store.list_work() if state.rater == rater.id]
    assert work.state == "passed"
    assert len(store.read_answers(work.id)) == person.given == len(store.study.batches[work.batch].orders[0])
    assert store.read_times(work.id) == pytest.approx(20 * person.given)
    collected = collect_judgments(store)
    assert (collected.used, collected.failed) == (1, 0)
    assert set(collected.judgments.table["aspect"]) == {"focus", "coverage"}


def test_a_screen_shows_one_item_with_progress_and_time(client, store, clock):
    _rater, page = begin(client, store)
    assert page.url.path.endswith("/1")
    assert "0 of 16" in page.text
    assert "about 8 min left" in page.text
    assert page.text.count('class="passage"') == 2
    assert "focus" not in page.text
    assert "coverage" not in page.text
    action, fields = read_form(page.text)
    clock.now += 12
    page = client.post(action, data={**fields, "value": "40"})
    assert "1 of 16" in page.text
    assert "Saved" in page.text
    assert page.url.path.endswith("/2")


def test_going_back_shows_the_answer_and_a_change_is_a_new_row(client, store, clock):
    rater, page = begin(client, store)
    action, fields = read_form(page.text)
    client.post(action, data={**fields, "value": "40"})
    earlier = client.get(action)
    assert 'value="40"' in earlier.text
    _, fields = read_form(earlier.text)
    client.post(action, data={**fields, "value": "45"})
    work = store.find_work(rater.id)
    [answer] = store.read_answers(work.id).values()
    assert answer.value == {"value": 45}
    assert store.count_rows(work.id) == 2


def test_the_same_form_twice_is_one_answer(client, store):
    rater, page = begin(client, store)
    action, fields = read_form(page.text)
    for _ in range(3):
        assert client.post(action, data={**fields, "value": "40"}).status_code == 200
    assert store.count_rows(store.find_work(rater.id).id) == 1


def test_two_tabs_lose_nothing(client, store):
    rater, first = begin(client, store)
    second = client.get(f"/w/{rater.token}")
    for page, value in ((first, "40"), (second, "41")):
        action, fields = read_form(page.text)
        assert client.post(action, data={**fields, "value": value}).status_code == 200
    [answer] = store.read_answers(store.find_work(rater.id).id).values()
    assert answer.value == {"value": 41}


@pytest.mark.parametrize(
    ("value", "words"),
    [("", "Choose a number from 0 to 100 first."), ("101", "A number from 0 to 100"), ("-1", "A number from 0 to 100"),
     ("4e1", "A number"), ("nan", "A number"), ("<b>", "A number"), ("9" * 400, "A number")],
)  # fmt: skip
def test_an_answer_out_of_range_is_refused_on_the_same_screen(client, store, value, words):
    rater, page = begin(client, store)
    action, fields = read_form(page.text)
    refused = client.post(action, data={**fields, "value": value})
    assert refused.status_code == 422
    assert words in refused.text
    assert store.count_rows(store.find_work(rater.id).id) == 0


def test_a_form_of_elsewhere_or_of_another_item_is_not_taken(client, store, clock):
    rater, page = begin(client, store)
    action, fields = read_form(page.text)
    other = action.removesuffix("/1") + "/2"
    changed = fields["stamp"][:-1] + ("1" if fields["stamp"].endswith("0") else "0")
    for target, stamp in ((action, ""), (action, "x"), (action, changed), (other, fields["stamp"])):
        answer = client.post(target, data={"stamp": stamp, "value": "40"})
        assert answer.status_code == 403
        assert 'value="40"' in answer.text
    clock.now += 8 * 86400
    assert client.post(action, data={**fields, "value": "40"}).status_code == 403
    assert store.count_rows(store.find_work(rater.id).id) == 0


def test_what_is_filled_in_is_there_when_the_page_is_loaded_again(client, store):
    rater, page = begin(client, store)
    action, fields = read_form(page.text)
    draft = client.post(f"{action}/draft", data={**fields, "value": "33", "draft": "1", "other": "x"})
    assert draft.text == "Kept, not yet finished"
    assert 'value="33"' in client.get(action).text
    work = store.find_work(rater.id)
    assert store.read_answers(work.id) == {}  # a draft is no answer
    draft_answer = store.read_last(work.id, store.study.list_items(work.batch, work.attempt)[0].id)
    assert draft_answer.value == {"value": "33"}


@pytest.mark.parametrize(
    "path", ["/w/wrong", "/w/wrong/1", "/admin/wrong", "/w/", "/", "/nothing", "/static/../app.py", "/static/app.py"]
)
def test_a_wrong_link_is_a_calm_page(client, path):
    page = client.get(path)
    assert page.status_code == 404
    assert "This link does not work" in page.text


def test_a_link_expires(client, store, clock):
    rater, _page = begin(client, store)
    clock.now += 91 * 86400
    assert client.get(f"/w/{rater.token}").status_code == 404


def test_what_is_too_large_or_too_frequent_is_refused(client, store):
    rater, page = begin(client, store)
    action, fields = read_form(page.text)
    large = client.post(action, data={**fields, "value": "4" * 70_000})
    assert large.status_code == 413
    assert "Nothing was changed" in large.text
    chunked = client.post(action, content=(b"x" * 10_000 for _ in range(10)))  # without a length
    assert chunked.status_code == 413
    assert client.post(action, content=b"\xff\xfe").status_code == 413
    hasty = open_client(store, burst=5)
    codes = [hasty.get(f"/w/{rater.token}/1").status_code for _ in range(9)]
    assert (codes[0], codes[-1]) == (200, 429)
    assert "nothing is lost" in hasty.get(f"/w/{rater.token}/1").text
    assert [client.get(f"/w/{number}").status_code for number in range(40)][-1] == 429


def test_answers_without_end_do_not_fill_the_disk(client, store, monkeypatch):
    monkeypatch.setattr(rater_pages, "MOST_ROWS", 2)
    rater, _page = begin(client, store)
    codes = []
    for number in range(6):
        action, fields = read_form(client.get(f"/w/{rater.token}/1").text)
        codes.append(client.post(action, data={**fields, "value": str(number)}, follow_redirects=False).status_code)
    assert codes == [303] * 4 + [429] * 2
    work = store.find_work(rater.id)
    assert [answer.value for answer in store.read_answers(work.id).values()] == [{"value": 3}]


def test_headers_allow_nothing_from_elsewhere(client, store):
    _, page = begin(client, store)
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy
    assert page.headers["referrer-policy"] == "no-referrer"
    assert page.headers["cache-control"] == "no-store"
    assert page.headers["x-frame-options"] == "DENY"
    assert page.headers["x-content-type-options"] == "nosniff"
    assert "<script>" not in page.text
    assert "style=" not in page.text
    assert "onclick" not in page.text
    assert not re.search(r'(src|href)="(https?:)?//', page.text)
    for name in ("gistmeter.css", "gistmeter.js"):
        assert client.get(f"/static/{name}").status_code == 200


def test_an_error_that_nobody_foresaw_is_a_guarded_page(store, monkeypatch):
    monkeypatch.setattr(store, "find_rater", lambda _token: 1 / 0)
    browser = TestClient(make_app(store), base_url="http://localhost", raise_server_exceptions=False)
    page = browser.get("/w/secret")
    assert page.status_code == 500
    assert "Something went wrong" in page.text
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert page.headers["referrer-policy"] == "no-referrer"


def test_another_name_of_the_server_is_refused(client, store):
    [rater] = store.invite(1)
    assert client.get(f"/w/{rater.token}", headers={"host": "evil.example"}).status_code == 421
    named = open_client(store, base_url="https://study.example/people")
    page = named.get(f"/people/w/{rater.token}", headers={"host": "study.example"})
    assert page.status_code == 200
    assert f'action="/people/w/{rater.token}/begin"' in page.text
    assert named.get(f"/w/{rater.token}", headers={"host": "study.example"}).status_code == 200


def test_a_server_that_listens_everywhere_answers_to_its_addresses_and_its_name(store, monkeypatch):
    monkeypatch.setattr(socket, "gethostname", lambda: "lab-7")
    [rater] = store.invite(1)
    everywhere = open_client(store, hosts=(EVERYWHERE[0],))
    expected = {"192.168.1.7:8765": 200, "[fe80::1]:8765": 200, "lab-7": 200, "evil.example": 421}
    given = {name: everywhere.get(f"/w/{rater.token}", headers={"host": name}).status_code for name in expected}
    assert given == expected
    assert check_address(EVERYWHERE[0], 8765, None).shown_host == "lab-7"  # what stands in the links


def test_texts_of_a_run_are_data(tmp_path):
    run = [
        Example(doc_id=ATTACK + str(number), system=ATTACK, summary=f"{ATTACK} {number}", references=[ATTACK * 2])
        for number in range(3)
    ]
    store = make_study(tmp_path, run=run, title=ATTACK)
    client = open_client(store)
    [rater] = store.invite(1)
    pages = [client.get(f"/w/{rater.token}"), PageRater(client, store, rater.token, good_slider()).start()]
    pages += [client.get(f"/admin/{store.admin_token}")]
    for page in pages:
        assert page.status_code == 200
        assert "<script>window" not in page.text
        assert "<img" not in page.text


def test_right_to_left_text_has_its_direction(tmp_path):
    run = [Example(doc_id="d", system="s", summary="هطل المطر.", references=["كان الجو رطبا."], language="ar")]
    store = make_study(tmp_path, run=run, controls=0)
    client = open_client(store)
    [rater] = store.invite(1)
    page = PageRater(client, store, rater.token, good_slider()).start()
    assert '<div dir="auto" lang="ar">' in page.text
    assert '<p dir="auto">هطل المطر.</p>' in page.text


def test_careless_work_fails_and_is_given_out_again(client, store, clock):
    ann, ben, cleo = store.invite(3)
    PageRater(client, store, ann.token, lambda item: {"value": "50"}, clock).finish()  # always 50
    PageRater(client, store, ben.token, good_slider(), clock, seconds=1.0).finish()  # right, but too fast
    reasons = [state.reasons for state in store.list_work() if state.state == "failed"]
    assert reasons[0] == "passed 0 of 4 controls, under 70%"
    assert re.fullmatch(r"took 0\.2\d{0,2} minutes, less than 1\.0\d?", reasons[1])  # 16 items of 4 seconds at least
    PageRater(client, store, cleo.token, good_slider(), clock).finish()
    progress = measure_progress(store)
    assert (progress.failed, progress.done) == (2, 1)
    assert [row.right for row in progress.raters] == [0, 4, 4]


def test_the_admin_page_shows_no_controls_where_there_are_none(client, store, clock, tmp_path):
    PageRater(client, store, store.invite(1)[0].token, good_slider(), clock).finish()
    assert '<td class="number">4 of 4</td>' in client.get(f"/admin/{store.admin_token}").text
    bare = make_study(tmp_path / "bare", controls=0)
    bare.invite(1)
    row = open_client(bare).get(f"/admin/{bare.admin_token}").text.split("rater-1")[1].split("<code")[0]
    assert re.findall(r'"number">([^<]*)<', row) == ["0", "0", "–", "0", "–", "–"]  # now at, seconds, controls


def test_work_that_was_not_handed_in_is_after_an_hour(client, store, clock):
    ann, ben = store.invite(2)
    work = store.claim_work(ann.id)
    for item in store.study.list_items(work.batch, work.attempt):
        value = {"same": 95, "different": 5}.get(item.control, 40)
        store.save_answer(work.id, item.id, {"value": value}, seconds=20, form=item.id)
    clock.now += 3000
    PageRater(client, store, ben.token, good_slider()).start()
    assert store.list_work()[0].state == "taken"
    clock.now += 700
    hand_in_forgotten(store)
    assert store.list_work()[0].state == "passed"


@pytest.mark.parametrize("base_url", ["", "https://study.example/people"])
def test_a_link_with_a_slash_at_its_end_is_the_same_link(store, base_url):
    [rater] = store.invite(1)
    client = open_client(store, base_url=base_url)
    prefix = "/people" if base_url else ""
    for address in (f"/w/{rater.token}", f"/admin/{store.admin_token}"):
        page = client.get(f"{prefix}{address}/", follow_redirects=False)
        assert (page.status_code, f'action="{prefix}{address}/' in page.text) == (200, True)
    assert [client.get(path).status_code for path in ("/", "//", f"{prefix}/")] == [404] * 3


def test_an_address_that_no_page_has_is_no_fault_of_the_server(client, store):
    [rater] = store.invite(1)
    for path in (f"/w/{rater.token}/{'9' * 5000}", f"/w/{'x' * 60_000}", "/w/%00"):
        assert client.get(path).status_code == 404


def test_the_admin_page_hands_in_what_was_forgotten(client, store, clock):
    work = store.claim_work(store.invite(1)[0].id)
    for item in store.study.list_items(work.batch, work.attempt):
        value = {"same": 95, "different": 5}.get(item.control, 40)
        store.save_answer(work.id, item.id, {"value": value}, seconds=20, form=item.id)
    clock.now += 3700
    assert re.search(r"1 of \d+ planned assignments are usable", client.get(f"/admin/{store.admin_token}").text)


def test_the_admin_sees_progress_and_invites(client, store, clock):
    rater, page = begin(client, store)
    path = f"/admin/{store.admin_token}"
    page = client.get(path)
    assert rater.token in page.text
    assert "0 of 16" in page.text
    action, fields = read_form(page.text)
    assert "A new link is in the table" in client.post(action, data=fields).text
    client.post(action, data=fields)  # the same form again
    client.post(action, data={"stamp": "x"})
    assert [person.name for person in store.list_raters()] == ["rater-1", "rater-2"]


def test_agreement_is_not_shown_before_two_have_passed(client, store):
    assert "two people answered in usable assignments" in client.get(f"/admin/{store.admin_token}").text


def test_agreement_so_far_is_shown(tmp_path, clock):
    store = make_study(tmp_path, clock=clock, run=examples(3), per_assignment=20)
    client = open_client(store)
    for rater in store.invite(2):
        PageRater(client, store, rater.token, good_slider(), clock).finish()
    every, row, _ = measure_progress(store).agreement
    assert (every.aspect, every.items) == ("all", 12)
    # Both gave the same answers in their own order, drawn with the same seed: agreement is not 1, and it is defined.
    assert row.items == 6
    assert -1 <= row.alpha < 1
    assert f"alpha {format_number(row.alpha, 2)}" in client.get(f"/admin/{store.admin_token}").text


def test_a_full_disk_is_a_page(client, store, monkeypatch, caplog):
    _rater, page = begin(client, store)
    action, fields = read_form(page.text)

    def fail(*_, **__):
        raise DataError("cannot use /home/ann/study/answers.sqlite: database or disk is full")

    monkeypatch.setattr(store, "save_answer", fail)
    page = client.post(action, data={**fields, "value": "4"})
    assert page.status_code == 507
    assert "database or disk is full" in page.text
    assert "/home/ann" not in page.text  # where it lies is for the person who runs the study
    assert "keep this page open" in page.text
    [record] = caplog.records
    assert record.getMessage() == "cannot use /home/ann/study/answers.sqlite: database or disk is full"


def test_nothing_left_to_do_is_said(tmp_path, clock):
    store = make_study(tmp_path, clock=clock, run=examples(3), raters=1, per_assignment=20)
    client = open_client(store)
    ann, ben = store.invite(2)
    PageRater(client, store, ann.token, good_slider(), clock).finish()
    page = client.get(f"/w/{ben.token}")  # at once, and not after instructions for nothing
    assert "nothing left to do" in page.text
    assert read_form(page.text) == ("", {})
    assert "handed in" in client.get(f"/w/{ann.token}").text  # with the code, as when it was handed in
    assert measure_progress(store).done == 1
