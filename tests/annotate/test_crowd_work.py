"""Finished work of crowd platforms: MTurk's batches, any table by a map, and the published figures by this path."""

import csv
import json

import pytest
from bench.figures.studies import list_traps, measure_distance, write_batch

from gistmeter.annotate.crowd_files import read_mturk_batch
from gistmeter.annotate.imported import import_work
from gistmeter.errors import DataError
from gistmeter.io.records import read_records


def write_csv(path, rows):
    with path.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, list(dict.fromkeys(key for row in rows for key in row)))
        writer.writeheader()
        writer.writerows(rows)
    return path


def batch_row(worker, hit, answers, status="Approved", seconds=1800):
    """A row of a batch with several items, as MTurk writes it."""
    row = {"HITId": hit, "HITTypeId": "T", "Title": "How much?", "WorkerId": worker, "AssignmentStatus": status}
    row |= {"WorkTimeInSeconds": seconds}
    for number, (item, value) in enumerate(answers.items(), start=1):
        row |= {f"Input.id_{number}": item, f"Answer.score_{number}": value}
    return row


def test_a_batch_of_mturk_works_by_itself(tmp_path):
    items = {f"ES-{n}-{order}-PG": 10 * n for n in range(1, 5) for order in ("REFERENCE-SYSTEM", "SYSTEM-REFERENCE")}
    right = {"ES-7-TRAP-SAME": 95, "ES-8-TRAP-DIFFERENT": 3}
    wrong = {"ES-7-TRAP-SAME": 50, "ES-8-TRAP-DIFFERENT": 50}
    rows = [
        batch_row("A1", "H1", items | right),
        batch_row("A2", "H1", {item: value + 5 for item, value in items.items()} | right),
        batch_row("A3", "H1", dict.fromkeys(items, 50) | wrong),
        batch_row("A4", "H1", items | right, status="Rejected"),
    ]
    work = import_work(write_csv(tmp_path / "batch.csv", rows))
    [group] = work.groups
    assert (group.assignments, group.accepted, group.raters, group.judgments) == (3, 2, 2, 16)
    assert work.dropped == ("rater-3, task H1: passed 0 of 2 controls, under 70%",)
    assert "A1" not in work.judgments.table["rater"].to_list()  # workers have pseudonyms
    assert set(work.judgments.table["aspect"]) == {"focus", "coverage"}
    assert 0.9 < group.rest < 1  # the second gives 5 more throughout


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ({"Answer.taskAnswers": json.dumps([{"fluency": {"1": False, "4": True}, "reason": "ok"}])}, {"fluency": "4"}),
        ({"Answer.fluency.1": "false", "Answer.fluency.4": "true"}, {"fluency": "4"}),
        ({"Answer.fluency": "4", "Answer.coherence": "2", "Answer.reason": "fine"}, {"fluency": "4", "coherence": "2"}),
    ],
)
def test_answers_of_forms_and_radio_buttons_are_read(answers, expected):
    row = {"HITId": "H", "WorkerId": "A", "Input.doc_id": "d1", "Input.system": "lead", **answers}
    records = read_mturk_batch([row], {})
    assert {record["aspect"]: record["value"] for record in records} == expected
    assert {(record["doc_id"], record["system"], record["task"]) for record in records} == {("d1", "lead", "H")}


def test_columns_of_any_table_are_mapped(tmp_path):
    rows = [
        {"who": who, "text": f"d{n}", "made_by": "lead", "stars": n + bonus}
        for who, bonus in (("ann", 0), ("ben", 1))
        for n in range(5)
    ]
    file = write_csv(tmp_path / "work.csv", [{**row, "aspect": "quality"} for row in rows])
    fields = {"rater": "who", "doc_id": "text", "system": "made_by", "value": "stars"}
    work = import_work(file, fields=fields)
    assert (work.groups[0].raters, work.groups[0].judgments) == (2, 10)
    with pytest.raises(DataError, match="no column 'stras' for value"):
        import_work(file, fields={**fields, "value": "stras"})
    with pytest.raises(DataError, match="no field 'stars' of finished work"):
        import_work(file, fields={"stars": "stars"})


def test_a_mapped_column_counts_before_one_that_has_the_name(tmp_path):
    row = {"rater": "ann", "doc_id": "d", "system": "lead", "aspect": "quality", "stars": 4, "value": "n/a"}
    work = import_work(write_csv(tmp_path / "work.csv", [row]), fields={"value": "stars"})
    assert work.judgments.table["value"].to_list() == [4.0]


def test_a_comment_on_the_whole_stands_beside_answers_to_items():
    row = batch_row("A1", "H1", {"ES-1-REFERENCE-SYSTEM-PG": 20, "ES-2-REFERENCE-SYSTEM-PG": 60})
    records = read_mturk_batch([{**row, "Answer.comment": "Nice task"}], {})
    assert [(record["doc_id"], record["value"]) for record in records] == [("ES-1", 20), ("ES-2", 60)]
    one_item = {"HITId": "H", "WorkerId": "A", "Input.doc_id": "d", "Input.system": "lead", "Input.text_1": "x"}
    records = read_mturk_batch([{**one_item, "Answer.part_1": "3", "Answer.part_2": "4", "Answer.why": "ok"}], {})
    assert [(record["doc_id"], record["aspect"]) for record in records] == [("d", "part_1"), ("d", "part_2")]


def test_a_batch_without_answers_is_refused(tmp_path):
    rows = [{"HITId": "H", "WorkerId": "A", "Input.id": "x", "Answer.score": ""}]
    with pytest.raises(DataError, match="row 1 has no answers"):
        import_work(write_csv(tmp_path / "batch.csv", rows))


# Koto, Lau and Baldwin (2021), table 1, has .60 and .61 for focus and coverage of Spanish; both together are .605.
ONE_VS_REST = {"ES": 0.605, "DE": 0.809, "TR": 0.763, "ID": 0.634, "RU": 0.630}


@pytest.mark.data
def test_the_released_assignments_give_the_published_agreement(data):
    work = import_work(data / "multi_summeval/assignments.jsonl.gz", by="language")
    rest = {group.group: group.rest for group in work.groups}
    for language, expected in ONE_VS_REST.items():
        assert rest[language] == pytest.approx(expected, abs=0.004)
    assert rest["ES"] == pytest.approx(0.605, abs=0.001)


@pytest.mark.data
def test_a_batch_with_controls_gives_the_released_z_scores(data, tmp_path):
    # The release has z-scores only. Ratings that have them (whole numbers, as the slider gave) are put into a batch of
    # MTurk with the controls of the samples; the import must find those z-scores and that agreement again.
    assignments = [
        record
        for record in read_records(str(data / "multi_summeval/assignments.jsonl.gz"))
        if record["language"] == "ES"
    ]
    released = write_batch(assignments, list_traps("ES"), tmp_path / "batch.csv")
    work = import_work(tmp_path / "batch.csv", z_scores=True)
    [group] = work.groups
    assert (group.assignments, group.accepted, group.judgments) == (18, 18, 1620)
    assert group.rest == pytest.approx(0.605, abs=0.001)
    assert len(released) == 1620
    assert measure_distance(work, released) < 1e-5
