"""The page on trust shows what the shipped tables say."""

import pytest
from bench.figures import trust as figures


@pytest.mark.parametrize("name", ["transfer", "left-out", "gaps"])
def test_the_page_shows_the_shipped_tables(name):
    text = figures.OUTPUT.read_text(encoding="utf-8")
    assert figures.put_block(text, name, figures.blocks()[name]) == text


def test_a_page_without_the_block_is_refused():
    with pytest.raises(SystemExit, match="has no block gaps"):
        figures.put_block("no marks here", "gaps", "new")
