"""meta labels: telling yes from no, with thresholds that were chosen elsewhere."""

import json
import sys

import numpy as np
import pytest

from gistmeter import meta, stats
from gistmeter.errors import ArgumentError, DataError


def draw_study(*, seed=0, systems=4, documents=60, **changed):
    rng = np.random.default_rng(seed)
    consistent = rng.integers(2, size=(systems, documents)).astype(float)
    tables = {
        "good": consistent + rng.normal(size=consistent.shape),
        "poor": consistent + 6 * rng.normal(size=consistent.shape),
        "consistent": consistent,
    }
    return meta.Study.from_tables({**tables, **changed}, aspects=["consistent"], better="higher")


def test_values_intervals_and_letters():
    study = draw_study()
    result = meta.labels(study)
    auc = [row for row in result.rows if row.interval.coefficient == "auc"]
    assert [row.metric for row in auc] == ["good", "poor"]
    assert auc[0].interval.value == stats.agree_with_labels(study["good"], study["consistent"]).value
    assert [row.letters for row in auc] == ["a", "b"]
    assert result.positive + result.negative == study["consistent"].size
    assert len(result.records()) == 4


def test_a_threshold_is_never_chosen_on_what_it_is_tested_on():
    # Scores that mean nothing: the best threshold on the tested summaries flatters, one from other folds does not.
    flattered, honest = [], []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        consistent, noise = rng.integers(2, size=(2, 20)), rng.normal(size=(2, 20))
        study = meta.Study.from_tables({"noise": noise, "yes": consistent}, aspects=["yes"], better="higher")
        options = {"coefficient": "balanced-accuracy", "resamples": 2}
        (row,) = meta.labels(study, **options).rows
        honest.append(row.interval.value)
        own = stats.choose_threshold(noise, consistent)
        flattered.append(
            stats.agree_with_labels(noise, consistent, coefficient="balanced-accuracy", threshold=own).value
        )
    assert np.mean(flattered) > 0.58
    assert 0.45 < np.mean(honest) < 0.55


def test_development_documents_choose_and_are_not_tested():
    study = draw_study()
    development = study.documents[:20]
    rows = meta.labels(study, development=development, coefficient="balanced-accuracy").rows
    row = next(row for row in rows if row.metric == "good")
    chosen = stats.choose_threshold(study["good"][:, :20], study["consistent"][:, :20])
    tested = stats.agree_with_labels(
        study["good"][:, 20:], study["consistent"][:, 20:], coefficient="balanced-accuracy", threshold=chosen
    )
    assert (row.threshold, row.interval.value) == (chosen, tested.value)


def test_lower_is_better_for_scores_and_for_labels():
    study = draw_study()
    tables = {"good": -study["good"], "inconsistent": 1 - study["consistent"]}
    turned = meta.Study.from_tables(tables, aspects=["inconsistent"], better="lower")
    (plain,) = meta.labels(study, metrics="good", threshold=0.4, coefficient="balanced-accuracy").rows
    (lower,) = meta.labels(turned, threshold=-0.4, coefficient="balanced-accuracy").rows
    assert lower.interval.value == plain.interval.value > 0.6
    assert lower.threshold == -0.4


def test_a_score_without_a_direction_is_not_ranked():
    study = draw_study(**{"length.words": np.arange(240.0).reshape(4, 60)})
    study = meta.Study.from_tables(dict(study), aspects=["consistent"])
    result = meta.labels(study, resamples=2, permutations=2)
    assert {row.metric for row in result.rows} == {"good", "poor"}
    assert any(note.startswith("length.words: neither") and "left out" in note for note in result.notes)
    with pytest.raises(ArgumentError, match=r"length\.words neither high nor low is better"):
        meta.labels(study, metrics="length.words")


def test_judgments_become_labels_from_a_value_on():
    rated = np.array([[1.0, 2, 3, 4, np.nan], [5, 1, 2, 3, 4]])
    study = meta.Study.from_tables({"same": rated, "rated": rated}, aspects=["rated"], better="higher")
    with pytest.raises(ArgumentError, match="from which value on"):
        meta.labels(study)
    result = meta.labels(study, positive=3, coefficient="auc")
    assert (result.positive, result.negative) == (5, 4)
    assert result.rows[0].interval.value == 1.0


def test_correlate_takes_the_coefficients_too():
    study = draw_study()
    rows = meta.correlate(study, metrics="good", coefficient=["pearson", "auc", "balanced-accuracy"]).records()
    assert [(row["level"], row["coefficient"]) for row in rows] == [
        ("system", "pearson"),
        ("summary", "pearson"),
        ("pooled", "auc"),
        ("pooled", "balanced-accuracy"),
    ]
    by_labels = {row.interval.coefficient: row.interval.value for row in meta.labels(study, metrics="good").rows}
    assert [row["value"] for row in rows[2:]] == [by_labels["auc"], by_labels["balanced-accuracy"]]


