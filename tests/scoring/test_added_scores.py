"""An output that is there is not overwritten: scores are added to it, or it is refused with the way out."""

import json

import pytest

from gistmeter import api
from gistmeter.errors import DataError
from gistmeter.example import Example
from gistmeter.scores import Scores

SUFFIXES = [".parquet", ".csv", ".jsonl"]


def make_run(summary="It rained a lot.", systems=("a", "b"), document=None):
    return [
        Example(
            doc_id=doc_id, system=system, summary=f"{summary} {doc_id}", references=("It rained.",), document=document
        )
        for system in systems
        for doc_id in "12"
    ]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_other_metrics_stand_beside_what_is_there(tmp_path, suffix):
    path = tmp_path / f"s{suffix}"
    api.score_to_file(make_run(), "rouge1,bleu", path)
    outcome = api.score_to_file(make_run(), "rouge2", path)
    assert outcome.earlier == ("rouge1", "bleu")
    both = Scores.read(path)
    alone = api.score(make_run(), "rouge1,bleu,rouge2")
    assert [column.name for column in both.columns] == [column.name for column in alone.columns]
    assert both.signatures == alone.signatures
    for column in alone.columns:
        if not column.parts:
            assert both.table[column.name].to_list() == alone.table[column.name].to_list()
    assert api.rank(both) == api.rank(alone)  # bleu of the whole corpus has its counts
    assert not (tmp_path / f".s{suffix}.parts").exists()


def test_the_same_command_twice_changes_nothing(tmp_path):
    path = tmp_path / "s.parquet"
    first = api.score(make_run(), "rouge1", output=path)
    assert api.score(make_run(), "rouge1", output=path).table.equals(first.table)


def test_a_document_may_come_later(tmp_path):
    path = tmp_path / "s.parquet"
    api.score_to_file(make_run(), "rouge1", path)
    api.score_to_file(make_run(document="It rained a lot."), "novelty", path)
    api.score_to_file(make_run(document="It rained a lot."), "rouge2", path)
    with pytest.raises(DataError, match="a/1 has changed since"):
        api.score_to_file(make_run(document="Snow fell."), "rouge2", path)


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize(
    ("run", "message"),
    [
        (make_run("Snow fell."), "has scores of other texts: a/1 has changed since"),
        (make_run(systems=("a", "b", "c")), "has scores of another run, without c/1"),
        (make_run(systems=("b",)), "has scores of 2 summaries that this run lacks, such as a/1"),
    ],
)
def test_scores_of_another_run_are_not_overwritten(tmp_path, suffix, run, message):
    path = tmp_path / f"s{suffix}"
    api.score_to_file(make_run(), "rouge1", path)
    before = path.read_bytes()
    with pytest.raises(DataError, match=f"{message}.*`replace=True` replaces the file; or name another output"):
        api.score_to_file(run, "rouge2", path)
    assert path.read_bytes() == before
    api.score_to_file(run, "rouge2", path, replace=True)
    replaced = Scores.read(path)
    assert {column.metric for column in replaced.columns} == {"rouge2"}
    assert len(replaced) == len(run)


def test_a_score_that_was_computed_otherwise_is_refused(tmp_path):
    path = tmp_path / "s.parquet"
    api.score_to_file(make_run(), {"mine": api.metric("rouge1")}, path)
    with pytest.raises(DataError, match=r"mine\.precision in .* was computed otherwise"):
        api.score_to_file(make_run(), {"mine": api.metric("rouge2")}, path)


def test_a_file_of_something_else_is_not_overwritten(tmp_path):
    for content in ("doc_id,system,mine\n1,a,0.5\n", "name,place\nx,y\n", ""):
        path = tmp_path / "s.csv"
        path.write_text(content)
        with pytest.raises(DataError, match="is there already"):
            api.score_to_file(make_run(), "rouge1", path)
        assert path.read_text() == content


def test_the_command_says_what_it_did(command, tmp_path):
    lines = [{"doc_id": "1", "system": name, "summary": "Rain.", "references": ["Rain fell."]} for name in "ab"]
    run = tmp_path / "run.jsonl"
    run.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert command("score", "run.jsonl", "-m", "rouge1", "-o", "s.csv")[0] == 0
    code, out, err = command("score", "run.jsonl", "-m", "rouge2", "-o", "s.csv")
    assert (code, "rouge1.f1" in out and "rouge2.f1" in out) == (0, True)
    assert "2 summaries scored: s.csv (beside rouge1, which it had)" in err
    run.write_text(run.read_text().replace("Rain.", "Snow."))
    code, _, err = command("score", "run.jsonl", "-m", "rouge2", "-o", "s.csv")
    assert code == 2
    assert "--replace replaces the file; or name another output" in " ".join(err.split())
    assert command("score", "run.jsonl", "-m", "rouge2", "-o", "s.csv", "--replace")[0] == 0
    assert "rouge1.f1" not in (tmp_path / "s.csv").read_text()
