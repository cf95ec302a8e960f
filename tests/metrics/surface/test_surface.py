"""length, compression, novelty, fragments, repetition: what a summary looks like beside its document."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmeter.example import Example
from gistmeter.metrics import parse_metric

tokens = st.lists(st.sampled_from("abc"), max_size=12)
NAMES = ["length", "compression", "novelty", "fragments", "repetition"]
EIGHT = {
    "en": "The storm flooded the city.",
    "id": "Badai membanjiri kota itu.",
    "fr": "La tempête a inondé la ville.",
    "tr": "Fırtına şehri bastı, IŞIK söndü.",
    "zh": "风暴淹没了城市。",
    "ru": "Буря затопила город.",
    "de": "Der Sturm überflutete die Stadt.",
    "es": "La tormenta inundó la ciudad.",
}


def example(summary, document=None, language="en"):
    return Example(doc_id="1", system="s", summary=summary, document=document, language=language)


def score(metric, summary, document=None, language="en"):
    return parse_metric(metric).score([example(summary, document, language)])[0]


def test_length():
    # "Dr. Smith left." (15 characters), a space, "It rained!" (10); the space around it does not count.
    assert score("length", "Dr. Smith left. It rained! \n").tolist() == [5, 2, 26]
    assert score("length", "One. Two.\nThree.").tolist() == [3, 2, 16]  # a newline: lines are sentences
    assert score("length(sentences=split)", "One. Two.\nThree.").tolist() == [3, 3, 16]
    assert score("length", "他走了。")[0] == 3
    assert score("length", " \n ").tolist() == score("length", "").tolist() == [0, 0, 0]
    assert score("length", "...").tolist() == [0, 0, 3]


def test_compression():
    assert score("compression", "two words", "six words stand in this document") == [3]
    assert np.isnan(score("compression", "", "a document"))
    assert np.isnan(score("compression", "a summary", "..."))


def test_novelty_by_hand():
    # a b x b: words x is new (1/4); pairs ab known, bx, xb new (2/3); triples all new; one quadruple, new.
    assert score("novelty", "a b x b", "a b c") == pytest.approx([1 / 4, 2 / 3, 1, 1])
    assert score("novelty", "a b", "a b c")[:2].tolist() == [0, 0]
    assert np.isnan(score("novelty", "a b", "a b c")[2:]).all()  # no triples to speak of
    assert np.isnan(score("novelty", "", "a b c")).all()
    assert np.isnan(score("novelty", "a b", "")).all()
    assert score("novelty", "storms", "a storm")[0] == 1
    assert score("novelty(stem=auto)", "storms", "a storm")[0] == 0


def test_repetition_by_hand():
    # a b a b a: 2 of 5 words, 2 of 4 pairs and 2 of 3 triples are distinct.
    assert score("repetition", "a b a b a") == pytest.approx([3 / 5, 2 / 4, 1 / 3])
    assert score("repetition", "a b")[:2].tolist() == [0, 0]
    assert math.isnan(score("repetition", "a b")[2])
    assert np.isnan(score("repetition", "")).all()


def test_fragments_by_hand():
    # police killed the | gunman : "killed the" is in the document, "police" and "gunman" are too: 1 + 2 + 1.
    values = score("fragments", "police killed the gunman", "the gunman killed the police")
    assert values == pytest.approx([4 / 4, (1 + 4 + 1) / 4])
    assert score("fragments", "x y", "a b").tolist() == [0, 0]
    assert score("fragments", "", "a b").tolist() == [0, 0]
    assert np.isnan(score("fragments", "a b", "")).all()


def newsroom(summary, document):
    """The procedure of Grusky et al. (2018), figure 3, word by word."""
    lengths, i = [], 0
    while i < len(summary):
        longest, j = 0, 0
        while j < len(document):
            if summary[i] == document[j]:
                length = 0
                while (
                    i + length < len(summary)
                    and j + length < len(document)
                    and summary[i + length] == document[j + length]
                ):
                    length += 1
                longest = max(longest, length)
                j += length
            else:
                j += 1
        if longest:
            lengths.append(longest)
        i += max(longest, 1)
    return lengths


@given(tokens.filter(bool), tokens.filter(bool))
def test_fragments_equal_the_published_procedure(summary, document):
    lengths = newsroom(summary, document)
    expected = [sum(lengths) / len(summary), sum(length**2 for length in lengths) / len(summary)]
    assert score("fragments", " ".join(summary), " ".join(document)) == pytest.approx(expected)


@given(tokens.filter(lambda words: len(words) > 3))
def test_a_copy_is_all_covered_and_never_new(text):
    copy = " ".join(text)
    assert score("novelty", copy, copy).tolist() == [0, 0, 0, 0]
    assert score("fragments", copy, copy)[0] == 1
    assert score("compression", copy, copy) == [1]


@pytest.mark.parametrize("name", NAMES)
@given(pairs=st.lists(st.tuples(tokens.map(" ".join), tokens.map(" ".join)), min_size=1, max_size=5))
def test_the_batch_does_not_matter(name, pairs):
    metric, examples = parse_metric(name), [example(*pair) for pair in pairs]
    together = metric.score(examples)
    assert together.shape == (len(pairs), metric.width)
    np.testing.assert_array_equal(together, np.concatenate([metric.score([case]) for case in examples]))
    if name in ("novelty", "repetition"):
        assert (np.isnan(together) | (together >= 0) & (together <= 1)).all()


@pytest.mark.parametrize("name", NAMES)
def test_no_examples_give_no_rows(name):
    metric = parse_metric(name)
    assert metric.score([]).shape == (0, metric.width)


@pytest.mark.parametrize("language", EIGHT)
def test_every_language(language):
    text = EIGHT[language]
    assert score("novelty", text, text, language)[0] == 0
    assert score("fragments", text, text, language)[0] == 1
    assert score("compression", text, f"{text} {text}", language) == [2]
    assert score("length", text, language=language)[1] == 1
    assert parse_metric("novelty(stem=auto)").traits(example(text, text, language))["language"] == language
