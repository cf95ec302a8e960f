"""Rows of the report in a real browser: links, one system alone, two side by side, tables as files, accessibility."""

from dataclasses import replace
from importlib.resources import files
from urllib.parse import parse_qs, urlsplit

import polars as pl
import pytest

from gistmeter.api import score
from gistmeter.ranking.rank import rank
from gistmeter.report.page.html import write_html
from gistmeter.scores import Scores

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def demo_file(tmp_path_factory, demo_scores, demo_ranking, demo_examples):
    path = tmp_path_factory.mktemp("report") / "report.html"
    write_html(demo_scores, demo_ranking, path, examples=demo_examples, title="Demo")
    return path


@pytest.fixture(scope="module")
def hostile_file(tmp_path_factory, hostile_scores, hostile_examples):
    path = tmp_path_factory.mktemp("report") / "report.html"
    write_html(hostile_scores, rank(hostile_scores, resamples=50, permutations=50), path, examples=hostile_examples)
    return path


def names_in(page):
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).fragment).items()}


def save(page, button, folder):
    with page.expect_download() as waiting:
        page.click(button)
    path = folder / waiting.value.suggested_filename
    waiting.value.save_as(path)
    return path


def test_an_opened_summary_is_in_the_address_and_a_link_opens_it_again(visit, demo_file, browser):
    page = visit(demo_file)
    page.select_option("#only", label="terse")
    page.locator("#rows button.open", has_text="harbour-01").click()
    page.locator("[role=tab]", has_text="rouge2").click()
    page.select_option("#beside", label="dreamer")
    assert names_in(page) == {"doc": "harbour-01", "system": "terse", "beside": "dreamer", "metric": "rouge2"}
    again = visit(demo_file, fragment=urlsplit(page.url).fragment)
    assert again.locator("#evidence .title").inner_text().split() == ["harbour-01", "terse", "beside", "dreamer"]
    assert again.locator("#evidence [aria-selected=true]").inner_text() == "rouge2"
    again.keyboard.press("Escape")
    # The dialog is hidden first, its close event (which clears the address) is a task of its own.
    again.wait_for_url(lambda url: "#" not in url)


def test_a_link_takes_back_a_search_that_hides_its_row(visit, demo_file):
    page = visit(demo_file)
    page.fill("#search", "final-03")
    page.locator("#range", has_text="of 5").wait_for()
    page.evaluate("location.hash = 'doc=harbour-01&system=looper'")
    assert page.locator("#evidence .title").inner_text().split() == ["harbour-01", "looper"]
    assert page.locator("#search").input_value() == ""


def test_a_link_to_what_is_not_there_says_so(visit, demo_file):
    page = visit(demo_file, fragment="doc=%3Cb%3Enowhere&system=nobody")
    assert not page.locator("#evidence").is_visible()
    assert "<b>nowhere by nobody" in page.locator("#no-such-row").inner_text()


def test_one_system_alone(visit, demo_file):
    page = visit(demo_file)
    page.select_option("#only", label="lead3")
    assert page.locator("#range").inner_text() == "1–12 of 12"
    assert set(page.locator("#rows .system").all_inner_texts()) == {"lead3"}
    page.fill("#search", "harbour-01")
    page.locator("#range", has_text="of 1").wait_for()


def test_two_systems_side_by_side(visit, demo_file, demo_scores):
    page = visit(demo_file)
    page.evaluate("location.hash = 'doc=harbour-01&system=careful&beside=terse&metric=rouge2'")
    sides = page.locator("#why .side")
    assert sides.locator("h3").first.inner_text() == "careful"
    assert [sides.nth(i).locator(".pane").count() for i in (0, 1)] == [2, 2]
    header = page.locator("#evidence .fitted thead th").all_inner_texts()
    assert header == ["Score", "careful", "terse", "Difference"]
    line = page.locator("#evidence .fitted tbody tr", has_text="rouge2.f1")
    careful, terse = (demo_scores.row("harbour-01", system)["rouge2.f1"] for system in ("careful", "terse"))
    assert line.locator("td").all_inner_texts() == [f"{careful:.3f}", f"{terse:.3f}", f"+{careful - terse:.3f}"]
    assert "best" in line.locator("td").first.get_attribute("class")
    # The next document keeps both systems; the row of the other system itself is shown alone.
    page.keyboard.press("ArrowDown")
    assert page.locator("#evidence .title").inner_text().split() == ["harbour-01", "terse"]
    page.keyboard.press("ArrowDown")
    assert page.locator("#evidence .title").inner_text().split() == ["harbour-01", "dreamer", "beside", "terse"]


