"""What people are asked: items, controls, right and wrong answers, and what answers become, task by task."""

import random
import re
import time
from difflib import SequenceMatcher

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmeter.annotate import TASKS, collect_judgments, design_study, measure_progress
from gistmeter.annotate.forms import AnswerError, is_copied
from gistmeter.annotate.tasks.task import Judgment
from gistmeter.annotate.words import open_words
from gistmeter.errors import DataError
from gistmeter.example import Example
from gistmeter.stats.preferences import fit_strengths
from study_raters import Clock, PageRater, examples, make_study, open_client


def run_study(tmp_path, task, answers, **options):
    """A study whose raters give these answers, one function each."""
    clock = Clock()
    store = make_study(tmp_path, task, clock=clock, raters=len(answers), per_assignment=60, **options)
    client = open_client(store)
    for rater, answer in zip(store.invite(len(answers)), answers, strict=True):
        PageRater(client, store, rater.token, answer, clock, seconds=150.0).finish()
    return store


@pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)
def test_a_task_has_words_for_all_that_it_shows(task):
    words = {**open_words("en", task.name)._words}
    for item in task.make_items(examples(3), random.Random(0)):
        for block in task.make_blocks(item):
            for field in ("label", "question", "low", "high", "yes", "no"):
                assert getattr(block, field, "title") in words
            assert set(getattr(block, "labels", ())) <= set(words)
    assert len(words["instructions"]) > 2


# --- content units


def votes(*by_system):
    return lambda item: {f"units.{n}": str(vote) for n, vote in enumerate(dict(by_system)[item.system], start=1)}


def test_units_are_judged_by_majority_with_ties_absent(tmp_path):
    # lead: unit 1 has 2 of 2 votes, unit 2 has 1 of 2, which is a tie: 1 of 2 units. model: 0 and 2 votes: 1 of 2.
    store = run_study(
        tmp_path,
        "content-units",
        [votes(("lead", (1, 1)), ("model", (0, 1))), votes(("lead", (1, 0)), ("model", (0, 1)))],
    )
    collected = collect_judgments(store)
    means = collected.judgments.means("litepyramid")
    assert set(means.filter(means["system"] == "lead")["value"]) == {0.5}
    assert set(means.filter(means["system"] == "model")["value"]) == {0.5}
    rater = collected.judgments.table.filter(collected.judgments.table["rater"] == "rater-1")
    assert set(rater.filter(rater["system"] == "lead")["value"]) == {1.0}
    # Votes are nominal, and all units are items of one table: 6 documents x 2 systems x 2 units.
    [agreement] = measure_progress(store).agreement
    assert (agreement.measurement, agreement.items) == ("nominal", 24)


def test_every_unit_wants_an_answer(tmp_path):
    task = TASKS["content-units"]
    [item, *_] = task.make_items(examples(1), random.Random(0))
    with pytest.raises(AnswerError, match="missing_checks"):
        task.parse_answer(item, {"units.1": "1"})
    with pytest.raises(AnswerError, match="wrong_choice"):
        task.parse_answer(item, {"units.1": "1", "units.2": "2"})
    assert task.parse_answer(item, {"units.1": "1", "units.2": "0"}) == {"units": [1, 0]}


# --- coherence


def test_coherence_has_mixed_sentences_and_repeats(tmp_path):
    store = make_study(tmp_path, "coherence", per_assignment=10, controls=4)
    study = store.study
    for batch in study.batches.values():
        for order in batch.orders:
            items = [study.items[name] for name in order]
            kinds = [item.control for item in items]
            assert (kinds.count("random"), kinds.count("repeated")) == (2, 2)
            for control in items:
                if control.repeats:
                    assert study.items[control.repeats].shown == control.shown
                    assert order.index(control.repeats) < order.index(control.id) - 1


