"""Recommended layers, baselines and weights of tokens."""

import numpy as np
import pytest

from gistmeter.errors import ArgumentError, DataError, MetricError
from gistmeter.models.encoder.baselines import Baseline, compute_baseline, find_baseline, read_baseline
from gistmeter.models.encoder.encoder import load_encoder
from gistmeter.models.encoder.idf import EvenWeights, count_reference_weights, load_background_weights
from gistmeter.models.encoder.layers import choose_layer, recommend_layer
from gistmeter.models.encoder.make_baselines import make_baselines, read_sentences

TEXTS = [f"Sentence number {word} says that the {word} is here." for word in "abcdefghijklmnopqrstuvwxyz"]


@pytest.mark.parametrize(
    ("model", "layers"),
    [  # FFCI, Table 9: faithfulness, focus, coverage
        ("roberta-large-mnli", (8, 15, 3)),
        ("gpt2-xl", (2, 29, 4)),
        ("google/pegasus-cnn_dailymail", (12, 11, 5)),
        ("/models/bart-large/", (2, 5, 2)),
        ("/cache/hub/models--google--pegasus-xsum/snapshots/0a1b2c", (9, 11, 6)),
        ("embedded", (6, 6, 6)),
    ],
)
def test_ffci_table_9(model: str, layers: tuple[int, int, int]) -> None:
    assert tuple(recommend_layer(model, aspect) for aspect in ("faithfulness", "focus", "coverage")) == layers


def test_multilingual_tables_3_and_4() -> None:
    assert recommend_layer("xlm-roberta-large", "focus", "tr") == 10
    assert recommend_layer("bert-base-multilingual-uncased", "coverage") == 6
    assert recommend_layer("DeepPavlov/rubert-base-cased", "coverage", "ru") == 12
    # Table 4's row for French says nothing of Russian, and no other table knows CamemBERT
    assert recommend_layer("camembert-base", "focus", "fr") == 10
    assert recommend_layer("camembert-base", "focus", "ru") is None


def test_without_an_aspect_the_layer_is_bert_scores() -> None:
    assert recommend_layer("roberta-large") == 17
    assert recommend_layer("bert-base-multilingual-cased") == 9
    # mBERT has no row for faithfulness: bert-score's layer stands in
    assert recommend_layer("bert-base-multilingual-cased", "faithfulness") == 9


def test_an_unknown_model_needs_a_layer() -> None:
    assert recommend_layer("nobody/knows") is None
    assert choose_layer("nobody/knows", 3, "none", "bertscore") == 3
    with pytest.raises(MetricError, match=r"no layer of nobody/knows is recommended: name one"):
        choose_layer("nobody/knows", None, "none", "bertscore")


def test_frequent_words_and_punctuation_weigh_little() -> None:
    (tokens,) = load_encoder("embedded").tokens(["The earthquake, in Kathmandu."])
    cls, the, earthquake, comma, _, kathmandu, stop, sep = load_background_weights("embedded", "en")(tokens)
    assert cls == sep == 0
    assert comma == stop == the < 0.3
    assert kathmandu > earthquake > 5


def test_reference_weights_are_those_of_bert_score() -> None:
    weights = count_reference_weights(load_encoder("embedded"), ["the cat", "the dog"])
    (tokens,) = load_encoder("embedded").tokens(["the cat flew"])
    # N = 2: "the" stands in both, log(3/3); "cat" in one, log(3/2); "flew" in none, log(3)
    assert weights(tokens) == pytest.approx([0, 0, np.log(1.5), np.log(3), 0])
    assert weights.digest == count_reference_weights(load_encoder("embedded"), ["the dog", "the cat"]).digest


def test_even_weights_leave_out_special_tokens() -> None:
    (tokens,) = load_encoder("embedded").tokens(["a cat"])
    assert EvenWeights()(tokens).tolist() == [0, 1, 1, 0]


def test_background_weights_say_which_languages_there_are() -> None:
    with pytest.raises(DataError, match=r"no word frequencies for language 'ja'.*set idf=none"):
        load_background_weights("embedded", "ja")


