"""Changed pairs: originals beside changed ones, the same for a seed, never from sets that may not be learned from."""

import json

import numpy as np
import pytest

from gistmeter.errors import DataError
from gistmeter.linguistics.contrasts.conflicts import CONFLICT_KINDS
from gistmeter.training.presence.changed_pairs import judge_changed_pairs, make_changed_pairs

pytestmark = pytest.mark.more

RECORDS = [
    ("mnli", "entailment", "The mayor paid 40 euros to the bank of Osk.", "The mayor paid 40 euros in Osk."),
    (
        "mnli",
        "entailment",
        "On Friday the union accepted the offer at last.",
        "The union accepted the offer on Friday.",
    ),
    ("mnli", "contradiction", "On Friday the union met in the hall.", "The union did not meet on Friday at all."),
    ("mnli", "neutral", "On Friday the union met in the hall.", "The union accepted 12 offers on Friday."),
    ("mnli", "entailment", "Will the mayor pay 12 euros to the bank?", "Is it 12 euros that the mayor pays?"),
    ("sick", "entailment", "The dog bit the postman on 3 May today.", "The dog bit the postman on 3 May."),
]


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "nli.jsonl"
    rows = [
        {"source": source, "label": label, "premise": premise, "hypothesis": hypothesis}
        for source, label, premise, hypothesis in RECORDS
    ]
    path.write_text("\n".join(map(json.dumps, rows)))
    return str(path)


def test_each_changed_pair_stands_beside_its_original(file):
    pairs = make_changed_pairs([file], seed=3)
    originals = {pair.hypothesis for pair in pairs if pair.is_present}
    assert originals <= {RECORDS[0][3], RECORDS[1][3]}  # no questions, no neutral pairs, no non-commercial set
    for pair in pairs:
        assert pair.is_present == (pair.hypothesis in originals)
    kinds = {pair.kind for pair in pairs}
    assert {"number", "quantity", "date", "direction", "contradiction"} <= kinds
    assert [pair.hypothesis for pair in pairs if pair.kind == "contradiction"] == [RECORDS[2][3]]
    assert make_changed_pairs([file], seed=3) == pairs


def test_at_most_so_many_of_a_kind(file):
    pairs = make_changed_pairs([file], most=1)
    assert max(sum(pair.kind == kind for pair in pairs) for kind in {pair.kind for pair in pairs}) == 2


def test_nothing_to_change_is_refused(tmp_path):
    path = tmp_path / "nli.jsonl"
    path.write_text(
        json.dumps({"source": "mnli", "label": "neutral", "premise": "It rained.", "hypothesis": "It did."})
    )
    with pytest.raises(DataError, match="no entailed pair to change"):
        make_changed_pairs([str(path)])


def test_kinds_count_alike_and_both_judges_are_heard(file):
    pairs = make_changed_pairs([file])
    changes = judge_changed_pairs(pairs, lambda texts: np.full(len(texts), 0.9), lambda texts: np.full(len(texts), 0.1))
    assert changes.logits == pytest.approx(0, abs=1e-9)  # a logit of .9 and one of .1 are as far from 0
    kinds = {pair.kind for pair in pairs}
    for kind in kinds:
        share = sum(changes.shares[number] for number, pair in enumerate(pairs) if pair.kind == kind)
        assert share == pytest.approx(1 / len(kinds))
    assert changes.conflicts.shape == (len(pairs), len(CONFLICT_KINDS))
    assert changes.conflicts[[pair.kind == "number" and not pair.is_present for pair in pairs]].any(axis=1).all()
