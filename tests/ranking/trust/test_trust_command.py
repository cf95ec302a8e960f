"""`gistmeter trust`, run as a user runs it."""

import json

import pytest

from gistmeter.api import score
from gistmeter.demo import demo_run

JUDGMENTS = demo_run().with_name("judgments.jsonl")


@pytest.fixture
def trusted(command):
    """Run `gistmeter trust`."""
    return lambda *arguments: command("trust", *arguments)


def test_a_metric_and_a_gap(trusted):
    code, out, err = trusted("rouge1", "--gap", "0.005")
    assert (code, err) == (0, "")
    assert "A gap of 0.0050 rouge1.f1 (0.5 points) agrees with people 55%" in out
    for name in ("SummEval", "REALSumm", "PyrXSum", "SummEval-11", "another set", "people repeat"):
        assert name in out
    assert trusted("rouge1", "--gap", "0.5", "--points")[1] == out
    assert trusted("rouge1", "--gap", "0.005", "-c", "rouge1.f1")[1] == out


def test_json(trusted):
    code, out, _ = trusted("rouge2", "--gap", "0.02", "--documents", "50", "--significant", "--json")
    result = json.loads(out)
    assert code == 0
    assert (result["kind"], result["people"], result["documents"]) == ("trust", "significant", 50)
    assert result["sets"][0]["dataset"]["name"] == "SummEval"
    assert result["low"] < result["share"] < result["high"]


def test_significant_pairs_do_not_speak_of_repeating(trusted):
    out = trusted("rouge2", "--gap", "0.02", "--significant")[1]
    assert "tell apart significantly" in out
    assert "people repeat" not in out


def test_two_systems_of_a_file(trusted):
    score(demo_run(), "rouge1,rougeLsum,bleu").write("scores.parquet")
    code, out, err = trusted("scores.parquet", "careful", "lead3")
    assert (code, err) == (0, "")
    assert "careful is above lead3. A gap of 0.0777 rouge1.f1 (7.77 points)" in out
    assert "a gap over 12 documents is noisier" in out
    assert "how often people agree is not known for bleu.corpus" in out.replace("bleu.bleu, ", "")
    _, out, _ = trusted("scores.parquet", "lead3", "careful", "-c", "rouge1.f1", "--json")
    result = json.loads(out)
    assert (result["kind"], result["winners"], len(result["answers"])) == ("trust-pair", ["careful"], 1)


def test_without_arguments_it_lists_what_is_calibrated(trusted):
    code, out, _ = trusted()
    assert code == 0
    for text in ("rougeLsum.recall", "80% agree from", "Bhandari et al., 2020", "rouge1|alpha:0.5|language:en"):
        assert text in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["rouge1"], "say how far apart"),
        (["rouge1", "--gap", "5"], "add --points"),
        (["rouge1", "--gap", "0.1", "-c", "f1", "-c", "recall"], "give --metric once"),
        (["scores.parquet", "a"], "takes two systems"),
        (["scores.parquet", "a", "b", "--gap", "0.1"], "go with a metric"),
        (["scores.parquet", "a", "b"], "scores.parquet"),
        (["rougeS", "--gap", "1"], "gistmeter trust fit"),
        (["rouge1", "--gap", "0.1", "--table", "none.json"], "there is no file none.json"),
    ],
)
def test_mistakes(trusted, arguments, words):
    code, out, err = trusted(*arguments)
    assert (code, out) == (2, "")
    assert words in err


def test_fit_and_ask(command, trusted):
    """The whole way on the demo: score, fit, ask, rank, compare."""
    score(demo_run(), "rouge1,bleu,length").write("scores.parquet")
    code, out, err = trusted("fit", "scores.parquet", JUDGMENTS, "-o", "my.json", "--name", "demo", "--resamples", 100)
    assert code == 0
    assert "demo content, 5 systems x 12 documents." in out
    assert "bleu.corpus is computed for a whole system" in err
    assert "length" not in err
    assert err.endswith("2 tables written: my.json\n")
    code, out, _ = trusted("rouge1", "--gap", "0.02", "--table", "my.json")
    assert (code, "of the time on demo." in out) == (0, True)
    assert "SummEval" not in out
    assert "rests on demo alone" in out
    _, out, _ = trusted("scores.parquet", "careful", "lead3", "--table", "my.json", "-c", "rouge1.f1")
    assert "of the time on demo." in out
    for arguments in (("rank", "scores.parquet"), ("compare", "scores.parquet", "careful", "lead3")):
        assert "(demo " in command(*arguments, "--table", "my.json", "--permutations", 100)[1]
        assert "(demo " not in command(*arguments, "--permutations", 100)[1]


def test_fit_says_what_it_needs(trusted, tmp_path):
    score(demo_run(), "rouge1").write("scores.parquet")
    code, _, err = trusted("fit", "scores.parquet", JUDGMENTS, "-o", "none/my.json", "--resamples", 10)
    assert (code, "the folder none does not exist" in err) == (2, True)
    code, _, err = trusted("fit", "scores.parquet", JUDGMENTS, "-o", "my.json", "--aspect", "contnt")
    assert (code, "did you mean content" in err) == (2, True)
    records = [json.loads(line) for line in JUDGMENTS.read_text().splitlines()]
    for record in records:
        record["human"] = {"content": 1, "style": 2}
        del record["annotators"]
    (tmp_path / "two.jsonl").write_text("\n".join(map(json.dumps, records)))
    code, _, err = trusted("fit", "scores.parquet", "two.jsonl", "-o", "my.json")
    assert (code, "say which to compare with, --human (content, style)" in err) == (2, True)
    code, _, err = trusted(
        "fit", "scores.parquet", "two.jsonl", "-o", "my.json", "--human", "content", "--human", "style"
    )
    assert (code, "give --human once: content and style are compared one at a time" in err) == (2, True)


def test_what_is_calibrated_as_json(trusted):
    result = json.loads(trusted("--json")[1])
    assert result["kind"] == "trust-tables"
    names = [table["name"] for table in result["tables"]]
    assert {"rouge1.f1", "rouge1.recall", "content.f1"} <= set(names)
    rouge = result["tables"][names.index("rouge1.f1")]
    assert (rouge["sets"][0]["systems"], rouge["sets"][0]["documents"]) == (16, 100)


def test_help_speaks_of_both_commands(trusted):
    for arguments in ((), ("ask",)):
        out = trusted(*arguments, "--help")[1]
        assert "--gap" in out
        assert "trust fit" in out
    assert "JUDGMENTS" in trusted("fit", "--help")[1]