@pytest.mark.more
def test_baselines_are_made_from_a_text(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("GISTMETER_HOME", str(tmp_path))
    text = tmp_path / "text.txt"
    sentences = [f"The {word} went to town {number}." for number, word in enumerate(["cat", "dog", "mayor"] * 50)]
    text.write_text("\n".join([*sentences, "Too short.", sentences[0]]))
    assert read_sentences(text, "en", most=1000) == sentences  # each once, and none of two words
    assert read_sentences(text, "en", most=100) == sentences[::2]  # spread over the text
    even, weighted = make_baselines("embedded", text, layers=[6], seed=1)
    assert even.baseline == compute_baseline(load_encoder("embedded"), sentences, [6], seed=1, about="text.txt")
    assert (even.baseline.idf, weighted.baseline.idf) == ("none", "background")
    assert read_baseline(weighted.path).layers.keys() == {6}
    (single,) = make_baselines("embedded", text, layers=[6], seed=1, idf="none", output=tmp_path / "b.toml")
    assert single.path == tmp_path / "b.toml"
    with pytest.raises(ArgumentError, match="a file holds one baseline"):
        make_baselines("embedded", text, output=tmp_path / "b.toml")


@pytest.mark.more
def test_a_baseline_is_written_and_found_again(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("GISTMETER_HOME", str(tmp_path))
    texts = [f"{text} {n}" for text in TEXTS for n in range(4)]
    baseline = compute_baseline(load_encoder("embedded"), texts, [0, 6], seed=1, about="test")
    again = compute_baseline(load_encoder("embedded"), texts, [0, 6], seed=1, about="test")
    assert baseline == again
    assert baseline.pairs == len(texts)
    path = baseline.write()
    assert path.parent == tmp_path / "baselines"
    read = read_baseline(path)
    assert read.at(6) == pytest.approx(baseline.at(6), abs=1e-6)
    assert find_baseline("rescale", "embedded").texts == "test"
    with pytest.raises(MetricError, match=r"has no layer 3 \(it has 0, 6\)"):
        read.at(3)


def test_the_embedded_baselines_are_shipped(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("GISTMETER_HOME", str(tmp_path))
    for idf in ("none", "background"):
        assert 0 < find_baseline("rescale", "embedded", idf=idf).at(6)[2] < 0.4


def test_baselines_that_are_not_there(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("GISTMETER_HOME", str(tmp_path))
    with pytest.raises(MetricError, match="gistmeter models baseline"):
        find_baseline("rescale", "embedded", language="de")
    with pytest.raises(MetricError, match="there is no baseline"):
        find_baseline(str(tmp_path / "none.toml"), "embedded")
    other = Baseline("some-model", "0123456789ab", "en", "none", 100, "", {6: (0.1, 0.1, 0.1)}).write()
    with pytest.raises(MetricError, match="was made with some-model; the weights of embedded are others"):
        find_baseline(str(other), "embedded")
    (tmp_path / "bad.toml").write_text("model = 3")
    with pytest.raises(MetricError, match="is no baseline"):
        find_baseline(str(tmp_path / "bad.toml"), "embedded")
    with pytest.raises(DataError, match="at least 100 different sentences"):
        compute_baseline(load_encoder("embedded"), TEXTS, [6])


def test_bert_scores_own_tables_are_read(tmp_path) -> None:
    (tmp_path / "x.tsv").write_text("LAYER,P,R,F\n0,0.4,0.41,0.42\n1,0.5,0.51,0.52\n")
    assert isinstance(read_baseline(tmp_path / "x.tsv"), Baseline)
    assert read_baseline(tmp_path / "x.tsv").at(1).tolist() == [0.5, 0.51, 0.52]


def test_auto_is_the_model_of_the_language() -> None:
    from gistmeter.metrics.embedding.bertscore import BertScore
    from gistmeter.models.encoder.encoder import choose_encoder

    chosen = {code: choose_encoder("auto", code, "bertscore") for code in ("en", "id", "zh", "it")}
    assert chosen == {
        "en": "bert-base-uncased",
        "id": "indolem/indobert-base-uncased",
        "zh": "bert-base-chinese",
        "it": "bert-base-multilingual-uncased",
    }
    # Table 4's layers come with it: Chinese 8 and 9, Indonesian 2 and 2.
    focus, coverage = BertScore(model="auto", aspect="focus"), BertScore(model="auto", aspect="coverage")
    assert [focus.choose_layer("zh"), coverage.choose_layer("zh"), focus.choose_layer("id")] == [8, 9, 2]
    assert focus.choose_idf("zh") == "none"
