"""autosummeng, memog, npower: hand computations, a plain version, evidence, and the scores that were released."""

import gzip
import json
import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmeter.errors import MetricError
from gistmeter.example import Example
from gistmeter.metrics import parse_metric

letters = st.text("ab c", max_size=12)
NAMES = ("autosummeng", "memog", "npower")


def example(summary, *references, language="en"):
    return Example(doc_id="1", system="s", summary=summary, references=references, language=language)


def score(metric, *texts):
    return parse_metric(metric).score([example(*texts)])[0]


def plain_graph(text, order=3, window=3):
    """Directed edges, both ways, one at a time."""
    grams = [text[start : start + order] for start in range(len(text) - order + 1)]
    edges = Counter()
    for index, gram in enumerate(grams):
        for other in grams[max(0, index - window) : index]:
            edges[gram, other] += 1
            edges[other, gram] += 1
    return edges


def plain_value(left, right):
    shared = left.keys() & right.keys()
    return sum(min(left[e], right[e]) / max(left[e], right[e]) for e in shared) / max(len(left), len(right))


def plain_merge(graphs):
    merged = dict(graphs[0])
    for number, graph in enumerate(graphs[1:], 2):
        for edge, weight in graph.items():
            merged[edge] = merged[edge] + (weight - merged[edge]) / number if edge in merged else weight
    return merged


def test_one_reference_by_hand():
    # abcde: abc-bcd, abc-cde, bcd-cde; abcdxy: abc-bcd, abc-cdx, abc-dxy, bcd-cdx, bcd-dxy, cdx-dxy.
    # One of 3 and 6 edges is shared, with weight 1 in both.
    assert score("autosummeng", "abcde", "abcdxy") == pytest.approx([1 / 6, 1 / 3, 3 / 6])


def test_weights_by_hand():
    # aab with n=1, window=1: a-a once (a loop: weight 2, one edge), a-b once (weight 1, two edges).
    # aaab: a-a twice (weight 4), a-b once. Value: (1 * 2/4 + 2 * 1) / 3.
    metric = "autosummeng(min_n=1,max_n=1,window=1{})"
    assert score(metric.format(""), "aab", "aaab") == pytest.approx([2.5 / 3, 1, 1])
    assert score(metric.format(",weights=binary"), "aab", "aaab") == pytest.approx([1, 1, 1])
    # window=2, by distance: exp(-2/4) for neighbours and exp(-2) for the next but one.
    # abc: a-b, b-c near, a-c far. acb: a-c, c-b near, a-b far. b-c is alike, the others near in one, far in the other.
    near, far = math.exp(-0.5), math.exp(-2)
    gauss = score("autosummeng(min_n=1,max_n=1,window=2,weights=gauss)", "abc", "acb")
    assert gauss == pytest.approx([(1 + 2 * far / near) / 3, 1, 1])


def test_orders_count_by_their_length():
    # abx and aby: of single letters a-b is shared, of 3 edges each; of pairs ab-bx and ab-by nothing.
    assert score("autosummeng(min_n=1,max_n=2)", "abx", "aby")[0] == pytest.approx((1 * 1 / 3 + 2 * 0) / 3)


def test_words_as_symbols():
    # the-cat, the-sat, cat-sat against the-dog, the-sat, dog-sat: 1 of 3.
    words = "autosummeng(symbols=words,min_n=1,max_n=1)"
    assert score(words, "The cat sat.", "the dog SAT")[0] == pytest.approx(1 / 3)


def test_case_counts_unless_told():
    assert score("autosummeng", "ABCDE", "abcde")[0] == 0
    assert score("autosummeng(lowercase=yes)", "ABCDE", "abcde")[0] == 1


def test_several_references_by_hand():
    # Letters, neighbours only. ab: edge a-b (1). abab: a-b (3). bc: b-c (1).
    # AutoSummENG of ab: mean of 1/3 and 0. Merged: a-b 3, b-c 1, so (2 * 1/3) / 4.
    settings = "min_n=1,max_n=1,window=1"
    assert score(f"autosummeng({settings})", "ab", "abab", "bc")[0] == pytest.approx(1 / 6)
    assert score(f"memog({settings})", "ab", "abab", "bc") == pytest.approx([1 / 6, 1, 1 / 2])
    # Merged with ab a second time: a-b 3 + (1 - 3) / 2 = 2, then alone.
    assert score(f"memog({settings})", "ab", "abab", "ab")[0] == pytest.approx(1 / 2)
    npower = score(f"npower({settings})", "ab", "abab", "ab")
    each = (1 / 3 + 1) / 2
    assert npower == pytest.approx([0.52905 * each + 0.30053 / 2 + 0.05866, each, 1 / 2])
    assert score(f"npower({settings},each=2,merged=0,constant=1)", "ab", "abab", "ab")[0] == pytest.approx(2 * each + 1)


