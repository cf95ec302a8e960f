"""Pairs as in FFCI's appendix B, parts without shared sentences, and a head that learns from them."""

import gzip
import json
import random

import numpy as np
import pytest

from gistmeter.errors import DataError
from gistmeter.models.next_sentence.heads import PairVectors
from gistmeter.training.next_sentence import training
from gistmeter.training.next_sentence.pairs import (
    MIN_FAR_SENTENCES,
    SHARES,
    count_kinds,
    delete_words,
    divide_texts,
    draw_pairs,
)
from gistmeter.training.next_sentence.recipe import NextSentenceData, NextSentenceRecipe
from gistmeter.training.next_sentence.training import train_next_sentence
from gistmeter.training.sources.evaluated import collect_sentences
from gistmeter.training.sources.sentences import SentenceText, fingerprint
from gistmeter.training.sources.texts import read_source
from recorded_progress import RecordedProgress

pytestmark = pytest.mark.more


def story(name, length, shared=()):
    return SentenceText(
        name, (*(f"{name} tells thing number {position} of its own long story" for position in range(length)), *shared)
    )


TEXTS = [story(f"d{number}", 12) for number in range(30)]


def test_shares_are_those_of_appendix_b():
    # 50,000 adjacent; 5,000 repeated; 25,000 elsewhere; 10,000 ascending; 10,000 descending
    assert dict(SHARES) == {"adjacent": 0.5, "repeated": 0.05, "elsewhere": 0.25, "later": 0.1, "earlier": 0.1}
    assert count_kinds(draw_pairs(TEXTS, 400)) == {
        "adjacent": 200,
        "repeated": 20,
        "elsewhere": 100,
        "later": 40,
        "earlier": 40,
    }
    fewer = count_kinds(draw_pairs(TEXTS, 10_000))  # 30 documents x 11 neighbours
    assert fewer == {"adjacent": 330, "repeated": 33, "elsewhere": 165, "later": 66, "earlier": 66}


def test_every_pair_is_what_its_kind_says():
    where = {sentence: (text.name, index) for text in TEXTS for index, sentence in enumerate(text.sentences)}
    pairs = draw_pairs(TEXTS, 600, seed=3)
    assert len({(pair.first, pair.second) for pair in pairs}) == len(pairs)
    for pair in pairs:
        name, position = where[pair.first]
        if pair.kind == "repeated":
            words, left = pair.first.split(), pair.second.split()
            assert len(left) == len(words) - round(len(words) / 4)
            continue
        other, there = where[pair.second]
        assert (name == other) == (pair.kind != "elsewhere")
        apart = there - position
        assert {
            "adjacent": apart == 1,
            "later": apart >= MIN_FAR_SENTENCES,
            "earlier": apart <= -MIN_FAR_SENTENCES,
        }.get(pair.kind, True)


def test_the_same_seed_draws_the_same_pairs():
    assert draw_pairs(TEXTS, 200, seed=5) == draw_pairs(TEXTS, 200, seed=5) != draw_pairs(TEXTS, 200, seed=6)
    assert delete_words("a b c d e f g h", random.Random(0)).count(" ") == 5


def test_parts_share_no_sentence_and_a_gap_parts_neighbours():
    texts = [story(f"d{n}", 6, shared=("This very sentence stands in all of them .",)) for n in range(40)]
    parts = divide_texts(texts, seed=1)
    assert [len(part) for part in (parts.train, parts.dev, parts.test)] == [32, 4, 4]
    prints = [
        {fingerprint(sentence) for text in part for sentence in text.sentences if sentence}
        for part in (parts.train, parts.dev, parts.test)
    ]
    assert prints[0].isdisjoint(prints[1] | prints[2])
    assert prints[1].isdisjoint(prints[2])
    gap = [
        SentenceText("a", ("one two three", None, "four five six")),
        SentenceText("b", ("seven eight nine", "ten is all")),
    ]
    assert [pair.first for pair in draw_pairs(gap, 10) if pair.follows] == ["seven eight nine"]


def written(path, records):
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(record) + "\n" for record in records)
    return str(path)


