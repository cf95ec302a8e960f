"""Effects of attacks: by hand, in the metric's direction, undefined scores, files, and input that is refused."""

import json
import math
from dataclasses import dataclass

import numpy as np
import pytest
from typer.testing import CliRunner

import gistmeter as gm
from gistmeter.cli.main import app
from gistmeter.demo import demo_run
from gistmeter.errors import ArgumentError, DataError
from gistmeter.example import Example, Unit
from gistmeter.metrics.metric import Column, Metric
from gistmeter.probe.attacks.attacked_run import attack_run

REFERENCE = "one two three four"


def make_run(*summaries, document="one two. three four. five six. seven", systems=("a",)):
    return [
        Example(doc_id=str(number), system=system, summary=summary, references=(REFERENCE,), document=document)
        for number, summary in enumerate(summaries)
        for system in systems
    ]


def attack(run, metrics="rouge1", attacks=None, **options):
    return gm.probe.attack(run, metrics, attacks=attacks, cache=False, resamples=50, **options)


def test_by_hand():
    # Clean recalls are 1/4 and 2/4, padded ones (one two three four five six) 1: changes of 3/4 and 2/4.
    row = attack(make_run("one", "one two"), attacks=["pad"])["pad", "rouge1.recall"]
    assert (row.clean, row.attacked, row.change) == pytest.approx((0.375, 1, 0.625))
    assert (row.low, row.high) == pytest.approx((0.5, 0.75))  # resamples of two documents are 1 1, 1 2 and 2 2
    assert (row.summaries, row.documents, row.undefined, row.skipped) == (2, 2, 0, 0)
    assert (row.better_share, row.beats, row.systems, row.works) == (1.0, 1, 1, True)
    assert (row.words, row.clean_words) == (7.5, 1.5)
    # Precision falls: 1 and 1 to 4/7 (one is there twice, the reference has it once) and 4/8.
    row = attack(make_run("one", "one two"), attacks=["pad"])["pad", "rouge1.precision"]
    assert row.change == pytest.approx((4 / 7 + 4 / 8) / 2 - 1)
    assert (row.works, row.better_share, row.beats) == (False, 0.0, 0)


def test_where_lower_is_better_a_fall_is_a_gain():
    effects = attack(make_run("one", "three"), "js", ["copy", "empty"])
    copy, empty = effects["copy", "js.divergence"], effects["empty", "js.divergence"]
    assert copy.change < 0 < copy.gain
    assert (copy.works, empty.works) == (True, False)
    assert [row.attack for row in effects.rows] == ["copy", "empty"]  # the most rewarded first
    turned = attack(make_run("one", "three"), "js", ["copy"], higher=["js.divergence"])
    assert turned.rows[0].works is False


def test_what_judges_nothing_has_no_attack_that_works():
    row = attack(make_run("one", "two"), "length", ["repeat"])["repeat", "length.words"]
    assert (row.change, row.works, row.beats) == (1.0, None, None)
    assert math.isnan(row.better_share)
    assert math.isnan(row.gain)


def test_rounding_is_no_gain():
    # Sums of the same numbers in another order differ in the last digit.
    run = make_run("one two. three five. six", "seven one. two five. nine")
    row = attack(run, "js", ["shuffle"]).rows[0]
    assert (row.works, row.better_share) == (False, 0.5)


@dataclass(frozen=True)
class Digits(Metric):
    """How many digits a summary has; no score where it has none."""

    name = "digits"
    needs = frozenset()
    columns = (Column("count", "how many digits"),)

    def score(self, examples):
        counts = [sum(map(str.isdigit, example.summary)) for example in examples]
        return np.array([[count or np.nan] for count in counts], dtype=float)


def test_undefined_scores_are_counted_and_said():
    run = make_run("one. two. three. 5", "one. two. 6", "one. 7", "none")
    effects = attack(run, Digits(), ["empty", "repeat"])
    empty = effects["empty", "digits.count"]
    assert (empty.summaries, empty.undefined, empty.unscored, empty.works) == (0, 3, 1, None)
    assert math.isnan(empty.attacked)
    assert any("empty: 3 of 3 attacked summaries have no digits.count (NaN)" in note for note in effects.notes)
    assert effects["repeat", "digits.count"].summaries == 3


def test_a_score_of_whole_systems_is_attacked_too():
    row = attack(make_run("one two", "three four"), "bleu", ["other"])["other", "bleu.corpus"]
    assert row.attacked == pytest.approx(row.clean)  # the two summaries are exchanged, the references are the same
    assert math.isnan(row.better_share)
    assert row.beats is not None


def test_all_attacks_that_the_run_has_what_it_takes_for_are_tried():
    effects = attack(make_run("one. two", document=None))
    assert {row.attack for row in effects.rows} == {"repeat", "empty", "word", "shuffle", "html", "prompt"}
    assert any(
        note.startswith("pad, stuff, copy, keywords: left out, as the run has no documents") for note in effects.notes
    )
    assert any(note.startswith("other: left out, as the run has one document only") for note in effects.notes)
    assert all(math.isnan(row.low) and row.works is None for row in effects.rows)  # one document: no interval