def test_wrong_arguments_are_told():
    study = draw_study()
    with pytest.raises(ArgumentError, match="not both"):
        meta.labels(study, threshold=0.5, development=study.documents[:3])
    with pytest.raises(DataError, match="did you mean document 1"):
        meta.labels(study, development=["documnt 1"])
    with pytest.raises(DataError, match="leaves some to test on"):
        meta.labels(study, development=study.documents)
    with pytest.raises(DataError, match="9 folds need as many documents"):
        meta.labels(draw_study(documents=8), folds=9)


@pytest.fixture
def matrix_file(tmp_path):
    study = draw_study(documents=20)
    content = {
        "systems": study.systems,
        "documents": study.documents,
        "scores": {name: table.tolist() for name, table in study.items()},
        "human": ["consistent"],
        "better": "higher",
    }
    path = tmp_path / "study.json"
    path.write_text(json.dumps(content))
    return path


def test_the_command_prints_draws_and_reads_a_development_part(matrix_file, tmp_path, checked_command):
    (tmp_path / "dev.txt").write_text("".join(f"document {number}\n" for number in range(1, 9)))
    printed = checked_command("meta", "labels", matrix_file, "--development", "dev.txt", "--figure", "labels.svg")
    assert "thresholds from 8 other documents" in " ".join(printed.stdout.split())
    assert (tmp_path / "labels.svg").read_text().startswith("<svg")
    as_json = json.loads(checked_command("meta", "labels", matrix_file, "--coefficient", "auc", "--json").stdout)
    assert {row["metric"] for row in as_json["rows"]} == {"good", "poor"}
    correlated = checked_command("meta", "correlate", matrix_file, "--coefficient", "auc", "--json")
    assert {row["level"] for row in json.loads(correlated.stdout)["rows"]} == {"pooled"}
    assert "'aux'" in checked_command("meta", "labels", matrix_file, "--coefficient", "aux", fails=True).stderr


def test_many_metrics_get_the_permutations_that_the_correction_needs():
    rng = np.random.default_rng(4)
    consistent = rng.integers(2, size=(4, 40)).astype(float)
    tables = {f"noise {number}": rng.normal(size=consistent.shape) for number in range(2)}
    study = meta.Study.from_tables(
        {"exact": consistent, **tables, "consistent": consistent}, aspects=["consistent"], better="higher"
    )
    # Three pairs by 20 permutations: 3 / 21 is above .05, so that 2 * 3 / .05 are drawn.
    result = meta.labels(study, coefficient="auc", resamples=2, permutations=20)
    assert result.permutations == 120
    assert result.notes == (
        "120 permutations and not 20: with those no p-value, corrected for 3 tests, could reach alpha 0.05",
    )
    assert [row.letters for row in result.rows] == ["a", "b", "b"]


def test_judgments_that_are_no_labels_are_cut_and_the_caption_says_where():
    from gistmeter.report.sheets.meta import caption

    study = draw_study()
    shares = np.where(study["consistent"] == 1, 2 / 3, 1 / 3)
    votes = draw_study(consistent=shares)
    refusal = r"^consistent is not yes or no .* 0\.\d{4}: `positive` of meta labels says from which value on"
    with pytest.raises(ArgumentError, match=refusal):
        meta.labels(votes)
    with pytest.raises(ArgumentError, match=refusal):
        meta.correlate(votes, coefficient="auc")
    cut = meta.labels(votes, positive=0.5, coefficient="auc", resamples=2)
    assert [row.interval.value for row in cut.rows] == [
        row.interval.value for row in meta.labels(study, coefficient="auc", resamples=2).rows
    ]
    assert "bad ones by consistent (cut at 0.5); 0.5 is chance" in caption(cut)


def test_a_metric_that_has_no_answer_does_not_stop_the_others():
    study = draw_study()
    half = np.where(study["consistent"] == 1, np.nan, study["good"])
    answer = meta.correlate(draw_study(half=half), coefficient=["auc", "balanced-accuracy"])
    assert [(row.metric, row.correlation.coefficient) for row in answer.rows] == [
        (name, kind) for name in ("good", "poor") for kind in ("auc", "balanced-accuracy")
    ]
    (note,) = (note for note in answer.notes if "half" in note)
    assert note.startswith("half is left out: ")


def test_the_labels_of_an_aspect_are_made_once(monkeypatch):
    built = []
    correlate_module = sys.modules[meta.correlate.__module__]
    table_of = correlate_module.label_table
    monkeypatch.setattr(correlate_module, "label_table", lambda *asked: built.append(asked[1]) or table_of(*asked))
    meta.correlate(draw_study(), coefficient=["auc", "balanced-accuracy"])
    assert built == ["consistent"]


def test_a_metric_without_scores_of_one_label_is_left_out_and_named():
    study = draw_study()
    half = np.where(study["consistent"] == 1, np.nan, study["good"])
    answer = meta.labels(draw_study(half=half), resamples=10, permutations=100)
    without = meta.labels(study, resamples=10, permutations=100)
    assert {row.metric for row in answer.rows} == {"good", "poor"}
    assert [row.interval.value for row in answer.rows] == [row.interval.value for row in without.rows]
    assert answer.notes[-1].startswith("half is left out: telling labels apart needs summaries labelled 0 and")
    with pytest.raises(DataError, match=r"^half: telling labels apart"):
        meta.labels(draw_study(half=half), metrics="half")