def test_what_may_not_be_used_is_left_out_and_counted(tmp_path):
    file = written(
        tmp_path / "docs.jsonl.gz",
        [
            {
                "paragraphs": [
                    "The judge was asked about it today. He said nothing at all.",
                    "Then the court rose early.",
                ]
            },
            {"document": "Not for sale at any price.", "nc": True},
            {"document": "Nobody knows who owns this one.", "licence": "not stated in LICENSE.txt"},
            {"context": "Das Gericht hat heute nichts gesagt.", "language": "de"},
        ],
    )
    run = written(tmp_path / "run.jsonl.gz", [{"summary": {"sentences": ["the judge was asked about it today ."]}}])
    source = read_source(file, without=collect_sentences([run]))
    assert (source.unlicensed, source.removed, len(source.texts), source.sentences) == (2, 1, 2, 3)
    assert source.in_language("en")[0].sentences == (None, "He said nothing at all.", "Then the court rose early.")
    assert len(source.in_language("de")) == 1
    with pytest.raises(DataError, match="has no text"):
        read_source(written(tmp_path / "empty.jsonl", [{"id": 1}]))


@pytest.fixture
def topics(tmp_path, monkeypatch):
    """Documents on six subjects, and vectors that know the subject and the place."""
    subjects = ("ships", "birds", "trains", "plays", "storms", "bread")

    class Vectors:
        digest = "by hand"

        def of(self, texts):
            result = np.zeros((len(texts), 8), np.float32)
            for row, text in enumerate(texts):
                words = text.split()
                result[row, [subjects.index(word) for word in words if word in subjects]] = 2.5
                numbers = [int(word) for word in words if word.isdigit()]
                result[row, 6:] = numbers[0] / 6 if numbers else 0, len(words) / 12
            return PairVectors(result, result)

    monkeypatch.setattr(training, "load_vector_source", lambda _, **__: Vectors())
    records = [
        {
            "paragraphs": [
                f"Sentence {position} of page {page} is about {subject} and nothing else." for position in range(12)
            ]
        }
        for page in range(20)
        for subject in subjects
    ]
    return written(tmp_path / "topics.jsonl.gz", records)


def test_training_learns_writes_and_repeats_itself(topics, tmp_path):
    recipe = NextSentenceRecipe(pairs=2400, networks=2, epochs=12, rate=0.01)
    progress = RecordedProgress()
    out = tmp_path / "head.safetensors"
    data = NextSentenceData(data=(topics,), notes=("Texts: made up.",))
    trained = train_next_sentence(
        out, data, recipe=recipe, command="gistmeter train next-sentence x", progress=progress
    )
    assert trained.test.accuracy > 0.7  # other subjects are told apart, a fifth of the pairs is far in one document
    assert trained.test.kinds["elsewhere"] > 0.8
    assert trained.counts["train"] > 1500
    assert {task for task, _, _ in progress.steps} >= {"encoding train", "network 2 of 2"}
    card = trained.card.read_text("utf-8")
    for phrase in ("gistmeter train next-sentence x", "Texts: made up.", f"{trained.test.accuracy:.3f}"):
        assert phrase in card
    assert str(tmp_path) not in card
    again = train_next_sentence(tmp_path / "again.safetensors", data, recipe=recipe)
    assert again.file.read_bytes() == out.read_bytes()


def test_agreement_with_people_is_measured_and_single_sentences_counted(topics, tmp_path):
    rows = [
        {"system_id": "a", "summary": {"sentences": sentences}, "human": {"coherence_z": value}}
        for sentences, value in (
            (["Sentence 1 is about birds", "Sentence 2 is about birds"], 1.0),
            (["Sentence 1 is about birds", "Sentence 2 is about bread"], -1.0),
            (["Sentence 3 is about ships", "Sentence 4 is about ships", "Sentence 5 is about ships"], 0.9),
            (["Sentence 1 is about birds"], 0.0),
        )
    ]
    judged = written(tmp_path / "judged.jsonl.gz", rows)
    recipe = NextSentenceRecipe(pairs=2400, networks=1, epochs=12, rate=0.01)
    data = NextSentenceData(data=(topics,), judgments=judged)
    trained = train_next_sentence(tmp_path / "h.safetensors", data, recipe=recipe)
    system, everything = trained.coherence
    assert (system.system, system.summaries, system.single) == ("a", 4, 1)
    assert system.weakest > 0.9
    assert everything.system == "all"
    assert "| a | 4 | 1 |" in trained.card.read_text("utf-8")


def test_a_bad_target_is_refused(tmp_path):
    with pytest.raises(DataError, match=r"\.safetensors"):
        train_next_sentence(tmp_path / "head.bin", NextSentenceData(data=()))
    with pytest.raises(DataError, match="no folder"):
        train_next_sentence(tmp_path / "no" / "head.safetensors", NextSentenceData(data=()))
