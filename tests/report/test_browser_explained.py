"""The page of `explain` in a real browser: light and dark, narrow and wide, accessibility, hostile texts."""

from importlib.resources import files

import pytest

from gistmeter.api import explain_summaries
from gistmeter.report.page.explained import write_explanations

pytestmark = pytest.mark.browser


def write(path, run, **chosen):
    explained = explain_summaries(run, **chosen)
    write_explanations(explained.summaries, explained.columns, path, notes=("A note.",))
    return path


@pytest.fixture(scope="module")
def explained_file(tmp_path_factory, demo_examples):
    path = tmp_path_factory.mktemp("explained") / "explained.html"
    return write(path, demo_examples, documents=["harbour-01"], metrics="rouge2,bertscore,length")


def test_it_shows_each_summary_with_its_scores_and_why(visit, explained_file):
    page = visit(explained_file)
    assert page.locator("#counts").inner_text() == "5 summaries"
    assert page.locator(".notes li").all_inner_texts() == ["A note."]
    sections = page.locator(".explained")
    assert sections.count() == 5
    assert sections.first.locator(".metric > h3").all_inner_texts() == ["rouge2", "bertscore"]
    assert sections.first.locator("mark").count() > 10


def test_the_theme_is_switched_and_remembered(visit, explained_file, browser):
    context = browser.new_context(color_scheme="light")
    page = visit(explained_file, context)

    def darkness(page):
        return page.evaluate("getComputedStyle(document.documentElement).colorScheme")

    assert darkness(page) != "dark"
    page.click("#theme")
    assert darkness(page) == "dark"
    page.reload()
    assert darkness(page) == "dark"
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # the switch is the first thing that the keyboard reaches
    assert darkness(page) == "light"
    context.close()


def test_what_a_mark_belongs_to_is_said_beside_its_own_metric(visit, explained_file):
    """The line that says it stays in sight, whole, while the texts of its metric are read."""
    page = visit(explained_file)
    line = page.locator(".explained .readout").first
    line.evaluate("(each) => scrollTo(0, each.closest('.metric').getBoundingClientRect().top + scrollY - 300)")
    page.locator(".explained .metric", has=page.locator(".readout")).first.locator("mark").first.hover()
    box = line.bounding_box()
    assert 0 <= box["y"] <= box["y"] + box["height"] <= 900
    page.evaluate("scrollTo(0, 0)")
    assert line.bounding_box()["y"] >= line.evaluate("(each) => each.closest('.metric').getBoundingClientRect().top")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_axe_finds_no_violation(visit, explained_file, browser, scheme, width):
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page = visit(explained_file, context)
    for fold in page.locator("details").all():
        fold.evaluate("(each) => { each.open = true; }")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.evaluate((files("axe_playwright_python") / "axe.min.js").read_text("utf-8"))
    violations = page.evaluate("axe.run().then((result) => result.violations)")
    assert [(each["id"], [node["html"] for node in each["nodes"]]) for each in violations] == []
    context.close()


def test_hostile_texts_are_text(visit, hostile_examples, tmp_path):
    page = visit(write(tmp_path / "e.html", hostile_examples, documents=["<!--doc0-->"], metrics="rouge1"))
    assert page.locator(".explained h2").first.inner_text().startswith("<!--doc0-->")
    assert "</script>" in page.locator(".explained .pane").first.inner_text()
