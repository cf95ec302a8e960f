"""consistency: columns, aggregates by hand, empty texts, batches, languages, and bad settings."""

import math

import numpy as np
import pytest

from gistmeter.errors import MetricError
from gistmeter.example import Example
from gistmeter.metrics import parse_metric
from gistmeter.metrics.consistency import aggregates
from gistmeter.metrics.consistency.evidence import list_unsupported_words
from gistmeter.models.consistency import judge, token_match
from gistmeter.models.consistency.copies import is_copied
from gistmeter.models.consistency.features import DocumentWords
from gistmeter.models.consistency.passages import split_document
from gistmeter.models.runtime.batch import RecentCache

DOCUMENT = "The cat sat on the mat. It rained in Rome. The dog slept."


def example(summary, document=DOCUMENT, language="en"):
    return Example(doc_id="1", system="s", summary=summary, document=document, language=language)


class WordReader:
    """A judge for tests: the share of a claim's words that the text has."""

    def probabilities(self, pairs):
        return np.array([self._share(*pair) for pair in pairs])

    def margins(self, pairs):
        shares = np.clip(self.probabilities(pairs), 0.01, 0.99)
        return np.log(shares / (1 - shares))

    def _share(self, text, claim):
        have = {word.strip(".").lower() for word in text.split()}
        words = [word.strip(".").lower() for word in claim.split()]
        return sum(word in have for word in words) / len(words)


@pytest.fixture(autouse=True)
def word_reader(request, monkeypatch):
    if "more" not in request.keywords:
        for module in (aggregates, judge):
            monkeypatch.setattr(module, "load_support_reader", lambda *_, **__: WordReader())


@pytest.mark.parametrize(
    ("aggregate", "expected"),
    [
        # "A cat slept." has 1, 0 and 1 of 3 words in the sentences, "It rained." 0, 2 and 0 of 2
        ("max", (np.mean([1 / 3, 1.0]), 1 / 3, 1 / 2)),
        ("mean", (np.mean([2 / 9, 1 / 3]), 2 / 9, 0.0)),
        # one chunk has all sentences: 2 of 3 words, and 2 of 2
        ("chunks", (np.mean([2 / 3, 1.0]), 2 / 3, 1.0)),
    ],
)
def test_aggregates_by_hand(aggregate, expected):
    scores = parse_metric(f"consistency(aggregate={aggregate})").score([example("A cat slept. It rained.")])
    np.testing.assert_allclose(scores[0], expected)


def write_weights(file, *, final=True):
    save_file = pytest.importorskip("safetensors.numpy").save_file
    bins = np.zeros((1, 50), dtype=np.float32)
    bins[0, -1], bins[0, 0] = 2.0, -1.0  # entailments of .98 and more count 2, those below .02 count -1
    tensors = {"mlp.weight": bins, "mlp.bias": np.array([0.5], dtype=np.float32)}
    if final:
        tensors["layer_final.weight"] = np.array([[0, 0, 0], [1, 1, 1]], dtype=np.float32)
        tensors["layer_final.bias"] = np.array([0, -1.0], dtype=np.float32)
    save_file(tensors, file)
    return file


def test_bins_and_sentences_are_weighed_as_summac_conv_does(tmp_path):
    file = write_weights(tmp_path / "conv.safetensors")
    shown = example("It rained. A cat slept.")
    # "It rained.": entailments 0, 1, 0: 2 - 1 - 1 + .5 = .5; "A cat slept.": 1/3, 0, 1/3: -1 + .5 = -.5; mean 0
    (conv,) = parse_metric(f"consistency(aggregate=conv,weights={file})").score([shown])
    # the last layer: 3 * 0 - 1 against 0; of the sentences alone 1.5 - 1 and -1.5 - 1
    np.testing.assert_allclose(conv, [1 / (1 + math.exp(1)), 1 / (1 + math.exp(2.5)), 0.5], atol=1e-6)
    (histogram,) = parse_metric(f"consistency(aggregate=histogram,weights={file})").score([shown])
    each = 1 / (1 + np.exp([-0.5, 0.5]))
    np.testing.assert_allclose(histogram, [each.mean(), each.min(), 0.5], atol=1e-6)


def test_released_weights_of_summac_conv_have_bins_of_their_own(tmp_path):
    save_file = pytest.importorskip("safetensors.numpy").save_file
    bins = np.arange(23, dtype=np.float32)[None]  # each bin weighs its number
    save_file({"mlp.weight": bins, "mlp.bias": np.zeros(1, dtype=np.float32)}, tmp_path / "released.safetensors")
    weights = aggregates.read_conv_weights(str(tmp_path / "released.safetensors"))
    # 0 is in bin 0; .5 in bin 7, from .37 to .9; .952 in bin 13, from .95 to .955; 1 in the last, from .995
    assert weights.weigh_sentences(np.array([[0.0, 0.5], [0.952, 1.0]])).tolist() == [7.0, 35.0]


