"""A study folder: what is judged, with which controls, in which order; and folders that were edited."""

import json
import math
import random
import re
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmeter.annotate import Store, design_study, open_study
from gistmeter.annotate.ordering import order_items
from gistmeter.annotate.study import Item
from gistmeter.errors import ArgumentError, DataError
from gistmeter.example import Example
from gistmeter.probe.words.harmless import edit_harmlessly
from study_raters import examples, make_study


def test_an_assignment_is_that_of_the_paper(tmp_path):
    # Koto, Baldwin and Lau (2022), appendix A.1: 100 items, 5 of them random pairs and 5 near-copies.
    plan = design_study(examples(45, ("a", "b")), "focus-coverage", tmp_path / "study")
    assert (plan.judged, plan.controls, plan.assignments, plan.answers) == (180, 20, 2, 600)
    for batch in plan.study.batches.values():
        assert len(batch.orders) == 3
        for order in batch.orders:
            kinds = Counter(plan.study.items[name].control for name in order)
            assert kinds == {"": 90, "same": 5, "different": 5}
    # 600 answers of 30 seconds each are 5 hours.
    assert plan.minutes == 300


def test_a_small_study_has_controls_in_proportion(tmp_path):
    # 24 items are fewer than the 90 of an assignment, to which 10 controls belong: 24 / 9 are 3.
    assert design_study(examples(), "focus-coverage", tmp_path / "usual").controls == 3
    assert design_study(examples(), "focus-coverage", tmp_path / "asked", controls=10).controls == 10
    assert design_study(examples(), "focus-coverage", tmp_path / "none", controls=0).controls == 0


def test_both_directions_of_a_pair_are_far_apart(tmp_path):
    plan = design_study(examples(45, ("a", "b")), "focus-coverage", tmp_path / "study")
    for batch in plan.study.batches.values():
        for order in batch.orders:
            items = [plan.study.items[name] for name in order]
            for item in items:
                positions = [at for at, other in enumerate(items) if other.pair == item.pair and other.doc_id]
                if item.doc_id:
                    assert len(positions) == 2
                    assert positions[1] - positions[0] >= 20
            assert not any(item.is_control for item in items[:3])


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=1, max_size=30), st.integers(0, 99))
def test_an_order_has_every_item_once(drawn, seed):
    items = [
        Item(id=str(at), doc_id="" if control else f"d{number}", shown={}, control="same" if control else "")
        for at, (number, control) in enumerate(drawn)
    ]
    assert sorted(order_items(items, random.Random(seed))) == sorted(item.id for item in items)


def test_the_same_seed_gives_the_same_study(tmp_path):
    def design(name, seed):
        plan = design_study(examples(), "focus-coverage", tmp_path / name, seed=seed, documents=3, per_assignment=10)
        return plan.study.batches, [*plan.study.items.values()]

    assert design("a", 1) == design("b", 1)
    assert design("c", 2) != design("a2", 1)


def test_documents_and_systems_are_chosen(tmp_path):
    plan = design_study(
        examples(8, ("a", "b", "c")), "focus-coverage", tmp_path / "study", documents=4, systems=["a", "c"]
    )
    judged = plan.study.judged
    assert {item.system for item in judged} == {"a", "c"}
    assert len({item.doc_id for item in judged}) == 4
    assert {item.aspect for item in judged} == {"focus", "coverage"}


def test_near_copies_differ_and_pairs_are_of_two_documents(tmp_path):
    plan = design_study(examples(10), "focus-coverage", tmp_path / "study", per_assignment=20)
    controls = [item for item in plan.study.items.values() if item.is_control]
    for item in controls:
        first, second = item.shown["first"], item.shown["second"]
        assert first != second
        numbers = [re.search(r"\d+", text)[0] for text in (first, second)]
        assert (numbers[0] == numbers[1]) == (item.control == "same")


def test_one_document_has_no_pairs_of_strangers(tmp_path):
    """The text beside it would be of the same document, and whoever read both would fail."""
    plan = design_study(examples(1), "focus-coverage", tmp_path / "study", per_assignment=20)
    assert [item.control for item in plan.study.items.values() if item.is_control] == ["same", "same"]


