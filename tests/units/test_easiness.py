"""Easiness: the features of units and of trees, regressors read from files, and the mean of the best overlaps."""

import gzip
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from gistmeter.errors import MetricError
from gistmeter.example import Unit
from gistmeter.linguistics.trees.phrase_tree import Tree
from gistmeter.models.easiness.boosting import parse_boosted_trees, read_boosted_trees
from gistmeter.models.easiness.regressor import read_regressor
from gistmeter.models.easiness.ridge import fit_ridge
from gistmeter.units.easiness import (
    FEATURES,
    TAGS,
    UNIT_FEATURES,
    describe_tree,
    describe_units,
    easiness_identity,
    measure_easiness,
    predict_easiness,
)
from gistmeter.units.mix import choose_easiest

# x0 < 2 ? (x1 < 1 ? .3 : .1) : -.2, of two features, on a base of .5
MODEL = {
    "learner": {
        "learner_model_param": {"base_score": "5E-1", "num_feature": "2"},
        "objective": {"name": "reg:squarederror"},
        "gradient_booster": {
            "model": {
                "trees": [
                    {
                        "split_indices": [0, 1, 0, 0, 0],
                        "split_conditions": [2.0, 1.0, -0.2, 0.3, 0.1],
                        "left_children": [1, 3, -1, -1, -1],
                        "right_children": [2, 4, -1, -1, -1],
                        "default_left": [1, 0, 0, 0, 0],
                    }
                ]
            }
        },
    }
}


def test_features_by_hand():
    tree = Tree.read("(S (NP (DT The) (NN man)) (, ,) (NP (NNP Al)) (VP (VBD said) (`` ``) (UH no) ('' '')) (. .))")
    result = dict(zip(FEATURES, describe_tree(tree), strict=True))
    # 9 words; S NP DT is three deep; 9 / 3
    assert (result["words"], result["depth"], result["words / depth"]) == (9, 3, 3.0)
    assert result["characters of the tree"] == len(str(tree)) == 92
    counts = {tag: result[tag] for tag in TAGS if result[tag]}
    ones = ("S", "DT", "NN", ",", "NNP", "VP", "VBD", "``", "UH", "''", ".")
    assert counts == {"NP": 2, **dict.fromkeys(ones, 1)}


def test_the_order_is_the_released_one():
    assert len(FEATURES) == 69
    assert len(set(FEATURES)) == 69
    assert (FEATURES[4], FEATURES[20], FEATURES[57], FEATURES[68]) == ("WRB", "NP", ",", "NNP")


def test_boosted_trees_by_hand():
    # (1, 0): left, left: .5 + .3; (1, 1): left, right; (2, 0): not below 2, so right; a missing x0 goes left
    rows = [[1, 0], [1, 1], [2, 0], [float("nan"), 0]]
    assert np.allclose(parse_boosted_trees(MODEL).predict(rows), [0.8, 0.6, 0.3, 0.8])
    assert parse_boosted_trees(MODEL).predict([]).shape == (0,)


def test_a_list_of_base_scores_is_read():
    learner = MODEL["learner"] | {"learner_model_param": {"base_score": "[2.5E-1]", "num_feature": "2"}}
    assert parse_boosted_trees({"learner": learner}).base == 0.25


def test_other_objectives_and_files_are_refused(tmp_path):
    with pytest.raises(MetricError, match="binary:logistic"):
        parse_boosted_trees({"learner": MODEL["learner"] | {"objective": {"name": "binary:logistic"}}})
    with pytest.raises(MetricError, match="there is no regressor"):
        read_boosted_trees(tmp_path / "x.json")
    for name, text in (("a.json", b"{}"), ("b.json", b"no"), ("c.json.gz", b"no")):
        (tmp_path / name).write_bytes(text)
        with pytest.raises(MetricError, match="not a regressor as XGBoost writes it"):
            read_boosted_trees(tmp_path / name)


def test_a_regressor_of_other_features_is_refused(tmp_path):
    file = tmp_path / "two.json.gz"
    file.write_bytes(gzip.compress(json.dumps(MODEL).encode()))
    with pytest.raises(MetricError, match="reads 2 features"):
        predict_easiness(["It rained."], regressor=str(file))


def test_the_same_predictions_as_xgboost(tmp_path):
    xgboost = pytest.importorskip("xgboost")
    rng = np.random.default_rng(3)
    rows = rng.integers(0, 5, (200, 6)).astype(float)
    rows[rng.random(rows.shape) < 0.05] = np.nan
    target = np.nan_to_num(rows[:, 0]) * 0.1 + rng.random(200)
    table = xgboost.DMatrix(rows, label=target)
    model = xgboost.train({"max_depth": 3, "eta": 0.1, "nthread": 1}, table, 40)
    file = tmp_path / "x.json"
    model.save_model(file)
    assert np.allclose(read_boosted_trees(file).predict(rows), model.predict(table), atol=1e-6)


