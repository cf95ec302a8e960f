"""Questions for people in Python: exported, filled in and imported in one call each."""

import json

import pytest

from gistmeter import api
from gistmeter.errors import DataError, MetricError
from gistmeter.example import Example

pytestmark = pytest.mark.usefixtures("by_hand")
RUN = [
    Example(
        doc_id="d",
        system="s",
        summary="Ann won silver. The old man lost.",
        references=("Ann won gold. Robert lost money badly.",),
    )
]


def fill_in(file, answers):
    records = [json.loads(line) for line in file.read_text().splitlines()]
    filled = [{**record, "answer": answer} for record, answer in zip(records, answers, strict=True)]
    file.write_text("".join(json.dumps(record) + "\n" for record in filled))


def test_what_people_answer_comes_back_counted_and_compared(tmp_path):
    file, kept_file = tmp_path / "ask.jsonl", tmp_path / "people.jsonl"
    assert api.export_questions(RUN, file) == 2
    fill_in(file, ["", "The old man"])
    imported = api.import_answers([file], RUN, output=kept_file)
    assert (imported.counts.questions, imported.counts.answered, imported.counts.verified) == (2, 2, 0)
    assert (imported.figures.questions, imported.figures.answerable) == (2, 0.5)  # people find an answer to one of two
    assert [json.loads(line)["answer"] for line in kept_file.read_text().splitlines()] == ["", "The old man"]


def test_a_file_that_nobody_filled_in_has_no_figures(tmp_path):
    file = tmp_path / "ask.jsonl"
    api.export_questions(RUN, file)
    imported = api.import_answers([file], RUN)
    assert imported.counts.answered == 0
    assert imported.figures is None


def test_what_cannot_be_asked_or_written_is_refused(tmp_path):
    with pytest.raises(MetricError, match="rouge1 asks no questions"):
        api.export_questions(RUN, tmp_path / "ask.jsonl", metric="rouge1")
    with pytest.raises(DataError, match="questions are written as"):
        api.export_questions(RUN, tmp_path / "ask.txt")
    file = tmp_path / "ask.jsonl"
    api.export_questions(RUN, file)
    fill_in(file, ["Ann", "a man"])
    other = [Example(doc_id="d", system="s", summary="Nobody won.", references=RUN[0].references)]
    with pytest.raises(DataError, match="which the run does not ask"):
        api.import_answers([file], other)


def test_people_answer_in_the_place_of_the_model(tmp_path):
    file, run, judgments = tmp_path / "ask.jsonl", tmp_path / "run.jsonl", tmp_path / "judged.jsonl"
    api.export_questions(RUN, file)
    fill_in(file, ["", "The old man"])
    by_argument = api.compare_answerers(RUN, answers=[file])
    assert [row.answers_by for row in by_argument.rows] == ["model", "people"]
    assert by_argument.aspect is None
    assert api.compare_answerers(RUN, metric=f"qaeval(people={file})").rows == by_argument.rows
    # An aspect without judgments is looked for in the files of the run.
    with pytest.raises(DataError, match="no file was named"):
        api.compare_answerers(RUN, answers=[file], aspect="relevance")
    api.write_run(RUN, run)
    with pytest.raises(DataError, match=r"run\.jsonl"):
        api.compare_answerers(run, answers=[file], aspect="relevance")
    with pytest.raises(DataError, match=r"judged\.jsonl"):
        api.compare_answerers(run, answers=[file], judgments=judgments)
