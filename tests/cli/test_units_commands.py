"""`gistmeter units`: extract, judge, easiness, mix and curve, on the example run."""

import json

import numpy as np
import pytest

from gistmeter.demo import demo_run
from gistmeter.example import Example, Unit
from gistmeter.units.judged_run import JudgedExample, measure_agreement

pytestmark = pytest.mark.more


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


def test_the_help_of_extract_shows_a_record_of_coreference(gistmeter):
    # words in brackets would be read as markup and vanish
    shown = " ".join(gistmeter("units", "extract", "--help").stdout.split())
    assert '{"document": ["Bo", "ran", ...], "clusters": [[[0, 0], [7, 8]], ...]}' in shown


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


def test_people_write_by_a_plan_made_from_references_alone(gistmeter, few, tmp_path):
    references = tmp_path / "refs.jsonl"
    by_document = {record["doc_id"]: record["references"] for record in records(few)}
    references.write_text(
        "".join(json.dumps({"doc_id": key, "references": texts}) + "\n" for key, texts in by_document.items()), "utf-8"
    )
    plan, sheet, page, mixed = (tmp_path / name for name in ("plan.jsonl", "sheet.csv", "sheet.html", "mixed.jsonl"))
    shown = gistmeter(
        *(
            "units",
            "easiness",
            references,
            "--most-units",
            "12",
            "--json",
            "-o",
            plan,
            "--sheet",
            sheet,
            "--sheet",
            page,
        )
    )
    rows = json.loads(shown.stdout)["rows"]
    written = [row for row in rows if row["units by"] == "people"]
    assert 1 <= len(written) < len(rows) == len(records(plan))
    assert page.read_text("utf-8").startswith("<!doctype html>")
    assert f"sheet for {len(written)} sentences written: {sheet}" in shown.stderr
    header, first = sheet.read_text("utf-8-sig").splitlines()[:2]
    assert header == "doc_id,sentence,text,unit,reference"
    filled = tmp_path / "filled.csv"
    doc_id, sentence = first.split(",")[:2]
    filled.write_text(f"doc_id,sentence,unit\n{doc_id},{sentence},People wrote this\n", "utf-8")
    output = gistmeter("units", "mix", "--plan", plan, "--units", filled, "-o", mixed)
    assert f"{len(rows) - 1} sentences by machine, 1 sentence by people" in output.stderr
    assert ("note: nobody wrote for" in output.stderr) == (len(written) > 1)
    (units,) = [record["units"] for record in records(mixed) if record["doc_id"] == doc_id]
    assert {"text": "People wrote this", "sentence": int(sentence[1:])} in units
    gistmeter("units", "mix", references, "--plan", plan, "--units", filled, "-o", mixed)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ["--most-units", "3", "--share", ".5"],
            "give one of --share, --most-units, --most-sentences and --most-minutes",
        ),
        (["--sheet", "sheet.xlsx"], "a sheet for writers is .csv, .tsv or .html"),
        (["--regressor", "none.json"], "there is no regressor none.json"),
        (["-o", "plan.txt"], "a plan is written as JSON lines, name it .jsonl"),
        (["-o", "no/folder/plan.jsonl"], "no/folder"),
    ],
)
def test_plans_that_cannot_be_made(gistmeter, few, options, message):
    assert message in gistmeter("units", "easiness", few, *options, fails=True).stderr


def test_a_plan_takes_no_share_and_wants_units(gistmeter, few, tmp_path):
    plan = tmp_path / "plan.jsonl"
    gistmeter("units", "easiness", few, "-o", plan)
    asked = gistmeter("units", "mix", "--plan", plan, "--share", ".5", "-o", "x.jsonl", fails=True)
    assert "a --plan says who writes for which sentence: it takes no --share" in asked.stderr
    asked = gistmeter("units", "mix", "--plan", plan, "-o", "x.jsonl", fails=True)
    assert "name their files with --units" in asked.stderr
