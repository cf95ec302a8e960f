"""What entailment learns from: which pairs are read and held out, folds, and labels of units."""

import json

import numpy as np
import pytest

from gistmeter.errors import DataError
from gistmeter.training.entailment.nli_pairs import NliPair, add_neighbours, nli_sets, read_nli_pairs
from gistmeter.training.entailment.presence_labels import fold_labels, read_presence_labels
from gistmeter.training.licences import set_table
from gistmeter.training.sources.evaluated import collect_runs
from gistmeter.training.sources.named_sets import count_by_set
from invented_entailment import invent_labels, nli_record, write_records

pytestmark = pytest.mark.more


def test_what_may_not_be_learned_from_is_left_out(tmp_path):
    judged = write_records(
        tmp_path / "run.jsonl", [{"summary": "Officials said the old bridge over the river would be closed until May."}]
    )
    file = write_records(
        tmp_path / "nli.jsonl",
        [
            nli_record("It rained.", "It was wet.", "entailment"),
            nli_record("it  rained.", "It was wet.", "neutral"),
            nli_record("A man sleeps.", "A man rests.", source="sick"),
            nli_record("A man eats.", "A man rests.", source="anli_r1", nc=True),
            nli_record("A man runs.", "A man rests.", nc=True),
            nli_record("A dog runs.", "A dog rests.", source="snli_counterfactual", premise_in_snli_devtest=True),
            nli_record("A dog barks.", "A dog is loud.", source="snli", split="dev"),
            nli_record("A cat barks.", "A cat is odd.", source="mnli_matched", split="sample"),
            nli_record("Well, officials said the old bridge over the river would be closed until May!", "It closes."),
            nli_record("Ann left.", "Ann went.", "not_entailment", source="rte"),
            nli_record("Bob left.", "Bob went.", "entailment", source="rte"),
        ],
    )
    nli_pairs = read_nli_pairs([file], refused=collect_runs([judged]), held_out=0.0, limits={"rte": 1})
    assert [(pair.premise, pair.label) for pair in nli_pairs.train if pair.source == "mnli"] == [("It rained.", 0)]
    assert count_by_set(nli_pairs.train) == {"mnli": 1, "rte": 1}
    assert [pair.source for pair in nli_pairs.tests] == ["snli dev", "mnli_matched sample"]
    assert nli_pairs.left_out == {
        "seen before": 1,
        "non-commercial licence": 3,
        "premise in SNLI's development or test part": 1,
        "evaluation text": 1,
        "more than asked for": 1,
    }


@pytest.mark.parametrize(
    ("broken", "message"),
    [
        (nli_record("a", "b", "maybe"), "has the label 'maybe'"),
        (nli_record("a", "b", source="mine"), "whose licence"),
        (nli_record("a", " "), "lacks a premise"),
    ],
)
def test_broken_pairs_are_named_with_their_line(tmp_path, broken, message):
    with pytest.raises(DataError, match=f"line 1 of nli.jsonl.*{message}"):
        read_nli_pairs([write_records(tmp_path / "nli.jsonl", [broken])])


def test_pairs_of_ones_own_are_learned_from_where_they_state_a_licence(tmp_path):
    """And the card says that it is theirs: no table knows the set."""
    file = write_records(tmp_path / "nli.jsonl", [nli_record("a", "b", source="mine", licence="own")])
    nli_pairs = read_nli_pairs([file], held_out=0.0)
    assert count_by_set(nli_pairs.train) == {"mine": 1}
    assert "| mine | 1 | as its records state | not given |" in set_table({"mine": 1}, nli_sets(), unit="pairs")


def test_pairs_of_nothing_and_sets_that_are_not_there_are_refused(tmp_path):
    file = write_records(tmp_path / "nli.jsonl", [nli_record("a", "b", source="sick")])
    with pytest.raises(DataError, match="no pair to learn from"):
        read_nli_pairs([file])
    with pytest.raises(DataError, match="no pairs of the set 'mnly'"):
        read_nli_pairs([write_records(tmp_path / "m.jsonl", [nli_record("a", "b")])], limits={"mnly": 3})


def test_every_set_has_a_licence_and_the_forbidden_ones_are_marked():
    for name, facts in nli_sets().items():
        assert facts["licence"], name
        assert facts["citation"], name
        assert bool(facts.get("nc")) == ("-NC" in facts["licence"]), name


def test_premises_are_held_out_whole(tmp_path):
    pairs = [nli_record(f"Premise {n}.", f"Hypothesis {n} {m}.") for n in range(200) for m in range(3)]
    nli_pairs = read_nli_pairs([write_records(tmp_path / "nli.jsonl", pairs)], held_out=0.2)
    train, out = ({pair.premise for pair in part} for part in (nli_pairs.train, nli_pairs.held_out))
    assert not train & out
    assert 20 <= len(out) <= 60


def test_a_neighbour_is_another_premise_of_the_same_set():
    pairs = [NliPair(f"{source} {n}.", "h", 1, source) for source in ("mnli", "snli") for n in range(50)]
    nli_pairs = add_neighbours(pairs, 0.5, seed=1)
    longer = [(old, new) for old, new in zip(pairs, nli_pairs, strict=True) if old != new]
    assert 30 < len(longer) < 70
    for old, new in longer:
        assert old.premise in new.premise
        assert new.premise.count(old.source) == 2
        assert (new.hypothesis, new.label) == (old.hypothesis, old.label)
    assert nli_pairs == add_neighbours(pairs, 0.5, seed=1)


def test_folds_are_those_released_or_drawn_and_share_nothing(tmp_path):
    rows = invent_labels()
    for by, field in (("documents", "doc_id"), ("systems", "system")):
        parts = fold_labels(rows, by, count=3, seed=1)
        assert sorted(np.concatenate(parts).tolist()) == list(range(len(rows)))
        keys = [{getattr(rows[i], field) for i in part} for part in parts]
        assert sum(map(len, keys)) == len(set().union(*keys))
    file = tmp_path / "folds.json"
    file.write_text(json.dumps({"by_examples": [["d0", "d1"], ["d2", "d3", "d4"]]}))
    with pytest.raises(DataError, match="d5 is in none of the folds"):
        fold_labels(rows, "documents", file=str(file))
    with pytest.raises(DataError, match="no folds by_systems"):
        fold_labels(rows, "systems", file=str(file))
    with pytest.raises(DataError, match="9 folds need as many"):
        fold_labels(rows, "documents", count=9)


def test_labels_are_joined_to_units(tmp_path):
    documents = write_records(tmp_path / "documents.jsonl", [{"doc_id": "d", "scus": ["One.", "Two.", "Three."]}])
    item = {"doc_id": "d", "system_id": "s", "summary": "One. Three."}
    run = write_records(tmp_path / "run.jsonl", [item | {"scu_labels": [1, 0, None]}])
    assert [(row.unit, row.text, row.present, row.summary) for row in read_presence_labels(run, documents)] == [
        (0, "One.", True, "One. Three."),
        (1, "Two.", False, "One. Three."),
    ]
    with pytest.raises(DataError, match="has no units with labels"):
        read_presence_labels(write_records(tmp_path / "run.jsonl", [item]), documents)
    with pytest.raises(DataError, match="labels for 1 units, but 3 units"):
        read_presence_labels(write_records(tmp_path / "run.jsonl", [item | {"scu_labels": [1]}]), documents)