@pytest.mark.parametrize(
    ("run", "options", "kind", "words"),
    [
        (make_run("one"), {"attacks": ["pda"]}, ArgumentError, "unknown attack 'pda'; did you mean pad?"),
        (make_run("one"), {"attacks": []}, ArgumentError, "`attacks` names none"),
        (
            make_run("one", document=None),
            {"attacks": ["pad"]},
            DataError,
            "pad cannot be tried: the run has no documents",
        ),
        (make_run("one"), {"attacks": ["other"]}, DataError, "other cannot be tried: the run has one document only"),
        (make_run("one"), {"systems": ["b"]}, DataError, "there is no system 'b'"),
        (make_run("one"), {"sample": 0}, ArgumentError, "`sample` is a number of documents, 1 or more, not 0"),
        ([], {}, DataError, "there are no summaries in the run"),
    ],
)
def test_bad_input_is_one_sentence(run, options, kind, words):
    with pytest.raises(kind, match=r"^[^\n]*$") as error:
        attack(run, **options)
    assert words in str(error.value)


def test_a_sample_and_some_systems():
    run = make_run(*"abcdefgh", systems=("x", "y"))
    effects = attack(run, attacks=["repeat"], sample=3, systems=["y"])
    assert (effects.rows[0].summaries, effects.rows[0].documents) == (3, 3)
    drawn = attack_run(run, ["repeat"], sample=3, seed=0).clean
    assert drawn == attack_run(run, ["repeat"], sample=3, seed=0).clean
    assert {example.doc_id for example in drawn} != {
        example.doc_id for example in attack_run(run, ["repeat"], sample=3, seed=1).clean
    }


def test_what_people_said_of_a_summary_does_not_hold_for_the_attacked_one():
    unit = Unit("It rained.", present=True)
    example = Example(doc_id="1", system="a", summary="one", references=("one",), units=(unit,))
    (changed,) = attack_run([example], ["empty"]).changed
    assert changed.units[0].present is None


def test_equal_texts_are_scored_once():
    run = make_run("one", "two", systems=("x", "y", "z"))
    attacked = attack_run(run, ["empty", "copy"])
    assert len(attacked.changed) == 4  # two documents, two texts: the same for all systems
    assert len(attacked.pairs["copy"]) == 6


def test_written_and_read_again(tmp_path):
    effects = attack(make_run("one. two", "three"))
    gm.probe.write_attacks(effects, tmp_path / "attacks.jsonl")
    again = gm.probe.read_attacks(tmp_path / "attacks.jsonl")
    assert again.to_dict() == effects.to_dict()
    lines = (tmp_path / "attacks.jsonl").read_text().splitlines()
    for text, words in [
        ("", "is no file of attacks"),
        ('{"gistmeter_attacks": 2}', "is no file of attacks"),
        ('{"gistmeter_attacks": 1, "resamples": "x"}', "line 1 of"),
        (lines[0] + '\n{"attack": 3}', "line 2 of"),
    ]:
        (tmp_path / "broken.jsonl").write_text(text)
        with pytest.raises(DataError, match=words):
            gm.probe.read_attacks(tmp_path / "broken.jsonl")
    with pytest.raises(DataError, match=r"name it \.jsonl"):
        gm.probe.write_attacks(effects, tmp_path / "attacks.csv")


def invoke(*arguments):
    result = CliRunner().invoke(app, ["probe", "attack", *map(str, arguments)])
    return result.stdout if result.exit_code == 0 else result.exception


@pytest.mark.more
def test_the_command_shows_what_the_call_gives(tmp_path):
    run, effects = demo_run(), gm.probe.attack(demo_run(), "js", attacks=["copy", "empty"], resamples=50)
    options = (run, "-m", "js", "-a", "copy,empty", "--resamples", 50)
    assert json.loads(invoke(*options, "--json")) == effects.to_dict()
    shown = invoke(*options, "-o", tmp_path / "attacks.jsonl")
    assert "js.divergence ↓" in shown
    assert "What works: copy, the whole document in the place of the summary." in " ".join(shown.split())
    assert gm.probe.read_attacks(tmp_path / "attacks.jsonl").to_dict() == effects.to_dict()
    assert invoke(*options, "--markdown").startswith("| score | attack | clean |")
    assert "\\toprule" in invoke(*options, "--latex")


@pytest.mark.more
def test_precision_and_recall_are_shown_when_asked_for():
    options = (demo_run(), "-m", "rouge1", "-a", "copy", "--resamples", 50)
    assert "rouge1.recall" not in invoke(*options)
    assert "rouge1.recall" in invoke(*options, "--all")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "say which metric to attack"),
        (("-m", "jss"), "unknown metric 'jss'"),
        (("-m", "js", "-a", "copy", "-o", "x.csv"), "name it .jsonl"),
        (("-m", "js", "--json", "--latex"), "choose one of"),
    ],
)
def test_the_command_refuses_with_a_sentence(arguments, words):
    assert words in str(invoke(demo_run(), *arguments))
