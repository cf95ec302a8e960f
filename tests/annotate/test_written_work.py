"""Phrases, answers and units: what people choose and write, and the files that come of it."""

import json

import pytest

from gistmeter.annotate import collect_judgments, design_study, measure_progress
from gistmeter.annotate.blocks.answering import ShortAnswers, Verdicts
from gistmeter.annotate.blocks.phrases import Phrases
from gistmeter.annotate.blocks.units import UnitGroups, UnitLines, WrittenUnit, link_groups
from gistmeter.annotate.forms import AnswerError
from gistmeter.annotate.products import collect_product
from gistmeter.annotate.tasks import find_task, salient_phrases
from gistmeter.errors import DataError
from gistmeter.example import Example, Unit
from gistmeter.io.joins import read_units_by_document
from gistmeter.qa.answer_files import read_human_answers
from study_raters import Clock, PageRater, examples, make_study, open_client


def refusal(block, fields):
    with pytest.raises(AnswerError) as caught:
        block.parse_fields(fields)
    return caught.value.key


def test_a_phrase_is_chosen_or_not_and_none_is_said():
    block = Phrases(name="p", question="q", label="l", text="Ann met\nBen.", spans=((0, 3), (8, 11)))
    assert [[piece.text for piece in line] for line in block.lines] == [["", "Ann", " met"], ["", "Ben", "."]]
    assert refusal(block, {}) == "missing_phrases"
    assert refusal(block, {"p.1": "1", "p.none": "1"}) == "both_phrases"
    assert refusal(block, {"p.1": "yes"}) == "wrong_choice"
    assert block.parse_fields({"p.none": "1"}) == [0, 0]
    for value in ([0, 0], [0, 1]):
        assert block.parse_fields(block.fill_fields(value)) == value


def test_gold_phrases_are_those_that_most_chose(finish, monkeypatch):
    monkeypatch.setattr(salient_phrases, "find_spans", lambda texts: [[(0, 4), (21, 25)] for _ in texts])
    people = [
        lambda _: {"phrases.1": "1"},
        lambda _: {"phrases.1": "1", "phrases.2": "1"},
        lambda _: {"phrases.2": "1"},
    ]
    store = finish("salient-phrases", examples(documents=2), *people)
    assert len(store.study.judged) == 2  # a document once, however many systems
    first, _ = collect_product(store, "spans")
    assert first["doc_id"] == "d0"
    assert first["spans"] == [
        {"start": 0, "end": 4, "text": "Rain", "votes": 2},
        {"start": 21, "end": 25, "text": "Arle", "votes": 2},
    ]
    # On each document phrase 1 is chosen by two of three, phrase 2 by two of three: alpha is below chance.
    [agreement] = measure_progress(store).agreement
    assert agreement.items == 4
    assert agreement.alpha < 0


def test_phrases_are_found_without_a_parser_and_that_is_said(tmp_path):
    document = "Der Rat von Arle stimmte für die neue Brücke."
    run = [Example(doc_id="d", system="lead", summary="x", references=["y"], document=document, language="de")]
    plan = design_study(run, "salient-phrases", tmp_path / "study")
    [item] = plan.study.items.values()
    phrases = [document[start:end] for start, end in item.shown["spans"]]
    assert phrases == ["Rat", "Arle", "stimmte", "neue Brücke"]
    [note] = plan.notes
    assert note.startswith("there is no parser for de here: the phrases of these documents are runs of words")


def test_a_language_without_stop_words_has_no_phrases(tmp_path):
    with pytest.raises(DataError, match=r"phrases in documents in en, id, .*, but lead/d0 is in 'ar'; .* any language"):
        make_study(tmp_path, "salient-phrases", run=examples(documents=1, language="ar"))


@pytest.mark.more
def test_phrases_have_offsets_in_the_document():
    [spans] = salient_phrases.find_spans(["The mayor of Lyon met Ann's sister."])
    assert ["The mayor of Lyon met Ann's sister."[start:end] for start, end in spans] == [
        "The mayor",
        "Lyon",
        "Ann's sister",
    ]


