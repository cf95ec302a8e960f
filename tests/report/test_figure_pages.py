"""Figures as pages: no scripts, no network, readable on a phone and in the dark; an .svg has a white ground."""

import re

import numpy as np
import pytest

import gistmeter as gm
from gistmeter import meta
from gistmeter.report.figure_page import narrow_figure

LONG = "bertscore(model=roberta-large).f1"


@pytest.fixture(scope="module")
def study():
    rng = np.random.default_rng(1)
    people = rng.normal(size=(8, 12))
    tables = {name: people + rng.normal(size=people.shape) for name in ("rouge1.f1", LONG, "qaeval.f1")}
    return meta.Study.from_tables({**tables, "rated <b>": people}, aspects=["rated <b>"])


@pytest.fixture(scope="module")
def pages(study, tmp_path_factory):
    folder = tmp_path_factory.mktemp("figures")
    answers = {
        "cells": meta.correlate(study),
        "intervals": meta.interval(study, resamples=20),
        "decisions": meta.test(study, permutations=20),
        "curves": meta.stability(study, metrics=["rouge1.f1", LONG], trials=5),
        "scatter": meta.systems(study),
    }
    for name, answer in answers.items():
        gm.write_figure(answer, folder / f"{name}.html")
    gm.write_figure(answers["cells"], folder / "cells.svg")
    return folder


KINDS = ("cells", "intervals", "decisions", "curves", "scatter")


@pytest.mark.more
@pytest.mark.parametrize("kind", KINDS)
def test_a_page_has_no_scripts_and_follows_the_window_and_the_dark(pages, kind):
    page = (pages / f"{kind}.html").read_text("utf-8")
    assert "<script" not in page
    assert not re.search(r"(src|href)=\"(?!#)", page)
    assert "rated <b>" not in page
    assert 'name="viewport"' in page
    assert "prefers-color-scheme: dark" in page
    body = page.partition("</style>")[2]
    assert "var(--ink)" in body
    for colour in ("#1f2328", "#e8eaed", "#000", 'fill="white" d="M0,0h'):
        assert colour not in body  # else it stays as it is on a dark page
    assert body.count("<svg ") == 2
    names = re.findall(r'id="([^"]+)"', body)
    assert len(names) == len(set(names))


@pytest.mark.more
def test_a_figure_for_a_phone_is_narrow_and_says_the_same(pages):
    page = (pages / "intervals.html").read_text("utf-8")
    wide, narrow = (float(width) for width in re.findall(r'<svg [^>]*? width="([\d.]+)"', page))
    assert narrow <= 390 - 2 * 16
    assert wide > 700  # two panels side by side
    assert page.count("rouge1.f1") >= 4


def test_titles_are_broken_and_tables_keep_their_width():
    table = {
        "config": {},
        "mark": "rect",
        "width": 680,
        "encoding": {"x": {"title": "a title that is too long for a phone"}},
    }
    narrow = narrow_figure(table)
    assert narrow["width"] == 680
    assert narrow["encoding"]["x"]["title"] == ["a title that is too long for a", "phone"]


@pytest.mark.more
def test_an_svg_has_a_ground_of_its_own(pages):
    drawing = (pages / "cells.svg").read_text("utf-8")
    assert re.search(r'<rect width="\d+" height="\d+" fill="white"', drawing)


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1400])
def test_nothing_is_lost_in_a_browser(pages, browser, width, scheme):
    for kind in KINDS:
        page = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme).new_page()
        page.goto(f"file://{pages / kind}.html")
        assert page.evaluate("document.documentElement.scrollWidth") == width  # the page never moves sideways
        shown = page.locator("svg:visible")
        assert shown.count() == 1
        assert shown.get_attribute("class").split()[0] == ("narrow" if width == 390 else "wide")
        # Text is light on a dark page and dark on a light one, but for the numbers on cells.
        ink = page.evaluate("getComputedStyle(document.querySelector('svg:not(.none) .role-axis-label text')).fill")
        assert (int(re.findall(r"\d+", ink)[0]) > 128) == (scheme == "dark")
        sizes = page.evaluate(
            "[...document.querySelectorAll('svg text')].filter(t => t.getClientRects().length && t.textContent)"
            ".map(t => parseFloat(getComputedStyle(t).fontSize))"
        )
        assert min(sizes) >= 8
