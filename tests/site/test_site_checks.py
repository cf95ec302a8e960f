"""What docs/check_site.py must notice, on sites of a page or two; and the real site, checked."""

import json
import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CHECK = runpy.run_path(str(ROOT / "docs/check_site.py"))
MENU = '<nav><a href="index.html">Home</a> <a href="other.html">Other</a></nav>'


def check_two_pages(folder, body, menu=MENU):
    (folder / "index.html").write_text(f"{menu}<h2 id='top'>Top</h2>{body}")
    (folder / "other.html").write_text(f"{MENU}<h2 id='here'>Here</h2>")
    (folder / "picture.png").write_bytes(b"")
    return CHECK["check_pages"](folder, CHECK["read_pages"](folder))


@pytest.mark.parametrize(
    "body",
    [
        '<a href="other.html">page</a>',
        '<a href="other.html#here">heading</a>',
        '<a href="#top">own heading</a>',
        '<a href="https://example.org/x">a link elsewhere loads nothing</a>',
        '<img src="picture.png">',
        '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">',
    ],
)
def test_sound_pages_have_no_fault(tmp_path, body):
    assert check_two_pages(tmp_path, body) == []


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ('<a href="gone.html">page</a>', "gone.html is not there"),
        ('<a href="other.html#gone">heading</a>', "other.html#gone names no heading of other.html"),
        ('<a href="#gone">heading</a>', "#gone names no heading of index.html"),
        ('<img src="gone.png">', "gone.png is not there"),
        ('<img src="https://example.org/x.png">', "https://example.org/x.png is loaded from elsewhere"),
        ('<script src="//example.org/x.js"></script>', "//example.org/x.js is loaded from elsewhere"),
        (
            '<link rel="stylesheet" href="http://example.org/x.css">',
            "http://example.org/x.css is loaded from elsewhere",
        ),
        ('<link rel="preconnect" href="https://fonts.example">', "https://fonts.example is loaded from elsewhere"),
        ('<p style="background: url(https://example.org/x)">', "https://example.org/x is loaded from elsewhere"),
    ],
)
def test_a_fault_is_named(tmp_path, body, fault):
    assert check_two_pages(tmp_path, body) == [f"index.html: {fault}"]


def test_a_font_in_a_style_sheet_is_a_fault(tmp_path):
    (tmp_path / "site.css").write_text('@import "https://fonts.example/roboto.css"; p { background: url(picture.png) }')
    assert check_two_pages(tmp_path, "") == ["site.css: https://fonts.example/roboto.css is loaded from elsewhere"]


def test_a_page_that_no_menu_names_is_a_fault(tmp_path):
    # A link in the text is not enough: who does not read that page never finds the other.
    faults = check_two_pages(tmp_path, '<a href="other.html">page</a>', menu="<nav></nav>")
    assert faults == ["other.html is not in the navigation"]


def test_a_folder_without_a_site_is_a_fault(tmp_path):
    assert CHECK["check_site"](tmp_path)[0] == "index.html is missing: the site was not built"


@pytest.mark.more
def test_the_documentation_has_no_fault(site):
    assert CHECK["check_site"](site) == []
    assert not list(site.rglob("*.py"))


@pytest.mark.more
@pytest.mark.parametrize(("word", "page"), [("pandas", "api"), ("plugin", "plugins"), ("CI", "build-gate")])
def test_the_search_index_has_what_people_look_for(site, word, page):
    items = json.loads((site / "search.json").read_text("utf-8"))["items"]
    texts = [item["title"] + " " + item["text"] for item in items if item["location"].split("#")[0] == f"{page}.html"]
    assert any(re.search(rf"\b{word}s?\b", text) for text in texts)