@pytest.mark.parametrize(
    ("language", "text", "edited"),
    [
        ("de", "Es war sehr kalt.", "Es war ausgesprochen kalt."),
        ("zh", "他非常高兴。", "他十分高兴。"),
        ("ru", "Но это только начало.", "Но это лишь начало."),
        ("en", "Sun.", "Sun"),
        ("en", "Sun", "Sun."),
    ],
)
def test_a_near_copy_says_the_same(language, text, edited):
    assert edit_harmlessly(text, language, random.Random(0)) == edited


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"systems": ["lede"]}, "no system 'lede'; did you mean lead"),
        ({"documents": 99}, "`documents=99` are wanted, but the run has 6"),
        ({"controls": 10}, "`controls` are some of the 10 items"),
        ({"least": 7}, "`least` is a share"),
        ({"minutes": math.inf}, "`minutes` is a number from 0, not inf"),
        ({"minutes": -1.0}, "`minutes` is a number from 0, not -1.0"),
        ({"pay_per_hour": math.inf}, "`pay_per_hour` is a number from 0, not inf"),
        ({"title": "Rain\x1b[31m"}, r"'title' of the study's words has a character that no page can show \(U\+001B\)"),
        ({"title": " "}, "'title' of the study's words is empty"),
        ({"raters": 10**14}, "`raters` is at most 1,000 for an item"),
        ({"language": "ja"}, "no pages in 'ja'"),
        ({"words": {"instruction": ["x"]}}, "no word 'instruction' to replace; did you mean instructions"),
        ({"words": {"instructions": "x"}}, "'instructions' of the study's words is a list of sentences"),
    ],
)
def test_what_cannot_be_designed_is_said(tmp_path, options, words):
    with pytest.raises((ArgumentError, DataError), match=words.replace("?", r"\?")):
        make_study(tmp_path, **options)
    assert not (tmp_path / "study").exists()


def test_a_task_says_what_a_run_lacks(tmp_path):
    bare = [Example(doc_id="d", system="s", summary="It rained.")]
    with pytest.raises(DataError, match="the task focus-coverage shows `references`, but s/d has none"):
        make_study(tmp_path, run=bare)
    with pytest.raises(ArgumentError, match="unknown task 'focus'"):
        make_study(tmp_path, "focus")


def test_a_study_is_the_same_when_it_is_opened_again(tmp_path):
    store = make_study(tmp_path, least=1, minutes=0)
    store.close()
    Store(open_study(tmp_path / "study")).close()


def test_a_study_is_not_written_over(tmp_path):
    make_study(tmp_path)
    with pytest.raises(DataError, match="has a study already"):
        make_study(tmp_path)


def test_an_edited_or_foreign_folder_is_refused(tmp_path):
    store = make_study(tmp_path)
    folder = store.study.folder
    store.close()
    items, settings = folder / "items.jsonl", folder / "study.json"
    content = items.read_bytes()
    items.write_bytes(content.replace(b"rain", b"snow"))
    with pytest.raises(DataError, match="its texts were edited or are of another study"):
        open_study(folder)
    items.write_bytes(content)
    text = json.loads(settings.read_text())
    settings.write_text(json.dumps({**text, "raters": 9}))
    with pytest.raises(DataError, match="was changed after people had begun"):
        Store(open_study(folder))
    settings.write_text(json.dumps({**text, "title": "Rain", "words": {"save": "Next"}}))
    Store(open_study(folder)).close()  # titles and words may change
    settings.write_text(json.dumps({**text, "id": "other"}))
    with pytest.raises(DataError, match="has the answers of another study"):
        Store(open_study(folder))
    for broken, words in (("{", "is not a study"), ("{}", "is not a study"), ('{"format": 1}', "is not a study")):
        settings.write_text(broken)
        with pytest.raises(DataError, match=words):
            open_study(folder)
    settings.write_text(json.dumps({**text, "format": "gistmeter-study-9"}))
    with pytest.raises(DataError, match="this version of gistmeter reads"):
        open_study(folder)
    settings.write_text(json.dumps(text))
    (folder / "answers.sqlite").write_bytes(b"not a database at all, but longer than a header" * 50)
    with pytest.raises(DataError, match=r"cannot use .*answers\.sqlite"):
        Store(open_study(folder))
