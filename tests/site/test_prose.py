"""What the text of a page says of an output must stand in an output of that page."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parents[2] / "docs"
BLOCK = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("name", ["comparing-systems.md", "metric-better.md", "people.md"])
def test_p_values_in_the_text_are_those_of_the_outputs(name):
    page = (DOCS / name).read_text("utf-8")
    outputs = " ".join(BLOCK.findall(page))
    stated = re.findall(r"\bp (?:is|of|=) (\.\d+)", BLOCK.sub("", page))
    assert [value for value in stated if f"0{value}" not in outputs] == []
    assert stated or name != "comparing-systems.md"  # the pattern finds what it is for


def test_pictures_follow_the_colours_of_the_reader():
    assert "prefers-color-scheme: dark" in (DOCS / "img/floors.svg").read_text("utf-8")
    home = (DOCS / "index.md").read_text("utf-8")
    for scheme in ("light", "dark"):
        assert f"img/report-{scheme}.png#only-{scheme}" in home
        assert (DOCS / f"img/report-{scheme}.png").stat().st_size < 150_000
