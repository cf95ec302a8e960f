"""Finished work of crowd platforms: MTurk's batches, any table by a map, and the published figures by this path."""

import csv
import json

import pytest
from bench.figures.studies import list_traps, measure_distance, write_batch

from gistmeter.annotate.collection import collect_judgments
from gistmeter.annotate.crowd_files import read_mturk_batch
from gistmeter.annotate.grading import hand_in
from gistmeter.annotate.imported import import_work
from gistmeter.errors import DataError
from gistmeter.example import Example
from gistmeter.io.records import read_records
from study_raters import make_study


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


@pytest.mark.data
def test_released_votes_give_the_released_scores_by_the_path_of_a_study(data, tmp_path):
    # REALSumm (Bhandari et al. 2020): a summary's score is the share of units that most raters found. Those with three
    # votes a unit; where there are four, their ties count as not stated, which three raters cannot give.
    records = [
        record
        for record in read_records(str(data / "realsumm/realsumm.jsonl.gz"))
        if all(len(votes) == 3 for votes in record["scu_votes"])
    ][:200]
    votes = {(record["doc_id"], record["system_id"]): record["scu_votes"] for record in records}
    run = [
        Example(doc_id=doc_id, system=system, summary="It rained.", units=[f"unit {k}" for k in range(len(each))])
        for (doc_id, system), each in votes.items()
    ]
    store = make_study(tmp_path, "content-units", run=run, raters=3, minutes=0, per_assignment=100)
    for number, rater in enumerate(store.invite(3)):
        while (work := store.claim_work(rater.id)) is not None:
            for item in store.study.list_items(work.batch, work.attempt):
                answer = {"units": [each[number] for each in votes[item.doc_id, item.system]]}
                store.save_answer(work.id, item.id, answer, seconds=20, form=item.id)
            hand_in(store, work)
    means = collect_judgments(store).judgments.means("litepyramid")
    given = {(row["doc_id"], row["system"]): row["value"] for row in means.to_dicts()}
    released = {(record["doc_id"], record["system_id"]): record["human"]["litepyramid_recall"] for record in records}
    assert given == pytest.approx(released)
    store.close()