def test_weights_that_do_not_fit_are_refused(tmp_path):
    without = write_weights(tmp_path / "bins.safetensors", final=False)
    with pytest.raises(MetricError, match="needs weights of the last layer"):
        parse_metric(f"consistency(aggregate=conv,weights={without})").score([example("It rained.")])
    with pytest.raises(MetricError, match="goes with weights"):
        parse_metric("consistency(aggregate=conv)")
    with pytest.raises(MetricError, match="goes with weights"):
        parse_metric(f"consistency(weights={without})")
    pickled = tmp_path / "conv.bin"
    pickled.write_bytes(b"\x80\x04.")
    with pytest.raises(MetricError, match="pickled weights can run code"):
        parse_metric(f"consistency(aggregate=conv,weights={pickled})").score([example("It rained.")])


def test_empty_texts():
    metric = parse_metric("consistency")
    assert metric.score([example("...")])[0].tolist() == [0, 0, 0]
    assert np.isnan(metric.score([example("It rained.", document=" ")])).all()


@pytest.mark.parametrize("aggregate", ["passages", "max", "chunks"])
def test_a_score_does_not_depend_on_the_batch(aggregate, monkeypatch):
    monkeypatch.setattr(RecentCache, "get", lambda cache, key: None)  # nothing is remembered from batch to batch
    metric = parse_metric(f"consistency(aggregate={aggregate})")
    examples = [example("A cat sat. It rained."), example("The dog slept."), example("A dog.", document="It snowed.")]
    alone = np.concatenate([metric.score([each]) for each in examples])
    np.testing.assert_allclose(metric.score(examples), alone)


