"""assert_summary: limits by name, and what a failure says; the plugin in a pytest of its own."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from gistmeter.errors import ArgumentError, DataError, MetricError
from gistmeter.testing import assert_summary
from gistmeter.testing.limits import read_limits

pytest_plugins = ["pytester"]

ROOT = Path(__file__).parents[2]
DOCUMENT = "The bridge cost 6.8 million crowns. It opened in May."
SUMMARY = "The bridge opened in May. It cost 8.6 million crowns."
REFERENCE = "A bridge opened in May."


def message(**arguments):
    with pytest.raises(AssertionError) as failure:
        assert_summary(SUMMARY, document=DOCUMENT, references=REFERENCE, **arguments)
    return str(failure.value)


def test_scores_come_back_when_all_limits_hold():
    # rouge1: bridge, opened, in, may match; 11 words in the summary (8.6 is two), 5 in the reference
    scores = assert_summary(SUMMARY, references=[REFERENCE], rouge1__recall=0.8, at_least={"rouge1(stem=none).f1": 0.1})
    assert scores["rouge1.recall"] == pytest.approx(4 / 5)
    assert set(scores) == {"rouge1.recall", "rouge1(stem=none).f1"}


def test_a_failure_shows_score_limit_evidence_and_the_weakest_sentence():
    text = message(rouge1=0.9, rouge1__recall=0.1, at_most={"length.words": 5})
    head, evidence, weakest = text.split("\n\n")
    lines = head.splitlines()
    assert lines[0] == "the summary fails by 2 of 3 scores"
    assert [line.split()[0] for line in lines[1:]] == ["rouge1.f1", "length.words", "rouge1.recall"]
    assert lines[1].endswith("must be at least 0.9")
    assert lines[2].endswith("must be at most 5")
    assert lines[3].endswith("is at least 0.1")
    assert "«bridge opened in May»" in evidence
    assert weakest.splitlines()[0] == "weakest sentence: It cost 8.6 million crowns."
    assert "8.6 million stands nowhere in the document" in weakest


@pytest.mark.more
def test_a_failed_support_names_the_least_supported_sentence():
    # 8.6 million, which rules find, is also what the judge of consistency does not find supported.
    weakest = message(consistency=0.99).split("\n\n")[-1]
    assert "8.6 million stands nowhere in the document" in weakest
    assert "the document supports it with a probability of" in weakest
    # Nothing speaks against a sentence in other words of the document: the lowest support is shown.
    with pytest.raises(AssertionError) as failure:
        assert_summary("The bridge opened in May.", document=DOCUMENT, consistency=1.0)
    assert (
        str(failure.value).split("\n\n")[-1].startswith("weakest sentence: The bridge opened in May.\n  - its support")
    )


def test_a_missing_score_fails():
    with pytest.raises(AssertionError, match="repeat2  missing"):
        assert_summary("Rain", at_most={"repetition.repeat2": 0.5})


def test_text_in_a_message_is_data():
    with pytest.raises(AssertionError) as failure:
        assert_summary("A \x1b[31mcat.", references="A dog.", rouge1=0.9)
    assert "\x1b" not in str(failure.value)


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({}, ArgumentError, "no limit is given"),
        ({"js": 0.5}, ArgumentError, r'write at_most=\{"js": 0.5\}'),
        ({"novelty__novel2": 0.5}, ArgumentError, "neither better"),
        ({"rouge2": True}, ArgumentError, "is a number, not True"),
        ({"rouge2": float("nan")}, ArgumentError, "is a number"),
        ({"at_most": {"rouge2": "x"}}, ArgumentError, "is a number"),
        ({"roge2": 0.5}, MetricError, "did you mean rouge2"),
        ({"rouge2__f3": 0.5}, MetricError, "has no score 'f3'"),
        ({"lite2__f1": 0.5}, MetricError, "unknown metric"),
        ({"qaeval": 0.5, "references": ()}, DataError, "needs `references`"),
    ],
)
def test_wrong_limits_are_no_failure_of_the_summary(arguments, error, words):
    with pytest.raises(error, match=words):
        assert_summary(SUMMARY, document=DOCUMENT, **arguments)


def test_names_of_metrics_may_have_points():
    limits = read_limits({}, {"lite2.5pyramid": 0.1, "rouge2(alpha=0.8)": 0.1, "rouge2(alpha=0.8).recall": 0.1}, {})
    names = [limit.name for limit in limits]
    assert names[1:] == ["rouge2(alpha=0.8).f1", "rouge2(alpha=0.8).recall"]
    assert names[0].startswith("lite2.5pyramid.")


@pytest.mark.more
def test_the_fixture_in_a_pytest_of_its_own(pytester, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "src"))
    pytester.makepyfile(
        f"""
        def test_bad(assert_summary):
            assert_summary({SUMMARY!r}, document={DOCUMENT!r}, references={REFERENCE!r}, rouge1=0.9)

        def test_good(assert_summary):
            assert_summary({REFERENCE!r}, references={REFERENCE!r}, rouge1=0.9)
        """
    )
    plugin = () if "gistmeter" in _list_registered() else ("-p", "gistmeter.testing.plugin")
    result = pytester.runpytest_subprocess(*plugin, "-W", "error", "--junitxml", "out.xml")
    result.assert_outcomes(failed=1, passed=1)
    result.stdout.fnmatch_lines(
        [
            "*AssertionError: the summary fails by 1 of 1 scores",
            "*rouge1.f1  0.500  must be at least 0.9",
            "*weakest sentence: It cost 8.6 million crowns.",
        ]
    )
    result.stdout.no_fnmatch_line("*describe_failure*")  # the traceback ends in the test
    xml = (pytester.path / "out.xml").read_text()
    assert '<property name="gistmeter.rouge1.f1" value="1.0"' in xml


def test_the_plugin_is_registered_by_the_package():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["entry-points"]["pytest11"] == {"gistmeter": "gistmeter.testing.plugin"}


def test_who_does_not_use_the_plugin_does_not_pay_for_it():
    loaded = _run(
        "import sys, pytest; before = set(sys.modules); import gistmeter.testing.plugin; "
        "print(*sorted(set(sys.modules) - before))"
    ).split()
    assert {name.partition(".")[0] for name in loaded} == {"gistmeter"}
    assert len(loaded) <= 6


@pytest.mark.more
def test_a_failure_without_model_metrics_loads_no_model():
    script = (
        "import sys; from gistmeter.testing import assert_summary\n"
        f"try: assert_summary({SUMMARY!r}, document={DOCUMENT!r}, references={REFERENCE!r}, rouge1=0.9)\n"
        "except AssertionError: print([name for name in ('torch', 'transformers', 'spacy') if name in sys.modules])"
    )
    assert _run(script).strip() == "[]"


def _run(script):
    return subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout


def _list_registered():
    from importlib.metadata import entry_points

    return {point.name for point in entry_points(group="pytest11")}
