"""From a plan to people's units and back: budgets, plan files, sheets, and the mix with the machine's."""

import csv
import json

import pytest

from gistmeter.errors import ArgumentError, DataError
from gistmeter.example import Example, Unit
from gistmeter.report.page.writing_sheet import write_writing_sheet
from gistmeter.units.documents import read_documents
from gistmeter.units.plan import PlannedSentence, WritingBudget, plan_sentences
from gistmeter.units.planned_mix import mix_planned_units
from gistmeter.units.writing import make_sheet_records, read_plan, read_written_units, write_plan

HARD = "The mayor, who had been ill for months, said on Monday that he would resign and, if asked, leave the city."
REFERENCE = f"It rained. {HARD} Ann won the race in May."


def planned(document, sentence, easiness, *, units=None, by_machine=True, text="It rained in Rome."):
    return PlannedSentence(
        document=document, sentence=sentence, text=text, easiness=easiness, by_machine=by_machine, units=units
    )


def make_plan(share=0.7):
    return plan_sentences([Example(doc_id="d", system="s", summary="", references=(REFERENCE,))], share)


PLAN = [planned("a", 0, 0.9, units=2), planned("a", 1, 0.2, units=4), planned("b", 0, 0.5, units=3)]


@pytest.mark.parametrize(
    ("budget", "by_people"),
    [
        # Hardest first: a1 (4 units), b0 (3), a0 (2).
        (WritingBudget(units=4), {("a", 1)}),
        (WritingBudget(units=6), {("a", 1), ("a", 0)}),  # b0 does not fit into the 2 that are left, a0 does
        (WritingBudget(units=9), {("a", 1), ("b", 0), ("a", 0)}),
        (WritingBudget(units=1), set()),
        (WritingBudget(sentences=2), {("a", 1), ("b", 0)}),
        (WritingBudget(minutes=3.5), {("a", 1), ("b", 0)}),  # 7 units of half a minute
        (WritingBudget(minutes=3.5, minutes_per_unit=1), {("b", 0)}),  # 4 minutes are too long, 3 are not
        (WritingBudget(share=1 / 3), {("a", 1), ("b", 0)}),
        (WritingBudget(), {("a", 1)}),  # half of 3, rounded to the even 2, are the machine's
    ],
)
def test_budgets_by_hand(budget, by_people):
    machine = budget.choose_machine_sentences(PLAN)
    assert {("a", 0), ("a", 1), ("b", 0)} - machine == by_people


def test_one_budget_at_a_time():
    with pytest.raises(ArgumentError, match="give one of `share`, `most_units`, `most_sentences` and `most_minutes`"):
        WritingBudget(units=1, minutes=2)
    with pytest.raises(ArgumentError, match=r"between 0 and 1, not 1\.5"):
        WritingBudget(share=1.5)
    with pytest.raises(ArgumentError, match="0 or more"):
        WritingBudget(units=-1)


def test_what_is_expected_of_a_sentence():
    # .79 and .16 for each of 4 words are 1.43, which is shown and paid for as 1.4
    assert planned("a", 0, 0.5).expected_units == 1.4
    assert planned("a", 0, 0.5, units=7).expected_units == 7


def test_a_budget_pays_for_what_is_shown():
    # .79 and .16 for each of 14 words are 3.03, shown as 3.0: a budget of 3 units pays for it.
    hardest = planned("a", 0, 0.1, text=" ".join(["rain"] * 14))
    assert WritingBudget(units=3).choose_machine_sentences([hardest]) == frozenset()