def test_a_sentence_of_the_document_is_not_laid_before_the_network(monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("asked")

    monkeypatch.setattr(judge, "load_support_reader", refuse)
    scores = parse_metric("consistency").score([example("the dog slept.\nIt rained in Rome.")])
    assert scores[0, 1] > 0.9


def test_words_in_a_row_across_the_end_of_a_sentence_are_no_copy():
    words = DocumentWords.of(split_document("He refused. To pay would be wrong. The dog slept."))
    assert not is_copied(words, "He refused to pay.")
    assert is_copied(words, "He refused. To pay would be wrong.")


@pytest.mark.parametrize(
    ("document", "claim", "expected"),
    [
        ("It is not true that the mayor took bribes.", "The mayor took bribes.", False),
        ("Police denied that the man was beaten.", "The man was beaten.", False),
        ("If it rains, the match will be moved.", "The match will be moved.", False),
        ("Kim doubts that the plan works.", "The plan works.", False),
        ("Do not add salt.", "Add salt.", False),
        ("Do not add salt. Then add salt.", "Add salt.", True),  # told elsewhere
        ("Although he did not play, Smith was there.", "Smith was there.", True),  # denied in another clause
        ("Ann, who had no ticket, left when the bell rang.", "The bell rang.", True),
        ("She did not eat salt.", "She did not eat salt.", True),
    ],
)
def test_words_that_the_document_denies_are_no_copy(document, claim, expected):
    assert is_copied(DocumentWords.of(split_document(document)), claim) == expected


def test_the_same_in_the_spelling_of_the_document_is_a_copy():
    document = "The city paid $6.8m on 2024-03-04."
    (scores,) = parse_metric("consistency").score(
        [example("1. The city paid 6.8 million dollars on 4 March 2024.", document=document)]
    )
    assert scores[0] > 0.9
    assert list_unsupported_words(document, "The city paid 6.8 million dollars.") == ()


def test_a_judge_by_name_answers_for_copied_sentences_too(monkeypatch):
    asked = []

    class Doubter(WordReader):
        def margins(self, pairs):
            asked.extend(pairs)
            return np.full(len(pairs), -1.0)

    monkeypatch.setattr(judge, "load_support_reader", lambda *_, **__: Doubter())
    scores = parse_metric("consistency(model=some-nli)").score([example("The dog slept.")])
    assert len(asked) == 1
    np.testing.assert_allclose(scores[0], [1 / (1 + math.e), 1 / (1 + math.e), 0])


def test_the_network_is_not_asked_where_it_would_not_count(monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("asked")

    monkeypatch.setattr(judge, "load_support_reader", refuse)
    # none of the content words is in the document: the combination gives the network no weight
    assert parse_metric("consistency").score([example("Penguins swim north.")])[0, 0] < 0.5


def test_a_document_is_encoded_once_whatever_the_order_of_summaries(monkeypatch):
    texts = [f"It rained in town {letter}. Nobody came." for letter in "abcdefghijklmnopqrstuvwxyz"]
    examples = [example(summary, document=text) for summary in ("It snowed.", "Nobody left.") for text in texts]
    encoded = []
    encode = token_match.load_encoder().encode

    class Counted:
        def encode(self, sentences, layers):
            encoded.append(len(sentences))
            return encode(sentences, layers)

    token_match._encode_document.cache_clear()
    monkeypatch.setattr(token_match, "load_encoder", Counted)
    parse_metric("consistency").score(examples)
    assert len(encoded) == len(texts) + 1  # each document, and all claims together


def test_evidence_of_conv_shows_probabilities(tmp_path):
    file = write_weights(tmp_path / "conv.safetensors")
    evidence = parse_metric(f"consistency(aggregate=conv,weights={file})").explain(example("It rained. A cat slept."))
    # the last layer: of "A cat slept." 3 * -.5 - 1 against 0, of "It rained." 3 * .5 - 1
    assert [row[1] for row in evidence.table.rows] == [
        f"{1 / (1 + math.exp(2.5)):.3f}",
        f"{1 / (1 + math.exp(-0.5)):.3f}",
    ]


def test_single_sentences_are_refused_in_other_languages_as_scores_are():
    with pytest.raises(MetricError, match="reads English, not 'de'"):
        parse_metric("consistency").judge_sentences(example("Es regnete.", language="de"))


def test_other_languages_need_a_model_that_reads_them():
    with pytest.raises(MetricError, match="reads English, not 'de'"):
        parse_metric("consistency").score([example("Es regnete.", language="de")])


@pytest.mark.parametrize(
    ("spelling", "reason"),
    [
        ("consistency(aggregate=best)", "aggregate is one of"),
        ("consistency(threshold=2)", "a probability from 0 to 1"),
        ("consistency(labels=a//b)", "must name the outputs of the model"),
    ],
)
def test_settings_that_make_no_sense(spelling, reason):
    with pytest.raises(MetricError, match=reason):
        parse_metric(spelling)


def test_evidence_shows_passages_and_words_that_nothing_supports():
    evidence = parse_metric("consistency").explain(example("The cat sat on 3 mats. It rained in Rome."))
    rows = {row[0]: row for row in evidence.table.rows}
    assert rows["It rained in Rome."][2] == "It rained in Rome."
    assert rows["It rained in Rome."][3] == "-"
    assert "3" in rows["The cat sat on 3 mats."][3]
    assert evidence.table.rows[0][0] == "The cat sat on 3 mats."  # the least supported first
    summary, document = evidence.panes
    assert {summary.text[mark.start : mark.end] for mark in summary.marks} >= {"3"}
    assert "It rained in Rome." in {document.text[mark.start : mark.end] for mark in document.marks}
    assert parse_metric("consistency").explain(example("...")).headline.startswith("nothing to judge")


def test_words_that_nothing_supports_stand_once_and_in_order():
    assert list_unsupported_words("Ann paid 5 euros.", "Bo paid 7, and 7 again; Bo left.") == ("Bo", "7", "left")


def test_its_signature_names_weights_and_rules():
    signature = parse_metric("consistency").signature()
    assert "passages:rules-3" in signature
    assert "weights:" in signature
    assert "passages:rules" not in parse_metric("consistency(aggregate=max)").signature()


@pytest.mark.more
def test_ffci_takes_it_for_faithfulness():
    metric = parse_metric("ffci(faithfulness=consistency)")
    shown = Example(doc_id="1", system="s", summary="The dog slept.", document=DOCUMENT, references=("A dog slept.",))
    scores = metric.score([shown])
    assert scores[0, 0] == pytest.approx(parse_metric("consistency").score([shown])[0, 0])
    assert "consistency" in metric.signature()


@pytest.mark.more
def test_the_embedded_judge_tells_claims_that_share_nearly_all_words():
    document = (
        "The council approved 6.8 million euros for a sea wall on Monday. Harlan sued Brightwater in May. "
        "The bank left its interest rate unchanged."
    )
    right = ["The council approved 6.8 million euros.", "Harlan sued Brightwater.", "The bank left its rate unchanged."]
    wrong = [
        "The council approved 8.6 million euros.",
        "Brightwater sued Harlan.",
        "The bank raised its interest rate.",
    ]
    scores = parse_metric("consistency").score([example(claim, document=document) for claim in (*right, *wrong)])[:, 0]
    assert (scores[:3] > 0.5).all()
    assert (scores[3:] < 0.5).all()


@pytest.mark.more
def test_on_the_demo_the_dreamer_is_below_the_careful_and_the_lead():
    import gistmeter as gm
    from gistmeter.demo import demo_run

    scores = gm.score(str(demo_run()), "consistency", cache=False)
    for other in ("careful", "lead3"):
        compared = {each.column.name: each for each in gm.compare(scores, "dreamer", other).differences}
        assert compared["consistency.min"].difference < 0
        assert compared["consistency.min"].pvalue < 0.05
        assert compared["consistency.mean"].high < 0
