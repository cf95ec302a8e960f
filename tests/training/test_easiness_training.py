"""Training the regressor of easiness, and the commands around it."""

import json
from dataclasses import replace

import numpy as np
import pytest
from typer.testing import CliRunner

from gistmeter.cli.main import app
from gistmeter.errors import DataError
from gistmeter.example import Example, Unit
from gistmeter.models.easiness.regressor import read_regressor
from gistmeter.training.easiness.recipe import EasinessData, EasinessRecipe
from gistmeter.training.easiness.training import (
    SentenceLesson,
    collect_lessons,
    cross_validate_regressor,
    fit_regressor,
    train_easiness,
)

pytestmark = pytest.mark.more

pytest.importorskip("xgboost")


def example(number, text, *units):
    return Example(doc_id=str(number), system="s", summary="x", references=(text,), units=tuple(map(Unit, units)))


def write_run(file, examples):
    records = [
        {
            "doc_id": example.doc_id,
            "system": example.system,
            "summary": example.summary,
            "references": list(example.references),
            "units": [unit.text for unit in example.units],
        }
        for example in examples
    ]
    file.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    return str(file)


def test_lessons_by_hand():
    (item,) = collect_lessons("set", [example(1, "Ann won the race. It rained.", "Ann won", "Ann won the race")])
    # our unit is "Ann won the race": 2*2/6 and 1; the second sentence has no unit by people
    assert item.easiness == pytest.approx((2 / 3 + 1) / 2)
    assert (item.group, item.document) == ("set", "1")
    # one unit of 4 words, which is the sentence of 4 words itself but for the full stop
    assert item.features == (1, 4, 4, 4, 1, 1, 1, 4)
    (item,) = collect_lessons("set", [example(1, "Ann won the race.", "Ann won")], features="trees")
    assert len(item.features) == 69


def test_units_of_another_machine():
    (item,) = collect_lessons("set", [example(1, "Ann won the race.", "Ann won")], machine={"1": [Unit("Ann won")]})
    assert item.easiness == 1


def test_cross_validation_finds_what_can_be_learned():
    rng = np.random.default_rng(0)
    results = []
    for number in range(200):
        features = rng.integers(0, 10, 69).astype(float)
        results.append(SentenceLesson("set", str(number), tuple(features), 0.9 if features[5] > 4 else 0.2))
    (figures,) = cross_validate_regressor(results, EasinessRecipe(features="trees"))
    assert figures.error < 0.05 < figures.error_of_mean
    assert figures.correlation > 0.95
    (ridge,) = cross_validate_regressor(results, EasinessRecipe())
    assert ridge.correlation > 0.6


def test_folds_may_be_given():
    # Learned from a alone (easiness .2) and asked about b (.8), and the other way round: each errs by .6.
    results = [SentenceLesson("set", name, (0.0,) * 8, value) for name, value in (("a", 0.2), ("b", 0.8))]
    (figures,) = cross_validate_regressor(results, EasinessRecipe(), parts=[{"a"}, {"b"}])
    assert figures.error == pytest.approx(0.6)


@pytest.mark.parametrize(("features", "numbers"), [("units", "8 numbers"), ("trees", "the paper's 69 numbers")])
def test_a_regressor_is_written_with_its_card(tmp_path, features, numbers):
    texts = ["Ann won the race.", "The man, who was ill, left.", "It rained in Rome.", "He said she was here.", "No."]
    examples = [example(number, text, text) for number, text in enumerate(texts)]
    data = EasinessData(data=(write_run(tmp_path / "tiny.jsonl", examples),), notes=("A note.",))
    recipe = EasinessRecipe(features=features)
    trained = train_easiness(tmp_path / "x.json.gz", data, recipe=recipe, command="c")
    assert trained.documents == {"tiny": 5}
    assert trained.card == tmp_path / "x.md"
    assert "A note." in trained.card.read_text("utf-8")
    assert f"Reads {numbers}" in trained.card.read_text("utf-8")
    learned = collect_lessons("tiny", examples, features=features)
    values = read_regressor(str(trained.file)).predict([item.features for item in learned])
    assert np.abs(values - [item.easiness for item in learned]).mean() < 0.2
    assert fit_regressor(learned, recipe) == fit_regressor(learned, recipe)


def test_bad_requests(tmp_path):
    data = EasinessData(data=(write_run(tmp_path / "one.jsonl", [example(1, "It rained.", "It rained")]),))
    with pytest.raises(DataError, match="at least 5 documents; there are 1"):
        train_easiness(tmp_path / "x.json", data)
    with pytest.raises(DataError, match=r"\.json or \.json\.gz"):
        train_easiness(tmp_path / "x.bin", data)
    with pytest.raises(DataError, match="1 runs but 2 files of units"):
        train_easiness(tmp_path / "x.json", replace(data, units=("a", "b")))


def test_the_command_says_who_cuts_what(tmp_path):
    hard = "The mayor, who had been ill for months, said on Monday that he would resign and, if asked, leave the city."
    run = tmp_path / "run.jsonl"
    record = {"doc_id": "d", "system": "s", "summary": "x", "reference": f"It rained.\n{hard}"}
    run.write_text(json.dumps(record) + "\n", "utf-8")
    units = tmp_path / "units.jsonl"
    units.write_text(json.dumps({"doc_id": "d", "units": ["It rained.", "The mayor was ill."]}) + "\n", "utf-8")
    asked = CliRunner().invoke(app, ["units", "easiness", str(run), "--units", str(units), "--json"])
    assert asked.exit_code == 0, asked.output
    data = json.loads(asked.output)
    assert [(row["sentence"], row["units by"], row["people's units"]) for row in data["rows"]] == [
        (1, "people", 1),
        (0, "machine", 1),
    ]
    assert [row["sentences by people"] for row in data["budget"]][::5] == [2, 1, 0]
    shown = CliRunner().invoke(app, ["units", "easiness", str(run), "--units", str(units)])
    assert "people write units for 1 of 2 sentences, 1 of 2 units" in " ".join(shown.output.split())
    table = CliRunner().invoke(app, ["units", "easiness", str(run), "--budget", "--markdown"])
    assert "| 0.500 | 1 |" in table.output
