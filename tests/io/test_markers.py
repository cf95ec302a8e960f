"""Markers of tokenizers and models: what they are read as, what is left alone, and who is told."""

import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import gistmeter as gm
from gistmeter.cli.main import app
from gistmeter.errors import GistmeterWarning
from gistmeter.example import Example
from gistmeter.io.runs import Run, reopen_run
from gistmeter.markers import read_markers
from gistmeter.scores import Scores

MARKED = "the mayor -lrb- 52 -rrb- opened a bridge<q>it rained"
READ = "the mayor ( 52 ) opened a bridge\nit rained"


def example(summary, reference=f"{READ} .", system="s"):
    return Example(doc_id="d", system=system, summary=summary, references=reference, document=reference)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (MARKED, READ),
        ("one .<q>two .", "one .\ntwo ."),
        ("<t> one . </t> <t> two . </t>", "one .\ntwo ."),
        ("[CLS] one [SEP] [CLS] two [SEP]", "one\ntwo"),
        ("[unused0] one [unused2] two [unused1]", "one\ntwo"),
        ("<s>one</s><s>two</s>", "one\ntwo"),
        ("one.<n>two.", "one.\ntwo."),
        ("a -LRB- b -RRB- c -lsb- d -rsb- -lcb- e -rcb-", "a ( b ) c [ d ] { e }"),
        ("`` no '' , she said", '" no " , she said'),
        ("one [sep] two\n\nthree", "one\ntwo\nthree"),
        ("one\n\nthree", "one\n\nthree"),  # nothing to read, nothing changed
        ("x < y > z, [sic] [q] q <quote> <b>bold</b>", "x < y > z, [sic] [q] q <quote> <b>bold</b>"),
        ("a well-lrb-like word", "a well-lrb-like word"),
        ("it's 'quoted' and o'clock", "it's 'quoted' and o'clock"),
        ("<q>", ""),
    ],
)
def test_what_markers_stand_for(text, expected):
    assert read_markers(text) == expected


@given(st.lists(st.sampled_from(["<q>", "<t>", "</t>", "[SEP]", "-lrb-", "-RRB-", "``", "''", " ", "\n", "rain", "."])))
def test_reading_twice_is_reading_once(parts):
    text = read_markers("".join(parts))
    assert read_markers(text) == text
    assert "<q>" not in text


@given(st.text(alphabet="abc .,'\n()[]<>-", max_size=40).filter(lambda text: "''" not in text))
def test_text_without_markers_stays(text):
    if not any(marker in text.lower() for marker in ("<q>", "<t>", "</t>", "<s>", "</s>", "<n>")):
        assert read_markers(text) == text


def test_scores_are_those_of_the_text_meant():
    with pytest.warns(GistmeterWarning, match="1 of 2 summaries, or what they are compared with, have markers"):
        scores = gm.score([example(MARKED), example(READ, system="t")], "rouge1,rougeLsum,length")
    assert scores.table["rouge1.f1"].to_list() == [1.0, 1.0]
    assert scores.table["rougeLsum.f1"].to_list() == [1.0, 1.0]
    assert scores.table["length.sentences"].to_list() == [2, 2]
    assert "markers" not in scores.columns[0].signature


def test_they_can_be_kept_and_the_signature_says_so():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scores = gm.score([example(MARKED)], "rouge1", markers="keep")
    assert scores.table["rouge1.precision"][0] == pytest.approx(8 / 11)  # lrb, rrb and q match nothing
    assert "|markers:keep|" in scores.columns[0].signature


def test_references_and_documents_are_read_too():
    run = Run(
        memory=[Example(doc_id="d", system="s", summary="a", references=("b<q>c", "d"), documents=("e [SEP] f",))]
    )
    (read,) = run.examples()
    assert (read.references, read.documents) == (("b\nc", "d"), ("e\nf",))


def test_the_file_of_scores_says_how_markers_were_read(tmp_path):
    run = tmp_path / "run.jsonl"
    run.write_text('{"doc_id": "d", "system": "s", "summary": "it rained<q>a lot", "reference": "it rained"}\n')
    for option, expected in ((["--markers", "keep"], "it rained<q>a lot"), ([], "it rained\na lot")):
        output = tmp_path / f"scores{len(option)}.parquet"
        result = CliRunner().invoke(app, ["score", str(run), "-m", "rouge1", "-o", str(output), *option])
        assert result.exit_code == 0, result.output
        assert ("markers" in result.output) == (not option)
        (again,) = reopen_run(Scores.read(output).origin).examples()
        assert again.summary == expected


def test_evidence_marks_the_text_that_is_shown(tmp_path):
    run = tmp_path / "run.jsonl"
    run.write_text('{"doc_id": "d", "system": "s", "summary": "-lrb- rain -rrb-<q>fell", "reference": "rain fell"}\n')
    explained = gm.api.explain_summary(run, "d", "s", "rouge1")
    pane = explained.evidence["rouge1"].blocks[0]
    assert pane.text == "( rain )\nfell"
    assert [pane.text[mark.start : mark.end] for mark in pane.marks] == ["rain )\nfell"]
    result = CliRunner().invoke(app, ["explain", str(run), "--doc", "d", "--system", "s", "--markers", "keep"])
    assert "lrb" in result.output
