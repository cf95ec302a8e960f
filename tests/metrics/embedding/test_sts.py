"""STS-score: segments matched by meaning, several references, languages, and texts with nothing in them."""

import gzip
import json

import numpy as np
import pytest

from gistmeter.errors import MetricError
from gistmeter.example import Example
from gistmeter.metrics.embedding.sts import Sts


def example(summary, references, language="en"):
    return Example(doc_id="d", system="s", summary=summary, references=references, language=language)


@pytest.fixture
def encoded_segments(monkeypatch):
    """Vectors by hand: the first letter of a segment is its direction, in degrees / 10 from a = 0."""
    asked = []

    class Fake:
        name, digest = "fake", "0"

        def vectors(self, texts):
            asked.extend(texts)
            angles = np.radians([10 * (ord(text[0].lower()) - ord("a")) for text in texts])
            return np.stack([np.cos(angles), np.sin(angles)], axis=1).astype(np.float32)

    from gistmeter.models.sentence_vectors import vectors

    monkeypatch.setattr(vectors, "load_sentence_encoder", lambda *_, **__: Fake())
    return asked


def cos(degrees):
    return np.cos(np.radians(degrees))


def test_by_hand(encoded_segments):
    # a (0) and d (30) against b (10) and j (90): precision (cos 10 + cos 20) / 2, recall (cos 10 + cos 60) / 2
    precision, recall = (cos(10) + cos(20)) / 2, (cos(10) + cos(60)) / 2
    scores = Sts().score([example("a x\nd x", "b x\nj x")])
    np.testing.assert_allclose(scores, [[precision, recall, 2 * precision * recall / (precision + recall)]], atol=1e-6)


def test_a_segment_is_encoded_once(encoded_segments):
    Sts().score([example("a x", ("b x", "c x")), example("a x\nb x", ("b x", "d x"))])
    assert sorted(encoded_segments) == ["a x", "b x", "c x", "d x"]


def test_lines_and_sentences_are_found_in_each_text_by_itself(encoded_segments):
    # the reference has lines, the summary two sentences on one: both have two segments
    np.testing.assert_allclose(Sts().score([example("A cat. Dogs.", "a cat\nDogs too")]), [[1, 1, 1]], atol=1e-6)
    assert Sts().traits(example("A cat. Dogs.", "a cat\nDogs too"))["sentences"] == "newline+split"
    # as lines, the summary is one segment: a against a (0) and d (30)
    scores = Sts(sentences="newline").score([example("A cat. Dogs.", "a cat\nDogs too")])[0]
    np.testing.assert_allclose(scores[:2], [1, (1 + cos(30)) / 2], atol=1e-6)


def test_the_whole_text_as_one_segment(encoded_segments):
    scores = Sts(segment="document").score([example("a x\nj x", "d x\na x")])
    np.testing.assert_allclose(scores, [[cos(30)] * 3], atol=1e-6)


@pytest.mark.parametrize(
    ("policy", "expected"),
    [
        ("mean", (cos(10) + cos(30)) / 2),
        ("average", (cos(10) + cos(30)) / 2),
        ("max", cos(10)),
        ("best", cos(10)),
        ("jackknife", (cos(10) + cos(30)) / 2),  # one left out in turn leaves the other
    ],
)
def test_several_references(encoded_segments, policy, expected):
    scores = Sts(references=policy).score([example("a x", ("b x", "d x", "..."))])
    np.testing.assert_allclose(scores, [[expected] * 3], atol=1e-6)


def test_a_summary_that_is_a_reference_is_compared_with_the_others(encoded_segments):
    scores = Sts(references="jackknife").score([example("a x", ("a x", "d x"))])
    np.testing.assert_allclose(scores, [[cos(30)] * 3], atol=1e-6)


def test_empty_texts_ask_no_model(encoded_segments):
    batch = [example("", "a"), example("...", "a"), example("a", "?!"), example("", ""), example("_ \x00", ("", "\n"))]
    scores = Sts().score(batch)
    np.testing.assert_array_equal(scores[:2], 0)
    assert np.isnan(scores[2:]).all()
    assert encoded_segments == ["a"]
    assert "no words" in Sts().explain(batch[0]).headline
    assert Sts().score([]).shape == (0, 3)