@pytest.mark.parametrize(("first", "again", "right"), [(50, 60, True), (50, 61, False), (50, 40, True)])
def test_a_repeat_gets_the_same_within_ten(first, again, right):
    task = TASKS["coherence"]
    [item, *_] = task.make_items(examples(1), random.Random(0))
    control = task.make_controls([item], [item], 1, random.Random(0))[0]
    assert control.control == "repeated"
    assert task.check_control(control, {"value": again}, {control.repeats: {"value": first}}) == right


@pytest.mark.parametrize(
    ("language", "summaries", "border"),
    [
        ("en", ["It rained. It froze.", "Ann won. Ben lost.", "Bread is dear. Milk is not."], r"\. "),
        ("en", ["It rained.\nIt froze.", "Ann won.\nBen lost.", "Bread is dear.\nMilk is not."], r"\.\n"),
        ("zh", ["昨天下雨。今天晴。", "她赢了。他输了。", "面包贵。牛奶便宜。"], "。"),
    ],
)
def test_mixed_sentences_look_like_those_of_a_summary(language, summaries, border):
    """A control with a line for each sentence, where summaries have one for all, would be known at a glance."""
    task = TASKS["coherence"]
    run = [
        Example(doc_id=f"d{number}", system="s", summary=summary, language=language)
        for number, summary in enumerate(summaries)
    ]
    items = task.make_items(run, random.Random(0))
    controls = [each for each in task.make_controls(items, items, 8, random.Random(0)) if each.control == "random"]
    sentence = r"[^.。\n]+"
    assert len(controls) == 4
    for control in controls:
        assert re.fullmatch(rf"({sentence}{border}){{2}}{sentence}[.。]", control.shown["text"])


def test_a_summary_of_one_sentence_has_no_coherence(tmp_path):
    run = [*examples(4), Example(doc_id="short", system="lead", summary="It rained.")]
    plan = design_study(run, "coherence", tmp_path / "study")
    assert plan.left_out == 1
    assert plan.notes == ("1 summary left out: the task coherence asks about summaries of two sentences or more",)
    with pytest.raises(DataError, match="the task coherence asks about summaries of two sentences or more"):
        make_study(tmp_path / "other", "coherence", run=run[-1:])


# --- quality with a reason


def test_a_reason_is_wanted_in_own_words():
    task = TASKS["quality"]
    [item, *_] = task.make_items(examples(1), random.Random(0))
    grades = {"importance": "4", "faithfulness": "5", "fluency": "3", "coherence": "1"}
    for reason, key in (
        ("", "missing_text"),
        ("  ", "missing_text"),
        ("good", "short_text"),
        ("Хорошо", "short_text"),
        ("naïvely", "short_text"),
        ("Rain fell all day in Arle.", "copied_text"),
        ("it  also RAINED in Arle 0, said lead", "copied_text"),
        ("x" * 6000, "long_text"),
    ):
        with pytest.raises(AnswerError, match=key):
            task.parse_answer(item, {**grades, "reason": reason})
    answer = task.parse_answer(item, {**grades, "reason": "Right town, but who says so?"})
    assert [judgment.value for judgment in task.score_answer(item, answer)] == [4, 5, 3, 1]
    with pytest.raises(AnswerError, match="wrong_choice"):
        task.parse_answer(item, {**grades, "fluency": "6", "reason": "Right town, but who says so?"})
    with pytest.raises(AnswerError, match="missing_choice"):
        task.parse_answer(item, {"reason": "Right town, but who says so?"})


@given(st.text("ab ", min_size=1, max_size=12), st.text("ab ", max_size=30))
def test_a_copy_is_found_as_by_the_longest_common_part(text, source):
    short, long = " ".join(text.split()), " ".join(source.split())
    longest = SequenceMatcher(None, short, long, autojunk=False).find_longest_match().size
    assert is_copied(text, source) == (longest >= 0.9 * len(short))


