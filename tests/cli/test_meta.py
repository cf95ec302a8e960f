"""`gistmeter meta`, run as a user runs it, on a small made-up study."""

import ast
import json
from functools import partial
from pathlib import Path
from typing import Literal, get_args

import numpy as np
import pytest

import gistmeter
from gistmeter import meta as library
from gistmeter import stats
from gistmeter.cli.meta import options
from gistmeter.meta import Study
from gistmeter.stats import tables


@pytest.fixture
def study(tmp_path):
    """Eight systems, twenty documents: a good metric, a poor one, and people."""
    rng = np.random.default_rng(3)
    quality = np.linspace(0, 1, 8)[:, None]
    tables = {
        "good": quality + rng.normal(0, 0.3, (8, 20)),
        "poor": quality + rng.normal(0, 3, (8, 20)),
        "rated": quality + rng.normal(0, 0.3, (8, 20)),
    }
    data = {
        "systems": [f"s{i}" for i in range(8)],
        "documents": [f"d{i}" for i in range(20)],
        "scores": {name: table.tolist() for name, table in tables.items()},
        "human": ["rated"],
    }
    (tmp_path / "study.json").write_text(json.dumps(data))
    return "study.json"


@pytest.fixture
def meta(command):
    return partial(command, "meta")


def test_correlate_mirrors_the_array_api(meta, study):
    code, out, _ = meta(
        "correlate",
        study,
        "--metric",
        "good",
        "--human",
        "rated",
        "--level",
        "system",
        "--coefficient",
        "kendall",
        "--json",
    )
    assert code == 0
    opened = Study.read(study)
    expected = stats.correlate(opened["good"], opened["rated"], level="system", coefficient="kendall").value
    assert json.loads(out)["value"] == expected
    assert len(json.loads(meta("correlate", study, "--json")[1])["rows"]) == 2 * 2 * 3


def test_interval_and_its_seed(meta, study):
    options = ["interval", study, "--metric", "good", "--level", "system", "--coefficient", "pearson", "--json"]
    first = json.loads(meta(*options)[1])
    assert first["low"] < first["value"] <= first["high"]
    assert json.loads(meta(*options, "--workers", "2")[1]) == first
    assert json.loads(meta(*options, "--seed", "5")[1])["low"] != first["low"]


def test_test_of_two_and_of_all(meta, study):
    options = ["test", study, "--metric", "good", "--metric", "poor", "--level", "summary", "--coefficient", "pearson"]
    two = json.loads(meta(*options, "--method", "both", "--json")[1])
    assert two["p"] < 0.05
    assert two["difference"] > 0
    two = json.loads(meta(*options, "--json")[1])
    assert two["p"] == pytest.approx(20 / 2**8)
    assert (two["method"], two["exact"], two["permutations"]) == ("scaled-systems", True, 2**8)
    assert (two["alternative"], two["alpha"], two["seed"]) == ("two-sided", 0.05, 0)
    assert json.loads(meta(*options, "--method", "crossed", "--json")[1])["method"] == "crossed"
    for kind in ("bootstrap", "williams"):
        assert "p" in json.loads(
            meta("test", study, "--metric", "good", "--metric", "poor", "--test", kind, "--json")[1]
        )
    code, _, err = meta("test", study, "--metric", "good", "--test", "williams")
    assert code == 2
    assert "--test williams compares two metrics" in err


@pytest.mark.parametrize(
    "arguments",
    [
        ["pairs", "--permutations", "50"],
        ["matrix"],
        ["matrix", "--anchor", "good", "--anchor", "rated"],
        ["coverage", "--metric", "good", "--trials", "5", "--resamples", "20"],
        pytest.param(
            ["power", "--metric", "good", "--trials", "3", "--permutations", "20"], marks=pytest.mark.slow
        ),  # its figure and its numbers are tested by default
        ["normality"],
        ["stability", "--metric", "good", "--trials", "10"],
        pytest.param(["plan", "--metric", "good", "--width", "0.5"], marks=pytest.mark.slow),
        pytest.param(["plan", "--metric", "good", "--difference", "0.2"], marks=pytest.mark.slow),
    ],
    ids=" ".join,
)
def test_every_command_speaks_all_forms(meta, study, arguments):
    command, *options = arguments
    for form in ([], ["--json"], ["--markdown"], ["--latex"], ["--html"]):
        code, out, err = meta(command, study, *options, *form)
        assert code == 0, err
        assert out.strip()
        if form == ["--json"]:
            assert json.loads(out)["rows"]


