"""Discourse units: what they are, that nothing is lost or doubled, and how well they agree with people."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gistmeter.errors import MetricError
from gistmeter.linguistics.edus import RULES_VERSION
from gistmeter.linguistics.edus import segmenter as edus
from gistmeter.linguistics.edus.features import describe_words
from gistmeter.linguistics.edus.segmenter import UnitSpan, load_boundaries, segment, segmenter_identity
from gistmeter.linguistics.parser import load_parser


def units(text, language="en"):
    return [text[start:end] for start, end in segment([text], language)[0]]


def test_clauses_are_units():
    assert units("He left because it rained.") == ["He left", "because it rained."]
    assert units("When the storm came, the farmers went home.") == ["When the storm came,", "the farmers went home."]
    assert units("The cat sat on the mat.") == ["The cat sat on the mat."]


def test_a_line_begins_a_unit():
    assert units("the first line\nand the second line\n\n  third one \r\n") == [
        "the first line",
        "and the second line",
        "third one",
    ]


def test_nothing_gives_nothing_and_punctuation_is_one():
    assert segment([]) == []
    assert segment(["", "  \n\t "]) == [[], []]
    assert units(" ... !? ") == ["... !?"]
    assert units("?!") == ["?!"]


def test_punctuation_alone_is_no_unit_beside_words():
    (doc,) = load_parser().parse(['" Yes , " he said . )'])
    # Every word begins a unit: punctuation goes with what follows, and at the end with what was before.
    unit_spans = edus.cut_units(doc, np.ones(len(doc), np.bool_))
    assert [doc.text[start:end] for start, end in unit_spans] == ['" Yes', ', " he', "said . )"]


def test_other_languages_have_sentences():
    assert units("Er kam, weil es regnete. Sie ging.", "de") == ["Er kam, weil es regnete.", "Sie ging."]
    assert units(" 他来了。她走了。\n好", "zh") == ["他来了。", "她走了。", "好"]
    assert units("", "fr") == []


@settings(max_examples=60)
@given(
    st.lists(
        st.sampled_from(
            ["When it rained", "he left", ",", ".", "(", ")", '"', "\n", " ", "  ", "\t", "\x00", "\u2028", "é", "—"]
        )
        | st.text(max_size=8),
        max_size=14,
    ),
    st.sampled_from(["en", "de", "zh"]),
)
def test_units_are_in_order_apart_and_complete(parts, language):
    text = " ".join(parts)
    spans = segment([text], language)[0]
    at = 0
    for start, end in spans:
        assert at <= start < end <= len(text)
        assert not text[at:start].strip()
        assert text[start:end] == text[start:end].strip()
        assert "\n" not in text[start:end]
        at = end
    assert not text[at:].strip()


def test_company_order_and_memory_change_nothing():
    texts = [
        "He left because it rained.",
        "She said that she would come if she could.",
        "Rain fell, so they ran.",
        "No.",
    ]
    edus._span_cache.clear()
    alone = []
    for text in texts:
        edus._span_cache.clear()
        alone += segment([text])
    edus._span_cache.clear()
    assert segment(texts) == alone
    assert segment(texts[::-1]) == alone[::-1]
    docs = load_parser().parse(texts)
    together = load_boundaries().logits(describe_words(docs))[describe_words(docs).word]
    single = [load_boundaries().logits(features)[features.word] for features in (describe_words([doc]) for doc in docs)]
    np.testing.assert_allclose(together, np.concatenate(single), atol=1e-5)


def test_a_long_line_is_read_in_parts(monkeypatch):
    text = "It rained. " * 30
    whole = segment([text])
    monkeypatch.setattr(edus, "MAX_LINE_CHARACTERS", 60)
    monkeypatch.setattr(edus, "BATCH_CHARACTERS", 100)
    parts = [text[start:end] for start, end in edus._find_lines(text)]
    assert max(map(len, parts)) <= 60
    assert " ".join(parts) == text.strip()
    assert segment([text]) == whole
    assert len(whole[0]) == 30


def test_the_memory_is_bounded(monkeypatch):
    monkeypatch.setattr(edus, "MAX_CACHED_LINES", 3)
    edus._span_cache.clear()
    segment(["one came\ntwo came\nthree came"])
    segment(["four came"])
    assert list(edus._span_cache) == ["four came"]


def test_features_of_nothing():
    features = describe_words([])
    assert not features.word.any()
    assert load_boundaries().find_starts([]) == []
    (empty,) = load_boundaries().find_starts(load_parser().parse([""]))
    assert len(empty) == 0


def test_edges_of_phrases_are_those_of_spacy():
    from gistmeter.linguistics.edus.features import BLANK_ROWS, _find_edges, _measure_depths, _WordTable

    docs = load_parser().parse(["When the storm came, the farmers who lived there went home.", "He ran; she did not."])
    rows = _WordTable(docs)
    left, right = _find_edges(rows.head, _measure_depths(rows.head))
    at = BLANK_ROWS
    for doc in docs:
        assert (left[at : at + len(doc)] - at).tolist() == [word.left_edge.i for word in doc]
        assert (right[at : at + len(doc)] - at).tolist() == [word.right_edge.i for word in doc]
        at += len(doc) + BLANK_ROWS


def test_what_decides_is_named():
    assert segmenter_identity("de") == "sentences"
    assert segmenter_identity() == f"{RULES_VERSION}+{load_boundaries().digest}+{load_parser().digest}"


def test_a_file_that_is_none_is_refused(tmp_path):
    with pytest.raises(MetricError, match=r"there is no segmenter none\.safetensors"):
        load_boundaries(tmp_path / "none.safetensors")
    (tmp_path / "bad.safetensors").write_bytes(b"not this")
    with pytest.raises(MetricError, match="is not a safetensors file"):
        load_boundaries(tmp_path / "bad.safetensors")
    from safetensors.numpy import save_file

    save_file({"x": np.zeros(2, np.float32)}, tmp_path / "other.safetensors")
    with pytest.raises(MetricError, match="is not a segmenter that"):
        load_boundaries(tmp_path / "other.safetensors")


def test_spans_are_pairs():
    assert UnitSpan(1, 2) == (1, 2)


@pytest.mark.data
@pytest.mark.slow
@pytest.mark.parametrize(
    ("split", "raw", "given_sentences", "inner"),
    # F1 of boundaries, as in the model card (card.md)
    [("dev", 0.896, 0.906, 0.832), ("test", 0.895, 0.905, 0.836)],
)
def test_agreement_with_gum(data, split, raw, given_sentences, inner):
    from gistmeter.training.edus.texts import measure_boundaries, read_edu_texts

    texts = [
        edu_text
        for edu_text in read_edu_texts(data / "linguistic/edu_segmentation.jsonl.gz")
        if edu_text.split == split
    ]
    boundary_figures = measure_boundaries(texts)
    assert boundary_figures.raw.f1 == pytest.approx(raw, abs=0.003)
    assert boundary_figures.given.f1 == pytest.approx(given_sentences, abs=0.003)
    assert boundary_figures.inner.f1 == pytest.approx(inner, abs=0.004)
    assert boundary_figures.raw.f1 > 0.85