def test_a_long_text_is_compared_with_a_long_document_at_once():
    start = time.process_time()
    assert not is_copied("ab " * 1600, "ba" * 100_000)
    assert time.process_time() - start < 1


def test_chinese_reasons_have_no_spaces():
    task = TASKS["quality"]
    [item, *_] = task.make_items(examples(1), random.Random(0))
    grades = dict.fromkeys(("importance", "faithfulness", "fluency", "coherence"), "3")
    assert task.parse_answer(item, {**grades, "reason": "内容正确但不完整"})["reason"] == "内容正确但不完整"


# --- side by side


def prefer(system, strength):
    """Somebody who likes the summaries of one system."""

    def answer(item):
        systems = item.shown["systems"]
        side = 0 if system not in systems else strength if systems[1] == system else -strength
        return {"better": str(side)}

    return answer


def test_preferences_do_not_depend_on_the_side(tmp_path):
    run = examples(5, ("a", "b", "c"))
    store = run_study(tmp_path, "side-by-side", [prefer("b", 2), prefer("b", 1)], run=run)
    assert {tuple(item.shown["systems"]) for item in store.study.judged} >= {("a", "b"), ("b", "a")}
    collected = collect_judgments(store)
    means = collected.judgments.means("preference").drop("doc_id").group_by("system").mean()
    # b beats both others by 2 and 1, on average 1.5; a and c lose to b (-1.5) and tie with each other: -0.75.
    assert dict(means.select("system", "value").iter_rows()) == {"a": -0.75, "b": 1.5, "c": -0.75}
    assert len(collected.details.table) == 2 * 5 * 3


def test_strengths_are_those_of_a_plain_fit():
    # Three systems, by Zermelo's iteration: p_i = wins_i / sum_j (n_ij / (p_i + p_j)), in logarithms less their mean.
    wins = np.array([[0, 30, 20], [10, 0, 25], [12, 15, 0]], dtype=float)
    games, p = wins + wins.T, np.ones(3)
    for _ in range(500):
        p = wins.sum(axis=1) / (games / (p[:, None] + p[None, :])).sum(axis=1)
    expected = np.log(p) - np.log(p).mean()
    fitted = fit_strengths([wins])
    assert fitted.values == pytest.approx(expected, abs=0.002)  # shrunken a little
    assert np.isnan(fitted.low).all()


@pytest.mark.more
@given(st.lists(st.floats(-1.5, 1.5), min_size=2, max_size=4), st.integers(0, 1000))
def test_planted_strengths_are_found(strengths, seed):
    planted = np.array(strengths) - np.mean(strengths)
    chances = 1 / (1 + np.exp(planted[None, :] - planted[:, None]))
    rng = np.random.default_rng(seed)
    upper = np.triu(rng.binomial(200, chances, size=(30, *chances.shape)), 1)
    lower = np.transpose(np.triu(200 - upper, 1), (0, 2, 1))
    fitted = fit_strengths(upper + lower, resamples=5)
    assert fitted.values == pytest.approx(planted, abs=0.15)
    assert (fitted.low <= fitted.high).all()


@pytest.mark.parametrize("wins", [[], [[1, 2]], [[[0.0]]], [[[0, 0], [0, 0]]], [[[0, -1], [1, 0]]]])
def test_no_comparisons_have_no_strengths(wins):
    with pytest.raises(DataError, match="wins are"):
        fit_strengths(wins)


def test_a_mean_is_over_what_a_summary_was_compared_with():
    task = TASKS["side-by-side"]
    said_twice = [Judgment("d", "a", aspect="preference", value=value, rater="r", task="1") for value in (2.0, -1.0)]
    assert [judgment.value for judgment in task.combine(said_twice)] == [0.5]


def test_one_system_cannot_be_shown_side_by_side(tmp_path):
    with pytest.raises(DataError, match="two systems' summaries of one document, and this run has none"):
        make_study(tmp_path, "side-by-side", run=examples(3, systems=("lead",)))