@pytest.mark.more
@pytest.mark.parametrize(
    ("arguments", "suffix"),
    [
        (["interval", "--resamples", "50"], "svg"),
        (["test", "--metric", "good", "--metric", "poor", "--metric", "rated", "--permutations", "20"], "svg"),
        (["pairs", "--permutations", "20"], "png"),
        (["pairs", "--permutations", "20", "--heat"], "svg"),
        (["matrix"], "html"),
        (["power", "--metric", "good", "--trials", "3", "--permutations", "20"], "svg"),
        (["stability", "--metric", "good", "--trials", "10"], "pdf"),
        (["plan", "--metric", "good", "--width", "0.5"], "svg"),
    ],
    ids=lambda value: value if isinstance(value, str) else value[0],
)
def test_figures_are_drawn(meta, study, tmp_path, arguments, suffix):
    command, *options = arguments
    code, _, err = meta(command, study, *options, "--figure", f"out.{suffix}")
    assert code == 0, err
    drawn = (tmp_path / f"out.{suffix}").read_bytes()
    expected = {"svg": b"<svg", "png": b"\x89PNG", "pdf": b"%PDF-", "html": b"<!doctype html"}[suffix]
    assert expected in drawn[:200]
    if suffix == "svg":
        assert b"good" in drawn or b"fitted" in drawn or b"perm-both" in drawn


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["correlate", "study.json", "--metric", "goood"], "there is no score or aspect 'goood'; did you mean good?"),
        (["correlate", "study.json", "--human", "rate"], "there is no judgment 'rate'; did you mean rated?"),
        (["interval", "study.json", "--figure", "x.eps"], "name it .svg, .png, .pdf or .html"),
        (["interval", "study.json", "--figure", "no/x.svg"], "the folder no does not exist"),
        (["correlate", "none.json"], "there is no such file"),
        (["plan", "study.json"], "say which score to plan for"),
        (["plan", "study.json", "--metric", "good"], "say what to plan for"),
        (["matrix", "study.json", "--anchor", "good"], "give --anchor twice"),
        (["correlate", "study.json", "--json", "--latex"], "choose one of --latex and --json"),
    ],
)
def test_a_mistake_is_one_sentence(meta, study, arguments, message):
    code, out, err = meta(*arguments)
    assert code == 2
    assert message in err
    assert err.count("\n") == 1
    assert out == ""


@pytest.mark.parametrize("question", ["interval", "pairs", "table", "systems", "test"])
def test_of_several_judgments_one_is_to_be_named_by_its_option(meta, tmp_path, question):
    tables = {"m": [[1, 2], [2, 3]], "n": [[1, 1], [2, 3]], "focus": [[1, 2], [3, 4]], "depth": [[1, 2], [3, 4]]}
    data = {"systems": ["a", "b"], "documents": ["d", "e"], "scores": tables, "human": ["focus", "depth"]}
    (tmp_path / "both.json").write_text(json.dumps(data))
    code, _, err = meta(question, "both.json")
    assert (code, err) == (
        2,
        "gistmeter: there are several judgments: say which to compare with, --human (focus, depth)\n",
    )


def test_correlate_takes_all_judgments_there_are(meta, tmp_path):
    tables = {"m": [[1, 2], [2, 3], [3, 5]], "focus": [[1, 2], [3, 4], [5, 7]], "depth": [[5, 7], [3, 4], [1, 2]]}
    data = {"systems": ["a", "b", "c"], "documents": ["d", "e"], "scores": tables, "human": ["focus", "depth"]}
    (tmp_path / "both.json").write_text(json.dumps(data))
    code, out, _ = meta("correlate", "both.json", "--level", "system", "--coefficient", "kendall", "--json")
    assert code == 0
    # Means of systems: m 1.5, 2.5, 4; focus rises with them, depth falls.
    assert [(row["human"], row["value"]) for row in json.loads(out)["rows"]] == [("focus", 1.0), ("depth", -1.0)]


