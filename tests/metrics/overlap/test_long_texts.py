"""Long texts: blockwise and row by row equal the plain versions, in memory that grows with the words alone."""

import itertools
import subprocess
import sys
import tracemalloc
from math import comb
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rouge_oracle as oracle
from gistmeter.api import explain
from gistmeter.errors import DataError
from gistmeter.example import Example
from gistmeter.metrics import parse_metric
from gistmeter.metrics.overlap import meteor, openings
from gistmeter.metrics.overlap.alignment import align_equal, align_related
from gistmeter.metrics.overlap.rouge import family, variants

PLAIN = "stem=none,tokenizer=rouge155"
LONG = 60_000
sentences = st.lists(st.lists(st.sampled_from("abcde"), min_size=1, max_size=9), min_size=1, max_size=3)
letters = st.lists(st.sampled_from("abcd"), max_size=14)


def make_example(summary, reference, doc_id="1"):
    return Example(doc_id=doc_id, system="s", summary=summary, references=(reference,))


def numbered(count, first=0):
    """So many different words."""
    return " ".join(f"w{number}" for number in range(first, first + count))


@given(sentences, sentences, st.sampled_from([1.0, 1.2, 2.0]), st.integers(1, 40))
def test_sentences_in_blocks_equal_the_oracle(summary, reference, weight, block_cells):
    texts = ["\n".join(" ".join(sentence) for sentence in text) for text in (summary, reference)]
    matches = oracle.count_union_matches(summary, reference, weight, by_run=True)
    in_summary = sum(len(sentence) ** weight for sentence in summary)
    metric = parse_metric(f"rougeW({PLAIN},sentences=newline,base=paper,weight={weight})")
    with mock.patch.object(variants, "BLOCK_CELLS", block_cells):
        precision = metric.score([make_example(*texts)])[0, 0]
    assert precision == pytest.approx((matches / in_summary) ** (1 / weight))


def test_runs_decide_which_words_match():
    # Against "b d b a b", with runs of k words worth k squared: "b d" side by side in both texts is worth 4, the three
    # b of the reference only 3, for they stand apart in the summary. So 4 of 5 squared and of 4 squared, and the roots.
    metric = parse_metric(f"rougeW({PLAIN},weight=2,base=paper,sentences=newline)")
    assert metric.score([make_example("b d b a b", "b b b d")])[0, :2] == pytest.approx([2 / 5, 2 / 4])


@pytest.mark.parametrize("metric", ["rougeLsum", "rougeW", "rougeL", "rougeS"])
def test_long_texts_on_opposite_sides_of_a_batch(metric):
    # A table for the longest summary and the longest reference, which nobody compares, would take 60,000 x 60,000
    # cells. Each pair shares its first word (rougeS: its first two, a pair of 1).
    examples = [make_example(numbered(LONG), "w0 w1", "1"), make_example("w0 w1", numbered(LONG), "2")]
    scores = parse_metric(
        f"{metric}({PLAIN},sentences=newline)" if metric in ("rougeLsum", "rougeW") else f"{metric}({PLAIN})"
    ).score(examples)
    if metric == "rougeS":
        assert scores[0, :2] == pytest.approx([1 / comb(LONG, 2), 1])
    elif metric == "rougeW":  # (2^1.2)^(1/1.2) of 60,000 words
        assert scores[0, 0] == pytest.approx((2**1.2) ** (1 / 1.2) / LONG)
    else:
        assert scores[0, :2] == pytest.approx([2 / LONG, 1])
    assert scores[0, 0] > 0
    assert scores[1, 0] >= scores[0, 0]


def test_pairs_of_repeated_words_by_hand():
    # 20,000 times the same word against 10,000: all C(10000, 2) pairs of the shorter are in the longer.
    few, many = comb(10_000, 2), comb(20_000, 2)
    examples = [make_example("rain " * 10_000, "rain " * 20_000), make_example("rain " * 20_000, "rain " * 10_000)]
    scores = parse_metric(f"rougeS({PLAIN})").score(examples)
    assert scores[:, :2].tolist() == [[1, few / many], [few / many, 1]]
    # At most 2 words between: a word has 3 followers, the last three words 2, 1 and none. And 9,999 unigrams.
    few, many = (3 * length - 6 + length - 1 for length in (10_000, 20_000))
    assert parse_metric(f"rougeSU2({PLAIN})").score(examples)[0, 1] == pytest.approx(few / many)