def test_a_plan_is_read_as_it_was_written(tmp_path):
    plan = make_plan()
    assert write_plan(plan, tmp_path / "plan.jsonl") == 3
    again = read_plan(tmp_path / "plan.jsonl")
    assert [(entry.sentence, entry.text, entry.by_machine) for entry in again] == [
        (0, "It rained.", True),
        (1, HARD, False),
        (2, "Ann won the race in May.", True),
    ]
    assert sorted(entry.easiness for entry in again) == pytest.approx([entry.easiness for entry in plan], abs=1e-4)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"units_by": "me"}, "line 1 of .*: `units_by` is people or machine, not 'me'"),
        ({"sentence": 1}, "sentence 1 of document d does not follow sentence -1"),
        ({"sentence": None}, "needs `sentence`"),
        ({"text": ""}, "needs the `text`"),
        ({"easiness": "high"}, "its `easiness`, a number"),
    ],
)
def test_a_plan_that_cannot_be_read(tmp_path, change, message):
    record = {"doc_id": "d", "sentence": 0, "text": "It rained.", "easiness": 0.5, "units_by": "people"}
    (tmp_path / "plan.jsonl").write_text(json.dumps(record | change) + "\n", "utf-8")
    with pytest.raises(DataError, match=message):
        read_plan(tmp_path / "plan.jsonl")
    (tmp_path / "plan.jsonl").write_text("", "utf-8")
    with pytest.raises(DataError, match="is empty: `gistmeter units easiness -o` writes a plan"):
        read_plan(tmp_path / "plan.jsonl")


def test_rows_of_the_sheet():
    plan = [planned("=a", 0, 0.9), planned("=a", 1, 0.2, by_machine=False, text="Ann won.", units=1)]
    people = {"=a": (Unit("Ann won", sentence=1), Unit("It rained", sentence=0))}
    rows = list(make_sheet_records(plan, people))
    assert [(row["doc_id"], row["sentence"], row["text"], row["unit"]) for row in rows] == [
        ("=a", "s1", "Ann won.", "Ann won"),
        ("=a", "s1", "", ""),
        ("=a", "s1", "", ""),
    ]
    assert rows[0]["reference"] == "It rained in Rome. Ann won."


def test_a_sheet_comes_back_filled(tmp_path):
    plan = [planned("=1+1", 0, 0.2, by_machine=False, text="-5 degrees, =HYPERLINK(1)", units=1)]
    assert write_writing_sheet(plan, tmp_path / "sheet.csv") == 1
    with (tmp_path / "sheet.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [cell for row in rows for cell in row.values() if cell[:1] in ("=", "+", "-", "@")] == []
    rows[0]["unit"], rows[1]["unit"] = "It was cold, it snowed.", "'-5 degrees"  # as spreadsheets and people write
    with (tmp_path / "filled.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.DictWriter(file, rows[0])
        table.writeheader()
        table.writerows(rows)
    assert read_written_units([tmp_path / "filled.csv"]) == {
        "=1+1": (Unit("It was cold, it snowed.", sentence=0), Unit("-5 degrees", sentence=0))
    }
    with pytest.raises(DataError, match=r"sheet.csv: nobody wrote a unit yet"):
        read_written_units([tmp_path / "sheet.csv"])


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("d,third,It rained", "row 1 of .*`sentence` is s0, s1 and so on"),
        (",s0,It rained", "needs `doc_id` and `sentence`"),
    ],
)
def test_a_sheet_that_cannot_be_read(tmp_path, row, message):
    (tmp_path / "filled.csv").write_text(f"doc_id,sentence,unit\n{row}\n", "utf-8")
    with pytest.raises(DataError, match=message):
        read_written_units([tmp_path / "filled.csv"])


def test_the_page_holds_texts_as_data(tmp_path):
    text = "</script><script>alert(1)</script> & <b>Ann</b> won."
    plan = [planned("<d>", 0, 0.2, by_machine=False, text=text), planned("e", 0, 0.9)]
    write_writing_sheet(plan, tmp_path / "sheet.html")
    page = (tmp_path / "sheet.html").read_text("utf-8")
    assert "alert(1)</script>" not in page
    assert "<b>Ann" not in page
    assert page.count("<script") == 2
    stored = page.partition('<script id="data" type="application/json">')[2].partition("</script>")[0]
    (document,) = json.loads(stored)["documents"]  # the other one has nothing to write
    assert document["doc_id"] == "<d>"
    assert document["sentences"][0]["text"] == text
    with pytest.raises(DataError, match=r"a sheet for writers is \.csv, \.tsv or \.html"):
        write_writing_sheet(plan, tmp_path / "sheet.xlsx")
    with pytest.raises(DataError, match="gives no sentence to people"):
        write_writing_sheet([planned("e", 0, 0.9)], tmp_path / "sheet.html")


