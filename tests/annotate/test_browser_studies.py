"""Studies in a real browser: tasks by keyboard and by touch, wide and on a phone, light and dark, and without help."""

import contextlib
import os
from pathlib import Path

import pytest

from gistmeter.annotate.grading import hand_in
from gistmeter.annotate.results.page import write_report
from gistmeter.errors import DataError
from page_waiting import wait_for_keys
from study_browser import SCREENS, begin, find_violations, hold_port, serve_study, watch_page
from study_raters import examples, make_study

pytestmark = pytest.mark.browser

PICTURES = os.environ.get("GISTMETER_PICTURES")
"""A folder for screenshots, where they are wanted."""


@pytest.fixture
def open_page(browser):
    """Opens pages that are watched for faults."""
    with contextlib.ExitStack() as stack:
        yield lambda address, **options: stack.enter_context(watch_page(browser, address, **options))


def picture(page, name):
    if PICTURES:
        page.screenshot(path=str(Path(PICTURES) / f"{name}.png"), full_page=True)


def answer_by_keyboard(page, task):
    """Fill in a screen with keys alone and save it."""
    if task in ("focus-coverage", "coherence"):
        for _ in range(3):
            page.keyboard.press("ArrowRight")
    elif task == "content-units":
        page.keyboard.press("y")
        page.keyboard.press("n")
    elif task == "side-by-side":
        page.keyboard.press("4")
    elif task == "quality":
        for key in "4512":
            page.keyboard.press(key)
        page.keyboard.type("The town is right, the rest is odd")
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")


def answer_by_touch(page, task):
    """Fill in a screen with taps alone and save it."""
    if task in ("focus-coverage", "coherence"):
        box = page.locator("input[type=range]").bounding_box()
        page.touchscreen.tap(box["x"] + 0.8 * box["width"], box["y"] + box["height"] / 2)
    elif task == "content-units":
        for choice in page.locator(".check .choice:first-of-type").all():
            choice.tap()
    else:
        for group in page.locator(".rating").all():
            group.locator(".choice").nth(3).tap()
        if page.locator("textarea").count():
            page.locator("textarea").fill("The town is right, the rest is odd")
    page.locator("#questions button.main").tap()


@pytest.mark.parametrize("task", ["focus-coverage", "coherence", "quality", "content-units", "side-by-side"])
@pytest.mark.parametrize("screen", SCREENS)
def test_a_rater_goes_through_every_task(tmp_path, open_page, task, screen):
    store = make_study(tmp_path, task, run=examples(2), per_assignment=20, raters=1, controls=0, minutes=0)
    [rater] = store.invite(1)
    answer = answer_by_keyboard if screen == "wide" else answer_by_touch
    with serve_study(store) as address:
        page = open_page(address, **SCREENS[screen])
        page.goto(f"{address}/w/{rater.token}")
        assert find_violations(page) == []
        picture(page, f"start-{task}-{screen}")
        wait_for_keys(page)
        page.keyboard.press("Enter")  # Begin has the focus
        page.wait_for_selector("#questions")
        wait_for_keys(page)
        assert find_violations(page) == []
        picture(page, f"{task}-{screen}")
        total = len(store.study.batches[1].orders[0])
        for number in range(1, total + 1):
            answer(page, task)
            page.wait_for_url(lambda url, shown=number: not url.endswith(f"/{shown}"))
        page.wait_for_selector("text=All screens are answered")
        assert find_violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
        page.keyboard.press("Enter")  # Hand in has the focus
        page.wait_for_selector("text=Thank you")
    [work] = store.list_work()
    assert len(store.read_answers(work.id)) == total
    assert (work.rater, work.state) == (rater.id, "passed")


def test_undo_shows_the_last_answer(tmp_path, open_page):
    store = make_study(tmp_path)
    [rater] = store.invite(1)
    with serve_study(store) as address:
        page = open_page(address, **SCREENS["wide"])
        begin(page, f"{address}/w/{rater.token}")
        page.keyboard.press("7")  # a digit goes to the number
        page.keyboard.press("3")
        page.keyboard.press("Enter")
        page.wait_for_url("**/2")
        page.locator("#said", has_text="Saved").wait_for()
        page.keyboard.press("u")
        page.wait_for_url("**/1")
        assert page.input_value("input[type=number]") == "73"
        assert page.input_value("input[type=range]") == "73"


def test_a_slider_that_was_not_moved_is_no_answer(tmp_path, open_page):
    store = make_study(tmp_path)
    [rater] = store.invite(1)
    with serve_study(store) as address:
        page = open_page(address, **SCREENS["wide"])
        begin(page, f"{address}/w/{rater.token}")
        page.keyboard.press("Enter")
        page.wait_for_selector("#fault:not([hidden])")
        assert "Choose a number" in page.inner_text("#fault")
        assert find_violations(page) == []


def test_a_lost_connection_loses_nothing(tmp_path, open_page):
    store = make_study(tmp_path)
    [rater] = store.invite(1)
    with serve_study(store) as address:
        page = open_page(address, **SCREENS["wide"])
        begin(page, f"{address}/w/{rater.token}")
        page.context.set_offline(True)
        for _ in range(8):
            page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        page.wait_for_selector("text=Not saved yet")
        page.context.set_offline(False)
        page.wait_for_url("**/2")
        work = store.find_work(rater.id)
        assert [answer.value for answer in store.read_answers(work.id).values()] == [{"value": 58}]