def test_features_of_units_by_hand():
    units = ["Ann won the race", "Ann won the race in May", "Ann slept"]
    values = dict(zip(UNIT_FEATURES, describe_units("Ann won the race in May, then slept twice.", units), strict=True))
    assert values == {
        "units": 3,
        "mean words of a unit": 4,  # (4 + 6 + 2) / 3
        "words of the shortest": 2,
        "words of the longest": 6,
        "mean share of the sentence": 4 / 9,
        "coverage": 7 / 9,  # all but "then" and "twice"
        "uncut": 0,
        "words": 9,
    }
    assert describe_units("It rained.", ["It rained."])[UNIT_FEATURES.index("uncut")] == 1
    assert describe_units("It rained.", []) == [0, 0, 0, 0, 0, 0, 0, 2]


@given(
    arrays(np.float64, (12, 3), elements=st.floats(-3, 3).map(lambda value: round(value, 2))),
    arrays(np.float64, 12, elements=st.floats(0, 1).map(lambda value: round(value, 2))),
    st.floats(0.5, 50),
)
def test_a_ridge_regression_is_the_least_of_squares_and_penalty(rows, target, penalty):
    ridge = fit_ridge(rows, target, penalty)
    table = (rows - np.array(ridge.means)) / np.array(ridge.deviations)

    def loss(coefficients):
        errors = target - target.mean() - table @ coefficients
        return errors @ errors + penalty * coefficients @ coefficients

    best = loss(np.array(ridge.coefficients))
    for step in (0.01, -0.01):
        for feature in range(3):
            assert best <= loss(np.array(ridge.coefficients) + step * np.eye(3)[feature]) + 1e-9
    assert np.allclose(ridge.predict(rows), table @ np.array(ridge.coefficients) + target.mean())


def test_regressors_by_name_and_file(tmp_path):
    assert (read_regressor("embedded").features, read_regressor("embedded-69").features) == (8, 69)
    file = tmp_path / "ridge.json"
    file.write_text(json.dumps(fit_ridge(np.eye(8), np.arange(8) / 8, 1.0).as_data()), "utf-8")
    assert predict_easiness(["It rained."], regressor=str(file))
    with pytest.raises(MetricError, match="there is no regressor embedded-70: take embedded, embedded-69 or a file"):
        read_regressor("embedded-70")
    file.write_text(json.dumps({"coefficients": [1, 2], "means": [1], "deviations": [1], "intercept": 0}), "utf-8")
    with pytest.raises(MetricError, match="is not a regressor as `gistmeter train easiness` or XGBoost writes it"):
        read_regressor(str(file))


def test_units_that_are_given_are_read():
    sentence = "The mayor, who had been ill for months, said on Monday that he would resign."
    whole, cut = (
        predict_easiness([sentence], machine_units=[units])[0]
        for units in ([sentence], ["The mayor was ill", "The mayor would resign", "The mayor said so on Monday"])
    )
    assert whole < cut


def test_gold_easiness_by_hand():
    people = [Unit("a b", sentence=0), Unit("c d", sentence=0), Unit("e", sentence=2)]
    machine = [Unit("a b c", sentence=0), Unit("c d", sentence=1)]
    # "a b" with "a b c": 2*2/5 = .8; "c d" with "a b c": 2*1/5 = .4; 1 has no unit by people, 2 none by machine
    assert measure_easiness(people, machine, 3) == [pytest.approx(0.6), None, 0.0]


def test_no_sentences_no_easiness():
    assert predict_easiness([]) == []


def test_a_signature_names_all_that_decides(tmp_path):
    assert set(easiness_identity()) == {"easiness"}
    assert set(easiness_identity("embedded-69")) == {"easiness", "trees"}
    assert easiness_identity()["easiness"] != easiness_identity("embedded-69")["easiness"]
    with pytest.raises(MetricError, match="there is no regressor"):
        easiness_identity(str(tmp_path / "none.json"))


@pytest.mark.data
@pytest.mark.slow
def test_the_released_regressors_load_and_equal_xgboost(data, tmp_path):
    xgboost = pytest.importorskip("xgboost")
    rows = np.random.default_rng(0).integers(0, 30, (500, 69)).astype(float)
    for file in sorted((data / "lite23pyramid" / "regressors").rglob("*.json.gz")):
        plain = tmp_path / "plain.json"
        plain.write_bytes(gzip.decompress(file.read_bytes()))
        booster = xgboost.Booster(model_file=plain)
        assert np.allclose(read_boosted_trees(file).predict(rows), booster.predict(xgboost.DMatrix(rows)), atol=1e-6)


@pytest.mark.data
@pytest.mark.slow
def test_the_released_mix_is_chosen_again(data):
    # stus_scus_percentage50 of PyrXSum: with the released TAC08 regressor on our trees 93 of 100 documents agree
    def rows(name):
        with gzip.open(data / "pyrxsum" / name, "rt", encoding="utf-8") as lines:
            return [json.loads(line) for line in lines]

    references = {row["doc_id"]: row["references"][0] for row in rows("pyrxsum.jsonl.gz")}
    documents = rows("documents.jsonl.gz")
    by_machine = {row["doc_id"]: row["stus_scus_percentage50"] == row["stus"] for row in documents}
    regressor = data / "lite23pyramid" / "regressors" / "TAC08" / "all_xgb.json.gz"
    values = predict_easiness([references[key] for key in by_machine], regressor=str(regressor))
    chosen = choose_easiest({key: [value] for key, value in zip(by_machine, values, strict=True)}, 0.5)
    assert sum(by_machine.values()) == 49
    assert sum(((key, 0) in chosen) == machine for key, machine in by_machine.items()) >= 90
