"""Training the regressor of easiness, and the commands around it."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from gistmeter.cli.main import app
from gistmeter.errors import DataError
from gistmeter.example import Example, Unit
from gistmeter.models.easiness.boosting import read_boosted_trees
from gistmeter.training.easiness.training import Lesson, Recipe, cross_validated, fit, lessons, train_easiness

pytest.importorskip("xgboost")


def example(number, text, *units):
    return Example(doc_id=str(number), system="s", summary="x", references=(text,), units=tuple(map(Unit, units)))


def test_lessons_by_hand():
    (one,) = lessons("set", [example(1, "Ann won the race. It rained.", "Ann won", "Ann won the race")])
    # our unit is "Ann won the race": 2*2/6 and 1; the second sentence has no unit by people
    assert one.easiness == pytest.approx((2 / 3 + 1) / 2)
    assert (one.group, one.document, len(one.features)) == ("set", "1", 69)


def test_units_of_another_machine():
    (one,) = lessons("set", [example(1, "Ann won the race.", "Ann won")], machine={"1": [Unit("Ann won")]})
    assert one.easiness == 1


def test_cross_validation_finds_what_can_be_learned():
    rng = np.random.default_rng(0)
    found = []
    for number in range(200):
        features = rng.integers(0, 10, 69).astype(float)
        found.append(Lesson("set", str(number), tuple(features), 0.9 if features[5] > 4 else 0.2))
    (figures,) = cross_validated(found, Recipe())
    assert figures.error < 0.05 < figures.error_of_mean
    assert figures.correlation > 0.95


def test_a_regressor_is_written_with_its_card(tmp_path):
    texts = ["Ann won the race.", "The man, who was ill, left.", "It rained in Rome.", "He said she was here.", "No."]
    examples = [example(number, text, text) for number, text in enumerate(texts)]
    trained = train_easiness(tmp_path / "x.json.gz", {"tiny": examples}, command="c", notes=["A note."])
    assert trained.documents == {"tiny": 5}
    assert trained.card == tmp_path / "x.md"
    assert "A note." in trained.card.read_text("utf-8")
    learned = lessons("tiny", examples)
    values = read_boosted_trees(trained.file).predict([one.features for one in learned])
    assert np.abs(values - [one.easiness for one in learned]).mean() < 0.2
    assert fit(learned, Recipe()) == fit(learned, Recipe())


def test_bad_requests(tmp_path):
    with pytest.raises(DataError, match="at least 5 documents; there are 1"):
        train_easiness(tmp_path / "x.json", {"one": [example(1, "It rained.", "It rained")]})
    with pytest.raises(DataError, match=r"\.json or \.json\.gz"):
        train_easiness(tmp_path / "x.bin", {})


def test_the_command_says_who_cuts_what(tmp_path):
    hard = "The mayor, who had been ill for months, said on Monday that he would resign and, if asked, leave the city."
    run = tmp_path / "run.jsonl"
    record = {"doc_id": "d", "system": "s", "summary": "x", "reference": f"It rained.\n{hard}"}
    run.write_text(json.dumps(record) + "\n", "utf-8")
    units = tmp_path / "units.jsonl"
    units.write_text(json.dumps({"doc_id": "d", "units": ["It rained.", "The mayor was ill."]}) + "\n", "utf-8")
    asked = CliRunner().invoke(app, ["units", "easiness", str(run), "--units", str(units), "--json"])
    assert asked.exit_code == 0, asked.output
    found = json.loads(asked.output)
    assert [(row["sentence"], row["units by"], row["people's units"]) for row in found["rows"]] == [
        (1, "people", 1),
        (0, "machine", 1),
    ]
    assert [row["sentences by people"] for row in found["budget"]][::5] == [2, 1, 0]
    shown = CliRunner().invoke(app, ["units", "easiness", str(run), "--units", str(units)])
    assert "people write units for 1 of 2 sentences, 1 of 2 units" in " ".join(shown.output.split())
    table = CliRunner().invoke(app, ["units", "easiness", str(run), "--budget", "--markdown"])
    assert "| 0.500 | 1 |" in table.output
