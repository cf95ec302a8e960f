"""Next-sentence models of other kinds: a checkpoint by name, other languages, and the order figures."""

import json
import sys

import numpy as np
import pytest
from typer.testing import CliRunner

from gistmeter.cli.train import app
from gistmeter.errors import ArgumentError, DataError
from gistmeter.example import Example
from gistmeter.metrics.ffci.coherence import Coherence
from gistmeter.models.next_sentence.heads import PairVectors, read_head
from gistmeter.training.next_sentence import training
from gistmeter.training.next_sentence.figures import measure_order
from gistmeter.training.next_sentence.fine_tuning import fine_tune_checkpoint
from gistmeter.training.next_sentence.pairs import SentencePair
from gistmeter.training.next_sentence.recipe import NextSentenceData, NextSentenceRecipe
from gistmeter.training.next_sentence.training import train_next_sentence
from gistmeter.training.sources.sentences import SentenceText
from recorded_progress import RecordedProgress
from tiny_checkpoints import TEXTS

pytestmark = pytest.mark.more

SUBJECTS = {
    "en": ("ships", "birds", "trains", "plays"),
    "de": ("Schiffen", "Vögeln", "Zügen", "Stücken"),
}
SENTENCES = {"en": "Sentence {} of page {} tells of {} and more.", "de": "Satz {} der Seite {} handelt von {} allein."}


def write_documents(path, languages, *, named=True):
    """Ten pages on each of four subjects in each language."""
    records = [
        {"paragraphs": [SENTENCES[code].format(position, page, subject) for position in range(10)]}
        | ({"language": code} if named else {})
        for code in languages
        for page in range(10)
        for subject in SUBJECTS[code]
    ]
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    return str(path)


def test_the_papers_recipe_runs_by_name(tiny, tmp_path, monkeypatch):
    documents = write_documents(tmp_path / "documents.jsonl", ["en"])
    words = [
        "next-sentence",
        str(tmp_path / "mine"),
        "--data",
        documents,
        "--model",
        str(tiny("bert")),
        "--pairs",
        "100",
    ]
    words += ["--rate", "5e-5", "--batch", "40", "--epochs", "20", "--patience", "5"]
    monkeypatch.setattr(sys, "argv", ["gistmeter", "train", *words])
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, result.output
    summary = "The mayor opened a new bridge.\nIt had taken four years to build."
    scores = Coherence(model=str(tmp_path / "mine")).score([Example(doc_id="d", system="s", summary=summary)])
    assert np.all((scores > 0) & (scores < 1))
    labels = json.loads((tmp_path / "mine" / "config.json").read_text("utf-8"))["id2label"]
    assert labels == {"0": "not next", "1": "next"}
    card = (tmp_path / "mine" / "card.md").read_text("utf-8")
    for phrase in ("rate 5e-05", "batch 40", "epochs 20", "patience 5", "Order, on the first 7 sentences"):
        assert phrase in card


def test_a_checkpoint_learns_and_the_best_epoch_is_read_again(tiny, tmp_path):
    follows = [SentencePair(TEXTS[0], TEXTS[1], "adjacent"), SentencePair(TEXTS[5], TEXTS[2], "elsewhere")]
    opposite = [SentencePair(TEXTS[0], TEXTS[1], "elsewhere"), SentencePair(TEXTS[5], TEXTS[2], "adjacent")]
    recipe = NextSentenceRecipe(rate=5e-3, batch=4, epochs=9, patience=2)
    progress = RecordedProgress()

    def fine_tune(folder, dev):
        return fine_tune_checkpoint(
            str(tiny("bert")), tmp_path / folder, train=follows * 8, dev=dev, recipe=recipe, progress=progress
        )

    learned = fine_tune("learned", follows)
    assert learned.model.probabilities([(TEXTS[0], TEXTS[1]), (TEXTS[5], TEXTS[2])]) == pytest.approx([1, 0], abs=0.2)
    # Development pairs that say the opposite: every epoch is worse than the first, and after two more it stops.
    before = len(progress.lines)
    assert fine_tune("stopped", opposite).epoch == 0
    assert len(progress.lines) - before == 3


def test_settings_of_the_embedded_head_are_refused_for_a_model_by_name(tiny, tmp_path):
    data = NextSentenceData(data=("none.jsonl",), model=str(tiny("bert")))
    with pytest.raises(ArgumentError, match="--networks, --hidden is for the embedded head"):
        train_next_sentence(tmp_path / "m", data, recipe=NextSentenceRecipe(networks=5, hidden=8))
    with pytest.raises(DataError, match=r"written to a folder, not to the file m\.safetensors"):
        train_next_sentence(tmp_path / "m.safetensors", data)


