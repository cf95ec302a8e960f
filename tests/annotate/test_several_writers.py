"""Units of several raters: what they wrote is matched, what they merged is agreed on, and who said so is told."""

import json

import pytest
from typer.testing import CliRunner

from gistmeter.annotate.products import collect_product
from gistmeter.annotate.results.findings import find_results
from gistmeter.annotate.results.page import render_report
from gistmeter.annotate.tasks.unit_matching import RaterUnit, match_units
from gistmeter.annotate.tasks.unit_merging import agree_on_groups
from gistmeter.cli.main import app
from gistmeter.errors import ArgumentError
from gistmeter.example import Example, Unit

REFERENCES = ["Ann won the race. It rained.", "The winner was Ann."]


def run(units=()):
    return [Example(doc_id="d", system="lead", summary="x", references=REFERENCES, units=units)]


def written(*texts):
    """Answers of somebody who writes these for the first sentence of the first reference."""

    def answer(item):
        return {"units.1": "\n".join(texts) if item.shown["reference"] == 0 else "Ann was the winner"}

    return answer


def match(*texts):
    units = [RaterUnit(text, f"rater-{number}", 0, 0) for number, text in enumerate(texts)]
    return [[unit.text for unit in matched.wordings] for matched in match_units(units)]


def test_units_that_share_nearly_all_words_are_one():
    # F1 by words: 8/9 of the first and the second, 8/10 of the first and the third, 8/11 of the others, so that the
    # first is nearest to the rest.
    texts = ["Ann won the race", "Ann won the long race", "Ann won the first race today"]
    assert match(*texts) == [texts]
    assert match("Ann won the race", "It rained in town") == [["Ann won the race"], ["It rained in town"]]


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Ann won the long race", "Ben won the long race"),  # a name for another
        ("The wall fell in 2013", "The wall fell in 2014"),
        ("The wall fell down then", "The wall fell down then in 2014"),  # a number more
        ("The wall will cost them 5m", "The wall will cost them 5bn"),
        ("They built it in the late 1980s", "They built it in the late 1980"),
    ],
)
def test_units_that_differ_in_a_name_or_a_number_are_two(left, right):
    assert match(left, right) == [[left], [right]]


def test_a_number_is_the_same_with_or_without_a_space_before_its_measure():
    texts = ["The wall is 20ft high", "The wall is 20 ft high"]
    assert match(*texts) == [texts]


def test_two_units_of_one_rater_stay_two():
    units = [RaterUnit(text, rater, 0, 0) for rater, text in (("a", "Ann won it"), ("a", "Ann won"), ("b", "Ann won"))]
    raters = [[unit.rater for unit in matched.wordings] for matched in match_units(units)]
    assert raters == [["a"], ["a", "b"]]
    apart = [RaterUnit("Ann won", "a", 0, 0), RaterUnit("Ann won", "b", 1, 0)]
    assert len(match_units(apart)) == 2  # another sentence


def test_a_file_of_units_has_those_of_all_raters_and_says_whose_they_are(finish):
    people = [written("Ann won the race", "There was a race"), written("Ann won the long race"), written("It was cold")]
    store = finish("unit-writing", run(), *people)
    [record] = collect_product(store, "units")
    assert [(unit["text"], unit["raters"]) for unit in record["units"]] == [
        ("Ann won the race", ["rater-1", "rater-2"]),
        ("There was a race", ["rater-1"]),
        ("It was cold", ["rater-3"]),
        ("Ann was the winner", ["rater-1", "rater-2", "rater-3"]),
    ]
    assert record["units"][0]["also"] == ["Ann won the long race"]
    [agreed] = collect_product(store, "units", least_raters=2)
    assert [unit["text"] for unit in agreed["units"]] == ["Ann won the race", "Ann was the winner"]


def test_the_report_says_how_far_writers_agree_and_who_is_alone(finish):
    people = [written("Ann won the race", "There was <b>a race"), written("Ann won the long race"), written("It froze")]
    store = finish("unit-writing", run(), *people)
    findings = find_results(store)
    [agreement] = findings.agreement
    # Reference 1 has 2 + 1 + 1 units and one pair in common, reference 2 has 3 units and three pairs:
    # 2 * (1 + 3) / (2 * (4 + 3)) = 8 / 14.
    assert (agreement.measurement, agreement.alpha, agreement.items) == ("F1", pytest.approx(8 / 14), 2)
    assert [(part.text, part.rater) for part in findings.lone] == [
        ("There was <b>a race", "rater-1"),
        ("It froze", "rater-3"),
    ]
    page = render_report(store)
    assert "Written by one rater alone" in page
    assert "There was &lt;b&gt;a race" in page
    assert "0.571" in page


def test_facts_are_together_where_more_than_half_put_them_together():
    # 1 and 2: two of three. 2 and 3: two of three. So all three are linked.
    assert agree_on_groups([[1, 1, 3], [1, 1, 1], [1, 2, 2]]) == [1, 1, 1]
    assert agree_on_groups([[1, 1], [1, 2]]) == [1, 2]  # half is not more than half


def test_merged_units_of_several_raters_have_weights_and_the_names_of_who_agrees(finish, tmp_path):
    units = [Unit("Ann won", sentence=0), Unit("It rained", sentence=1), Unit("The winner is Ann", sentence=2)]
    people = [lambda _: {"groups.3": "1"}, lambda _: {"groups.3": "1"}, lambda _: {"groups.2": "1"}]
    store = finish("unit-merging", run(units), *people)
    [record] = collect_product(store, "units")
    assert record["units"] == [
        {
            "text": "Ann won",
            "weight": 2.0,
            "sentence": 0,
            "raters": ["rater-1", "rater-2"],
            "also": ["The winner is Ann"],
        },
        {"text": "It rained", "weight": 1.0, "sentence": 1, "raters": ["rater-1", "rater-2"]},
    ]
    page = render_report(store)
    assert "Ann won = The winner is Ann" in page  # where they disagree
    file = tmp_path / "units.jsonl"
    outcome = CliRunner().invoke(app, ["annotate", "export", str(store.study.folder), "-o", str(file), "--as", "units"])
    assert outcome.exit_code == 0, outcome.output
    assert json.loads(file.read_text())["raters"] == ["rater-1", "rater-2", "rater-3"]
    with pytest.raises(ArgumentError, match="least_raters` is for units that people wrote"):
        collect_product(store, "units", least_raters=2)