@given(letters, letters.filter(lambda text: len(text) > 3), letters.filter(lambda text: len(text) > 3))
def test_the_plain_version_agrees(summary, first, second):
    graphs = [plain_graph(text) for text in (summary, first, second)]
    expected = [plain_value(graphs[0], other) for other in (graphs[1], graphs[2], plain_merge(graphs[1:]))]
    npower = score("npower", summary, first, second)
    assert npower[1:] == pytest.approx([(expected[0] + expected[1]) / 2, expected[2]])


@pytest.mark.parametrize("name", NAMES)
def test_a_score_does_not_depend_on_the_batch(name):
    texts = ["It rained in Porto.", "", "雨が降った。昨日も降った。", "It snowed."]
    examples = [example(text, "It rained.", "It rained in the old town of Porto.") for text in texts]
    metric = parse_metric(name)
    together = metric.score(examples)
    np.testing.assert_array_equal(together, np.concatenate([metric.score([each]) for each in examples]))
    np.testing.assert_array_equal(together[::-1], metric.score(examples[::-1]))


def test_nothing_to_compare():
    assert score("autosummeng", "", "It rained.").tolist() == [0, 0, 0]
    assert score("npower", "abc", "It rained.")[0] == 0.05866  # a single n-gram has no edge
    for name in NAMES:
        assert np.isnan(score(name, "It rained.", "", "abc")).all()
    assert score("memog", "It rained.", "", "It rained.").tolist() == [1, 1, 1]


def test_any_language():
    assert score("autosummeng", "市议会批准了预算案", "市议会批准了新预算案")[0] > 0.3
    assert score("autosummeng", "Рада схвалила бюджет", "Рада схвалила новий бюджет")[0] > 0.3


def test_wrong_settings_are_one_sentence():
    with pytest.raises(MetricError, match="autosummeng cannot have min_n=4 and max_n=3: min_n is the smaller"):
        parse_metric("autosummeng(min_n=4)")
    with pytest.raises(MetricError, match="window=0"):
        parse_metric("memog(window=0)")


def test_evidence_marks_shared_stretches():
    evidence = parse_metric("autosummeng").explain(example("xx rain yy", "It snows.", "zz rain qq"))
    assert evidence.headline.startswith("value similarity 0.1")
    summary, reference = evidence.panes
    assert [summary.text[mark.start : mark.end] for mark in summary.marks] == [" rain "]
    assert (reference.title, reference.text) == ("reference 2 of 2", "zz rain qq")
    assert [row[0] for row in evidence.table.rows] == ["reference 1", "reference 2", "merged"]
    assert parse_metric("npower").explain(example("It rained.", "It rained.")).table.rows[2] == (
        "constant", "-", "-", "0.0587",
    )  # fmt: skip
    assert len(parse_metric("memog").explain(example("It rained.", "It rained.", "It snowed.")).panes) == 3
    assert parse_metric("memog").explain(example("It rained.", "")) is None


@pytest.mark.data
def test_released_scores(data):
    """Deutsch et al. (2021) released AutoSummENG and NPowER of SummEval's 1,600 summaries, with its first reference.

    Measured: r .9994 over all; the texts of four systems differ in case here. 300 summaries are compared.
    """
    with gzip.open(data / "matrices" / "summeval.json.gz", "rt", encoding="utf-8") as file:
        released = json.load(file)
    with gzip.open(data / "summeval" / "summeval.jsonl.gz", "rt", encoding="utf-8") as lines:
        records = [json.loads(line) for line, _ in zip(lines, range(300), strict=False)]
    metric = parse_metric("npower")
    ours = metric.score([example(record["summary"]["text"], record["references"][0]) for record in records])
    for column, name in ((0, "NPowER"), (1, "AutoSummENG")):
        released_scores = [
            released["scores"][name][released["systems"].index(record["system_id"])][
                released["documents"].index(record["doc_id"])
            ]
            for record in records
        ]
        assert np.corrcoef(ours[:, column], released_scores)[0, 1] > 0.998
        assert np.abs(ours[:, column] - released_scores).mean() < 0.003
