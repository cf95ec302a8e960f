"""Faithfulness by spans: what can be marked, what marks become, and how far raters agree on characters."""

import random
import re

import pytest

from gistmeter.annotate import collect_judgments, measure_progress
from gistmeter.annotate.blocks.marking import Marks, label_characters, list_words, share_unmarked
from gistmeter.annotate.forms import AnswerError
from gistmeter.annotate.products import collect_product
from gistmeter.annotate.tasks import find_task
from gistmeter.example import Example
from gistmeter.human.alpha import ratings_alpha
from study_raters import Clock, PageRater, examples, make_study, open_client, read_form

KINDS = ("intrinsic", "extrinsic")


def block(text="It rained twice in Arle."):
    return Marks(name="marks", question="q", label="l", text=text, kinds=KINDS)


def mark_controls(item):
    """The field of somebody who marks foreign sentences, and nothing else."""
    if item.is_control:
        start, end = item.shown["foreign"]
        return {"marks": f"{start}-{end}-extrinsic"}
    return {"marks": "none"}


@pytest.mark.parametrize(
    ("field", "key"),
    [
        *((field, "missing_marks") for field in ("", "  ")),
        *((field, "wrong_marks") for field in ("3-9", "3-9-other", "4-9-intrinsic", "3-8-intrinsic")),
        *((field, "wrong_marks") for field in ("3-9-intrinsic 3-9-extrinsic", "9-3-intrinsic", "none 3-9-intrinsic")),
        *((field, "wrong_marks") for field in ("<b>", "0-999-intrinsic", "-3-9-intrinsic", "9" * 5000)),
    ],
)
def test_marks_that_fit_no_words_are_refused(field, key):
    with pytest.raises(AnswerError) as caught:
        block().parse_fields({"marks": field})
    assert caught.value.key == key


def test_marks_come_in_the_order_of_the_text_and_fill_the_field_again():
    marks = block().parse_fields({"marks": "16-24-extrinsic 3-15-intrinsic"})
    assert marks == [[3, 15, "intrinsic"], [16, 24, "extrinsic"]]
    assert block().parse_fields(block().fill_fields(marks)) == marks
    assert block().parse_fields(block().fill_fields([])) == []


def test_words_of_texts_without_spaces_are_characters():
    words = list_words("阿尔勒下雨了 twice。", "zh")
    assert [word.text for word in words] == ["阿", "尔", "勒", "下", "雨", "了", "twice。"]
    assert [(word.start, word.end) for word in words][-1] == (7, 13)


def test_the_score_is_the_share_of_words_without_a_mark():
    # Five words, of which the marks touch `twice in`: 3 of 5. A dash alone is no word.
    assert share_unmarked("It rained twice in Arle.", [[10, 18, "intrinsic"]]) == pytest.approx(3 / 5)
    assert share_unmarked("It rained - twice", [[10, 11, "extrinsic"]]) == 1.0
    assert share_unmarked("", []) == 1.0


def test_characters_are_labelled_by_kind():
    # Without spaces "It rained": I t r a i n e d.
    assert label_characters("It rained", [[0, 2, "extrinsic"]], KINDS) == [2, 2, 0, 0, 0, 0, 0, 0]


def test_controls_have_a_sentence_of_another_document_in_their_place():
    task = find_task("faithfulness")
    items = task.make_items(examples(), random.Random(0))
    controls = task.make_controls(items[:4], items, 20, random.Random(0))
    assert len(controls) == 20
    for control in controls:
        start, end = control.shown["foreign"]
        foreign = control.shown["summary"][start:end]
        assert any(other.shown["summary"].startswith(foreign) for other in items)
        assert task.check_control(control, {"marks": [[start, end, "intrinsic"]]}, {})
        assert not task.check_control(control, {"marks": []}, {})
        # Who marks everything has read nothing; who leaves a word of the rest may have.
        everything = [0, len(control.shown["summary"]), "extrinsic"]
        assert not task.check_control(control, {"marks": [everything]}, {})
        words = [word for word in list_words(control.shown["summary"]) if not start <= word.start < end]
        but_one = [[word.start, word.end, "extrinsic"] for word in words[1:]]
        assert task.check_control(control, {"marks": [[start, end, "intrinsic"], *but_one]}, {})
    alone = [item for item in items if item.doc_id == "d0"]
    assert task.make_controls(alone, alone, 3, random.Random(0)) == []


