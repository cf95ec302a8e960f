"""Raters of known quality on FFCI's items: quality control keeps the good ones, and z-scores find the planted truth."""

import random
import sys
from collections import Counter, defaultdict

import numpy as np
import pytest

from gistmeter.annotate import collect_judgments
from gistmeter.annotate.grading import hand_in
from gistmeter.io.records import read_records
from gistmeter.io.runs import open_run
from study_raters import Clock, make_study

KINDS = ("good", "noisy", "clicking", "always 50", "bot")


class SimulatedRater:
    """Somebody with a bias and a scale of their own, who reads well, badly or not at all."""

    def __init__(self, kind, seed):
        self.kind = kind
        self.rng = random.Random(seed)
        self.bias, self.scale = self.rng.gauss(0, 15), self.rng.uniform(0.5, 1.0)
        self.seconds = 1.0 if kind == "bot" else 20.0

    def answer(self, item, truth):
        """A number from 0 to 100. A control is seen for what it is by those who read."""
        if self.kind == "clicking":
            return self.rng.randint(0, 100)
        if self.kind == "always 50":
            return 50
        noise = 35 if self.kind == "noisy" else 8
        if item.is_control:  # the ends of the scale are clear, but for slips
            value = (100 if item.control == "same" else 0) + self.rng.gauss(0, noise / 2)
        else:
            planted = truth[item.doc_id, item.system, item.aspect]
            value = 50 + self.scale * (planted - 50) + self.bias + self.rng.gauss(0, noise)
        return int(min(100, max(0, round(value))))


@pytest.mark.data
@pytest.mark.more
def test_the_good_are_kept_and_the_truth_is_found(data, tmp_path):
    path = data / "ffci/focus_coverage.jsonl.gz"
    records = [record for record in read_records(str(path)) if record["subset"] == "cnndm"]
    documents = {record["doc_id"] for record in records}
    run = [example for example in open_run([str(path)]).examples() if example.doc_id in documents]
    truth = {}
    for record in records:
        for aspect in ("focus", "coverage"):
            value = 50 + 20 * record["human"][aspect]
            truth[str(record["doc_id"]), record["system_id"], aspect] = min(100.0, max(0.0, value))
    clock = Clock()
    store = make_study(tmp_path, run=run[:180], raters=3, per_assignment=100, clock=clock)
    store.database.connection.execute("PRAGMA synchronous = OFF")  # nobody pulls the plug of this test
    rng = random.Random(0)
    outcomes = defaultdict(Counter)
    while any(state.state == "open" for state in store.list_work()):
        kind = rng.choice(KINDS)
        person = SimulatedRater(kind, rng.random())
        [rater] = store.invite(1)
        work = store.claim_work(rater.id)
        for item in store.study.list_items(work.batch, work.attempt):
            clock.now += person.seconds
            answer = {"value": person.answer(item, truth)}
            store.save_answer(work.id, item.id, answer, seconds=person.seconds, form=f"{work.id} {item.id}")
        outcomes[kind]["kept" if hand_in(store, work).passed else "dropped"] += 1
    used_shares = {kind: outcomes[kind]["kept"] / max(1, sum(outcomes[kind].values())) for kind in KINDS}
    raw, standard = (
        correlate_with_truth(collect_judgments(store, z_scores=z_scores).judgments, truth) for z_scores in (False, True)
    )
    shares = ", ".join(f"{kind} {share:.0%} of {sum(outcomes[kind].values())}" for kind, share in used_shares.items())
    sys.stdout.write(f"kept: {shares}; r with the truth: raw {raw:.3f}, z-scores {standard:.3f}\n")
    assert used_shares["good"] >= 0.9
    assert used_shares["clicking"] == used_shares["always 50"] == used_shares["bot"] == 0
    assert used_shares["noisy"] < used_shares["good"]  # they read, but badly: some pass
    assert standard > raw
    store.close()


def correlate_with_truth(judgments, truth):
    """The correlation of the means over raters with the planted values."""
    pairs = [
        (value, truth[doc_id, system, aspect])
        for aspect in judgments.aspects
        for doc_id, system, value in judgments.means(aspect).select("doc_id", "system", "value").iter_rows()
    ]
    return float(np.corrcoef(np.array(pairs).T)[0, 1])
