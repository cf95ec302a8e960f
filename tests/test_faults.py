"""Faults that were found by trying, each kept from coming back."""

import json
import threading

import numpy as np
import polars as pl
import pytest

import gistmeter as gm
from gistmeter.errors import DataError, GistmeterError, MetricError
from gistmeter.metrics import parse_metric
from gistmeter.metrics.overlap.rouge import RougeN
from gistmeter.scores import ScoreColumn, Scores
from gistmeter.text.words import find_words, split_words


def example(summary, *references, doc_id="1", system="s", **more):
    return gm.Example(doc_id=doc_id, system=system, summary=summary, references=references, **more)


def test_many_documents_rank():
    documents = [str(i) for i in range(1500)]
    table = pl.DataFrame(
        {"doc_id": documents * 2, "system": ["a"] * 1500 + ["b"] * 1500, "m.f1": [0.5] * 1500 + [0.4] * 1500}
    )
    ranking = gm.rank(Scores(table, (ScoreColumn("m.f1", "m|v:0"),)), permutations=100, resamples=20)
    assert [system.group for system in ranking.columns[0].systems] == ["a", "b"]


def test_threads_get_the_same_scores():
    texts = [f"word{i} again word{i + 1} and more{i % 7}" for i in range(200)]
    expected = {text: parse_metric("rouge2(stem=german)").score([example(text, texts[0])])[0] for text in texts}
    wrong = []

    def work():
        for text in texts:
            result = parse_metric("rouge2(stem=german)").score([example(text, texts[0])])[0]
            if not np.array_equal(result, expected[text]):
                wrong.append(text)

    from gistmeter.text.encode import get_lexicon

    get_lexicon.cache_clear()
    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert wrong == []


def test_a_cell_may_hold_lines(tmp_path):
    (tmp_path / "r.csv").write_text('id,summary,reference\n1,"The cat sat\nDogs bark",x\n')
    [result] = gm.read_run(tmp_path / "r.csv")
    assert result.summary == "The cat sat\nDogs bark"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("id,summary,summary\n1,x,y\n", "two columns named 'summary'"),
        ("id,reference,summary\n1,x\n", r"row 1 of .*\(line 2\) has fewer cells"),
    ],
)
def test_tables_that_do_not_fit_are_refused(tmp_path, content, message):
    (tmp_path / "r.csv").write_text(content)
    with pytest.raises(DataError, match=message):
        gm.read_run(tmp_path / "r.csv")


def test_korean_words_are_words():
    assert split_words("예산을 승인했다", language="ko") == ["예산을", "승인했다"]
    assert split_words("人々は予算を", language="ja") == list("人々は予算を")


def test_many_one_letter_texts():
    letters = "abcdefghijklmnopqrstuvwxyz0123456789"
    result = parse_metric("rouge1").score([example(letter, letter) for letter in letters])
    assert (result == 1).all()


@pytest.mark.parametrize("tokenizer", ["unicode", "rouge155", "characters", "whitespace"])
@pytest.mark.parametrize("text", ["İlkay scored. It ended.", "300 K is 27 C", "ΟΔΟΣ ΣΑΣ", "Straße ﬁn"])
@pytest.mark.parametrize("language", ["en", "tr"])
def test_shown_words_are_the_scored_words(text, tokenizer, language):
    assert [word.text for word in find_words(text, tokenizer, language)] == split_words(text, tokenizer, language)


@pytest.mark.parametrize("metric", ["rougeLsum(tokenizer=rouge155)", "rougeLsum", "rougeW"])
def test_evidence_counts_what_the_score_counts(metric):
    item = example("the cat.", "the cat. the cat. the cat.")
    [evidence] = gm.explain(item, metric).values()
    # Two words in the summary, so at most two of the reference's six can count.
    assert evidence.headline.startswith("2 reference words")
    gm.explain(example("İlkay scored. It ended.", "İlkay scored."), metric)


def test_one_output_one_run(tmp_path):
    run = tmp_path / "r.jsonl"
    run.write_text('{"id": 1, "summary": "x", "reference": "x"}\n')
    folder = tmp_path / ".s.parquet.parts"
    folder.mkdir()
    (folder / "lock").write_text("1")  # process 1 is always running
    with pytest.raises(DataError, match="another run is writing"):
        gm.score(run, "rouge1", output=tmp_path / "s.parquet")
    (folder / "lock").write_text("999999999")  # no such process: it was killed
    assert len(gm.score(run, "rouge1", output=tmp_path / "s.parquet")) == 1
    assert not folder.exists()


