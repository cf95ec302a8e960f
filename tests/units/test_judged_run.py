"""Units judged over a run, written, and compared with people."""

import json

import numpy as np
import pytest

from gistmeter.errors import DataError
from gistmeter.example import Example, Unit
from gistmeter.units.judge import UnitJudge
from gistmeter.units.judged_run import judge_run


class WordJudge(UnitJudge):
    """States a unit by the share of its words that the summary has."""

    __slots__ = ()

    def judge_pairs(self, pairs, references=None):
        return np.array(
            [np.mean([word in summary.split() for word in unit.split()]) for summary, unit in pairs], dtype=float
        )


def summaries():
    units = (Unit("Ann won", present=True), Unit("Bob lost money", present=True), Unit("snow fell"))
    return [
        Example(doc_id="d", system="a", summary="Ann won gold", units=units),
        Example(doc_id="d", system="b", summary="Bob lost", units=units[1:]),
    ]


def test_a_run_is_judged_written_and_compared(tmp_path):
    output, steps = tmp_path / "judged.jsonl", []
    judged = judge_run(iter(summaries()), WordJudge(), output=output, progress=lambda *step: steps.append(step))
    assert judged.judgments == 5
    assert [list(example.presence) for example in judged.examples] == [[1, 0, 0], [pytest.approx(2 / 3), 0]]
    # People labelled three: Ann (judged 1), Bob for a (judged 0), Bob for b (judged 2/3): two of three agree.
    assert judged.agreement.labels == 3
    assert judged.agreement.share == pytest.approx(2 / 3)
    assert steps == [(2, 2)]
    records = [json.loads(line) for line in output.read_text().splitlines()]
    assert [[unit["present"] for unit in record["units"]] for record in records] == [
        [True, False, False],
        [True, False],
    ]


def test_each_unit_is_judged_by_itself_whatever_the_reference():
    units = (Unit("Ann Lee won gold."), Unit("Bob lost his money."))
    alone = UnitJudge().judge_pairs([("Ann Lee won.", unit.text) for unit in units])
    for reference in ("Ann Lee won gold, and Bob lost his money.", "Stocks fell."):
        example = Example(doc_id="d", system="a", summary="Ann Lee won.", references=reference, units=units)
        (judged,) = judge_run([example], UnitJudge()).examples
        assert judged.presence == pytest.approx(alone, abs=1e-5)


def test_without_labels_there_is_no_agreement_and_without_units_nothing_to_judge():
    unlabelled = Example(doc_id="d", system="a", summary="Ann won", units=(Unit("Ann won"),))
    assert judge_run([unlabelled], WordJudge()).agreement is None
    with pytest.raises(DataError, match="a/d has no content units"):
        judge_run([Example(doc_id="d", system="a", summary="Ann won")], WordJudge())