def test_people_s_units_where_they_exist_and_machine_units_elsewhere():
    mixed = mix_planned_units(
        make_plan(1.0), {"d": [Unit("The mayor would leave the city."), Unit("Ann is a winner", sentence=2)]}
    )
    # The first unit names no sentence, and shares most words with the second.
    assert [(unit.sentence, unit.text) for unit in mixed.units["d"]] == [
        (0, "It rained."),
        (1, "The mayor would leave the city."),
        (2, "Ann is a winner"),
    ]
    assert (mixed.machine_sentences, mixed.people_sentences, mixed.open_sentences) == (1, 2, 0)


def test_what_people_left_open_is_counted_and_cut_by_machine():
    mixed = mix_planned_units(make_plan(0.0), {"d": [Unit("Ann is a winner", sentence=2)]})
    assert (mixed.machine_sentences, mixed.people_sentences, mixed.open_sentences) == (2, 1, 2)
    assert {unit.sentence for unit in mixed.units["d"]} == {0, 1, 2}


def test_plans_and_units_of_other_documents_are_refused():
    with pytest.raises(DataError, match="units of document D, which the plan does not have; did you mean d"):
        mix_planned_units(make_plan(), {"D": [Unit("x")]})
    other = Example(doc_id="d", system="s", summary="", references=("It snowed.",))
    with pytest.raises(DataError, match="made for other references of document d"):
        mix_planned_units(make_plan(), {"d": [Unit("It rained", sentence=0)]}, documents=[other])
    with pytest.raises(DataError, match="the plan does not have document e"):
        mix_planned_units(make_plan(), {}, documents=[Example(doc_id="e", system="s", summary="", references=("x",))])
    with pytest.raises(DataError, match="names sentence 9, but its references have 3"):
        mix_planned_units(make_plan(), {"d": [Unit("x", sentence=9)]})


def test_references_alone_are_read(tmp_path):
    records = [{"doc_id": "a", "reference": "It rained."}, {"doc_id": "b", "references": ["Ann won.", "Ann is first."]}]
    (tmp_path / "refs.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    (tmp_path / "units.jsonl").write_text(json.dumps({"doc_id": "a", "units": ["Rain fell"]}) + "\n", "utf-8")
    first, second = read_documents([tmp_path / "refs.jsonl"], units=[tmp_path / "units.jsonl"])
    assert (first.doc_id, first.references, [unit.text for unit in first.units]) == (
        "a",
        ("It rained.",),
        ["Rain fell"],
    )
    assert (second.doc_id, second.references) == ("b", ("Ann won.", "Ann is first."))
    for name, text in (("one.txt", "It rained.\nAnn won.\n"), ("two.txt", "Rain fell.\nAnn is first.\n")):
        (tmp_path / name).write_text(text, "utf-8")
    texts = read_documents([tmp_path / "one.txt", tmp_path / "two.txt"], language="en")
    assert [(example.doc_id, example.references) for example in texts] == [
        ("1", ("It rained.", "Rain fell.")),
        ("2", ("Ann won.", "Ann is first.")),
    ]
    assert read_documents(references=[tmp_path / "one.txt"])[1].references == ("Ann won.",)
    (tmp_path / "units.jsonl").write_text(json.dumps({"doc_id": "2", "units": ["Ann won"]}) + "\n", "utf-8")
    assert read_documents([tmp_path / "one.txt"], units=[tmp_path / "units.jsonl"])[1].units[0].text == "Ann won"


def test_references_that_cannot_be_read(tmp_path):
    for name, text in (("one.txt", "It rained.\n"), ("two.txt", "Rain.\nSun.\n"), ("blank.txt", "Rain.\n\n")):
        (tmp_path / name).write_text(text, "utf-8")
    (tmp_path / "none.jsonl").write_text('{"doc_id": "a", "summary": "x"}\n', "utf-8")
    with pytest.raises(ArgumentError, match="name a file with references"):
        read_documents([])
    with pytest.raises(DataError, match=r"do not line up: .*one\.txt has 1 line and .*two\.txt has 2"):
        read_documents([tmp_path / "one.txt", tmp_path / "two.txt"])
    with pytest.raises(DataError, match="document 2 has no references"):
        read_documents([tmp_path / "blank.txt"])
    with pytest.raises(DataError, match="document a has no references"):
        read_documents([tmp_path / "none.jsonl"])
    with pytest.raises(ArgumentError, match="not both"):
        read_documents([tmp_path / "one.txt", tmp_path / "none.jsonl"])
