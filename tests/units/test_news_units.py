"""Units of raw news sentences, beside units worked by hand (news_units.txt says how to read it)."""

from pathlib import Path

import pytest

from gistmeter.units.references import extract_reference_units

FILE = Path(__file__).with_name("news_units.txt")
IN_VIEW = 60
"""The first texts, which were in view when the rules were mended."""


def read_texts():
    """Each text with its (mark, unit) lines."""
    texts: dict[str, list[tuple[str, str]]] = {}
    for line in FILE.read_text("utf-8").splitlines():
        if line[:2] in ("+ ", "- ", "? "):
            texts[next(reversed(texts))].append((line[0], line[2:]))
        elif line and not line.startswith("#"):
            texts[line] = []
    return texts


TEXTS = read_texts()


@pytest.mark.parametrize("text", TEXTS)
def test_units_are_those_worked_by_hand(text):
    expected = [unit for mark, unit in TEXTS[text] if mark in "+-"]
    assert [unit.text for unit in extract_reference_units([text])] == expected


def count_marks(texts):
    marks = [mark for text in texts for mark, _ in TEXTS[text]]
    return {mark: marks.count(mark) for mark in "+-?"}


def test_share_of_sound_units():
    texts = list(TEXTS)
    assert len(texts) == 90
    # 118 of 131 units are sound in the first 60 (102 of 135 before: percent signs cut, "The club fined The club
    # captain", "pupils (53"), 69 of 77 in the others. People would cut 16 and 7 more.
    assert count_marks(texts[:IN_VIEW]) == {"+": 118, "-": 13, "?": 16}
    assert count_marks(texts[IN_VIEW:]) == {"+": 69, "-": 8, "?": 7}


def test_marks_are_paired_in_every_unit():
    for text in TEXTS:
        for unit in extract_reference_units([text]):
            assert unit.text.count("(") == unit.text.count(")")
            assert unit.text.count('"') % 2 == 0