@pytest.mark.parametrize(
    ("language", "summaries", "wanted"),
    [
        ("en", ["It rained. It froze.", "Ann won. Ben lost."], r"([A-Z][a-z]+ [a-z]+\. ){2}[A-Z][a-z]+ [a-z]+\."),
        ("en", ["It rained.\nIt froze.", "Ann won.\nBen lost."], r"([A-Z][a-z]+ [a-z]+\.\n){2}[A-Z][a-z]+ [a-z]+\."),
        ("en", ["It rained.", "Ann won."], r"[A-Z][a-z]+ [a-z]+\. [A-Z][a-z]+ [a-z]+\."),
        ("zh", ["昨天下雨。今天晴。", "她赢了。他输了。"], r"([^。\s]+。){3}"),
        ("zh", ["昨天下雨。", "她赢了。"], r"([^。\s]+。){2}"),
    ],
)
def test_a_sentence_that_is_put_in_stands_as_the_others_do(language, summaries, wanted):
    task = find_task("faithfulness")
    run = [
        Example(doc_id=f"d{number}", system="s", summary=summary, document="Rain.", language=language)
        for number, summary in enumerate(summaries)
    ]
    items = task.make_items(run, random.Random(0))
    for control in task.make_controls(items, items, 12, random.Random(0)):
        text, (start, end) = control.shown["summary"], control.shown["foreign"]
        assert re.fullmatch(wanted, text)
        assert any(each.startswith(text[start:end]) for each in summaries)


def test_two_raters_mark_and_their_characters_are_compared(tmp_path):
    clock = Clock()
    run = examples(documents=3, systems=("lead",))
    store = make_study(tmp_path, "faithfulness", run=run, clock=clock, controls=1)
    client = open_client(store)

    def second(item):
        start = item.shown["summary"].find("rained")
        return mark_controls(item) if item.is_control else {"marks": f"{start}-{start + 6}-intrinsic"}

    for rater, answer in zip(store.invite(2), (mark_controls, second), strict=True):
        assert "handed in" in PageRater(client, store, rater.token, answer, clock).finish().text
    collected = collect_judgments(store)
    # "It also rained in Arle 0, said lead. Then it stopped." has 11 words, of which one is marked by the second.
    values = sorted(collected.judgments.table["value"].to_list())
    assert values == pytest.approx([10 / 11] * 3 + [1.0] * 3)
    texts = [item.shown["summary"] for item in store.study.judged]
    rows = []
    for text in texts:
        start = text.find("rained")
        rows += [(0, label) for label in label_characters(text, [[start, start + 6, "intrinsic"]], KINDS)]
    by_hand = ratings_alpha(rows, measurement="nominal").value
    [agreement] = measure_progress(store).agreement
    assert agreement.alpha == pytest.approx(by_hand)
    assert agreement.items == sum(len(text.replace(" ", "")) for text in texts)
    spans = collect_product(store, "spans")
    assert [[span["text"] for span in record["spans"]] for record in spans if record["rater"] == "rater-2"] == [
        ["rained"]
    ] * 3


def test_the_page_has_words_to_mark_and_says_what_it_needs(tmp_path):
    run = examples(documents=1, systems=("lead",))
    store = make_study(tmp_path, "faithfulness", run=run, controls=0)
    client = open_client(store)
    [rater] = store.invite(1)
    page = PageRater(client, store, rater.token, mark_controls).start()
    assert "Words can only be marked with JavaScript" in page.text.split("<noscript>")[1].split("</noscript>")[0]
    assert page.text.count('role="option"') == 11
    assert 'data-match="rained">rained</span>' in page.text
    action, fields = read_form(page.text)
    refused = client.post(action, data=fields)
    assert refused.status_code == 422
    assert "say with the box" in refused.text
    client.post(f"{action}/draft", data={**fields, "marks": "0-2-intrinsic", "draft": "1"})
    assert 'value="0-2-intrinsic"' in client.get(action).text


def test_export_writes_what_the_task_gives(tmp_path, checked_command):
    store = make_study(tmp_path, "faithfulness", clock=(clock := Clock()), controls=0, raters=1)
    client = open_client(store)
    [rater] = store.invite(1)
    PageRater(client, store, rater.token, mark_controls, clock).finish()
    store.close()
    note = checked_command("annotate", "export", "study", "--as", "spans", "-o", "spans.jsonl").stderr
    assert "records of spans written: spans.jsonl" in note
    refused = checked_command("annotate", "export", "study", "--as", "units", "-o", "units.jsonl", fails=True).stderr
    assert "a study of faithfulness gives judgments or spans, not 'units'" in refused
