"""Signatures: every setting stands in them, and no text of a setting can be taken for another setting."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmeter.signature import format_signature, format_value, without_version

RESERVED = st.text(alphabet="a|:%+=, 7C2B\n", max_size=6)
SETTINGS = st.dictionaries(st.sampled_from(["alpha", "stem", "v", "model"]), RESERVED, max_size=3)


def read_signature(text):
    """A signature taken apart, by its rules alone: | between settings, : behind a key, %XX for what is reserved."""

    def plain(part):
        return part.replace("%7C", "|").replace("%3A", ":").replace("%25", "%")

    name, *settings, version = text.split("|")
    pairs = [setting.split(":") for setting in settings]
    assert all(len(pair) == 2 for pair in pairs)
    assert version.startswith("v:")
    return plain(name), {plain(key): plain(value) for key, value in pairs}, plain(version[2:])


@given(RESERVED, SETTINGS, RESERVED)
def test_a_signature_can_be_read_back(name, settings, version):
    assert read_signature(format_signature(name, settings, version=version)) == (name, settings, version)


def test_keys_are_sorted_and_the_version_comes_last():
    assert format_signature("m", {"b": 1, "a": 2.5, "c": "x"}, version="9") == "m|a:2.5|b:1|c:x|v:9"
    assert format_signature("m", {}, version="9") == "m|v:9"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "none"),
        (True, "yes"),
        (False, "no"),
        (1, "1"),
        (10, "10"),
        (1.0, "1"),
        (10.0, "10"),
        (0.1 + 0.2, "0.30000000000000004"),
        (1e-07, "1e-07"),
        (("a", "b"), "a+b"),
        (("a+b",), "a%2Bb"),
        (("a|b", "%"), "a%7Cb+%25"),
        ((), ""),
        ("a|b:c%7C", "a%7Cb%3Ac%257C"),
        ("a+b", "a+b"),
    ],
)
def test_values_by_hand(value, text):
    assert format_value(value) == text


@given(st.lists(RESERVED, min_size=1, max_size=3), st.lists(RESERVED, min_size=1, max_size=3))
def test_other_lists_have_other_texts(first, second):
    assert (format_value(tuple(first)) == format_value(tuple(second))) == (first == second)


def test_the_version_goes_and_nothing_else():
    settings = {"stem": "porter|v:2", "v": "3"}
    first, second = (format_signature("m", settings, version=version) for version in ("1", "2|v:3"))
    assert without_version(first) == without_version(second) == "m|stem:porter%7Cv%3A2|v:3"
    assert without_version("unknown") == "unknown"


def test_settings_that_differ_show():
    values = [None, True, False, 0, 1, 0.5, "a", ("a", "b")]
    for first, second in itertools.combinations(values, 2):
        assert format_signature("m", {"x": first}) != format_signature("m", {"x": second})
