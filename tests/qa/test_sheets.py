"""Sheets for people: tables and pages with the questions of a run, filled in and read back."""

import csv
import html
import json
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gistmeter.io.writing import guard_cell, unguard_cell
from gistmeter.metrics.question.qaeval import QaEval
from gistmeter.qa.answer_files import read_human_answers
from gistmeter.qa.human_answers import question_id

pytestmark = pytest.mark.usefixtures("by_hand")
REFERENCE = "Ann won gold. Robert lost money badly."
SUMMARY = 'Ann won silver, "they" say.\n=SUM(1) The old man lost.</script>'
ANN = question_id("who won gold", "Ann", SUMMARY)
ROBERT = question_id("who lost money badly", "Robert", SUMMARY)


@pytest.fixture
def gistmeter(checked_command, tmp_path):
    record = {"doc_id": "=d", "system": "s,1", "summary": SUMMARY, "references": [REFERENCE]}
    (tmp_path / "run.jsonl").write_text(json.dumps(record))
    return checked_command


def read_table(path):
    with path.open(encoding="utf-8-sig", newline="") as stream:
        return list(csv.DictReader(stream, delimiter="\t" if path.suffix == ".tsv" else ","))


def write_table(path, rows):
    with path.open("w", encoding="utf-8-sig", newline="") as stream:
        table = csv.DictWriter(stream, rows[0], delimiter="\t" if path.suffix == ".tsv" else ",")
        table.writeheader()
        table.writerows(rows)


def page_data(path):
    return json.loads(re.search(r'<script id="data" type="application/json">(.*?)</script>', path.read_text(), re.S)[1])


@pytest.mark.parametrize("suffix", ["csv", "tsv"])
def test_a_table_is_filled_in_and_read_back(gistmeter, tmp_path, suffix):
    file = tmp_path / f"ask.{suffix}"
    gistmeter("qa", "export", "run.jsonl", "-o", file.name)
    ann, robert = read_table(file)
    assert list(ann) == ["id", "doc_id", "system", "text", "question", "answer", "answerable"]
    assert unguard_cell(ann["id"]) == ANN
    assert ann["text"] == SUMMARY
    assert ann["doc_id"] == "'=d"  # a spreadsheet would compute it
    ann["answerable"], robert["answer"] = "no", "The old man"
    write_table(file, [ann, robert])
    shown = gistmeter("qa", "import", "run.jsonl", "-a", file.name, "-o", "people.jsonl")
    assert "people answered 2 and verified none of 2 questions" in shown.stderr
    records = [json.loads(line) for line in (tmp_path / "people.jsonl").read_text().splitlines()]
    assert records == [
        {"id": ANN, "doc_id": "=d", "system": "s,1", "answer": ""},
        {"id": ROBERT, "doc_id": "=d", "system": "s,1", "answer": "The old man"},
    ]
    # Then people verify what people answered, also in a table: what has no answer is kept.
    gistmeter("qa", "export", "run.jsonl", "-o", f"verify.{suffix}", "--verify", "-m", f"qaeval(people={file.name})")
    ann, robert = read_table(tmp_path / f"verify.{suffix}")
    assert (ann["answer"], ann["answerable"], ann["correct"]) == ("", "no", "")
    assert (robert["expected"], robert["answer"], robert["predicted"]) == ("Robert", "The old man", "")
    robert["correct"] = "yes"
    write_table(tmp_path / f"verify.{suffix}", [ann, robert])
    people = read_human_answers(str(tmp_path / f"verify.{suffix}"))
    assert (people.by_id[ANN].answer, people.by_id[ROBERT].correct) == ("", True)


def test_a_table_of_the_model_s_answers_is_verified(gistmeter, tmp_path):
    gistmeter("qa", "export", "run.jsonl", "-o", "verify.csv", "--verify")
    (ann,) = read_table(tmp_path / "verify.csv")
    assert (ann["predicted"], ann["answer"], ann["answerable"], ann["correct"]) == ("Ann", "", "", "")
    ann["correct"] = "no"
    write_table(tmp_path / "verify.csv", [ann])
    gistmeter("score", "run.jsonl", "-m", "qaeval(people=verify.csv)", "-o", "scores.jsonl")
    assert json.loads((tmp_path / "scores.jsonl").read_text())["qaeval(people=verify.csv).f1"] == 0


@given(st.text(max_size=60))
@example("5,200")
@example("March 3")
@example("'=x")
@example("123456789012")
def test_cells_come_back_as_they_were(text):
    assert unguard_cell(guard_cell(text)) == text
    assert not guard_cell(text).startswith(("=", "+", "-", "@", "\t", "\r"))


def test_a_page_holds_its_data_and_fetches_nothing(gistmeter, tmp_path):
    gistmeter("qa", "export", "run.jsonl", "-o", "ask.html")
    page = (tmp_path / "ask.html").read_text()
    assert page.count("</script>") == 2  # that of the text is escaped
    assert "default-src 'none'" in html.unescape(page)
    assert not re.search(r"""(?:src|href)=["'](?!data:)""", page)
    assert "://" not in page
    data = page_data(tmp_path / "ask.html")
    assert data["task"] == "answer"
    assert data["texts"] == [SUMMARY]
    assert [(question["id"], question["text"], question["answer"]) for question in data["questions"]] == [
        (ANN, 0, None),
        (ROBERT, 0, None),
    ]


def test_another_suffix_is_refused_before_anything_is_asked(gistmeter, by_hand):
    refused = gistmeter("qa", "export", "run.jsonl", "-o", "ask.xlsx", fails=True)
    assert "cannot write ask.xlsx: questions are written as .jsonl, .csv, .tsv or .html" in refused.stderr
    refused = gistmeter("qa", "export", "run.jsonl", "-o", "none/ask.html", fails=True)
    assert "the folder none does not exist" in refused.stderr
    assert by_hand.texts == []


def test_scoring_with_a_table_equals_scoring_with_lines(gistmeter, tmp_path):
    from gistmeter.api import read_run

    run = read_run(tmp_path / "run.jsonl")
    (tmp_path / "a.csv").write_text(f"id,answer,answerable\n{guard_cell(ANN)},,no\n{guard_cell(ROBERT)},Robert,\n")
    (tmp_path / "a.jsonl").write_text(
        json.dumps({"id": ANN, "answer": ""}) + "\n" + json.dumps({"id": ROBERT, "answer": "Robert"})
    )
    by_table, by_lines = (QaEval(people=str(tmp_path / name)).score(run).tolist() for name in ("a.csv", "a.jsonl"))
    assert by_table == by_lines == [[0.5, 0.5, 0.5, 0.5]]
