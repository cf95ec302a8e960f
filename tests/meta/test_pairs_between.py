"""`meta pairs` between two gaps (r_sys-delta): by hand, as values and as shares, and on the command line."""

import json
from pathlib import Path

import pytest

from gistmeter import meta, stats
from gistmeter.errors import ArgumentError

# Means by the metric 1, 2, 3.5, 9 and by people 2, 1, 3, 4. The gaps of the six pairs, the closest first:
#   a-b 1 (ranked otherwise by people), b-c 1.5, a-c 2.5, c-d 5.5, b-d 7, a-d 8 (all ranked alike)
METRIC = [[1, 1], [2, 2], [3.5, 3.5], [9, 9]]
PEOPLE = [[2, 2], [1, 1], [3, 3], [4, 4]]


@pytest.fixture
def study():
    return meta.Study.from_tables({"own": METRIC, "rated": PEOPLE}, aspects=["rated"], systems=["a", "b", "c", "d"])


@pytest.mark.parametrize(
    ("gaps", "bounds", "pairs", "value"),
    [
        ({"gap_to": 1.5}, (0, 1.5), 2, 0.0),  # one alike, one not
        ({"gap_from": 1.2, "gap_to": 5.5}, (1.2, 5.5), 3, 1.0),
        ({"gap_to": "50%"}, (0, 2.5), 3, 1 / 3),  # three of six pairs: (2 - 1) / 3
        ({"gap_from": "20%"}, (2.5, float("inf")), 4, 1.0),  # without the closest two
        ({"gap_from": "20%", "gap_to": 6}, (2.5, 6), 2, 1.0),
        ({"gap_from": 0, "gap_to": "100%"}, (0, 8), 6, 2 / 3),  # (5 - 1) / 6, as without bounds
    ],
)
def test_by_hand(study, gaps, bounds, pairs, value):
    [row] = meta.pairs(study, permutations=20, **gaps).rows
    assert (row.between.lower, row.between.upper) == pytest.approx(bounds)
    assert row.between.pairs == pairs
    assert row.between.value == pytest.approx(value)
    [record] = meta.pairs(study, permutations=20, **gaps).records()
    assert [record["from"], record["to"], record["pairs"]] == pytest.approx([*bounds, pairs])
    assert record["kendall"] == pytest.approx(value)


def test_the_table_says_how_far_apart_the_closest_pairs_are(study):
    [record] = meta.pairs(study, permutations=20).records()
    # 10% of six pairs is one, 50% are three.
    assert [record["u 10%"], record["u 50%"]] == [1.0, 2.5]
    assert record["closest 50%"] == pytest.approx(1 / 3)


def test_nothing_left_out_is_from_the_closest_on():
    assert stats.delta_correlation(METRIC, PEOPLE, lower_share=0.0, upper_share=0.5).pairs == 3


def test_the_command_takes_values_and_shares(checked_command):
    content = {"systems": [*"abcd"], "documents": ["1", "2"], "scores": {"own": METRIC, "rated": PEOPLE}}
    Path("study.json").write_text(json.dumps({**content, "human": ["rated"]}))
    command = ("meta", "pairs", "study.json", "--permutations", 20)
    answer = json.loads(checked_command(*command, "--from", "20%", "--to", "6", "--json").stdout)
    assert [answer[key] for key in ("from", "to", "pairs", "kendall")] == pytest.approx([2.5, 6.0, 2, 1.0])
    assert "on the pairs whose scores differ by so much" in " ".join(
        checked_command(*command, "--to", 3).stdout.split()
    )
    refused = checked_command(*command, "--to", "near", fails=True)
    assert "--to is a gap in the score" in refused.stderr
    checked_command(*command, "--figure", "pairs.svg")
    assert ">2.5<" in Path("pairs.svg").read_text()  # u of the closest half stands at its point


@pytest.mark.parametrize("gap", ["close", "nan", "-1", -1.0, "-5%", "120%"])
def test_a_gap_that_is_none_is_refused_by_its_name(study, gap):
    for name in ("gap_from", "gap_to"):
        with pytest.raises(
            ArgumentError, match=f"^`{name}` is a gap in the score, such as 0.5, or a share of the pairs"
        ):
            meta.pairs(study, **{name: gap})


@pytest.mark.parametrize(("start", "end"), [(3, 2), ("0.5", "0.1"), ("50%", "20%")])
def test_gaps_in_the_wrong_order_are_refused(study, start, end):
    with pytest.raises(ArgumentError, match=rf"^`gap_from` \({start}\) is above `gap_to` \({end}\): no pair"):
        meta.pairs(study, gap_from=start, gap_to=end)
