"""`gistmeter units`: extract, judge, easiness, mix and curve, on the example run."""

import json

import numpy as np
import pytest

from gistmeter.demo import demo_run
from gistmeter.example import Example, Unit
from gistmeter.units.judged_run import JudgedExample, measure_agreement


@pytest.fixture
def gistmeter(checked_command):
    """Run a command in an empty folder; it must fail, with one sentence, when `fails` says so."""
    return checked_command


def write_documents(path, count):
    """The first documents of the example run, by three systems."""
    lines = demo_run().read_text().splitlines()
    chosen = list(dict.fromkeys(json.loads(line)["doc_id"] for line in lines))[:count]
    summaries = [
        line
        for line in lines
        if (record := json.loads(line))["doc_id"] in chosen and record["system"] in ("careful", "dreamer", "terse")
    ]
    path.write_text("\n".join(summaries) + "\n")
    return path


@pytest.fixture
def few(tmp_path):
    """Three documents of the example run by three systems."""
    return write_documents(tmp_path / "few.jsonl", 3)


@pytest.fixture
def single(tmp_path):
    """One document of the example run by three systems, where models judge every pair."""
    return write_documents(tmp_path / "single.jsonl", 1)


def records(file):
    return [json.loads(line) for line in file.read_text().splitlines()]


def test_extract_writes_units_that_score_reads(gistmeter, few, tmp_path):
    file = tmp_path / "cut.jsonl"
    output = gistmeter("units", "extract", few, "-o", file)
    assert "units of 3 documents written" in output.stderr
    judged_units = records(file)
    assert len(judged_units) == 3
    assert all(unit["text"] and unit["sentence"] >= 0 for judged_unit in judged_units for unit in judged_unit["units"])


def test_judge_says_how_far_it_agrees_with_people(gistmeter, single, tmp_path):
    file = tmp_path / "judged.jsonl"
    output = gistmeter("units", "judge", single, "-o", file)
    assert "agrees with people on" in output.stderr
    units = [unit for record in records(file) for unit in record["units"]]
    assert all(unit["present"] == (unit["score"] > 0.5) for unit in units)
    scored = gistmeter("score", file, "-m", "litepyramid")
    assert "careful" in scored.stdout


def test_mix_takes_the_share(gistmeter, few, tmp_path):
    file = tmp_path / "mixed.jsonl"
    output = gistmeter("units", "mix", few, "--share", "0.25", "-o", file)
    machine, people = (int(part.split()[0]) for part in output.stderr.split(";")[0].split(", "))
    assert machine == round(0.25 * (machine + people))


def test_what_depends_on_the_run_is_explained_as_it_was_scored(gistmeter, single, tmp_path):
    gistmeter("score", single, "-m", "lite2.3pyramid", "-o", "s.jsonl")
    scored = records(tmp_path / "s.jsonl")[0]
    shown = gistmeter(
        "explain", single, "-m", "lite2.3pyramid", "--doc", scored["doc_id"], "--system", scored["system"]
    )
    score = scored["lite2.3pyramid.recall"]
    assert f"lite2.3pyramid.recall {score:.4f}" in shown.stdout
    assert f"{score:.3f}: the mean over" in shown.stdout


def test_curve_goes_from_people_to_machine(gistmeter, tmp_path):
    figure = tmp_path / "curve.svg"
    run = write_documents(tmp_path / "two.jsonl", 2)
    shown = json.loads(gistmeter("units", "curve", run, "--json", "--figure", figure).stdout)
    rows = shown["rows"]
    assert [row["share"] for row in rows] == [step / 10 for step in range(11)]
    assert rows[-1]["units"] == 0 < rows[0]["units"]
    assert rows[0]["by easiness"] == pytest.approx(rows[0]["at random"])  # nothing is left to choose
    assert "<svg" in figure.read_text()


def test_half_is_not_present():
    # as a tie of votes is absent, and as l2c reads p2c
    example = Example(doc_id="d", system="s", summary="x", units=(Unit("a", present=False), Unit("b", present=True)))
    judged_units = JudgedExample(example, np.array([0.5, 0.51]))
    assert [unit["present"] for unit in judged_units.record["units"]] == [False, True]
    assert measure_agreement([judged_units]).share == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("judge", "--value", "p3c", "-o", "x.jsonl"), "the embedded judge knows present and absent"),
        (("extract", "-o", "x.txt"), "a file of units is written as JSON lines"),
        (("extract", "--roles", "none.jsonl", "-o", "x.jsonl"), "none.jsonl"),
        (("mix", "--regressor", "none.json", "-o", "x.jsonl"), "none.json"),
    ],
)
def test_bad_input_is_one_sentence(gistmeter, arguments, message):
    output = gistmeter("units", arguments[0], demo_run(), *arguments[1:], fails=True)
    assert message in output.stderr
    assert "Traceback" not in output.stderr


def test_units_that_nobody_labelled_have_no_curve(gistmeter, tmp_path):
    file = tmp_path / "run.jsonl"
    file.write_text(
        '{"doc_id": "1", "system": "a", "summary": "x", "reference": "It rained.", "units": ["It rained."]}\n'
    )
    assert "a/1 has no content units with labels" in gistmeter("units", "curve", file, fails=True).stderr
