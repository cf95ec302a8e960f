"""The report of a study: one page with means, agreement, raters and the worst disagreements."""

import math
import random
import re

import numpy as np
import pytest

from gistmeter.annotate import Store, collect_judgments
from gistmeter.annotate.grading import hand_in
from gistmeter.annotate.products import collect_product
from gistmeter.annotate.results.findings import find_results
from gistmeter.annotate.results.page import draw_means, render_report, write_report
from gistmeter.errors import DataError
from gistmeter.example import Example
from study_raters import Clock, PageRater, examples, make_study, open_client


def run_study(tmp_path, task, answers, **options):
    clock = Clock()
    store = make_study(tmp_path, task, clock=clock, raters=len(answers), per_assignment=80, **options)
    client = open_client(store)
    for rater, answer in zip(store.invite(len(answers)), answers, strict=True):
        PageRater(client, store, rater.token, answer, clock, seconds=60.0).finish()
    return store


def slider(offset, noise=0, seed=0):
    """A rater who finds `lead` better than `model`, strict or lenient by an offset."""
    rng = random.Random(seed)

    def answer(item):
        control = {"same": 98, "different": 1}.get(item.control)
        value = (70 if item.system == "lead" else 40) + offset + 3 * int(item.doc_id[1:] or 0 if item.doc_id else 0)
        return {"value": str(control if control is not None else min(100, max(0, value + rng.randint(-noise, noise))))}

    return answer


def test_means_have_intervals_and_the_better_system_is_first(tmp_path):
    store = run_study(tmp_path, "focus-coverage", [slider(0, 2, 1), slider(-10, 2, 2)])
    findings = find_results(store)
    for means in findings.means:
        first, second = means.rows
        assert (first.system, second.system) == ("lead", "model")
        # The mean of 70 and 60, and 7.5 for the documents 0 to 5; answers are drawn within 2 of it.
        assert first.value == pytest.approx(72.5, abs=2)
        assert first.low < first.value < first.high
        assert first.documents == 6
    every = findings.agreement[0]
    assert every.alpha > 0.9  # one is stricter by 10, which z-scores take out
    page = render_report(store)
    assert "lead" in page
    assert f"{findings.means[0].rows[0].value:.2f}" in page
    assert "<script" not in page
    assert "http" not in page.split("</style>")[1]


@pytest.mark.more
def test_the_worst_disagreement_is_shown_with_its_texts(tmp_path):
    def contrary(item):
        if (item.doc_id, item.system, item.aspect) == ("d3", "lead", "focus"):
            return {"value": "0"}
        return slider(0)(item)

    store = run_study(tmp_path, "focus-coverage", [slider(0), contrary])
    worst = find_results(store).disagreements[0]
    assert (worst.item.doc_id, worst.item.system, worst.aspect) == ("d3", "lead", "focus")
    assert worst.answers == (("rater-1", 79.0), ("rater-2", 0.0))
    assert "It also rained in Dunmore 3, said lead." in render_report(store)


@pytest.mark.more
def test_a_rater_who_votes_against_the_majority_is_named_and_can_be_left_out(tmp_path):
    def vote(right):
        return lambda item: {f"units.{n}": str(int((item.system == "lead") == right)) for n in (1, 2)}

    store = run_study(tmp_path, "content-units", [vote(True), vote(True), vote(False)])
    findings = find_results(store)
    assert [row.outside for row in findings.raters] == [False, False, True]
    assert findings.raters[2].with_others == 0.0
    page = render_report(store)
    assert "rater-3 disagrees with the others on most of 24 items" in page
    assert "--without rater-3" in page
    rest = collect_judgments(store, without=["rater-3"]).judgments
    assert "rater-3" not in set(rest.table["rater"])
    with pytest.raises(DataError, match="no rater 'rater-9'"):
        collect_judgments(store, without=["rater-9"])


def test_of_two_raters_who_differ_neither_is_named(tmp_path):
    def vote(right):
        return lambda item: {f"units.{n}": str(int((item.system == "lead") == right)) for n in (1, 2)}

    store = run_study(tmp_path, "content-units", [vote(True), vote(False)])
    assert [row.outside for row in find_results(store).raters] == [False, False]
    page = render_report(store)
    assert "--without" not in page
    assert "of its controls" not in page  # the task has none