@pytest.fixture
def subject_vectors(monkeypatch):
    """Vectors that know the subject of a sentence, in any language; what was asked for is noted."""
    every = [subject for subjects in SUBJECTS.values() for subject in subjects]
    asked = []

    class Vectors:
        digest = "by hand"

        def of(self, texts):
            result = np.array([[2.5 * (subject in text) for subject in every] for text in texts], np.float32)
            return PairVectors(result, result)

    def load(reads, *, language):
        asked.append((reads, language))
        return Vectors()

    monkeypatch.setattr(training, "load_vector_source", load)
    return asked


def test_other_languages_train_on_multilingual_vectors(subject_vectors, tmp_path):
    recipe = NextSentenceRecipe(pairs=400, networks=1, multilingual=True)
    german = write_documents(tmp_path / "de.jsonl", ["de"])
    trained = train_next_sentence(tmp_path / "de.safetensors", NextSentenceData(data=(german,)), recipe=recipe)
    assert subject_vectors == [("sentences", "de")]
    assert trained.learned_languages == ("de",)
    assert trained.counts["train"] > 200
    unnamed = write_documents(tmp_path / "unnamed.jsonl", ["de"], named=False)
    named = train_next_sentence(
        tmp_path / "named.safetensors", NextSentenceData(data=(unnamed,), language="German"), recipe=recipe
    )
    assert named.file.read_bytes() == trained.file.read_bytes()


def test_no_pair_is_of_two_languages(subject_vectors, tmp_path, monkeypatch):
    drawn = []

    def draw(texts, count, *, seed):
        drawn.append({sentence.split()[0] for text in texts for sentence in text.sentences})
        return training_draw(texts, count, seed=seed)

    training_draw = training.draw_pairs
    monkeypatch.setattr(training, "draw_pairs", draw)
    both = write_documents(tmp_path / "both.jsonl", ["en", "de"])
    recipe = NextSentenceRecipe(pairs=400, networks=1, multilingual=True)
    trained = train_next_sentence(tmp_path / "both.safetensors", NextSentenceData(data=(both,)), recipe=recipe)
    assert trained.learned_languages == ("en", "de")
    assert drawn == [{"Sentence"}] * 3 + [{"Satz"}] * 3
    assert "(en, de)" in trained.card.read_text("utf-8")


def test_what_the_english_encoder_cannot_read_is_refused_with_the_way_out(tmp_path):
    german = write_documents(tmp_path / "de.jsonl", ["de"])
    with pytest.raises(ArgumentError, match="documents are in de, and the embedded encoder reads English: add --multi"):
        train_next_sentence(tmp_path / "h.safetensors", NextSentenceData(data=(german,)))
    with pytest.raises(DataError, match="no document is in the language 'fr': the data has de"):
        train_next_sentence(tmp_path / "h.safetensors", NextSentenceData(data=(german,), language="fr"))


def test_networks_of_another_head_stay_and_cues_alone_are_learned(subject_vectors, tmp_path):
    documents = write_documents(tmp_path / "en.jsonl", ["en"])
    recipe = NextSentenceRecipe(pairs=400, networks=1, epochs=1, order=0)
    first = train_next_sentence(tmp_path / "first.safetensors", NextSentenceData(data=(documents,)), recipe=recipe)
    assert (first.cues, len(first.epochs)) == (0, 1)
    data = NextSentenceData(data=(documents,), start=str(first.file))
    second = train_next_sentence(tmp_path / "second.safetensors", data, recipe=NextSentenceRecipe(pairs=400, order=1))
    assert second.cues > 0
    assert second.epochs == ()
    before, after = read_head(first.file), read_head(second.file)
    assert before.order is None
    assert len(after.order.weights) == second.cues
    for name, array in before.arrays.items():
        np.testing.assert_array_equal(after.arrays[name], array)
    assert "The networks are those of the head that --start names" in second.card.read_text("utf-8")
    with pytest.raises(ArgumentError, match=r"first\.safetensors reads mean@6, but this recipe sentences"):
        train_next_sentence(tmp_path / "x.safetensors", data, recipe=NextSentenceRecipe(multilingual=True))


def test_order_is_measured_on_openings_without_gaps():
    texts = [
        SentenceText("a", ("1 a", "2 a", "3 a", None, "9 a", "8 a")),  # two joints, a lead
        SentenceText("b", ("1 b", "2 b")),  # one joint, no lead
        SentenceText("c", (None, "2 c", "1 c")),  # nothing
    ]

    def length_or_order(joints):
        return np.array([1.0 if first[0] < second[0] else 0.0 for first, second in joints])

    order = measure_order(texts, length_or_order)
    assert (order.pairs, order.order, order.leads, order.shuffled_mean) == (3, 1.0, 1, 1.0)
    tied = measure_order(texts, lambda joints: np.full(len(joints), 0.5))
    assert (tied.order, tied.shuffled_min, tied.shuffled_mean) == (0.5, 0.5, 0.5)
    backwards = measure_order(texts, lambda joints: 1 - length_or_order(joints))
    assert backwards.order == 0.0
