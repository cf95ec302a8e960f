"""The documentation in a browser, opened from disk: search, copying, narrow screens, no request to elsewhere."""

import pytest

from page_waiting import wait_for_keys

pytestmark = pytest.mark.browser
PHONE, DESK = 390, 1400


@pytest.fixture
def open_page(browser, site):
    """Open a page of the site; at the end, no error may have been logged and nothing requested from elsewhere."""
    contexts, faults = [], []

    def open_named(name, *, width=DESK, scheme="light"):
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        context.grant_permissions(["clipboard-read", "clipboard-write"])
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("request", lambda r: faults.append(r.url) if not r.url.startswith(("file:", "data:")) else None)
        page.goto((site / name).as_uri())
        wait_for_keys(page)
        return page

    yield open_named
    for context in contexts:
        context.close()
    assert faults == []


def search(page, word):
    """Type a word into the search of a page; the texts of the results."""
    page.keyboard.press("/")
    field = page.locator("dialog input[role=combobox]")
    field.wait_for()
    page.keyboard.type(word)
    page.locator("dialog [role=option]").first.wait_for()
    assert field.input_value() == word
    return page.locator("dialog [role=option]").all_inner_texts()


WORDS = [
    ("judgments", "People's judgments"),
    ("pandas", "Python API"),
    ("plugin", "A metric of your own"),
    ("CI", "Build servers (CI)"),
]


@pytest.mark.parametrize(("word", "title"), WORDS)
def test_search_finds_the_page_from_disk(open_page, word, title):
    assert any(title in result for result in search(open_page("index.html"), word))


def test_copied_sessions_hold_what_was_typed(open_page):
    page = open_page("comparing-systems.html")
    block = page.locator(".language-console").first
    shown = block.locator("code").inner_text()
    commands = [line.removeprefix("$ ") for line in shown.split("\n") if line.startswith("$ ")]
    assert len(commands) > 1
    assert "[+" in shown  # outputs stand between the commands
    block.locator("button[data-md-type=copy]").click()
    assert page.evaluate("navigator.clipboard.readText()") == "\n".join(commands)


def test_copied_python_has_no_prompts(open_page):
    page = open_page("api.html")
    block = page.locator(".language-python").filter(has_text=">>>").first
    block.locator("button[data-md-type=copy]").click()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert ">>>" not in copied
    compile(copied, "copied", "exec")


@pytest.mark.slow
def test_no_page_is_wider_than_a_phone(open_page, site):
    page = open_page("index.html", width=PHONE)
    wide = []
    for file in sorted(site.glob("*.html")):
        if file.name == "404.html":
            continue
        page.goto(file.as_uri())
        if page.evaluate("document.documentElement.scrollWidth") > PHONE:
            wide.append(file.name)
    assert wide == []


def test_a_wide_table_scrolls_within_itself(open_page):
    page = open_page("metrics.html", width=PHONE)
    table = page.locator(".md-typeset__table, .md-typeset table").first
    inner, outer = table.evaluate(
        "(table) => { let box = table; while (box && !['auto', 'scroll'].includes(getComputedStyle(box).overflowX))"
        " box = box.parentElement; return [box.scrollWidth, box.clientWidth]; }"
    )
    assert outer <= PHONE < inner


def test_dark_mode_follows_the_reader(open_page):
    def brightness(page):
        channels = page.evaluate("getComputedStyle(document.body).backgroundColor.match(/[0-9.]+/g).map(Number)")
        return sum(channels[:3]) / 3

    assert brightness(open_page("index.html", scheme="dark")) < 60
    assert brightness(open_page("index.html", scheme="light")) > 200


def test_printed_lines_fit_a_desk(open_page):
    # Commands print at most 120 columns.
    page = open_page("comparing-systems.html")
    widths = page.locator(".language-console code").evaluate_all(
        "(blocks) => blocks.map((code) => [code.scrollWidth, code.clientWidth])"
    )
    assert len(widths) > 3
    assert all(inner <= outer for inner, outer in widths)
