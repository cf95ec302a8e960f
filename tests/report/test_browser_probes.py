"""The page of probes, and probes in the report, in a real browser that is closed to the network."""

from dataclasses import replace
from importlib.resources import files

import pytest

import gistmeter as gm
from gistmeter.report.page.html import write_html
from gistmeter.report.page.probes.write import write_probe_page

pytestmark = pytest.mark.browser

ATTACKED = {"attacks": ["copy", "empty", "html"], "resamples": 20, "cache": False}
HOSTILE = "</svg><script>window.pwned=1</script><img src=x onerror='window.pwned=2'>"


@pytest.fixture(scope="module")
def probes(demo_examples):
    return gm.probe.report(demo_examples, "js,rouge1", words=60, **ATTACKED)


@pytest.fixture(scope="module")
def page_file(tmp_path_factory, probes):
    path = tmp_path_factory.mktemp("probes") / "probe.html"
    write_probe_page(probes, path, title="Probed")
    return path


@pytest.fixture(scope="module")
def report_file(tmp_path_factory, probes, demo_scores, demo_ranking):
    path = tmp_path_factory.mktemp("probes") / "report.html"
    write_html(demo_scores, demo_ranking, path, probes=probes.scores)
    return path


@pytest.fixture(scope="module")
def hostile_file(tmp_path_factory, demo_examples):
    path = tmp_path_factory.mktemp("probes") / "hostile.html"
    run = [replace(example, document=None, system=f"{HOSTILE}{example.system}") for example in demo_examples[:10]]
    write_probe_page(gm.probe.report(run, "js", **ATTACKED), path, title=HOSTILE)
    return path


def test_the_chart_has_a_line_for_each_system_and_a_cross_for_the_references(visit, page_file):
    page = visit(page_file)
    assert page.locator(".slope .line").count() == 6  # five systems and what was made for js
    assert page.locator(".slope.optimised .line").count() == 1
    assert page.locator(".slope .cross").count() == 1
    assert page.locator("section.score").count() == 2
    assert page.locator(".verdict").first.inner_text().startswith("Summaries made for js.divergence")


def test_a_row_of_the_means_lights_its_line(visit, page_file):
    page = visit(page_file)
    page.locator("details summary").first.click()
    page.locator(".standings tr", has_text="careful").first.hover()
    assert page.locator(".slope.on").get_attribute("data-name") == "careful"


def test_the_theme_turns(visit, page_file):
    page = visit(page_file)
    before = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.click("#theme")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != before


def test_on_a_phone_the_chart_is_whole_and_numbers_of_attacks_are_in_sight(visit, browser, page_file):
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = visit(page_file, context)
    chart = page.locator(".chart").first
    assert chart.evaluate("(each) => each.scrollWidth <= each.clientWidth")
    whole = chart.locator("svg").bounding_box()
    for label in chart.locator("text").all():  # also those that are bold
        box = label.bounding_box()
        assert whole["x"] <= box["x"] <= box["x"] + box["width"] <= whole["x"] + whole["width"], label.text_content()
    row = page.locator(".attacks tbody tr").first
    assert row.locator("td.number").nth(1).bounding_box()["x"] < 340
    assert row.locator(".under").is_visible()
    context.close()


def test_hostile_names_are_text(visit, hostile_file):
    page = visit(hostile_file)  # the fixture looks whether anything ran
    assert page.title() == HOSTILE
    assert page.locator("img").count() == 0
    assert page.locator("script").count() == 1
    assert page.locator(".standings").text_content().count(HOSTILE) == 5


@pytest.mark.parametrize("name", ["page_file", "report_file"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_axe_finds_no_violation_and_nothing_scrolls_sideways(request, visit, browser, name, scheme, width):
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page = visit(request.getfixturevalue(name), context)
    for fold in page.locator("details:not(.picker)").all():
        fold.evaluate("(each) => { each.open = true; }")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    page.evaluate((files("axe_playwright_python") / "axe.min.js").read_text("utf-8"))
    violations = page.evaluate("axe.run().then((result) => result.violations)")
    assert [(each["id"], [node["html"] for node in each["nodes"]]) for each in violations] == []
    context.close()


def test_the_report_shows_probes_and_hides_the_place_without_any(
    visit, report_file, tmp_path, demo_scores, demo_ranking
):
    page = visit(report_file)
    assert page.locator("#probe-list h3").all_inner_texts() == ["js.divergence° ↓", "rouge1.f1 ↑"]
    assert page.locator("#probe-list .attacks tbody tr.works th").text_content().startswith("copy")
    write_html(demo_scores, demo_ranking, tmp_path / "report.html")
    assert not visit(tmp_path / "report.html").locator("#probes").is_visible()
