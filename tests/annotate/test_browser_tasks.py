"""Tasks in a real browser, as raters go through them: with keys, with a mouse, by touch, wide and on a phone."""

import pytest

from page_waiting import wait_for_keys, wait_for_value
from study_browser import open_study_page, read_answer, read_fields, wait_for_count, wait_for_marks

pytestmark = pytest.mark.browser


def test_words_are_marked_with_keys_alone(browser, open_task):
    store = open_task("faithfulness")
    with open_study_page(browser, store) as page:
        assert page.evaluate("document.activeElement.getAttribute('role')") == "listbox"
        words = page.locator(".marktext [role=option]").all_inner_texts()
        page.keyboard.press("ArrowRight")
        for _ in range(2):
            page.keyboard.press("Shift+ArrowRight")
        page.keyboard.press("1")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("2")
        wait_for_marks(page, [" ".join(words[:3]), words[3]])
        page.keyboard.press("Backspace")
        wait_for_marks(page, [" ".join(words[:3])])
        page.keyboard.press("z")
        wait_for_count(page, ".marked li", 2)
        page.keyboard.press("Control+z")
        page.keyboard.press("Enter")
        page.wait_for_url("**/2")
        assert [mark[2] for mark in read_answer(store)["marks"]] == ["intrinsic"]
        page.keyboard.press("u")
        page.wait_for_url("**/1")
        wait_for_marks(page, [" ".join(words[:3])])


def test_words_are_marked_with_a_mouse_and_found_in_the_document(browser, open_task):
    store = open_task("faithfulness")
    with open_study_page(browser, store) as page:
        words = page.locator(".marktext [role=option]")
        first, last = words.nth(1).bounding_box(), words.nth(4).bounding_box()
        page.mouse.move(first["x"] + 3, first["y"] + 8)
        page.mouse.down()
        page.mouse.move(last["x"] + 3, last["y"] + 8, steps=5)
        page.mouse.up()
        assert page.locator(".passage mark").count() > 0
        page.click(".kind-2")
        wait_for_count(page, ".marked li", 1)
        words.nth(2).click()
        wait_for_count(page, ".marktext .selected[role=option]", 4)
        page.click("[data-act=remove]")
        wait_for_marks(page, [])
        page.fill("input[type=search]", "the")
        assert page.locator(".find [role=status]").inner_text().startswith("1 / ")
        page.keyboard.press("Enter")
        assert page.locator(".find [role=status]").inner_text().startswith("2 / ")


def test_nothing_marked_is_said_and_kept(browser, open_task):
    store = open_task("faithfulness")
    with open_study_page(browser, store) as page:
        page.keyboard.press("Enter")
        page.locator("#fault", has_text="say with the box").wait_for()
        assert read_answer(store) is None
        page.locator(".marktext").focus()
        page.keyboard.press("0")
        page.keyboard.press("Enter")
        page.wait_for_url("**/2")
        assert read_answer(store) == {"marks": []}


def test_words_are_marked_by_touch_on_a_phone(browser, open_task):
    store = open_task("faithfulness")
    with open_study_page(browser, store, width=390, touch=True) as page:
        words = page.locator(".marktext [role=option]")
        words.nth(1).tap()
        words.nth(3).tap()
        page.locator(".kind-1").tap()
        wait_for_marks(page, [" ".join(words.all_inner_texts()[1:4])])
        page.locator(".marked button").tap()
        wait_for_marks(page, [])
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_marks_are_there_after_the_page_is_loaded_again(browser, open_task):
    store = open_task("faithfulness")
    with open_study_page(browser, store) as page:
        page.keyboard.press("ArrowRight")
        with page.expect_response("**/draft"):
            page.keyboard.press("2")
        page.reload()
        wait_for_count(page, ".marked li", 1)


FILLED_IN = {
    "faithfulness": ("ArrowRight", "2"),
    "salient-phrases": ("ArrowRight", "Space"),
    "answers": ("9", "Tab", "Tab", "4"),
    "answers:verify": ("n", "y"),
    "unit-writing": ("A", "Enter", "B"),
    "unit-merging": ("Enter", "ArrowDown", "Enter"),
    "focus-coverage": ("ArrowRight", "ArrowRight"),
    "quality": ("4", "2"),
}


@pytest.mark.parametrize("task", FILLED_IN)
def test_a_reload_at_once_loses_nothing_even_if_nothing_arrived(browser, open_task, task):
    with open_study_page(browser, open_task(task)) as page:
        empty = read_fields(page)
        page.route("**/draft", lambda route: route.abort())  # neither a draft nor what is sent when the page is left
        for key in FILLED_IN[task]:
            page.keyboard.press(key)
        filled = read_fields(page)
        assert filled != empty
        page.reload()
        page.wait_for_selector("#questions")
        assert read_fields(page) == filled


def test_what_is_filled_in_goes_out_with_the_page(browser, open_task):
    store = open_task("answers:verify")
    forbid = "Storage.prototype.setItem = () => { throw new Error('a private window'); }"
    with open_study_page(browser, store) as page:
        page.add_init_script(forbid)
        page.reload()
        wait_for_keys(page)
        page.keyboard.press("n")
        link = page.url
        page.goto("about:blank")
        [work] = [state for state in store.list_work() if state.rater is not None]
        wait_for_value(lambda: store.count_rows(work.id) > 0, True)  # it is sent while the page is left already
        page.goto(link)
        assert ["verdicts.1", "0"] in read_fields(page)


