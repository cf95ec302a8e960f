"""Sheets for people in a real browser, from a file: filled in, kept over a reload, downloaded, and read back."""

import json

import pytest

from gistmeter.models.answering.spans import NO_ANSWER, Answer
from gistmeter.qa.answer_files import read_human_answers
from gistmeter.qa.export import PosedQuestion
from gistmeter.qa.verdicts import AnswerVerdict, Exchange, TitledText
from gistmeter.report.page.question_sheet import write_questions

pytestmark = pytest.mark.browser
HOSTILE = "Ann <img src=x onerror='window.pwned=1'> won gold.</script><script>window.pwned=2</script>\u2028 Bob lost."
EXCHANGES = [
    Exchange(TitledText("reference", "Ann won."), TitledText("summary", text)) for text in (HOSTILE, "It rained.")
]


def pose(question, exchange, answer, *, by="model", system="</script>s"):
    verdict = AnswerVerdict(question, "<b>Ann</b>", 0, 3, answer, 0.0, 0.0, by=by)
    return PosedQuestion("<d>", system, exchange, verdict)


def answered(text):
    return Answer(text, 0, len(text), 1.0, 0.0, answered=True)


QUESTIONS = [
    pose("who <i>won</i> gold", EXCHANGES[0], answered("Ann")),
    pose("who lost", EXCHANGES[0], answered("<b>Bob</b>"), by="people"),
    pose("who slept", EXCHANGES[0], NO_ANSWER, by="people"),
    pose("what fell", EXCHANGES[1], answered("It"), system="t"),
]


def read_lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_questions_are_answered_kept_downloaded_and_read_back(visit, tmp_path, download):
    fresh = [
        question._replace(verdict=pose(question.verdict.question, question.exchange, NO_ANSWER).verdict)
        for question in QUESTIONS
    ]
    assert write_questions(fresh, tmp_path / "ask.html") == 4
    page = visit(tmp_path / "ask.html")
    assert page.inner_text("#progress") == "0 of 4 done"
    assert page.inner_text("#text").startswith("Ann <img src=x onerror='window.pwned=1'> won gold.</script>")
    assert page.locator(".card .question").all_inner_texts() == ["who <i>won</i> gold", "who lost", "who slept"]
    assert "</script>s" not in page.inner_text("body")  # people do not see whose summary it is
    # Typed; taken from a selection; none.
    page.locator(".card input[type=text]").nth(0).fill("Ann")
    assert page.locator("#text mark").all_inner_texts() == ["Ann"]
    page.evaluate(
        """() => {
          const node = document.getElementById("text").lastChild, range = document.createRange();
          range.setStart(node, node.data.indexOf("Bob")); range.setEnd(node, node.data.indexOf("Bob") + 3);
          getSelection().removeAllRanges(); getSelection().addRange(range);
        }"""
    )
    page.locator(".card button", has_text="Take selection").nth(1).click()
    page.locator(".card input[type=checkbox]").nth(2).check()
    assert page.inner_text("#progress") == "3 of 4 done"
    page.reload()
    assert page.inner_text("#progress") == "3 of 4 done"
    assert [box.input_value() for box in page.locator(".card input[type=text]").all()] == ["Ann", "Bob", ""]
    assert page.locator(".card input[type=checkbox]").nth(2).is_checked()
    # What is taken back is not downloaded; the open question of the next text is left alone.
    page.click("#open")
    assert page.inner_text("#text") == "It rained."
    file = download(page, tmp_path)
    assert file.name == "ask-filled.jsonl"
    assert [(line["id"], line["answer"], line["system"]) for line in read_lines(file)] == [
        (fresh[0].id, "Ann", "</script>s"),
        (fresh[1].id, "Bob", "</script>s"),
        (fresh[2].id, "", "</script>s"),
    ]
    assert [human.answer for human in read_human_answers(str(file)).by_id.values()] == ["Ann", "Bob", ""]


def test_answers_are_verified_and_what_has_no_answer_is_kept(visit, tmp_path, download):
    write_questions(QUESTIONS, tmp_path / "verify.html", verify=True)
    page = visit(tmp_path / "verify.html")
    assert page.inner_text("#progress") == "0 of 3 done"
    assert page.locator(".card.settled").count() == 1
    assert page.locator(".card dd").all_inner_texts()[:2] == ["<b>Ann</b>", "Ann"]
    page.locator(".card .right input").nth(0).check()
    page.locator(".card .wrong input").nth(1).check()
    file = download(page, tmp_path)
    first, second, third = read_lines(file)
    assert (first["predicted"], first["correct"]) == ("Ann", True)
    assert (second["answer"], second["correct"]) == ("<b>Bob</b>", False)
    assert (third["answer"], "correct" in third) == ("", False)
    humans = read_human_answers(str(file)).by_id
    assert humans[QUESTIONS[0].id].predicted_correct is True
    assert humans[QUESTIONS[1].id].correct is False
    assert humans[QUESTIONS[2].id].answer == ""
    # On another machine: go on from the file, start over.
    other = visit(tmp_path / "verify.html")
    assert other.inner_text("#progress") == "0 of 3 done"
    other.set_input_files("#load", file)
    # Waiting with a string of JavaScript would need the evaluation that the page's policy forbids.
    other.locator("#progress", has_text="2 of 3 done").wait_for()
    other.on("dialog", lambda dialog: dialog.accept())
    other.locator(".more summary").click()
    other.click("#clear")
    assert other.inner_text("#progress") == "0 of 3 done"
    (tmp_path / "bad.jsonl").write_text("{not json")
    other.set_input_files("#load", tmp_path / "bad.jsonl")
    other.locator("#notice", has_text="That file cannot be read").wait_for()


def test_a_browser_that_keeps_nothing_says_so_and_still_downloads(visit, tmp_path, download):
    write_questions(QUESTIONS, tmp_path / "verify.html", verify=True)
    page = visit(
        tmp_path / "verify.html",
        script="Object.defineProperty(window, 'localStorage', { get() { throw new Error('closed'); } });",
    )
    assert "does not keep what you enter" in page.inner_text("#notice")
    page.locator(".card .right input").nth(0).check()
    assert len(read_lines(download(page, tmp_path))) == 2  # what was judged, and what has no answer


def test_the_sheet_is_filled_in_with_the_keyboard(visit, tmp_path):
    fresh = [
        question._replace(verdict=pose(question.verdict.question, question.exchange, NO_ANSWER).verdict)
        for question in QUESTIONS
    ]
    write_questions(fresh, tmp_path / "ask.html")
    page = visit(tmp_path / "ask.html")
    page.locator("#open").focus()
    page.keyboard.press("Enter")
    page.keyboard.type("Ann")
    page.keyboard.press("Enter")
    page.keyboard.type("Bob")
    assert page.inner_text("#progress") == "2 of 4 done"