def test_no_difference_is_zero_and_a_minus_is_a_minus(tmp_path):
    def answer(item):
        return {"better": "0" if item.doc_id == "d0" else "2" if item.shown["systems"][1] == "model" else "-2"}

    store = run_study(tmp_path, "side-by-side", [answer, lambda _: {"better": "0"}])
    page = render_report(store)
    assert "<b>0</b>" in page
    assert not re.search(r">-[0-9]", page)  # neither -0 nor -0.500 with a hyphen
    assert ">−" in page
    values = collect_judgments(store).judgments.table["value"]
    assert not any(math.copysign(1, value) < 0 for value in values if value == 0)


def test_the_report_says_which_of_two_summaries_a_number_prefers(tmp_path):
    def prefer(name):
        return lambda item: {"better": "2" if item.shown["systems"][1] == name else "-2"}

    store = run_study(tmp_path, "side-by-side", [prefer("lead"), prefer("model")])
    worst = find_results(store).disagreements[0]
    assert dict(worst.answers) == {"rater-1": -2.0, "rater-2": 2.0}
    first, second = worst.item.shown["systems"]
    sentence = f"−2: lead is clearly better, 2: model is. Summary A is by {first}, summary B by {second}."
    assert worst.part == sentence
    assert sentence in render_report(store)


@pytest.mark.more
def test_strengths_are_in_the_report_of_comparisons(tmp_path):
    def prefer(item):
        left, right = item.shown["systems"]
        return {"better": str((right < left) - (left < right))}  # a before b before c

    store = run_study(tmp_path, "side-by-side", [prefer, prefer], run=examples(5, ("a", "b", "c")))
    findings = find_results(store)
    assert [row.system for row in findings.strengths] == ["a", "b", "c"]
    assert findings.strengths[0].value == pytest.approx(-findings.strengths[2].value)
    assert "Bradley-Terry" in render_report(store)


def test_a_report_needs_usable_work_and_escapes_texts(tmp_path):
    attack = "<script>window.pwned=1</script> it rained."
    run = [
        Example(doc_id=f"d{n}{attack}", system=f"lead{attack}", summary=attack, references=[attack + " wet"])
        for n in range(3)
    ]
    store = make_study(tmp_path / "empty")
    with pytest.raises(DataError, match="can be used yet"):
        write_report(store, tmp_path / "report.html")
    rng = random.Random(1)
    answers = [
        lambda item: {"value": {"same": "99", "different": "0"}.get(item.control) or str(rng.randint(0, 99))}
    ] * 2
    store = run_study(tmp_path, "focus-coverage", answers, run=run, title=attack, controls=0)
    page = render_report(store)
    assert "<script" not in page
    assert "&lt;script&gt;" in page


def test_reasons_stand_beside_disagreements_and_are_exported(tmp_path):
    """One rater finds the summary of one document bad, and says why with signs that mean something in HTML."""

    def grade(reason, odd):
        def answer(item):
            value = "1" if item.doc_id == odd else "4"
            return {**dict.fromkeys(("importance", "faithfulness", "fluency", "coherence"), value), "reason": reason}

        return answer

    attack = 'Nobody <script>says</script> "so" & why {{ 7 }}'
    store = run_study(tmp_path, "quality", [grade("As it should be.", None), grade(attack, "d1")], run=examples(2))
    worst = find_results(store).disagreements[0]
    assert worst.item.doc_id == "d1"
    assert worst.reasons == (("rater-1", "As it should be."), ("rater-2", attack))  # in the order of their grades
    page = render_report(store)
    assert 'rater-1: <q dir="auto">As it should be.</q>' in page
    assert "Nobody &lt;script&gt;says&lt;/script&gt; &#34;so&#34; &amp; why {{ 7 }}" in page
    assert "<script" not in page
    records = collect_product(store, "reasons")
    assert len(records) == 2 * 4  # each rater's of each summary
    assert {record["reason"] for record in records if record["rater"] == "rater-2"} == {attack}
    [record] = [
        each for each in records if (each["rater"], each["doc_id"], each["system"]) == ("rater-2", "d1", "lead")
    ]
    grades = {"importance": 1, "faithfulness": 1, "fluency": 1, "coherence": 1}
    assert record == {"doc_id": "d1", "system": "lead", "rater": "rater-2", **grades, "reason": attack}


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (
            {},
            "An assignment is usable with 70% of its controls right and 1.8 minutes or more.",
        ),  # 27 times 4 s
        ({"minutes": 0}, "An assignment is usable with 70% of its controls right."),
        ({"controls": 0, "minutes": 1.5}, "An assignment is usable with 1.5 minutes or more."),
        ({"controls": 0, "minutes": 0}, "Every assignment that was handed in is usable"),
    ],
)
def test_the_report_says_what_made_an_assignment_usable(tmp_path, options, sentence):
    assert sentence in render_report(run_study(tmp_path, "focus-coverage", [slider(0)], **options))


