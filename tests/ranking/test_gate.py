"""A gate: worse, not worse, undecided; on made-up scores whose truth is known."""

import json
import math
import re
import xml.etree.ElementTree as ET

import numpy as np
import polars as pl
import pytest

import gistmeter as gm
from gistmeter.api import stack_scores
from gistmeter.errors import ArgumentError, DataError
from gistmeter.report.build_server import describe_row, github_annotations, github_summary, junit_xml
from gistmeter.scores import ScoreColumn, Scores
from made_scores import BASE, NOISE, QUICK, scores


def verdict(base, new, **options):
    [row] = gm.gate(scores(ours=base), scores(ours=new), **QUICK, **options).rows
    return row.verdict


def test_the_same_version_passes_even_a_strict_gate():
    result = gm.gate(scores(ours=BASE), scores(ours=BASE), strict=True, **QUICK)
    assert result.passed
    assert result.rows[0].verdict == "not worse"
    assert result.rows[0].difference == 0


def test_a_loss_is_worse_and_a_gain_is_not():
    assert verdict(BASE, BASE - 0.03 + NOISE) == "worse"
    assert verdict(BASE, BASE + 0.03 + NOISE) == "not worse"


def test_the_margin_is_what_may_be_lost():
    assert verdict(BASE, BASE - 0.03 + NOISE, margin=0.1) == "not worse"
    assert verdict(BASE, BASE - 0.03 + NOISE, margin=0.01) == "worse"


def test_noise_is_undecided_and_only_a_strict_gate_shuts():
    new = BASE + NOISE - NOISE.mean()
    assert verdict(BASE, new) == "undecided"
    assert gm.gate(scores(ours=BASE), scores(ours=new), **QUICK).passed
    assert not gm.gate(scores(ours=BASE), scores(ours=new), strict=True, **QUICK).passed


@pytest.mark.parametrize("source", ["in the file", "by the user"])
def test_lower_may_be_better(source):
    better = "lower" if source == "in the file" else "higher"
    base, new = (scores(name="js.divergence", better=better, ours=values) for values in (BASE, BASE + 0.05 + NOISE))
    options = {} if source == "in the file" else {"lower": ["js.divergence"]}
    [row] = gm.gate(base, new, **QUICK, **options).rows
    assert row.verdict == "worse"
    assert row.worst[0].difference > 0  # the document whose divergence rose most
    assert row.worst[0].difference == max(document.difference for document in row.worst)


@pytest.mark.slow
def test_of_versions_that_are_alike_one_in_twenty_is_called_worse():
    rng = np.random.default_rng(3)
    worse = 0
    for _ in range(300):
        noise = rng.normal(0, 0.05, 20)
        worse += verdict(BASE[:20], BASE[:20] + noise) == "worse"
    assert 3 <= worse <= 29  # 15 expected: chance alone leaves these bounds once in a thousand times


def test_several_scores_are_one_gate():
    # A loss of 2.1 standard errors has a one-sided p of about .02: worse by itself, and not among ten scores.
    standard_error = NOISE.std(ddof=1) / math.sqrt(len(NOISE))
    new_values = BASE + NOISE - NOISE.mean() - 2.1 * standard_error
    names = [f"m{number}.f1" for number in range(10)]
    columns = tuple(ScoreColumn(name, "m|v:0") for name in names)
    keys = {"doc_id": [f"d{number}" for number in range(40)], "system": ["s"] * 40}
    base = Scores(pl.DataFrame({**keys, **dict.fromkeys(names, BASE)}), columns)
    new = Scores(base.table.with_columns(pl.Series("m0.f1", new_values)), columns)
    [alone] = gm.gate(base, new, columns=["m0.f1"], **QUICK).rows
    assert alone.pvalue == pytest.approx(0.02, abs=0.012)
    together = gm.gate(base, new, **QUICK)
    assert together.passed
    assert together.rows[0].pvalue == pytest.approx(10 * alone.pvalue)


def test_systems_are_paired_by_name_and_documents_by_id():
    base = scores(a=BASE, b=BASE, gone=BASE)
    new = scores(b=BASE - 0.1 + NOISE, a=BASE, fresh=BASE)
    shuffled = Scores(new.table.sample(fraction=1, shuffle=True, seed=1), new.columns)
    result = gm.gate(base, shuffled, missing="drop", **QUICK)
    assert {row.system: row.verdict for row in result.rows} == {"a": "not worse", "b": "worse"}
    assert [note.rpartition(" ")[2] for note in result.notes] == ["gone", "fresh"]


def test_a_pooled_score_is_gated_by_resampling():
    counts = pl.DataFrame({"doc_id": [f"d{n}" for n in range(30)], "system": ["s"] * 30})
    run = [
        gm.Example(doc_id=f"d{n}", system="s", summary=text, references=(f"the cat number {n} sat on the mat today",))
        for n in range(30)
        for text in [f"the cat number {n} sat on the mat"]
    ]
    poor = [gm.Example(doc_id=e.doc_id, system="s", summary="a dog sat there", references=e.references) for e in run]
    base, new = (gm.score(which, ["bleu"], cache=False) for which in (run, poor))
    assert len(counts) == len(base)
    [row] = gm.gate(base, new, columns=["bleu.corpus"], **QUICK).rows
    assert (row.verdict, row.worst) == ("worse", ())


