"""Kinds of words in the report: the legend lights matches and says their share, by mouse, keyboard and on a phone."""

from importlib.resources import files

import pytest

from gistmeter.report.page.html import write_html

pytestmark = [pytest.mark.browser, pytest.mark.more]


@pytest.fixture(scope="module")
def kinds_file(tmp_path_factory, demo_scores, demo_ranking, demo_examples):
    path = tmp_path_factory.mktemp("kinds") / "report.html"
    write_html(demo_scores, demo_ranking, path, examples=demo_examples, evidence_rows=5, title="Demo", categories=True)
    return path


def test_choosing_a_kind_lights_its_matches_and_says_its_share(visit, kinds_file):
    page = visit(kinds_file, fragment="doc=harbour-01&system=lead3")
    view = page.locator(".kinds-view")
    assert view.locator(".readout").inner_text().startswith("All matches 100% of the score")
    all_lit = view.locator("mark:not(.off)").count()
    view.get_by_label("Information").check()
    # "to rebuild ... wall" stands in both texts: a verb and its object, 2 of 35 matches.
    assert view.locator(".readout").inner_text() == (
        "Information who did what: verbs with their subjects and objects: 5.7% of the score, 2 matches"
    )
    lit = view.locator("mark:not(.off)")
    assert lit.all_inner_texts() == ["rebuild", "wall", "rebuild", "wall"]
    assert all_lit > 4
    lit.first.hover()
    assert view.locator("mark.on").all_inner_texts() == ["rebuild", "rebuild"]


def test_the_arrow_keys_move_in_the_legend_and_not_to_another_row(visit, kinds_file):
    page = visit(kinds_file, fragment="doc=harbour-01&system=lead3")
    page.locator(".kinds input").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    assert page.locator(".kinds input:checked").locator("xpath=..").inner_text().startswith("Topic")
    assert page.locator("#evidence-title").inner_text() == "harbour-01"
    assert page.locator(".kinds-view .readout").inner_text().startswith("Topic")
    text = page.locator(".kinds-view .text").first.bounding_box()
    assert text["y"] + 40 < page.locator("#evidence").bounding_box()["height"]  # what is lit is in sight


def test_on_a_phone_the_texts_stay_in_sight_of_the_legend(visit, kinds_file, browser):
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    page = visit(kinds_file, context, fragment="doc=harbour-01&system=lead3")
    last = page.locator(".kinds input").last
    last.focus()  # as the keyboard does, which scrolls the row to it
    last.check()
    legend, text = (page.locator(f".kinds-view {part}").first.bounding_box() for part in (".kinds", ".text"))
    assert text["y"] - legend["y"] < 844 / 3
    box = last.bounding_box()
    assert 0 <= box["x"] <= 390 - box["width"]
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1400])
def test_axe_finds_no_violation(visit, kinds_file, browser, scheme, width):
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page = visit(kinds_file, context, fragment="doc=harbour-01&system=lead3")
    page.locator(".kinds").get_by_label("Information").check()
    page.evaluate((files("axe_playwright_python") / "axe.min.js").read_text("utf-8"))
    violations = page.evaluate("axe.run().then((result) => result.violations)")
    assert [(each["id"], [node["html"] for node in each["nodes"]]) for each in violations] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    context.close()


def test_without_categories_there_is_no_legend(visit, tmp_path, demo_scores, demo_ranking, demo_examples):
    path = tmp_path / "report.html"
    write_html(demo_scores, demo_ranking, path, examples=demo_examples, evidence_rows=5)
    assert visit(path, fragment="doc=harbour-01&system=lead3").locator(".kinds").count() == 0
