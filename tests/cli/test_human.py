"""`gistmeter human`, run as a user runs it, on the example that ships with the package and on small files."""

import json
from functools import partial

import pytest

from gistmeter.demo import demo_judgments, demo_run, demo_work
from gistmeter.human import (
    drop_disagreeing,
    pairwise_agreement,
    sample_gold,
    screen_work,
    standardise,
)
from gistmeter.judgments import Judgments


@pytest.fixture
def human(command):
    return partial(command, "human")


def jsonl(path, records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def test_quality_keeps_the_judgments_of_those_who_passed(human, tmp_path):
    code, out, err = human("quality", demo_work(), "--minutes", 30, "-o", "passed.jsonl")
    assert code == 0
    assert "5 of 7 assignments passed quality control: 70% of the controls or more, 30 minutes or more." in out
    assert "passed 1 of 10 controls, under 70%; took 24 minutes, less than 30" in out
    assert "150 judgments written: passed.jsonl" in err
    expected = screen_work(demo_work(), minutes=30).judgments
    assert Judgments.read(tmp_path / "passed.jsonl").table.equals(expected.table)


def test_quality_takes_every_limit(human):
    _, out, _ = human("quality", demo_work(), "--least", 0.1, "--same", 60, "--different", 30, "--json")
    expected = screen_work(demo_work(), least=0.1, same=60, different=30)
    assert json.loads(out) == json.loads(expected.to_json())
    assert json.loads(out)["usable"] == 7


def test_quality_by_a_field(human, tmp_path):
    z = {"ES-1-REFERENCE-SYSTEM-PG": 0.5}
    names = [("ES-w0", 0, 9), ("ES-w0", 0, 10), ("ES-w1", 0, 6)]
    work = [
        {"language": "ES", "worker": worker, "task": task, "quality_score": score, "minutes": 40, "z": z}
        for worker, task, score in names
    ]
    file = jsonl(tmp_path / "assignments.jsonl", work)
    _, out, _ = human("quality", file, "--by", "language", "--json")
    (row,) = json.loads(out)["rows"]
    assert (row["language"], row["assignments"], row["accepted"], row["quality"]) == ("ES", 3, 1, 0.9)
    _, out, _ = human("quality", file, "--by", "language", "--again", "--json")
    assert json.loads(out)["rows"][0]["accepted"] == 2


def test_standardise_by_task(human, tmp_path):
    code, _, err = human("standardise", demo_work(), "--within", "task", "-o", "z.jsonl")
    assert (code, "210 judgments written: z.jsonl" in err) == (0, True)
    expected = standardise(demo_work(), within="task")
    assert Judgments.read(tmp_path / "z.jsonl").table["value"].to_list() == expected.table["value"].to_list()
    code, _, err = human("standardise", demo_judgments(), "--within", "task", "-o", "z.jsonl")
    assert code == 2
    assert "180 of 180 judgments name no `task`" in err


def test_pairs_of_raters(human):
    _, out, _ = human("pairs", demo_work(), "--columns", "rater", "--coefficient", "spearman", "--json")
    expected = pairwise_agreement(demo_work(), columns="rater", coefficient="spearman")
    assert json.loads(out) == json.loads(expected.to_json())
    _, out, _ = human("pairs", demo_work())
    assert "ann in task morning" in out
    assert "Mean pearson" in out


def test_who_is_outside_the_majority(human, tmp_path):
    votes = [[1, 1, 0], [0, 0, 1], [1, 1, 0], [0, 0, 0]]
    file = jsonl(tmp_path / "votes.jsonl", [{"doc_id": "d", "system": "s", "votes": votes}])
    code, out, _ = human("majority", file, "--fewest", 4, "-o", "rest.jsonl", "--json")
    # rater3 agrees with the other two on the last unit alone; the two are a majority of two on it alone as well.
    assert code == 0
    assert [row["rater"] for row in json.loads(out)["rows"] if row["dropped"]] == ["rater3"]
    assert Judgments.read(tmp_path / "rest.jsonl").table["rater"].unique().sort().to_list() == ["rater1", "rater2"]
    _, out, _ = human("majority", demo_judgments(), "--threshold", 0.51, "--json")
    assert json.loads(out) == json.loads(drop_disagreeing(demo_judgments(), threshold=0.51).to_json())


def test_gold_goes_into_meta_correlate(human, command, tmp_path):
    code, out, _ = human("gold", demo_judgments(), "--rounds", 2, "--seed", 5, "-o", "gold.jsonl", "--json")
    assert code == 0
    expected = sample_gold(demo_judgments(), rounds=2, seed=5)
    assert json.loads(out) == json.loads(expected.to_json())
    code, out, _ = command(
        "meta", "correlate", demo_run(), "--judgments", "gold.jsonl", "--metric", "rouge1.f1", "--human", "sample 2"
    )
    assert code == 0
    assert "sample 2" in out


def test_ratings_and_votes_are_not_mixed(human, tmp_path):
    record = {"doc_id": "d", "system": "s", "votes": [[1, 0]], "annotators": {"focus": [1, 2]}}
    file = jsonl(tmp_path / "both.jsonl", [record])
    code, _, err = human("gold", file)
    assert code == 2
    assert "which do not go together (focus, units): choose with --human" in err
    code, out, _ = human("gold", file, "--human", "units", "--json")
    assert (code, json.loads(out)["rows"][0]["gold"]) == (0, "majority")
    code, out, _ = human("gold", file, "--human", "focus", "--json")
    assert (code, json.loads(out)["rows"][0]["gold"]) == (0, "mean")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("quality", demo_judgments()), "no record names its `rater` and `task`"),
        (("quality", demo_work(), "--least", 7), "--least is a share of the controls, such as 0.7 for 7 of 10, not 7"),
        (("quality", demo_work(), "--same", 5), "no answer may be right for both kinds: --different 10"),
        (("majority", demo_work(), "--human", "contents"), "no raters judged 'contents'; did you mean content?"),
        (("gold", demo_judgments(), "-o", "nowhere/gold.jsonl"), "the folder nowhere does not exist"),
        (("gold", demo_judgments(), "-o", "gold.csv"), "a file of judgments is written as JSON lines"),
        (("pairs", "nothing.jsonl"), "nothing.jsonl"),
    ],
)
def test_mistakes_are_one_sentence(human, words, message):
    code, _, err = human(*words)
    assert code == 2
    assert message in err
    assert "Traceback" not in err


@pytest.mark.parametrize("form", ["--markdown", "--latex", "--html", "--json"])
def test_every_command_speaks_all_forms(human, form):
    for words in (("quality", demo_work()), ("pairs", demo_work()), ("majority", demo_judgments())):
        code, out, _ = human(*words, form)
        assert (code, bool(out)) == (0, True)
