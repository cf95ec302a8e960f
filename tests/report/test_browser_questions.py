"""Questions in the report, in a real browser: a click or a key on a question marks both answers, nothing is raw."""

import polars as pl
import pytest

from gistmeter.example import Example
from gistmeter.metrics.question.alignment import AnsweredExchange
from gistmeter.metrics.question.evidence import explain_questions
from gistmeter.models.answering.spans import Answer
from gistmeter.qa.verdicts import AnswerVerdict, Exchange, TitledText
from gistmeter.ranking.rank import rank
from gistmeter.report.page import pack
from gistmeter.report.page.html import write_html
from gistmeter.scores import ScoreColumn, Scores
from page_waiting import wait_for_keys

pytestmark = pytest.mark.browser
SUMMARY = "Old Ann <img src=x onerror='window.pwned=1'> won."
REFERENCE = "Ann won. Bob <b>lost</b>."
VERDICTS = (
    AnswerVerdict("who won", "Ann", 0, 3, Answer("Old Ann", 0, 7, 0.9, 0.1, answered=True), 0.0, 2 / 3),
    AnswerVerdict(
        "who is old <script>window.pwned=2</script>", "Ann", 0, 3, Answer("Ann", 4, 7, 0.9, 0.1, True), 1.0, 1.0, 0.9
    ),
    AnswerVerdict("who <b>lost</b>", "Bob", 9, 12, Answer("", 0, 0, 0.0, 1.0, answered=False), 0.0, 0.0),
)
WHY = explain_questions(
    "qaeval",
    "f1 0.556",
    [AnsweredExchange(Exchange(TitledText("reference", REFERENCE), TitledText("summary", SUMMARY)), VERDICTS)],
)


@pytest.fixture(scope="module")
def page(browser, tmp_path_factory):
    path = tmp_path_factory.mktemp("questions") / "report.html"
    examples = [Example(doc_id="1", system=name, summary=SUMMARY, references=(REFERENCE,)) for name in "ab"]
    table = pl.DataFrame({"doc_id": ["1", "1"], "system": ["a", "b"], "qaeval.f1": [0.1, 0.2]})
    scores = Scores(table, (ScoreColumn("qaeval.f1", "qaeval|v:0"),))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pack, "_explain", lambda metric, example: WHY)
        write_html(scores, rank(scores, resamples=20, permutations=20), path, examples=examples)
    opened = browser.new_page(viewport={"width": 1280, "height": 900})
    opened.goto(path.as_uri())
    wait_for_keys(opened)
    opened.locator("[data-place='0']").click()
    yield opened
    opened.close()


def lit(page):
    return page.locator("#evidence mark.on").all_inner_texts()


def test_a_click_on_a_question_marks_both_spans(page):
    questions = page.locator("#evidence .pane", has=page.locator("h3", has_text="Questions")).locator("mark")
    assert questions.all_inner_texts() == [item.question for item in VERDICTS]
    questions.nth(0).click()
    page.locator(".headline").hover()
    assert lit(page) == ["Old ", "Ann", "Ann", "who won"]  # the span is in two parts: one belongs to two questions
    assert "partly right: expected “Ann”, answered “Old Ann”" in page.locator(".readout").inner_text()
    questions.nth(1).click()
    page.locator(".headline").hover()
    assert lit(page) == ["Ann", "Ann", VERDICTS[1].question]
    questions.nth(2).click()
    page.locator(".headline").hover()
    assert lit(page) == ["Bob", VERDICTS[2].question]  # not answered: there is nothing to mark in the summary
    questions.nth(2).click()


def test_questions_are_walked_with_the_keyboard(page):
    first = page.locator("#evidence mark", has_text="who won")
    page.locator("[role=tab]").focus()
    while not first.evaluate("(mark) => mark === document.activeElement"):
        page.keyboard.press("Tab")
    assert lit(page) == ["Old ", "Ann", "Ann", "who won"]
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert lit(page) == ["Ann", "Ann", VERDICTS[1].question]
    page.keyboard.press("Enter")


def test_nothing_of_it_is_run_or_drawn_as_markup(page):
    assert page.evaluate("window.pwned") is None
    assert page.locator("#evidence b", has_text="lost").count() == 0
    assert page.locator("#evidence td.words", has_text="Bob").count() == 1