def test_an_answer_is_words_or_a_box():
    block = ShortAnswers(name="a", question="q", entries=("Who?", "When?"), absent="x")
    assert refusal(block, {"a.1": "Ann"}) == "missing_checks"
    assert refusal(block, {"a.1": "Ann", "a.1.none": "1"}) == "both_answers"
    assert refusal(block, {"a.1": "A" * 501, "a.2": "May"}) == "long_text"
    assert block.parse_fields(block.fill_fields(["Ann", ""])) == ["Ann", ""]
    verdicts = Verdicts(name="v", question="q", entries=(None, None), yes="y", no="n")
    assert refusal(verdicts, {"v.1": "1"}) == "missing_checks"
    assert refusal(verdicts, {"v.1": "1", "v.2": "2"}) == "wrong_choice"
    assert verdicts.parse_fields(verdicts.fill_fields([1, 0])) == [1, 0]


def write_questions(path, *, verify, count=8):
    base = {"doc_id": "d1", "system": "lead", "text": "Ann won the race in May."}
    field = {"expected": "Ann", "predicted": "Ann Lee", "correct": None} if verify else {"answer": None}
    records = [{"id": f"q{number}", **base, "question": f"Who {number}?", **field} for number in range(count)]
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return str(path)


def test_answers_of_most_fill_the_file_that_was_exported(finish, tmp_path):
    source = find_task("answers").read_source([write_questions(tmp_path / "q.jsonl", verify=False)], None)

    def say(text):
        def answer(item):
            first, *rest = range(1, len(item.shown["questions"]) + 1)
            return {f"answers.{first}": text, **{f"answers.{number}.none": "1" for number in rest}}

        return answer

    store = finish("answers", source, say("Ann"), say("ann"), say("May"))
    assert [len(item.shown["questions"]) for item in store.study.judged] == [6, 2]
    records = collect_product(store, "answers")
    assert [record["answer"] for record in records] == ["Ann", *[""] * 5, "Ann", ""]
    # Two of eight questions have an answer, whoever is asked.
    assert set(collect_judgments(store).judgments.table["value"]) == {0.25}
    filled = tmp_path / "filled.jsonl"
    filled.write_text("".join(json.dumps(record) + "\n" for record in records))
    read = read_human_answers(str(filled))
    assert read.by_id["q0"].answer == "Ann"
    assert read.by_id["q1"].answer == ""


def test_verdicts_of_most_fill_the_file_that_was_exported(finish, tmp_path):
    source = find_task("answers").read_source([write_questions(tmp_path / "q.jsonl", verify=True, count=2)], None)
    yes, no = {"verdicts.1": "1", "verdicts.2": "0"}, {"verdicts.1": "0", "verdicts.2": "0"}
    store = finish("answers", source, lambda _: yes, lambda _: yes, lambda _: no)
    records = collect_product(store, "answers")
    assert [record["correct"] for record in records] == [True, False]
    assert records[0]["predicted"] == "Ann Lee"
    assert sorted(collect_judgments(store).judgments.table["value"]) == [0.0, 0.5, 0.5]


def test_a_file_that_has_no_open_question_is_refused(tmp_path):
    task, path = find_task("answers"), tmp_path / "q.jsonl"
    for text, words in (
        ('{"id": "q", "text": "t", "question": "w", "answer": "Ann"}\n', "no question is open"),
        ('{"doc_id": "d", "system": "s", "summary": "x"}\n', "has no `id`: the task answers takes a file of"),
        ('{"id": "q", "text": "t", "question": "w", "correct": null}\n', "not the answer that is `expected`"),
    ):
        path.write_text(text)
        with pytest.raises(DataError, match=words):
            task.read_source([str(path)], None)


def test_units_are_lines_and_taken_suggestions():
    block = UnitLines(name="u", question="q", sentences=("A.", "B."), suggestions=(("one", "two"), ()))
    assert refusal(block, {"u.1": " \n "}) == "missing_units"
    assert refusal(block, {"u.1": "x" * 501}) == "long_text"
    assert refusal(block, {"u.1": "\n".join(map(str, range(41)))}) == "many_units"
    value = block.parse_fields({"u.1": "x\nx\n y ", "u.1.take.2": "1", "u.2.take.1": "1"})
    assert value == [{"written": ["x", "y"], "taken": [1]}, {"written": [], "taken": []}]
    assert block.parse_fields(block.fill_fields(value)) == value


@pytest.mark.parametrize(
    ("partners", "leaders"), [([1, 2, 3], [1, 2, 3]), ([3, 2, 1], [1, 2, 1]), ([2, 3, 3], [1, 1, 1]), ([], [])]
)
def test_groups_are_named_by_their_first_unit(partners, leaders):
    assert link_groups(len(partners), list(enumerate(partners, start=1))) == leaders