def test_a_reason_that_is_no_text_is_refused(tmp_path):
    store = make_study(tmp_path, "quality")
    work = store.claim_work(store.invite(1)[0].id)
    item = store.study.list_items(work.batch, work.attempt)[0]
    grades = dict.fromkeys(("importance", "faithfulness", "fluency", "coherence"), 3)
    store.save_answer(work.id, item.id, {**grades, "reason": 3}, seconds=60.0, form="1")
    store.close()
    with pytest.raises(DataError, match=r"an answer to item .+ is not one"):
        Store(store.study)


def test_a_single_document_has_no_interval(tmp_path):
    store = run_study(tmp_path, "focus-coverage", [slider(0), slider(5)], run=examples(1), controls=0)
    for means in find_results(store).means:
        assert np.isnan(means.rows[0].low)
        assert draw_means(means.rows)[0].low is None
    render_report(store)


def test_a_system_with_one_document_has_no_interval(tmp_path):
    run = [example for example in examples(3) if example.system == "lead" or example.doc_id == "d0"]
    store = run_study(tmp_path, "focus-coverage", [slider(0), slider(5)], run=run, controls=0)
    for means in find_results(store).means:
        assert {row.system: bool(np.isnan(row.low)) for row in means.rows} == {"lead": False, "model": True}


def test_spans_are_compared_by_character_and_disagreements_by_summary(tmp_path):
    clock = Clock()
    store = make_study(tmp_path, "faithfulness", clock=clock, raters=2, per_assignment=40, least=0, minutes=0)
    for rater in store.invite(2):
        work = store.claim_work(rater.id)
        for item in store.study.list_items(work.batch, work.attempt):
            marks = [[0, 2, "intrinsic"]] if rater.name == "rater-1" and item.system == "lead" else []
            store.save_answer(work.id, item.id, {"marks": marks}, seconds=30, form=item.id)
        hand_in(store, work)
    findings = find_results(store)
    assert {row.aspect for row in findings.disagreements} == {"faithfulness"}
    assert len(findings.disagreements) == 6  # the summaries of lead
    assert findings.agreement[0].items > 100  # characters


def test_raters_who_mark_as_many_words_but_others_disagree(tmp_path):
    """The share of words is the same, so that it cannot say on which summaries they differ."""
    clock = Clock()
    store = make_study(tmp_path, "faithfulness", clock=clock, run=examples(2), raters=2, controls=0, least=0, minutes=0)
    for rater, mark in zip(store.invite(2), ([0, 2, "intrinsic"], [3, 7, "extrinsic"]), strict=True):
        work = store.claim_work(rater.id)
        for item in store.study.list_items(work.batch, work.attempt):
            marks = [mark] if (item.doc_id, item.system) == ("d1", "lead") else [[0, 2, "intrinsic"]]
            store.save_answer(work.id, item.id, {"marks": marks}, seconds=30, form=item.id)
        hand_in(store, work)
    [worst] = find_results(store).disagreements
    assert (worst.item.doc_id, worst.item.system) == ("d1", "lead")
    summary = worst.item.shown["summary"]  # It also rained in Bryn 1, said lead. Then it stopped.
    assert worst.spread == pytest.approx(6 / len(summary.replace(" ", "")))  # the letters of "It" and "also"
    assert dict(worst.reasons) == {"rater-1": "It (intrinsic)", "rater-2": "also (extrinsic)"}
    page = render_report(store)
    assert summary in page
    assert "also (extrinsic)" in page


def test_one_rater_is_compared_with_the_rest_by_shares_and_not_by_kinds_of_marks(tmp_path):
    """Both mark the same words, one as intrinsic and the other as extrinsic: the shares are the same."""
    clock = Clock()
    store = make_study(tmp_path, "faithfulness", clock=clock, raters=2, per_assignment=40, least=0, minutes=0)
    for rater, kind in zip(store.invite(2), ("intrinsic", "extrinsic"), strict=True):
        work = store.claim_work(rater.id)
        for item in store.study.list_items(work.batch, work.attempt):
            marks = [[0, 2, kind]] if item.system == "lead" else []
            store.save_answer(work.id, item.id, {"marks": marks}, seconds=30, form=item.id)
        hand_in(store, work)
    [agreement] = find_results(store).agreement
    assert agreement.rest == pytest.approx(1)
    assert agreement.alpha < 1