def test_what_was_filled_in_before_a_later_answer_from_elsewhere_is_left(browser, open_task):
    store = open_task("answers:verify")
    with open_study_page(browser, store) as page:
        page.route("**/draft", lambda route: route.abort())
        page.keyboard.press("n")
        [work] = [state for state in store.list_work() if state.rater is not None]
        item = store.study.list_items(work.batch, work.attempt)[0]
        store.save_answer(work.id, item.id, {"verdicts": [1] * 6}, seconds=9, form="a phone")
        page.reload()
        assert {value for _, value in read_fields(page)} == {"1"}


def test_without_a_script_the_page_says_what_it_needs(browser, open_task):
    with open_study_page(browser, open_task("faithfulness"), script=False) as page:
        assert "Words can only be marked with JavaScript" in page.locator("#questions").inner_text()
        assert not page.locator(".marks").is_visible()


def test_phrases_are_chosen_with_keys(browser, open_task):
    store = open_task("salient-phrases")
    with open_study_page(browser, store) as page:
        for key in ("ArrowRight", "ArrowRight", "Space", "ArrowLeft", "Space", "Enter"):
            page.keyboard.press(key)
        page.wait_for_url("**/2")
        assert read_answer(store)["phrases"][:4] == [0, 1, 1, 0]


def test_answers_are_written_and_verified_with_keys(browser, open_task):
    store = open_task("answers")
    with open_study_page(browser, store) as page:
        page.keyboard.type("9 to 4")
        for _ in range(5):
            page.keyboard.press("Tab")
            page.keyboard.press("Tab")
            page.keyboard.press("Tab")
            page.keyboard.press("Space")
        page.keyboard.press("Enter")
        page.locator("#fault", has_text="still open").wait_for()
        for number in range(2, 7):
            page.check(f"input[name='answers.{number}.none']")
        page.click("button.main")
        page.wait_for_url("**/2")
        assert read_answer(store) == {"answers": ["9 to 4", *[""] * 5]}


def test_verdicts_are_given_with_keys(browser, open_task):
    store = open_task("answers:verify")
    with open_study_page(browser, store) as page:
        for key in ("y", "n", "1", "2", "2", "y", "Enter"):
            page.keyboard.press(key)
        page.wait_for_url("**/2")
        assert read_answer(store) == {"verdicts": [1, 0, 1, 0, 0, 1]}


@pytest.mark.parametrize("task", ["answers:verify", "content-units"])
@pytest.mark.parametrize("width", [1400, 390])
def test_yes_and_no_are_of_one_size(browser, open_task, task, width):
    with open_study_page(browser, open_task(task), width=width) as page:
        boxes = [choice.bounding_box() for choice in page.locator(".check").first.locator(".choice").all()]
        assert boxes[0]["width"] == pytest.approx(boxes[1]["width"], abs=1)  # a larger one would be chosen more often


@pytest.mark.parametrize("task", ["quality", "unit-writing"])
def test_what_is_written_is_saved_with_a_key(browser, open_task, task):
    store = open_task(task)
    with open_study_page(browser, store) as page:
        if task == "quality":
            page.keyboard.type("4512")
        page.keyboard.type("The vote was close")
        page.keyboard.press("Enter")  # a line more, as long as somebody writes
        assert page.url.endswith("/1")
        page.keyboard.press("Control+Enter")
        page.wait_for_url("**/2")
        assert "The vote was close" in str(read_answer(store))


def test_suggestions_are_edited_and_folded(browser, open_task):
    store = open_task("unit-writing")
    with open_study_page(browser, store) as page:
        page.locator(".edit").first.click()
        page.keyboard.type(" in March")
        with page.expect_response("**/draft"):
            page.locator(".suggestions input").nth(1).check()
        page.click(".suggestions summary")
        assert not page.locator(".suggestions input").first.is_visible()
        page.reload()
        assert not page.locator(".suggestions input").first.is_visible()
        page.locator("textarea").first.fill("The council voted 9 to 4 in March")
        page.click("button.main")
        page.wait_for_url("**/2")
        assert read_answer(store)["units"][0] == {"written": ["The council voted 9 to 4 in March"], "taken": [1]}


def test_units_are_merged_by_dragging_with_keys_and_by_touch(browser, open_task):
    store = open_task("unit-merging")
    with open_study_page(browser, store, touch=True) as page:
        page.locator(".unit").nth(3).drag_to(page.locator(".unit").nth(0))
        wait_for_count(page, ".group .unit", 2)
        page.locator(".pick").nth(2).focus()  # what is third in the list now
        page.keyboard.press("Enter")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        wait_for_count(page, ".group", 2)
        page.keyboard.press("z")
        wait_for_count(page, ".group", 1)
        page.locator(".pick").nth(1).focus()
        page.keyboard.press("Backspace")
        wait_for_count(page, ".group", 0)
        page.locator(".pick").nth(1).tap()
        wait_for_count(page, ".pick[aria-pressed=true]", 1)
        page.locator(".pick").nth(2).tap()
        wait_for_count(page, ".group", 1)
        page.keyboard.press("s")
        page.wait_for_url("**/end")
        assert read_answer(store) == {"groups": [1, 2, 2, 4]}
