"""What ROUGE shows as matched, counted by hand and against the loops that score."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmeter import Example
from gistmeter.api import explain
from gistmeter.metrics.overlap import rouge
from gistmeter.metrics.overlap.rouge.evidence import _find_subsequence
from gistmeter.metrics.overlap.rouge.subsequences import _mark_subsequence

HEADER = ("matched", "in summary", "in reference")
TEXTS = Example(
    doc_id="1", system="a", summary="the cat and the dog ran", references=("dogs bark", "the dog and the the cat")
)


def show(metric, example=TEXTS):
    evidence = explain(example, metric)[metric]
    return evidence, [(row[0], *map(int, row[1:])) for row in evidence.table.rows] if evidence.table else None


def test_words_are_counted_in_both_texts():
    evidence, rows = show("rouge1(stem=none,references=max)")
    # `the` stands twice in the summary and three times in the reference: two match.
    assert rows == [("the", 2, 2, 3), ("dog", 1, 1, 1), ("and", 1, 1, 1), ("cat", 1, 1, 1)]
    assert evidence.table.header == ("1-gram", *HEADER)
    assert evidence.headline == "5 matched 1-grams; 6 words in the summary, 6 in the reference 2 of 2, the best match"
    assert [pane.title for pane in evidence.panes] == ["summary", "reference 2 of 2, the best match"]


def test_pairs_are_counted_within_the_gap():
    example = Example(doc_id="1", system="a", summary="a b c d", references=("a c b d a",))
    # With at most one word between: the summary has ab ac bc bd cd, the reference ac ab cb cd bd ba da.
    evidence, rows = show("rougeS1(stem=none)", example)
    assert sorted(rows) == [("a … b", 1, 1, 1), ("a … c", 1, 1, 1), ("b … d", 1, 1, 1), ("c … d", 1, 1, 1)]
    assert evidence.table.header == ("pair", *HEADER)
    assert evidence.headline.startswith("4 matched pairs of words; 4 words in the summary, 5 in the reference")
    # Neighbours alone: ab bc cd, and ac cb bd da.
    assert show("rougeS0(stem=none)", example)[1] == []
    # However far apart: ad too, once in the summary and once in the reference.
    assert ("a … d", 1, 1, 1) in show("rougeS(stem=none)", example)[1]
    # With single words, those before the last: abc of the summary, acbd of the reference.
    single = [row for row in show("rougeSU1(stem=none)", example)[1] if "…" not in row[0]]
    assert sorted(single) == [("a", 1, 1, 1), ("b", 1, 1, 1), ("c", 1, 1, 1)]


def test_a_repeated_pair_matches_as_often_as_both_have_it():
    example = Example(doc_id="1", system="a", summary="a b a b a b", references=("a b a b",))
    _, rows = show("rougeS0(stem=none)", example)
    assert rows == [("a … b", 2, 3, 2), ("b … a", 1, 2, 1)]


def test_a_single_reference_has_no_number():
    example = Example(doc_id="1", system="a", summary="a b", references=("a c",))
    assert [pane.title for pane in show("rougeL(stem=none)", example)[0].panes] == ["summary", "reference"]


WORDS = st.lists(st.integers(0, 3), max_size=9)


@pytest.mark.parametrize("power", [1.0, 1.2, 2.0])
@given(summary=WORDS, reference=WORDS)
def test_shown_subsequences_are_those_that_are_scored(power, summary, reference):
    matches = _find_subsequence([str(word) for word in summary], [str(word) for word in reference], power)
    assert matches == sorted(set(matches))
    assert all(summary[left] == reference[right] for left, right in matches)
    m, n = len(reference), len(summary)
    marked = np.zeros(m, np.bool_)
    if m and n:
        weights = np.arange(m + n + 1, dtype=np.float64) ** power
        room = (np.empty(n + 1), np.empty(n + 1, np.int64), np.empty(m * n, np.bool_))
        _mark_subsequence(np.array(summary, np.int32), np.array(reference, np.int32), weights, *room, marked)
    assert [right for _, right in matches] == np.flatnonzero(marked).tolist()


def test_every_name_of_the_package_is_there():
    assert all(issubclass(getattr(rouge, name), object) for name in rouge.__all__)
    assert len(rouge.__all__) == 6
