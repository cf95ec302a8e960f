"""Tasks in a real browser for every rater: other layouts of keys, a finger, no script, a screen reader, a phone."""

import pytest

from study_browser import find_violations, open_study_page, read_answer, read_fields, wait_for_count

pytestmark = pytest.mark.browser


def press_as(page, key, code):
    """Press the key that has this sign in the rater's layout."""
    page.evaluate(
        "(key) => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {...key, bubbles: true}))",
        {"key": key, "code": code},
    )


def test_keys_work_in_layouts_without_latin_letters_and_without_digits(browser, open_task):
    with open_study_page(browser, open_task("content-units", language="ru")) as page:
        press_as(page, "т", "KeyN")  # where an English keyboard has N
        press_as(page, "н", "KeyY")
        press_as(page, "&", "Digit1")  # French, without Shift
        press_as(page, "é", "Digit2")
        press_as(page, "n", "KeyK")  # a Latin letter counts, wherever it stands
        fields = dict(read_fields(page))
        assert [fields[f"units.{number}"] for number in range(1, 6)] == ["0", "1", "1", "0", "0"]


def test_marks_are_made_and_undone_in_such_layouts(browser, open_task):
    store = open_task("faithfulness", language="ru")
    with open_study_page(browser, store) as page:
        page.keyboard.press("ArrowRight")
        press_as(page, "&", "Digit1")
        wait_for_count(page, ".marked li", 1)
        press_as(page, "я", "KeyZ")
        wait_for_count(page, ".marked li", 0)
        press_as(page, "à", "Digit0")
        page.keyboard.press("Enter")
        page.wait_for_url("**/2")
        press_as(page, "г", "KeyU")
        page.wait_for_url("**/1")


FIRST = {
    "focus-coverage": "[type=range]",
    "quality": "[name=importance][value='1']",
    "faithfulness": ".marktext",
    "answers": "[name='answers.1']",
    "unit-merging": ".pick",
}


@pytest.mark.parametrize("task", FIRST)
@pytest.mark.parametrize("touch", [False, True])
def test_keys_begin_at_the_first_question_and_a_finger_finds_no_choice_framed(browser, open_task, task, touch):
    with open_study_page(browser, open_task(task), width=390, touch=touch) as page:
        focused = "main" if touch else FIRST[task]
        assert page.locator(focused).first.evaluate("element => element === document.activeElement")
        assert page.evaluate("scrollY") == 0


WORK = ["salient-phrases", "answers", "answers:verify", "unit-writing", "unit-merging"]


JUDGED = ["focus-coverage", "coherence", "quality", "content-units", "side-by-side"]


@pytest.mark.parametrize("task", [*WORK, *JUDGED])
def test_pages_work_without_a_script(browser, open_task, task):
    store = open_task(task)
    with open_study_page(browser, store, script=False) as page:
        assert not page.locator(".keys").is_visible()  # they would do nothing
        for box in page.locator("#questions input[type=checkbox]:not([name$=none])").all()[:1]:
            box.check(force=True)
        for radio in page.locator("#questions input[value='1'][type=radio]").all():
            radio.check(force=True)
        for text in page.locator("#questions input[type=text], #questions textarea").all():
            text.fill("9 to 4")
        for number in page.locator(".slider input[type=number]").all():
            number.fill("64")
        page.click("button.main")
        page.wait_for_url(lambda url: not url.endswith("/1"))
        assert read_answer(store) is not None


@pytest.mark.parametrize("task", ["faithfulness", *WORK])
@pytest.mark.parametrize("width", [1400, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_no_violation(browser, open_task, task, width, scheme):
    with open_study_page(browser, open_task(task), width=width, scheme=scheme, touch=width == 390) as page:
        assert find_violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width


BROKEN_WORDS = """[...document.querySelectorAll('.choice span')].flatMap((label) => {
  const text = label.lastChild;
  return [...text.textContent.matchAll(/\\S+/g)].filter((word) => {
    const range = document.createRange();
    range.setStart(text, word.index);
    range.setEnd(text, word.index + word[0].length);
    return range.getClientRects().length > 1;
  }).map((word) => word[0]);
})"""


@pytest.mark.parametrize("language", ["en", "fr", "ru", "de", "es"])
@pytest.mark.parametrize("task", ["side-by-side", "quality", "content-units"])
def test_no_word_of_a_choice_is_broken_on_a_phone(browser, open_task, task, language):
    with open_study_page(browser, open_task(task, language=language), width=390, touch=True) as page:
        page.keyboard.press("2")  # what is chosen is bold
        assert page.evaluate(BROKEN_WORDS) == []