def test_a_run_is_scored_with_units_of_a_file(meta, tmp_path):
    run, units = tmp_path / "run.jsonl", tmp_path / "units.jsonl"
    # People found all, half and none of the units: the metric that counts their labels agrees fully.
    rows = [
        {"doc_id": doc, "system": name, "summary": "x", "labels": labels, "human": {"recall": sum(labels) / 2}}
        for doc in "12"
        for name, labels in (("a", [1, 1]), ("b", [1, 0]), ("c", [0, 0]))
    ]
    run.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    units.write_text("".join(f'{{"doc_id": "{doc}", "units": ["It rained.", "Ann left."]}}\n' for doc in "12"))
    options = ["correlate", run, "--metric", "litepyramid.recall", "--level", "summary", "--coefficient", "pearson"]
    code, out, _ = meta(*options, "--units", units, "--json")
    assert code == 0
    assert json.loads(out)["rows"][0]["value"] == pytest.approx(1)
    assert "needs `units`" in meta(*options)[2]
    (tmp_path / "s.jsonl").write_text('{"doc_id": "1", "system": "a", "m": 1.0}\n')
    code, _, err = meta("correlate", tmp_path / "s.jsonl", "--judgments", run, "--units", units)
    assert code == 2
    assert "is not a run: --units go with summaries" in err