def test_a_full_disk_is_said_and_the_answer_is_sent_again(tmp_path, open_page, monkeypatch):
    store = make_study(tmp_path)
    [rater] = store.invite(1)
    save = store.save_answer

    def fail(*_, **__):
        raise DataError("database or disk is full")

    with serve_study(store) as address:
        page = open_page(address, **SCREENS["wide"])
        begin(page, f"{address}/w/{rater.token}")
        monkeypatch.setattr(store, "save_answer", fail)
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        page.wait_for_selector("text=database or disk is full")
        monkeypatch.setattr(store, "save_answer", save)
        page.wait_for_url("**/2")


def test_an_answer_survives_a_server_that_went_away_and_a_closed_tab(tmp_path, open_page):
    store = make_study(tmp_path)
    [rater] = store.invite(1)
    with hold_port() as port:
        with serve_study(store, port) as address:
            page = open_page(address, **SCREENS["wide"])
            begin(page, f"{address}/w/{rater.token}")
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("Enter")
        page.wait_for_selector("text=Not saved yet")
        context = page.context
        page.close()
        with serve_study(store, port):
            again = context.new_page()
            again.goto(f"{address}/w/{rater.token}")
            again.wait_for_url("**/2")
            work = store.find_work(rater.id)
            assert [answer.value for answer in store.read_answers(work.id).values()] == [{"value": 49}]


@pytest.mark.parametrize("status", [200, 422])
def test_a_page_of_somebody_else_is_no_receipt(tmp_path, open_page, status):
    """The log-in page of a network, or a proxy that refuses what it is sent: the answer is sent again."""
    store = make_study(tmp_path)
    [rater] = store.invite(1)
    with serve_study(store) as address:
        page = open_page(address, **SCREENS["wide"])
        begin(page, f"{address}/w/{rater.token}")
        elsewhere = {"status": status, "content_type": "text/html", "body": "<p>Log in"}
        page.route("**/1/draft", lambda route: route.fulfill(**elsewhere))
        with page.expect_response("**/draft"):
            page.keyboard.press("ArrowRight")
        page.reload()
        page.route("**/1", lambda route: route.fulfill(**elsewhere))
        assert page.input_value("input[type=number]") == "51"
        page.keyboard.press("Enter")
        page.wait_for_selector("text=Not saved yet")
        assert page.input_value("input[type=number]") == "51"
        page.unroute_all()
        page.wait_for_url("**/2")
        work = store.find_work(rater.id)
        assert [answer.value for answer in store.read_answers(work.id).values()] == [{"value": 51}]


def test_what_is_filled_in_is_there_after_a_reload(tmp_path, open_page):
    store = make_study(tmp_path, "content-units")
    [rater] = store.invite(1)
    with serve_study(store) as address:
        page = open_page(address, **SCREENS["wide"])
        begin(page, f"{address}/w/{rater.token}")
        page.keyboard.press("n")
        page.wait_for_selector("text=Kept, not yet finished")
        page.reload()
        assert page.locator("input:checked").get_attribute("value") == "0"


def test_pages_work_without_javascript(tmp_path, open_page):
    store = make_study(tmp_path)
    [rater] = store.invite(1)
    with serve_study(store) as address:
        page = open_page(address, java_script_enabled=False, **SCREENS["phone"])
        page.goto(f"{address}/w/{rater.token}")
        page.click("button.main")
        page.fill("input[type=number]", "64")
        page.click("#questions button.main")
        page.wait_for_url("**/2?saved=1")
        assert "Saved" in page.inner_text("#said")


@pytest.mark.parametrize("screen", SCREENS)
def test_the_admin_page_fits_its_screen(tmp_path, open_page, screen):
    store = make_study(tmp_path)
    store.invite(2)
    with serve_study(store) as address:
        page = open_page(address, **SCREENS[screen])
        page.goto(f"{address}/admin/{store.admin_token}")
        assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]


def test_the_admin_page_is_live(tmp_path, open_page):
    store = make_study(tmp_path)
    with serve_study(store) as address:
        page = open_page(address, **SCREENS["wide"])
        page.goto(f"{address}/admin/{store.admin_token}")
        assert find_violations(page) == []
        page.click("text=Invite another rater")
        page.wait_for_selector("text=rater-1")
        picture(page, "admin-wide")
        page.evaluate("document.activeElement.blur()")
        store.invite(1)
        page.wait_for_selector("text=rater-2")


@pytest.mark.parametrize("screen", SCREENS)
def test_the_report_can_be_read_by_all(tmp_path, open_page, screen):
    store = make_study(tmp_path, run=examples(3), raters=2, per_assignment=40)
    for rater in store.invite(2):
        work = store.claim_work(rater.id)
        for item in store.study.list_items(work.batch, work.attempt):
            value = {"same": 95, "different": 5}.get(item.control) or (17 * rater.id * int(item.id)) % 100
            store.save_answer(work.id, item.id, {"value": value}, seconds=20, form=item.id)
        hand_in(store, work)
    file = tmp_path / "report.html"
    write_report(store, file)
    page = open_page("file:", **SCREENS[screen])
    page.goto(file.as_uri())
    picture(page, f"report-{screen}")
    assert find_violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