@pytest.mark.parametrize("width", [390, 1400])
def test_side_by_side_fits_the_screen(visit, demo_file, browser, width):
    context = browser.new_context(viewport={"width": width, "height": 900})
    page = visit(demo_file, context, fragment="doc=harbour-01&system=careful&beside=terse")
    boxes = [page.locator("#why .side").nth(i).bounding_box() for i in (0, 1)]
    assert (boxes[0]["y"] == boxes[1]["y"]) == (width == 1400)
    assert all(box["x"] >= 0 and box["x"] + box["width"] <= width for box in boxes)
    context.close()


def test_rows_are_saved_as_a_table_that_ranks_as_the_scores_do(visit, demo_file, demo_scores, tmp_path):
    page = visit(demo_file)
    path = save(page, "#save-rows", tmp_path)
    scores = Scores.read(path)
    means = {
        system.system: system.value for system in rank(scores, columns=["rouge2.f1"], resamples=10).columns[0].systems
    }
    expected = {
        system.system: system.value
        for system in rank(demo_scores, columns=["rouge2.f1"], resamples=10).columns[0].systems
    }
    assert list(means) == list(expected)
    assert means == pytest.approx(expected, abs=1e-5)  # the page keeps six digits


def test_what_is_filtered_and_sorted_is_saved_so(visit, demo_file, tmp_path):
    page = visit(demo_file)
    page.select_option("#only", label="terse")
    page.locator("#rows thead button", has_text="rouge1.f1").click()
    table = pl.read_csv(save(page, "#save-rows", tmp_path))
    assert set(table["system"]) == {"terse"}
    assert table["rouge1.f1"].is_sorted(descending=True)


def test_the_leaderboard_is_saved(visit, demo_file, demo_ranking, tmp_path):
    page = visit(demo_file)
    table = pl.read_csv(save(page, "#save-board", tmp_path))
    column = next(ranked for ranked in demo_ranking.columns if ranked.column.name == "rouge1.f1")
    assert table["system"].to_list() == [system.system for system in demo_ranking.leading.systems]
    by_name = {system.system: system for system in column.systems}
    for row in table.iter_rows(named=True):
        system = by_name[row["system"]]
        assert row["rouge1.f1"] == pytest.approx(system.value, rel=1e-5)
        assert row["rouge1.f1.low"] == pytest.approx(system.low, rel=1e-5)
        assert (row["rouge1.f1.group"], row["rouge1.f1.documents"]) == (system.group, 12)


def test_no_spreadsheet_runs_what_is_saved(visit, tmp_path, demo_examples):
    run = [replace(example, system=f'=cmd("{example.system}",1)') for example in demo_examples[:4]]
    scores = score(run, ["rouge1"])
    write_html(scores, rank(scores, resamples=10, permutations=10), tmp_path / "report.html", examples=run)
    path = save(visit(tmp_path / "report.html"), "#save-rows", tmp_path)
    assert all(system.startswith("'=cmd(") for system in pl.read_csv(path)["system"])
    assert set(Scores.read(path).systems) == set(scores.systems)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize(
    "fragment", ["", "doc=harbour-01&system=careful", "doc=harbour-01&system=careful&beside=terse"]
)
def test_axe_finds_no_violation(visit, demo_file, browser, scheme, width, fragment):
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page = visit(demo_file, context, fragment=fragment)
    for fold in page.locator("details:not(.picker)").all():
        fold.evaluate("(each) => { each.open = true; }")
    page.evaluate((files("axe_playwright_python") / "axe.min.js").read_text("utf-8"))
    violations = page.evaluate("axe.run().then((result) => result.violations)")
    assert [(each["id"], [node["html"] for node in each["nodes"]]) for each in violations] == []
    context.close()


def test_hostile_names_in_links_and_sides_are_text(visit, hostile_file):
    page = visit(hostile_file)
    page.locator("#rows button.open").first.click()
    page.select_option("#beside", index=1)
    again = visit(hostile_file, fragment=urlsplit(page.url).fragment)
    assert again.locator("#evidence .title h2").inner_text() == "<!--doc0-->"
    assert again.locator("#why .side").count() == 2