@given(st.lists(st.sampled_from("abc"), max_size=30), st.lists(st.sampled_from("abc"), max_size=30))
def test_many_repetitions_equal_the_oracle(summary, reference):
    for gap, unigrams in itertools.product((None, 0, 3, 40), (False, True)):
        counts = [oracle.skip_bigrams(text, gap, unigrams) for text in (summary, reference)]
        name = f"rouge{'SU' if unigrams else 'S'}{'' if gap is None else gap}"
        recall = parse_metric(f"{name}({PLAIN})").score([make_example(" ".join(summary), " ".join(reference))])[0, 1]
        total = sum(counts[1].values())
        if total:
            assert recall == pytest.approx(sum((counts[0] & counts[1]).values()) / total)


@given(letters, letters, st.integers(0, 3))
def test_openings_row_by_row_equal_the_table(left, right, skipped):
    matched = dict(itertools.islice(align_equal(left, right, str, {}).items(), 0, None, skipped + 1)) if skipped else {}
    meanings = {"a": "12", "b": "23", "c": "34", "d": ""}.__getitem__
    tables = align_equal(left, right, str, matched), align_related(left, right, meanings, matched)
    with mock.patch.object(openings, "MAX_TABLE_PAIRS", 0):
        assert (align_equal(left, right, str, matched), align_related(left, right, meanings, matched)) == tables


def test_openings_of_a_repeated_word_take_little_memory():
    positions = list(range(1000))
    group = openings.Partners(positions)
    tracemalloc.start()
    opened = openings.find_openings(dict.fromkeys(positions, group), {}, continuing=True)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2_000_000  # a table of a million pairs takes more than a hundred times that
    assert opened.order == positions
    assert opened.options[0] == list(range(16))  # the longest runs start at the first occurrences
    # the last word continues a match only from the second occurrence on, the one before it also from the first
    assert opened.closing[-2:] == [[0], positions[1:]]
    assert not any(opened.closing[:-2])


@pytest.mark.parametrize("metric", ["rougeL", "rougeLsum", "rougeW", "rougeS", "rougeSU4"])
def test_rouge_refuses_what_would_take_minutes(metric, monkeypatch):
    monkeypatch.setattr(family, "MAX_WORD_PAIRS", 20)
    chosen = parse_metric(metric)
    chosen.score([make_example("a b c d e", "a b c d")])
    with pytest.raises(
        DataError, match=rf"^s/2 is too long for {metric}: 7 words compared with 3 make more than 20 pairs"
    ):
        chosen.score([make_example("a b c d e", "a b c d"), make_example("a b c d e f g", "a b c", "2")])
    parse_metric("rouge2").score([make_example("a b c d e f g", "a b c")])  # takes as long as reading


def test_meteor_refuses_what_would_take_minutes(monkeypatch):
    with pytest.raises(DataError, match=r"^s/1 is too long for meteor: 8,000 words compared with 7,000 make more than"):
        parse_metric("meteor").score([make_example("rain " * 8000, "rain " * 7000)])
    monkeypatch.setattr(meteor, "MAX_WORD_PAIRS", 20)
    assert parse_metric("meteor(modules=exact)").score([make_example("a b c d e", "a b c d")])[0, 2] == 1


def test_what_is_too_long_to_explain_says_so(monkeypatch):
    monkeypatch.setattr(family, "MAX_EXPLAINED_PAIRS", 6)
    shown = explain(make_example("a b c", "a b"), "rougeL")["rougeL"]
    assert shown.blocks
    hidden = explain(make_example("a b c d", "a b"), "rougeL")["rougeL"]
    assert hidden.headline == "too long to show what matched: 4 words in the summary, 2 in the reference"
    assert hidden.blocks == ()
    assert explain(make_example("a b c d", "a b"), "rouge2")["rouge2"].blocks


MEASURE = """
import re, sys
from pathlib import Path
from gistmeter.example import Example
from gistmeter.metrics import parse_metric
summary, reference = eval(sys.argv[2])
example = Example(doc_id="1", system="s", summary=summary, references=(reference,))
parse_metric(sys.argv[1]).score([example])
print(int(re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1]) // 1024)
"""
"""The peak of the process itself: `ru_maxrss` would count what the process had that started it."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("metric", "texts", "megabytes"),
    [
        ("rougeLsum", "['rain ' * 60000] * 2", 400),
        ("rougeW", "[' '.join(f'w{i * k % 59999}' for i in range(60000)) for k in (1, 7)]", 400),
        ("rougeS", "[' '.join(f'w{i * k % 59999}' for i in range(60000)) for k in (1, 7)]", 400),
        ("rougeSU10000", "['rain fell ' * 30000] * 2", 400),
        ("meteor", "['rain ' * 3000] * 2", 250),
    ],
)
def test_memory_in_a_fresh_process(metric, texts, megabytes):
    done = subprocess.run([sys.executable, "-c", MEASURE, metric, texts], capture_output=True, text=True, check=True)
    assert int(done.stdout) < megabytes
