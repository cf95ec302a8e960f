"""Choosing among layers: by rank or mean, by how much the best leads, for several models, and kept for metrics."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from gistmeter.cli.main import app
from gistmeter.errors import ArgumentError, DataError
from gistmeter.example import Example
from gistmeter.insight import JudgedSummary, keep_searches, search_models
from gistmeter.insight.layer_choice import measure_lead, order_rows
from gistmeter.metrics.registry import parse_metric
from gistmeter.models.encoder.layers import recommend
from gistmeter.models.encoder.own_layers import OwnLayer, find_table, keep_layers, read_own_layers
from gistmeter.models.runtime.locate import locate

TEXTS = (
    ("The mayor opened a bridge on Friday.", "A bridge was opened by the mayor."),
    ("Prices rose by three per cent in May.", "In May prices went up."),
    ("Firemen brought a hungry cat down.", "A dog was seen in the park."),
    ("The team lost its third match.", "The coach blamed the rain."),
    ("Rain closed two roads in the north.", "Two northern roads were closed by rain."),
    ("A school will get a new roof.", "The old library burned down."),
)


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("GISTMETER_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def run(tmp_path):
    path = tmp_path / "run.jsonl"
    rows = [
        {
            "doc_id": f"d{index}",
            "system": "a",
            "summary": summary,
            "references": [reference],
            "human": {"focus": index % 3, "coverage": -index},
        }
        for index, (reference, summary) in enumerate(TEXTS)
    ]
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


def test_rank_and_mean_choose_differently():
    # Row 0 wins two of three groups (mean rank 1.33), row 1 has the higher mean (.57 against .37).
    values = np.array([[0.5, 0.5, 0.1], [0.4, 0.4, 0.9], [np.nan, 0.1, 0.0]])
    assert order_rows(values, "rank") == [0, 1, 2]
    assert order_rows(values, "mean") == [1, 0, 2]
    # Equal ranks: the mean decides; equal means: the ranks.
    assert order_rows(np.array([[0.2, 0.5], [0.3, 0.1]]), "rank") == [0, 1]


def judge(doc_id, human, group="all"):
    return JudgedSummary(Example(doc_id=doc_id, system="s", summary="x", references=("y",)), human, group)


@pytest.mark.more
def test_a_lead_that_is_real_and_a_lead_that_is_not():
    rng = np.random.default_rng(3)
    people = rng.normal(size=120)
    judged = [judge(f"d{index // 2}", value, "ab"[index % 2]) for index, value in enumerate(people)]
    good, bad = people + 0.3 * rng.normal(size=120), rng.normal(size=120)
    twin = good + 0.01 * rng.normal(size=120)
    real = measure_lead(judged, np.column_stack([good, bad]), people, [4, 2], resamples=200)
    assert real.runner_up == 2
    assert 0.5 < real.low < real.difference < real.high
    even = measure_lead(judged, np.column_stack([good, twin]), people, [4, 2], resamples=200)
    assert even.low < 0 < even.high
    # By hand: the mean over the two groups of the difference of the two correlations.
    groups = (slice(0, None, 2), slice(1, None, 2))
    by_hand = [
        np.corrcoef(good[rows], people[rows])[0, 1] - np.corrcoef(bad[rows], people[rows])[0, 1] for rows in groups
    ]
    assert real.difference == pytest.approx(np.mean(by_hand))


@pytest.mark.more
def test_documents_are_drawn_whole():
    """Four summaries of each document that say the same are one observation: the interval must not shrink."""
    rng = np.random.default_rng(5)
    people, first, second = rng.normal(size=(3, 30))
    single = [judge(f"d{index}", value) for index, value in enumerate(people)]
    fourfold = [judge(f"d{index}", value) for index, value in enumerate(people) for _ in range(4)]
    scores = np.column_stack([first, second])
    narrow = measure_lead(single, scores, people, [1, 2], resamples=400)
    repeated = measure_lead(fourfold, np.repeat(scores, 4, axis=0), np.repeat(people, 4), [1, 2], resamples=400)
    assert repeated.high - repeated.low == pytest.approx(narrow.high - narrow.low)


def test_several_aspects_at_once(run):
    searches = search_models([run], aspects=["focus", "coverage"], layers=[2, 6], groups=["none"], resamples=0)
    assert [(search.aspect, search.human) for search in searches] == [("focus", "focus"), ("coverage", "coverage")]
    with pytest.raises(ArgumentError, match="'beauty'"):
        search_models([run], aspects=["beauty"])
    with pytest.raises(ArgumentError, match="human='focus' is one judgment, and there are 2 aspects"):
        search_models([run], aspects=["focus", "coverage"], human="focus")


def test_a_kept_layer_is_what_metrics_read(run, home):
    searches = search_models([run], aspects=["focus"], layers=[2, 3], groups=["none"], resamples=0)
    assert parse_metric("focus").facts()["metric.layer"] == "6"
    table = keep_searches(searches, chosen_on="run.jsonl")
    assert table == home / "layers.toml"
    chosen = searches[0].best
    assert recommend("embedded", "focus").layer == chosen in (2, 3)
    assert parse_metric("focus").facts()["metric.layer"] == str(chosen)
    # Another aspect, a layer that is named, and other weights are not touched.
    assert parse_metric("coverage").facts()["metric.layer"] == "6"
    assert parse_metric("bertscore(layer=5,aspect=focus)").facts()["layer"] == "5"
    keep_layers([OwnLayer("all-minilm-l6-v2", "other weights", "coverage", 1, "none")])
    assert parse_metric("coverage").facts()["metric.layer"] == "6"
    assert len(read_own_layers()) == 2


def test_a_later_choice_stands_in_for_an_earlier(home):
    digest = locate("embedded").digest
    for layer in (1, 2):
        keep_layers([OwnLayer("all-minilm-l6-v2", digest, "focus", layer, "none", 'a "quoted" name')])
    (row,) = read_own_layers()
    assert (row.layer, row.chosen_on) == (2, 'a "quoted" name')


def test_an_empty_table_has_no_layers(home):
    home.mkdir()
    find_table().write_text("\n")
    assert read_own_layers() == ()


@pytest.mark.parametrize("text", ["layers = 3", "[[layers]]\nmodel = 1", "not toml", '[[layers]]\nmodel = "m"'])
def test_a_broken_table_is_named(home, text):
    home.mkdir()
    find_table().write_text(text)
    with pytest.raises(DataError, match="is no table of layers"):
        recommend("embedded", "focus")


def test_the_command_keeps_and_compares(run, home):
    asked = ["layers", "--data", str(run), "--aspect", "focus", "--aspect", "coverage", "--choose", "mean", "--keep"]
    done = CliRunner().invoke(app, [*asked, "--layer", "2", "--layer", "6", "--group", "none", "--resamples", "50"])
    assert done.exit_code == 0, done.output
    assert "focus layer" in done.output
    assert "in mean correlation" in done.output
    assert {row.aspect for row in read_own_layers()} == {"focus", "coverage"}
