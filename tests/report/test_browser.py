"""The report in a real browser, closed to the network."""

import re

import pytest

from gistmeter.api import score
from gistmeter.ranking.rank import rank
from gistmeter.report.page.html import write_html
from page_waiting import wait_for_keys

pytestmark = pytest.mark.browser


@pytest.fixture
def visit(browser):
    """Open a file; at the end of the test, no error may have been logged and no request made."""
    contexts, faults = [], []

    def open_file(path, **options):
        context = browser.new_context(viewport={"width": 1280, "height": 900}, **options)
        contexts.append(context)
        page = context.new_page()
        page.on(
            "console", lambda message: faults.append(message.text) if message.type in ("error", "warning") else None
        )
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("request", lambda r: faults.append(r.url) if not r.url.startswith(("file:", "data:")) else None)
        page.add_init_script(
            "window.violations = []; document.addEventListener("
            "'securitypolicyviolation', (event) => window.violations.push(event.violatedDirective));"
        )
        page.goto(path.as_uri())
        wait_for_keys(page)
        return page

    yield open_file
    for context in contexts:
        for page in context.pages:
            assert page.evaluate("window.violations") == []
        context.close()
    assert faults == []


@pytest.fixture(scope="module")
def demo_file(tmp_path_factory, demo_scores, demo_ranking, demo_examples):
    path = tmp_path_factory.mktemp("report") / "report.html"
    write_html(demo_scores, demo_ranking, path, examples=demo_examples, title="Demo", evidence_rows=50)
    return path


@pytest.fixture(scope="module")
def hostile_file(tmp_path_factory, hostile_scores, hostile_examples):
    path = tmp_path_factory.mktemp("report") / "report.html"
    ranking = rank(hostile_scores, resamples=50, permutations=50)
    write_html(hostile_scores, ranking, path, examples=hostile_examples, title="</title><img src=x>")
    return path


def test_leaderboard_has_all_systems_best_first(visit, demo_file):
    page = visit(demo_file)
    names = page.locator(".plot tbody th").all_inner_texts()
    assert names == ["careful", "lead3", "dreamer", "terse", "looper"]
    assert page.locator(".plot .dot").count() == 5
    assert page.locator(".plot .median").count() == 5
    assert page.locator("#board tbody tr").count() == 5


def test_another_score_redraws_the_plot_and_a_pooled_one_has_no_distribution(visit, demo_file):
    page = visit(demo_file)
    page.select_option("#score", label="rouge1.precision")
    assert page.locator(".plot tbody th").first.inner_text() == "terse"
    page.select_option("#score", label="bleu.corpus")
    assert page.locator(".plot .dot").count() == 5
    assert page.locator(".plot .median").count() == 0


def test_columns_are_picked_for_both_tables(visit, demo_file):
    page = visit(demo_file)
    assert "rouge1.recall" not in page.locator("#rows thead").inner_text()
    page.locator("#documents .picker summary").click()
    page.locator("#documents .menu label", has_text="rouge1.recall").click()
    assert "rouge1.recall" in page.locator("#rows thead").inner_text()
    assert "rouge1.recall" in page.locator("#board thead").inner_text()
    assert "bleu.corpus" not in page.locator("#rows thead").inner_text()
    page.keyboard.press("Escape")
    assert not page.locator("#documents .menu").is_visible()


def test_tables_sort_and_say_so(visit, demo_file):
    page = visit(demo_file)
    button = page.locator("#rows thead button", has_text="rouge1.f1")
    button.click()
    values = [float(text) for text in page.locator("#rows tbody tr td:nth-child(3)").all_inner_texts()]
    assert values == sorted(values, reverse=True)
    assert page.locator("#rows th[aria-sort=descending]").count() == 1
    assert page.evaluate("document.activeElement.textContent").startswith("rouge1.f1")
    page.locator("#board thead button", has_text="System").click()
    names = page.locator("#board tbody th").all_inner_texts()
    assert names == sorted(names)


def test_where_lower_is_better_the_lowest_come_first(visit, tmp_path, demo_examples):
    scores = score(demo_examples, "js")
    write_html(scores, rank(scores, resamples=50, permutations=50), tmp_path / "report.html")
    page = visit(tmp_path / "report.html")
    page.locator("#rows thead button", has_text="js.divergence").click()
    values = [float(text) for text in page.locator("#rows tbody tr td:nth-child(3)").all_inner_texts()]
    assert values == sorted(values)


def test_search_filters_by_document_system_and_summary(visit, demo_file):
    from playwright.sync_api import expect

    page = visit(demo_file)
    status = page.locator("#range")
    assert status.inner_text() == "1–25 of 60"
    for words, count in (("harbour-01", 5), ("CAREFUL", 12), ("careful harbour-01", 1), ("zzzz", 0)):
        page.fill("#search", words)
        expect(status).to_have_text(f"1–{count} of {count}" if count else "0 rows")
    page.fill("#search", "Councillors voted")
    expect(page.locator("#rows tbody tr").first).to_contain_text("lead3")


def test_pages_turn(visit, demo_file):
    page = visit(demo_file)
    page.click("#next")
    page.click("#next")
    assert page.locator("#range").inner_text() == "51–60 of 60"
    assert page.locator("#next").is_disabled()


