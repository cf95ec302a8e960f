"""The evidence of embedding metrics in a real browser: what lights up together, what is said of it, by which keys."""

import polars as pl
import pytest

from gistmeter.evidence import Evidence, Mark, Pane, Table
from gistmeter.example import Example
from gistmeter.ranking.rank import rank
from gistmeter.report.page import pack
from gistmeter.report.page.html import write_html
from gistmeter.scores import ScoreColumn, Scores
from page_waiting import wait_for_keys

pytestmark = pytest.mark.browser

SUMMARY = "The wall was rebuilt. Ferries will sail."
DOCUMENT = "A wall stood here.\n\n" + "Nothing of note. " * 400 + "\n\nIt was rebuilt in May."
LONG = "a sentence that goes on and on, so that no screen is wide enough to hold it on one line of a table"
WALL, REBUILT, FERRIES = (SUMMARY.index(word) for word in ("wall", "rebuilt", "Ferries"))
FAR = DOCUMENT.index("rebuilt")
WHY = Evidence(
    "faithfulness",
    "0.500: two words of three",
    (
        Pane(
            "summary",
            SUMMARY,
            (
                Mark(WALL, WALL + 4, 0, note="closest: “wall”, cosine 0.912"),
                Mark(REBUILT, REBUILT + 7, 1, note="closest: “rebuilt”, cosine 0.801"),
                Mark(FERRIES, FERRIES + 7, 2, note="closest: “wall”, cosine 0.102"),
            ),
        ),
        Pane("document", DOCUMENT, (Mark(2, 6, 0, (2,), "closest: “wall”"), Mark(FAR, FAR + 7, 1, (), "at the end"))),
        Table(
            ("sentence", "score", "nearest"), ((LONG, "0.912", f"0.912 {LONG}\n0.1 {LONG}"),), "sentences, by support"
        ),
    ),
)


@pytest.fixture(scope="module")
def page(browser, tmp_path_factory):
    """A page whose one row is opened at the evidence above."""
    path = tmp_path_factory.mktemp("evidence") / "report.html"
    examples = [
        Example(doc_id=str(n), system=name, summary=SUMMARY, document=DOCUMENT) for n in range(2) for name in "ab"
    ]
    rows = {"doc_id": [e.doc_id for e in examples], "system": [e.system for e in examples]}
    table = pl.DataFrame({**rows, "faithfulness.faithfulness": [0.1, 0.2, 0.3, 0.4]})
    scores = Scores(table, (ScoreColumn("faithfulness.faithfulness", "faithfulness|v:0"),))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pack, "_explain", lambda metric, example: WHY)
        write_html(scores, rank(scores, resamples=20, permutations=20), path, examples=examples)
    opened = browser.new_page(viewport={"width": 1280, "height": 900})
    opened.goto(path.as_uri())
    wait_for_keys(opened)
    yield opened
    opened.close()


@pytest.fixture
def dialog(page):
    page.set_viewport_size({"width": 1280, "height": 900})
    page.evaluate("links.forget()")  # a reload would open what is open now
    page.reload()
    page.locator("[data-place='0']").click()
    return page.locator("#evidence")


def lit(dialog):
    return dialog.locator("mark.on").all_inner_texts()


def test_pointing_at_a_word_lights_its_partners_and_says_how_close_they_are(dialog):
    readout = dialog.locator(".readout")
    assert "Point at a marked word" in readout.inner_text()
    dialog.locator("mark", has_text="Ferries").hover()
    assert lit(dialog) == ["Ferries", "wall"]  # not the summary's own wall
    assert readout.inner_text().split() == ["Ferries", "closest:", "“wall”,", "cosine", "0.102"]
    dialog.locator("mark", has_text="wall").nth(1).hover()
    assert lit(dialog) == ["wall", "Ferries", "wall"]  # both words that are closest to it
    dialog.locator(".headline").hover()
    assert lit(dialog) == []
    assert "Point at a marked word" in readout.inner_text()


def test_what_lights_up_far_down_a_long_text_is_scrolled_to(dialog):
    far = dialog.locator(".pane").nth(1).locator("mark", has_text="rebuilt")
    text = dialog.locator(".pane .text").nth(1)

    def inside():
        mark, box = far.bounding_box(), text.bounding_box()
        return box["y"] <= mark["y"] <= box["y"] + box["height"] - mark["height"]

    assert not inside()
    before = dialog.locator(".body").evaluate("(body) => body.scrollTop")
    dialog.locator("mark", has_text="rebuilt").first.hover()
    assert inside()
    assert dialog.locator(".body").evaluate("(body) => body.scrollTop") == before


def test_marks_can_be_walked_and_kept_with_the_keyboard(page, dialog):
    dialog.locator("[role=tab]").focus()
    page.keyboard.press("Tab")
    assert lit(dialog) == ["wall", "wall"]
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")  # there is no further mark
    assert lit(dialog) == ["Ferries", "wall"]
    assert "0.102" in dialog.locator(".readout").inner_text()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")  # into the other text, which scrolls and so can be reached itself
    assert lit(dialog) == ["Ferries", "wall"]
    page.keyboard.press("ArrowDown")  # scrolls: the row stays
    assert dialog.locator(".title").inner_text().split() == ["0", "a"]
    page.keyboard.press("Tab")
    assert lit(dialog) == ["wall", "Ferries", "wall"]
    page.keyboard.press("ArrowDown")  # from a mark, as from anywhere else, the next row
    assert dialog.locator(".title").inner_text().split() == ["0", "b"]


def test_a_click_keeps_the_light_and_a_second_one_ends_it(dialog):
    mark = dialog.locator("mark", has_text="Ferries")
    mark.click()
    dialog.locator(".headline").hover()
    assert lit(dialog) == ["Ferries", "wall"]
    mark.click()
    dialog.locator(".headline").hover()
    assert lit(dialog) == []


@pytest.mark.parametrize("width", [1280, 390])
def test_sentences_in_a_table_wrap_and_numbers_stand_at_the_right(page, dialog, width):
    page.set_viewport_size({"width": width, "height": 850})
    assert dialog.locator("details summary").first.inner_text() == "Sentences, by support (1)"
    name, number, nearest = dialog.locator(".matches tbody tr > *").all()
    assert number.evaluate("(cell) => getComputedStyle(cell).textAlign") == "right"
    assert nearest.evaluate("(cell) => getComputedStyle(cell).textAlign") == "left"
    for cell in (name, nearest):
        assert cell.bounding_box()["width"] < 600
        assert cell.bounding_box()["height"] > 30  # more than one line
    assert page.evaluate("document.getElementById('evidence').scrollWidth") <= width
    assert page.evaluate("document.documentElement.scrollWidth") <= width