def test_a_unit_says_the_same_as_one_that_is_there():
    block = UnitGroups(name="g", question="q", units=(WrittenUnit("a", 1), WrittenUnit("b", 2)))
    for wrong in ("3", "0", "x", "-1", "9" * 99):
        assert refusal(block, {"g.1": wrong}) == "wrong_number"
    assert block.parse_fields(block.fill_fields([1, 1])) == [1, 1]


def two_references(units=()):
    references = ["Ann won. It rained.", "The winner was Ann."]
    return [Example(doc_id="d", system=s, summary="x", references=references, units=units) for s in ("lead", "model")]


def test_units_go_from_writing_to_merging_to_a_file_of_weighted_units(finish, tmp_path):
    def write(item):
        return {f"units.{number}": f"fact of {text}" for number, text in enumerate(item.shown["sentences"], start=1)}

    (tmp_path / "one").mkdir()
    store = finish("unit-writing", two_references(), write)
    assert [item.shown["reference"] for item in store.study.judged] == [0, 1]
    [record] = collect_product(store, "units")
    assert [(unit["sentence"], unit["reference"]) for unit in record["units"]] == [(0, 0), (1, 0), (2, 1)]
    assert list(collect_judgments(store).judgments.table["value"]) == [2.0, 1.0]  # units of each reference
    file = tmp_path / "units.jsonl"
    file.write_text(json.dumps(record) + "\n")
    units = read_units_by_document([str(file)])["d"]
    clock = Clock()
    merging = make_study(tmp_path / "one", "unit-merging", run=two_references(units), clock=clock, raters=None)
    assert merging.study.settings.raters == 1
    client = open_client(merging)
    [rater] = merging.invite(1)
    PageRater(client, merging, rater.token, lambda _: {"groups.3": "1"}, clock, seconds=60).finish()
    [record] = collect_product(merging, "units")
    assert record["units"] == [
        {
            "text": "fact of Ann won.",
            "weight": 2.0,
            "sentence": 0,
            "raters": ["rater-1"],
            "also": ["fact of The winner was Ann."],
        },
        {"text": "fact of It rained.", "weight": 1.0, "sentence": 1, "raters": ["rater-1"]},
    ]
    merging.close()


def test_a_document_stands_for_all_its_summaries(tmp_path):
    plan = design_study(two_references(), "unit-writing", tmp_path / "study")
    assert (plan.judged, plan.raters, plan.notes) == (2, 1, ())


def test_machine_units_are_suggestions_by_sentence(finish):
    units = [Unit("Ann is a winner", sentence=0), Unit("There was rain", sentence=1), Unit("Ann was first", sentence=2)]
    store = finish("unit-writing", two_references(units), lambda _: {"units.1.take.1": "1", "units.1": "Ann won it"})
    assert [item.shown["suggestions"] for item in store.study.judged] == [
        [["Ann is a winner"], ["There was rain"]],
        [["Ann was first"]],
    ]
    [record] = collect_product(store, "units")
    assert [unit["text"] for unit in record["units"]] == [
        "Ann is a winner",
        "Ann won it",
        "Ann was first",
        "Ann won it",
    ]


def test_pages_of_all_kinds_escape_texts(tmp_path, monkeypatch):
    attack = "<script>window.pwned=1</script> & 'it' rained."
    monkeypatch.setattr(salient_phrases, "find_spans", lambda texts: [[(0, 8)] for _ in texts])
    run = [Example(doc_id="d", system="s", summary=attack, references=[attack], document=attack, units=[attack])]
    sheet = tmp_path / "q.jsonl"
    record = {"id": "q", "doc_id": "d", "system": "s", "text": attack, "question": attack}
    sheet.write_text(json.dumps({**record, "expected": attack, "predicted": attack, "correct": None}) + "\n")
    questions = find_task("answers").read_source([str(sheet)], None)
    for task in ("faithfulness", "salient-phrases", "unit-writing", "unit-merging", "answers"):
        (tmp_path / task).mkdir()
        store = make_study(tmp_path / task, task, run=questions if task == "answers" else run, controls=0)
        [rater] = store.invite(1)
        page = PageRater(open_client(store), store, rater.token, None).start()
        assert "window.pwned" in page.text
        assert "<script>window" not in page.text
        store.close()