def test_the_input_is_not_overwritten(tmp_path):
    run = tmp_path / "r.jsonl"
    run.write_text('{"id": 1, "summary": "x", "reference": "x"}\n')
    with pytest.raises(DataError, match="is one of the inputs"):
        gm.score(run, "rouge1", output=run)
    assert "summary" in run.read_text()


def test_documents_as_one_text():
    item = gm.score_one(summary="the cat", documents="the cat sat on the mat", metrics="novelty")
    assert item["novelty.novel1"] == 0


def test_names_stay_as_written_in_csv(tmp_path):
    examples = [example("x", "x y", doc_id=name) for name in ("001", "1", "01")]
    assert gm.score(examples, "rouge1", output=tmp_path / "s.csv").documents == ["001", "1", "01"]


def test_missing_scores_come_back_from_every_format(tmp_path):
    with pytest.warns(gm.GistmeterWarning, match=r"1 of 2 summaries have no rouge1 \(NaN\)"):
        scores = gm.score([example("x", "...", doc_id="1"), example("x y", "y x", doc_id="2")], "rouge1")
    for suffix in ("parquet", "csv", "jsonl"):
        scores.write(tmp_path / f"s.{suffix}")
        back = Scores.read(tmp_path / f"s.{suffix}").table["rouge1.f1"]
        assert back.dtype == pl.Float64
        assert np.isnan(back[0])
        assert back[1] == 1


def test_tables_of_others_are_checked(tmp_path):
    (tmp_path / "twice.csv").write_text("doc_id,system,m\n1,a,0.5\n1,a,0.7\n")
    with pytest.raises(DataError, match="document '1' by system 'a' twice"):
        Scores.read(tmp_path / "twice.csv")
    (tmp_path / "none.csv").write_text("doc_id,system,m\n1,,0.5\n")
    with pytest.raises(DataError, match="rows without a `system`"):
        Scores.read(tmp_path / "none.csv")
    (tmp_path / "s.csv").write_text("doc_id,system,m\n1,a,0.5\n")
    (tmp_path / "s.csv.meta.json").write_text("{broken")
    with pytest.raises(DataError, match=r"is not what gistmeter wrote \(score again, or remove that file"):
        Scores.read(tmp_path / "s.csv")


def test_close_settings_have_different_signatures():
    assert parse_metric("rougeW(weight=1.2)").signature() != parse_metric("rougeW(weight=1.2000004)").signature()
    assert parse_metric("rouge1(alpha=0.12345678)").spelling == "rouge1(alpha=0.12345678)"


@pytest.mark.parametrize("text", ["rougeW(weight=nan)", "rougeW(weight=1000)", "rouge1(limit=0w)", "rougeS99999999999"])
def test_settings_that_give_nonsense_are_refused(text):
    with pytest.raises(MetricError):
        parse_metric(text)


def test_settings_are_checked_in_python_too():
    with pytest.raises(MetricError, match="tokenizer is one of unicode"):
        RougeN(order=1, tokenizer="rogue155")


@pytest.mark.parametrize(
    ("run", "metrics"), [([{"summary": "x"}], "rouge1"), ([example("x", "x")], None), ([example("x", "x")], [])]
)
def test_wrong_types_are_named(run, metrics):
    with pytest.raises(GistmeterError):
        gm.score(run, metrics)


def test_bytes_that_cannot_be_read(tmp_path):
    import gzip

    whole = gzip.compress(b'{"summary": "x"}\n' * 1000)
    (tmp_path / "cut.jsonl.gz").write_bytes(whole[: len(whole) // 2] + b"nonsense")
    (tmp_path / "deep.jsonl").write_text("[" * 100_000)
    for name in ("cut.jsonl.gz", "deep.jsonl"):
        with pytest.raises(DataError):
            gm.read_run(tmp_path / name)


def test_null_and_empty_fields(tmp_path):
    (tmp_path / "r.jsonl").write_text(json.dumps({"summary": "x", "references": [], "reference": "y"}))
    assert gm.read_run(tmp_path / "r.jsonl")[0].references == ("y",)
    (tmp_path / "r.jsonl").write_text(json.dumps({"summary": None}))
    with pytest.raises(DataError, match="`summary` is missing"):
        gm.read_run(tmp_path / "r.jsonl")


def test_control_characters_do_not_reach_the_terminal(tmp_path, capsys, monkeypatch):
    import sys

    from gistmeter.cli.main import main

    (tmp_path / "r.jsonl").write_text(json.dumps({"summary": "x", "reference": "x", "system": "\u001b[31mred"}))
    monkeypatch.setattr(
        sys, "argv", ["gistmeter", "explain", str(tmp_path / "r.jsonl"), "--doc", "1", "--system", "\x1b[31mblue"]
    )
    with pytest.raises(SystemExit):
        main()
    assert "\x1b" not in capsys.readouterr().err
