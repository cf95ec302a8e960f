"""What would let a bad version through a gate, or stop a good one: missing documents, few of them, names, margins."""

import json
import re
import xml.etree.ElementTree as ET

import numpy as np
import polars as pl
import pytest

import gistmeter as gm
from gistmeter.errors import ArgumentError, DataError
from gistmeter.report.build_server import github_annotations, github_summary, ignore_commands, junit_xml
from gistmeter.scores import UNKNOWN_SIGNATURE, ScoreColumn, Scores
from made_scores import BASE, NOISE, QUICK, scores

FEW = ("--permutations", "500", "--resamples", "200")


def without(table, *documents):
    return Scores(table.table.filter(~pl.col("doc_id").is_in(documents)), table.columns)


def test_a_version_that_skips_documents_is_refused():
    # The new version loses nothing on the 30 documents that it has: without a word it would go through.
    base = scores(ours=BASE)
    new = without(scores(ours=BASE), *(f"d{number}" for number in range(10)))
    with pytest.raises(DataError, match=r"no new rouge2.f1 for 10 of the base's 40 documents \(d0, d1"):
        gm.gate(base, new, **QUICK)
    result = gm.gate(base, new, missing="drop", **QUICK)
    assert result.rows[0].documents == 30
    assert "left out 10 documents of ours without rouge2.f1 in the new scores" in result.notes[0]
    # A document that only the new version has is nobody's fault.
    assert "in the base: d0" in gm.gate(without(base, "d0"), base, **QUICK).notes[0]


def test_a_score_that_is_missing_is_a_document_that_is_missing():
    holes = np.where(np.arange(40) < 3, np.nan, BASE)
    with pytest.raises(DataError, match="3 of the base's 40"):
        gm.gate(scores(ours=BASE), scores(ours=holes), **QUICK)


@pytest.mark.parametrize(("documents", "tests", "enough"), [(4, 1, 5), (5, 2, 6), (8, 20, 9)])
def test_a_gate_that_could_never_shut_is_refused(documents, tests, enough):
    # The worst of all ways to swap 4 documents has p = 1/16 > .05; of 2 tests on 5 documents, by Holm, 2/32.
    names = {f"s{number}": BASE[:documents] for number in range(tests)}
    worse = {name: values - 0.1 for name, values in names.items()}
    with pytest.raises(DataError, match=f"takes at least {enough}"):
        gm.gate(scores(**names), scores(**worse), **QUICK)
    more = dict.fromkeys(names, BASE[:enough])
    assert not gm.gate(scores(**more), scores(**{name: more[name] - 0.1 for name in more}), permutations=1000).passed


def test_so_few_permutations_that_nothing_can_be_shown_are_refused():
    with pytest.raises(ArgumentError, match="`permutations`"):
        gm.gate(scores(ours=BASE), scores(ours=BASE - 0.1), permutations=15, alpha=0.05)


@pytest.mark.slow
@pytest.mark.parametrize("documents", [6, 12])
def test_a_strict_gate_keeps_its_level_with_few_documents(documents):
    # Versions worse by just the margin may pass one time in twenty; a bootstrap interval of 6 documents lets 10% pass.
    rng = np.random.default_rng(5)
    passed = 0
    for _ in range(400):
        loss = rng.normal(-0.02, 0.05, documents)
        base, new = scores(ours=BASE[:documents]), scores(ours=BASE[:documents] + loss)
        passed += gm.gate(base, new, margin=0.02, strict=True, permutations=5000, resamples=10).passed
    assert 6 <= passed <= 30  # 12 (6 documents: 3/64) to 20 expected


def test_gains_on_few_documents_pass_a_strict_gate():
    gained = BASE + np.where(np.arange(40) < 2, 0.1, 0)
    assert gm.gate(scores(ours=BASE), scores(ours=gained), strict=True, **QUICK).passed


def test_scores_on_two_scales_have_two_margins():
    def both(rouge, bleu):
        keys = {"doc_id": [f"d{number}" for number in range(40)], "system": ["ours"] * 40}
        columns = (ScoreColumn("rouge2.f1", "a"), ScoreColumn("bleu.bleu", "b"))
        return Scores(pl.DataFrame({**keys, "rouge2.f1": rouge, "bleu.bleu": bleu}), columns)

    base, new = both(BASE, 100 * BASE), both(BASE - 0.01, 100 * BASE - 1)
    assert not gm.gate(base, new, margin=0.02, **QUICK).passed
    result = gm.gate(base, new, margin=0.02, margins={"bleu.bleu": 2.0}, **QUICK)
    assert (result.passed, [row.margin for row in result.rows]) == (True, [0.02, 2.0])
    with pytest.raises(ArgumentError, match=r"names rouge1.f1, but the gate goes by rouge2.f1, bleu.bleu"):
        gm.gate(base, new, margins={"rouge1.f1": 2.0})


def test_the_direction_that_the_user_gives_is_shown():
    [row] = gm.gate(scores(ours=BASE), scores(ours=BASE + 0.1), lower=["rouge2.f1"], **QUICK).rows
    assert (row.verdict, row.column.better) == ("worse", "lower")


def test_a_table_without_signatures_is_described_by_the_other():
    described = scores(name="mine.loss", better="lower", ours=BASE)
    plain = Scores(described.table, (ScoreColumn("mine.loss", UNKNOWN_SIGNATURE),))
    for base, new in ((plain, described), (described, plain)):
        result = gm.gate(base, new, **QUICK)
        assert result.rows[0].column.better == "lower"
        assert "does not say how its scores were computed" in result.notes[0]