def test_a_row_opens_evidence_whose_marks_light_up_together(visit, demo_file):
    page = visit(demo_file)
    page.locator("#rows tbody tr").first.locator("td.number").first.click()
    dialog = page.locator("#evidence")
    assert dialog.is_visible()
    assert dialog.locator("[role=tab]").all_inner_texts() == ["rouge1", "rouge2", "rougeLsum"]
    assert dialog.locator(".pane").count() == 2
    mark = dialog.locator(".pane").first.locator("mark", has_text="Port Ellery")
    mark.hover()
    lit = dialog.locator("mark.on")
    assert lit.count() == 2
    assert set(lit.all_inner_texts()) == {"Port Ellery"}
    dialog.locator(".headline").hover()
    assert dialog.locator("mark.on").count() == 0
    dialog.locator("[role=tab]", has_text="rouge2").click()
    assert "matched 2-grams" in dialog.locator(".headline").inner_text()
    assert dialog.locator(".matches tbody tr").count() == 19
    source = dialog.locator("details", has_text="Source")
    assert not source.locator("p").first.is_visible()
    source.locator("summary").click()
    assert "Councillors in Port Ellery" in source.locator("p").first.inner_text()


def test_the_keyboard_alone_is_enough(visit, demo_file):
    page = visit(demo_file)
    page.focus("#search")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    dialog = page.locator("#evidence")
    assert dialog.locator(".title").inner_text().split() == ["harbour-01", "careful"]
    page.keyboard.press("ArrowRight")
    assert dialog.locator("[aria-selected=true]").inner_text() == "rouge2"
    page.keyboard.press("ArrowDown")
    assert dialog.locator(".title").inner_text().split() == ["harbour-01", "terse"]
    assert dialog.locator("[aria-selected=true]").inner_text() == "rouge2"
    page.keyboard.press("Escape")
    assert not dialog.is_visible()
    # The dialog's close event, which gives the focus back, comes a moment after the dialog is gone.
    page.locator("[data-place='2']:focus").wait_for()
    assert page.evaluate("document.activeElement.dataset.place") == "2"


def test_arrow_keys_turn_the_page(visit, demo_file):
    page = visit(demo_file)
    page.locator("[data-place='24']").focus()
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.dataset.place") == "25"
    assert page.locator("#range").inner_text() == "26–50 of 60"


def test_rows_beyond_the_limit_say_how_to_get_more(visit, demo_file):
    page = visit(demo_file)
    assert "50 of 60 rows" in page.locator("#about-documents").inner_text()
    page.click("#next")
    page.click("#next")
    page.locator("#rows button.open").first.click()
    assert "--evidence" in page.locator("#evidence .note").inner_text()
    assert page.locator("#evidence .pane").count() == 1


def test_without_texts_rows_do_not_open(visit, tmp_path, demo_scores, demo_ranking):
    write_html(demo_scores, demo_ranking, tmp_path / "report.html")
    page = visit(tmp_path / "report.html")
    assert "give --run to see texts and evidence" in page.locator("#about-documents").inner_text()
    assert page.locator("#rows button.open").count() == 0
    page.locator("#rows tbody tr").first.click()
    assert not page.locator("#evidence").is_visible()


def test_hostile_text_is_shown_and_not_run(visit, hostile_file, hostile_examples):
    page = visit(hostile_file)
    assert page.title() == "</title><img src=x>"
    for position in range(3):
        page.locator(f"[data-place='{position}']").click()
        assert hostile_examples[position].system.splitlines()[0] in page.locator("#evidence .title").inner_text()
        shown = page.locator("#evidence .pane .text").first.text_content()
        assert shown == hostile_examples[position].summary
        assert "cat sat" in page.locator("#evidence .pane mark").all_inner_texts()  # after an emoji: UTF-16 counts
        page.keyboard.press("Escape")
    assert page.evaluate("window.pwned") is None
    assert page.locator("img").count() == 0
    assert page.locator("script").count() == 2


def test_theme_follows_the_system_toggles_and_persists(visit, demo_file):
    page = visit(demo_file, color_scheme="light")

    def brightness():
        colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
        return sum(int(part) for part in re.findall(r"\d+", colour)[:3])

    assert brightness() > 600
    page.click("#theme")
    assert brightness() < 150
    page.reload()
    assert brightness() < 150
    page.click("#theme")
    assert brightness() > 600


def test_signatures_are_copied(visit, demo_file):
    from playwright.sync_api import expect

    page = visit(demo_file, permissions=["clipboard-read", "clipboard-write"])
    page.locator("#signature-list button").first.click()
    expect(page.locator("#signature-list button").first).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()").startswith("rouge1|alpha:0.5|")


def test_a_narrow_screen_has_no_sideways_scroll(visit, demo_file):
    page = visit(demo_file)
    page.set_viewport_size({"width": 400, "height": 850})
    assert page.evaluate("document.documentElement.scrollWidth") == 400
    page.locator("#rows button.open").first.click()
    assert page.evaluate("document.getElementById('evidence').scrollWidth") <= 400


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_has_a_contrast_of_at_least_four_and_a_half(visit, demo_file, scheme):
    page = visit(demo_file, color_scheme=scheme)
    page.locator("#rows button.open").first.click()
    worst = page.evaluate(CONTRAST)
    assert worst["ratio"] >= 4.5, worst


CONTRAST = """() => {
  const channels = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = (c) => { c /= 255; return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4; };
  const luminance = ([r, g, b]) => 0.2126 * light(r) + 0.7152 * light(g) + 0.0722 * light(b);
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = channels(getComputedStyle(at).backgroundColor);
      if (colour.length === 3 || colour[3] === 1) return colour;
    }
    return [255, 255, 255];
  };
  let worst = { ratio: 99 };
  for (const element of document.querySelectorAll("body *:not(script):not(option):not(optgroup)")) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!own || element.disabled || !element.checkVisibility()) continue;
    const style = getComputedStyle(element);
    const ink = element.namespaceURI.endsWith("svg") ? style.fill : style.color;
    const [a, b] = [luminance(channels(ink)), luminance(behind(element))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < worst.ratio) worst = { ratio, text: element.textContent.slice(0, 40), tag: element.tagName, ink };
  }
  return worst;
}"""