@pytest.mark.parametrize(
    ("base", "new", "options", "message"),
    [
        (scores(a=BASE), scores(a=BASE, signature="rouge2|v:1"), {}, "was not computed alike"),
        (scores(a=BASE), scores(a=BASE, name="rouge1.f1"), {}, "no score in common"),
        (scores(a=BASE, b=BASE), scores(c=BASE, d=BASE), {}, "no system is in both"),
        (scores(a=BASE), scores(a=BASE), {"columns": ["rouge9.f1"]}, "no score 'rouge9.f1'"),
        (scores(a=BASE, better="neither"), scores(a=BASE, better="neither"), {}, "none has a better direction"),
        (scores(a=BASE[:1]), scores(a=BASE[:1]), {}, "1 document"),
        (scores(a=BASE, b=BASE), scores(a=BASE), {}, "lack 1 system of the base"),
        (scores(a=BASE), scores(a=BASE), {"systems": ["b"]}, "no system 'b'"),
        (scores(a=BASE), scores(a=BASE), {"lower": ["rouge2.f"]}, "no score 'rouge2.f'"),
    ],
)
def test_what_cannot_be_gated_is_one_sentence(base, new, options, message):
    with pytest.raises(DataError, match=message):
        gm.gate(base, new, **options)


@pytest.mark.parametrize("options", [{"margin": -1}, {"margin": float("nan")}, {"alpha": 0}, {"alpha": 0.7}])
def test_settings_have_a_range(options):
    with pytest.raises(ArgumentError):
        gm.gate(scores(a=BASE), scores(a=BASE), **options)


def test_stacked_tables_keep_their_rows():
    stacked = stack_scores({"old": scores(a=BASE, b=BASE), "new": scores(a=BASE + 1, c=BASE)})
    assert stacked.systems == ["a (old)", "b", "a (new)", "c"]
    assert stacked.matrix("rouge2.f1").values[2] == pytest.approx(BASE + 1)


def test_a_name_cannot_speak_to_the_build_server():
    evil = "x%\n::error::gone\n<b>&"
    result = gm.gate(scores(**{evil: BASE}), scores(**{evil: BASE - 0.1 + NOISE}), **QUICK)
    annotations = github_annotations(result)
    assert annotations.count("\n") == 0
    assert annotations.startswith("::error title=")
    assert "%25%0A" in annotations
    suite = ET.fromstring(junit_xml(result))  # noqa: S314 our own
    assert (suite.get("failures"), suite[0].get("name")) == ("1", f"{evil} rouge2.f1")
    assert "<b>" not in github_summary(result)
    assert describe_row(result.rows[0]).startswith("x%")


def test_the_command_says_it_by_its_exit_code(command, tmp_path, monkeypatch):
    scores(ours=BASE).write(tmp_path / "base.parquet")
    scores(ours=BASE - 0.03 + NOISE).write(tmp_path / "new.csv")
    few = ("--permutations", "500", "--resamples", "200")
    assert command("gate", "base.parquet", "base.parquet", *few)[0] == 0
    code, out, _ = command("gate", "base.parquet", "new.csv", "--metric", "rouge2.f1", "--junit", "j.xml", *few)
    assert (code, "worse" in out) == (1, True)
    assert 'failures="1"' in (tmp_path / "j.xml").read_text()
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "page.md"))
    code, out, _ = command("gate", "base.parquet", "new.csv", "--margin", "0.2", "--github", *few)
    assert (code, "::notice" in out) == (0, True)
    assert re.search(r"\| ours +\| rouge2.f1", (tmp_path / "page.md").read_text())
    for wrong in (("none.parquet", "new.csv"), ("base.parquet", "new.csv", "--alpha", "0.9"), ("base.parquet",)):
        code, _, err = command("gate", *wrong)
        assert (code, "Traceback" in err) == (2, False)


def test_files_are_compared_and_ranked_together(command, tmp_path):
    scores(ours=BASE, other=BASE).write(tmp_path / "base.parquet")
    scores(ours=BASE - 0.03 + NOISE, other=BASE).write(tmp_path / "new.parquet")
    few = ("--permutations", "200", "--resamples", "100", "--json")
    code, out, _ = command("compare", "base.parquet", "new.parquet", "ours", *few)
    compared = json.loads(out)
    assert (code, compared["system_a"], compared["system_b"]) == (0, "ours (base)", "ours (new)")
    assert compared["differences"][0]["pvalue"] < 0.05
    code, out, _ = command("rank", "base.parquet", "new.parquet", *few)
    systems = [row["system"] for row in json.loads(out)["columns"][0]["systems"]]
    assert sorted(systems) == ["other (base)", "other (new)", "ours (base)", "ours (new)"]
    code, _, err = command("compare", "base.parquet", "new.parquet")
    assert (code, "name the two systems to compare (there is ours (base)" in err) == (2, True)
    scores(ours=BASE, signature="rouge2|v:1").write(tmp_path / "later.parquet")
    code, _, err = command("rank", "base.parquet", "later.parquet")
    assert (code, "was not computed alike: base has rouge2|v:0, later has rouge2|v:1" in err) == (2, True)