def test_systems_of_other_names_are_said():
    result = gm.gate(scores(v1=BASE), scores(v2=BASE), **QUICK)
    assert result.notes == ("v2 is compared with v1 of the base",)
    chosen = gm.gate(scores(a=BASE, b=BASE), scores(a=BASE, c=BASE), systems=["a"], **QUICK)
    assert [row.system for row in chosen.rows] == ["a"]
    assert not chosen.notes


def test_other_references_are_said():
    def run(reference):
        return [
            gm.Example(doc_id=f"d{n}", system="s", summary=f"a cat {n} sat", references=(f"{reference} {n}",))
            for n in range(8)
        ]

    base, new = (gm.score(run(reference), "rouge1") for reference in ("a cat", "a dog"))
    assert "the references of 8 documents changed" in " ".join(gm.gate(base, new, **QUICK).notes)
    assert not any("changed" in note for note in gm.gate(base, base, **QUICK).notes)


EVIL = "::error::owned\n::stop-commands::x ##[add-mask]a [1](http://evil) \uffff"


def test_names_that_look_like_commands_are_between_marks(command, tmp_path, monkeypatch):
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    scores(**{EVIL: BASE}).write(tmp_path / "base.parquet")
    scores(**{EVIL: BASE - 0.1 + NOISE}).write(tmp_path / "new.parquet")
    code, out, _ = command("gate", "base.parquet", "new.parquet", "--github", *FEW)
    assert code == 1
    lines = out.splitlines()
    (start,) = (number for number, line in enumerate(lines) if re.fullmatch(r"::stop-commands::[0-9a-f]{32}", line))
    assert lines.index(f"::{lines[start].rpartition(':')[2]}::") == len(lines) - 1
    commands = [line for line in lines[:start] if line.lstrip().startswith("::") or "##[" in line]
    assert [line.partition("::")[2][:6] for line in commands] == ["error "]  # one annotation, of ours
    tokens = []
    with ignore_commands(tokens.append):
        pass
    assert tokens[0].rpartition(":")[2] not in out  # it cannot be guessed


def test_forms_for_machines_stay_whole(command, tmp_path):
    scores(**{EVIL: BASE}).write(tmp_path / "base.parquet")
    scores(**{EVIL: BASE - 0.1 + NOISE}).write(tmp_path / "new.parquet")
    code, out, err = command("gate", "base.parquet", "new.parquet", "--github", "--json", *FEW)
    (row,) = json.loads(out)["rows"]
    assert (code, row["verdict"], row["score"]) == (1, "worse", "rouge2.f1")
    assert row["low"] < row["difference"] < row["high"] < 0
    assert row["worst"][0]["new"] - row["worst"][0]["base"] == pytest.approx(row["worst"][0]["difference"])
    assert err.startswith("::error title=gistmeter gate%3A rouge2.f1::")
    result = gm.gate(scores(**{EVIL: BASE}), scores(**{EVIL: BASE - 0.1 + NOISE}), **QUICK)
    assert ET.fromstring(junit_xml(result)).get("failures") == "1"  # noqa: S314 our own; U+FFFF is no XML
    assert "](" not in github_summary(result).replace("\\](", "")


def test_bad_input_is_annotated_too(command, tmp_path):
    scores(ours=BASE).write(tmp_path / "base.parquet")
    scores(ours=BASE[:20]).write(tmp_path / "new.parquet")
    code, _, err = command("gate", "base.parquet", "new.parquet", "--github")
    assert code == 2
    assert err.startswith("::error title=gistmeter gate::ours has no new rouge2.f1 for 20 of the base's 40 documents")
    assert "--missing drop" in err.splitlines()[0]
    code, _, err = command("gate", "base.parquet", "new.parquet", "--margin", "little")
    assert (code, "--margin is a number, or NAME=NUMBER, not 'little'" in err) == (2, True)


def test_commas_and_margins_by_name(command, tmp_path):
    scores(ours=BASE).write(tmp_path / "base.parquet")
    scores(ours=BASE - 0.03 + NOISE).write(tmp_path / "new.parquet")
    names = ("-m", "rouge2.f1,rouge2.f1", "--margin", "rouge2.f1=0.2")
    code, out, _ = command("gate", "base.parquet", "new.parquet", *names, "--json", *FEW)
    assert (code, [row["margin"] for row in json.loads(out)["rows"]]) == (0, [0.2])


def test_what_passed_is_one_notice_and_notes_are_warnings():
    result = gm.gate(scores(v1=BASE), scores(v2=BASE), **QUICK)
    assert github_annotations(result).splitlines() == [
        "::warning title=gistmeter gate::v2 is compared with v1 of the base",
        "::notice title=gistmeter gate::open: 1 of 1 score not worse",
    ]


def test_a_score_that_one_version_lacks_is_named_with_the_version():
    keys = {"doc_id": [str(number) for number in range(8)], "system": ["ours"] * 8}
    values = [number / 10 for number in range(8)]
    base = pl.DataFrame({**keys, "rouge2.f1": values, "own": values})
    for other, words in (
        (
            "rouge2(stem=none).f1",
            r"'rouge2' is rouge2\(stem=none\).f1 in the base scores and rouge2.f1 in the new ones",
        ),
        ("meteor.meteor", r"the base scores have no 'rouge2' to gate by \(they have meteor.meteor, own\)"),
    ):
        with pytest.raises(DataError, match=words):
            gm.gate(base.rename({"rouge2.f1": other}), base, columns=["rouge2"], **QUICK)