def test_agreement_of_raters(meta, tmp_path):
    records = [
        {"doc_id": f"d{i}", "system": "s", "annotators": {"focus": [i, i + i % 2]}, "votes": [[1, 1], [i % 2, 0]]}
        for i in range(4)
    ]
    (tmp_path / "judged.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    for form in ([], ["--json"], ["--markdown"], ["--latex"], ["--html"]):
        code, out, err = meta("agreement", "judged.jsonl", *form)
        assert code == 0, err
        assert "focus" in out
    rows = json.loads(meta("agreement", "judged.jsonl", "--human", "units", "--json")[1])["rows"]
    # Of 8 units 6 are agreed on. 10 votes say yes and 6 no: the expected disagreement is 2 * 10 * 6 / (16 * 15) = 1/2.
    assert rows[0]["alpha"] == pytest.approx(1 - (2 / 8) / (1 / 2))
    assert meta("agreement", "judged.jsonl", "--human", "focs")[0] == 2


@pytest.mark.more
@pytest.mark.parametrize(
    ("question", "options", "arguments"),
    [
        ("correlate", [], {}),
        ("correlate", ["--level", "pooled", "--undefined", "zero"], {"level": "pooled", "undefined": "zero"}),
        ("folds", ["--folds", "4", "--seed", "2"], {"folds": 4, "seed": 2}),
        ("interval", ["--resamples", "20", "--interval", "bca"], {"resamples": 20, "interval": "bca"}),
        ("coverage", ["--metric", "good", "--trials", "3"], {"metric": "good", "trials": 3}),
        ("test", ["--permutations", "20", "--alternative", "less"], {"permutations": 20, "alternative": "less"}),
        ("pairs", ["--permutations", "50", "--metric", "good"], {"permutations": 50, "metrics": "good"}),
        ("matrix", ["--anchor", "good", "--anchor", "rated"], {"anchors": ("good", "rated")}),
        ("power", ["--metric", "good", "--trials", "2"], {"metric": "good", "trials": 2}),
        ("normality", ["--level", "system"], {"level": "system"}),
        ("stability", ["--trials", "5", "--coefficient", "pearson"], {"trials": 5, "coefficient": "pearson"}),
        ("plan", ["--metric", "good", "--width", "0.5"], {"metrics": "good", "width": 0.5}),
    ],
)
def test_a_command_prints_what_the_call_gives(meta, study, question, options, arguments):
    code, out, err = meta(question, study, *options, "--json")
    assert code == 0, err
    assert out == getattr(library, question)(study, **arguments).to_json() + "\n"


def test_references_and_agreement_print_what_the_calls_give(meta, tmp_path):
    records = [
        {
            "doc_id": f"d{i}",
            "system": system,
            "summary": summary.format(i),
            "references": [f"word{i} same", "a other"],
            "annotators": {"h": [i, i + len(system)]},
        }
        for i in range(3)
        for system, summary in (("a", "a word{} same"), ("bb", "bb word{}"), ("ccc", "ccc none"))
    ]
    (tmp_path / "run.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    options = ["--metric", "rouge1.precision", "--level", "pooled", "--trials", "3"]
    answer = library.references("run.jsonl", metric="rouge1.precision", level="pooled", trials=3)
    assert meta("references", "run.jsonl", *options, "--json")[1] == answer.to_json() + "\n"
    answer = library.agreement("run.jsonl", measurement="ordinal")
    assert meta("agreement", "run.jsonl", "--measurement", "ordinal", "--json")[1] == answer.to_json() + "\n"


def test_options_offer_what_the_library_knows():
    for named, repeated, library_words in (
        (options.LevelName, options.LevelChoice, tables.Level),
        (options.CoefficientName, options.CoefficientChoice, tables.Coefficient),
        (options.AgreementName, options.AgreementChoice, Literal[tables.Coefficient, tables.LabelCoefficient]),
    ):
        assert get_args(named) == get_args(library_words) == tuple(choice.value for choice in repeated)


def test_a_repeated_option_refuses_another_word(meta, study):
    code, out, err = meta("correlate", study, "--level", "sytem")
    assert code == 2
    assert "'sytem' is not one of" in err
    assert out == ""


@pytest.mark.parametrize("question", ["power", "coverage", "references"])
def test_a_second_metric_is_refused_rather_than_taken_for_the_first(meta, study, question):
    code, out, err = meta(question, study, "--metric", "good", "--metric", "poor")
    assert (code, out) == (2, "")
    assert "give --metric once: good and poor are looked at one at a time" in err


def test_williams_takes_no_method(meta, study):
    options = ["test", study, "--metric", "good", "--metric", "poor", "--test", "williams"]
    assert meta(*options)[0] == 0
    code, out, err = meta(*options, "--method", "systems")
    assert (code, out) == (2, "")
    assert "Williams' test swaps and resamples nothing: leave --method out" in err


def test_all_pairs_are_one_sided_tests(meta, study):
    data = json.loads(Path(study).read_text())
    data["scores"]["third"] = data["scores"]["good"][::-1]
    Path("three.json").write_text(json.dumps(data))
    code, usual, err = meta("test", "three.json")
    assert code == 0, err
    assert meta("test", "three.json", "--alternative", "greater")[1] == usual
    for other, words in (("two-sided", "that is two-sided"), ("less", "that is for less")):
        code, out, err = meta("test", "three.json", "--alternative", other)
        assert (code, out) == (2, "")
        assert "of 3 metrics each is tested for being better than each other (--alternative greater)" in err
        assert words in " ".join(err.split())


@pytest.mark.more
def test_two_metrics_are_drawn_too(meta, study, tmp_path):
    code, _, err = meta(
        "test", study, "--metric", "good", "--metric", "poor", "--permutations", "20", "--figure", "two.svg"
    )
    assert code == 0, err
    assert "good" in (tmp_path / "two.svg").read_text("utf-8")


def test_commands_and_sheets_compute_nothing():
    package = Path(gistmeter.__file__).parent
    renderers = [package / "report/sheets/meta.py", package / "report/meta_charts.py"]
    for path in [*(package / "cli/meta").glob("*.py"), *renderers]:
        imported = [
            name
            for node in ast.walk(ast.parse(path.read_text("utf-8")))
            if isinstance(node, ast.ImportFrom) and node.module
            for name in (node.module, *(f"{node.module}.{alias.name}" for alias in node.names))
        ]
        assert not [name for name in imported if name.startswith(("gistmeter.stats", "numpy"))], path.name