def test_evidence_pairs_segments(encoded_segments):
    evidence = Sts().explain(example("a x\nd x", ("z x", "c x\nb x\nz x")))
    assert "2 sentences of the summary" in evidence.headline
    summary, reference = evidence.panes
    assert reference.title == "reference 2 of 2, the best match"
    assert [(summary.text[mark.start : mark.end], mark.group) for mark in summary.marks] == [("a x", 0), ("d x", 1)]
    # d is nearest to c (10 degrees), a to b (10 degrees); z is nobody's
    assert [(reference.text[m.start : m.end], m.group) for m in reference.marks] == [("c x", 1), ("b x", 0)]
    assert {row[0]: row[2] for row in evidence.table.rows} == {"a x": "b x", "d x": "c x"}


def test_unknown_settings_are_refused():
    with pytest.raises(MetricError, match="segment is one of edu, sentence, document"):
        Sts(segment="word")


@pytest.mark.more
def test_units_are_for_english():
    french, english = example("Il pleut.", "Il a plu.", "fr"), example("It rains.", "It rained.")
    metric = Sts(segment="edu")
    assert metric.traits(french)["segment"] == "sentence"
    assert metric.traits(english)["segment"] == "edu"
    np.testing.assert_allclose(metric.score([french]), Sts().score([french]))


def test_a_clause_that_says_the_same_is_found():
    case = example("It rained.", "He left because it rained.")
    assert Sts(segment="edu").score([case])[0, 0] > Sts().score([case])[0, 0]


MEANING = {
    "en": ("A dog barked at the postman.", "The postman was barked at by a dog.", "Shares fell on Monday."),
    "id": ("Seekor anjing menggonggong pada tukang pos.", "Tukang pos digonggong anjing.", "Saham turun pada Senin."),
    "fr": ("Un chien a aboyé après le facteur.", "Le facteur s'est fait aboyer.", "La bourse a chuté lundi."),
    "tr": ("Bir köpek postacıya havladı.", "Köpek postacıya havlıyordu.", "Hisseler pazartesi düştü."),
    "zh": ("一只狗对邮递员叫。", "邮递员被狗叫了。", "股票周一下跌。"),
    "ru": ("Собака лаяла на почтальона.", "На почтальона лаял пёс.", "Акции упали в понедельник."),
    "de": ("Ein Hund bellte den Postboten an.", "Der Postbote wurde angebellt.", "Die Aktien fielen am Montag."),
    "es": ("Un perro ladró al cartero.", "Al cartero le ladró un perro.", "Las acciones cayeron el lunes."),
}


@pytest.mark.more
@pytest.mark.parametrize("language", MEANING)
def test_eight_languages(language):
    sentence, paraphrase, other = MEANING[language]
    same, different = Sts().score([example(sentence, paraphrase, language), example(sentence, other, language)])[:, 2]
    assert same > different + 0.2


def test_a_language_nobody_reads_is_refused():
    with pytest.raises(MetricError, match="does not read 'sw'"):
        Sts().score([example("Mbwa alibweka.", "Mbwa.", "sw")])


def test_signature_says_what_made_the_vectors():
    signature = Sts().signature({key: {value} for key, value in Sts().traits(example("a b", "c d", "de")).items()})
    assert "model:universal-sentence-encoder-multilingual" in signature
    assert "language:de" in signature
    assert Sts().facts()["weights"] in Sts().signature()


def test_a_score_does_not_depend_on_the_batch():
    batch = [example(sentence, other) for sentence in MEANING["en"] for other in MEANING["en"]]
    alone = np.concatenate([Sts().score([case]) for case in batch])
    np.testing.assert_allclose(Sts().score(batch), alone, atol=1e-5)


@pytest.mark.data
@pytest.mark.slow
def test_focus_and_coverage_of_xsum(data):
    """FFCI, Table 4, STS (sentence) on XSum's one-sentence summaries, PG and BERT; measured with the embedded model."""
    with gzip.open(data / "ffci/focus_coverage.jsonl.gz", "rt") as lines:
        rows = [row for row in map(json.loads, lines) if row["subset"] == "xsum"]
    scores = Sts().score([example(row["summary"]["text"], row["references"]) for row in rows])
    for system, focus, coverage in SENTENCES:
        rows_of_system = [i for i, row in enumerate(rows) if row["system_id"] == system]
        correlations = [
            np.corrcoef(scores[rows_of_system, column], [rows[i]["human"][aspect] for i in rows_of_system])[0, 1]
            for column, aspect in enumerate(("focus", "coverage"))
        ]
        np.testing.assert_allclose(correlations, [focus, coverage], atol=0.01)


# Published with bert-large-nli: .444 and .559, .617 and .641.
SENTENCES = [("PG", 0.471, 0.575), ("BERT", 0.609, 0.672)]
