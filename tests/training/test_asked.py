"""Questions that gistmeter asks to learn answering from: they have an answer where it stands, and none elsewhere."""

import json

import numpy as np
import pytest

from gistmeter.linguistics.parser import load_parser
from gistmeter.training.answering.news_questions import ask_about_news
from gistmeter.training.answering.pair_questions import ask_about_pairs
from gistmeter.training.sources.evaluated import word_runs
from gistmeter.training.sources.shortening import shorten_sentence

ARTICLES = [
    " ".join(sentences)
    for sentences in (
        (
            "The airline bought twelve new planes from Airbus on Monday.",
            "Its old planes will be sold to a company in Norway.",
            "Pilots welcomed the news from the chief executive.",
            "The chief executive said the airline bought the planes cheaply.",
        ),
        (
            "A storm flooded the harbour of Bergen last night.",
            "Firemen rescued two sailors from a sinking boat.",
            "The mayor thanked the firemen for their work in the storm.",
            "Schools will stay closed until Friday morning.",
        ),
    )
]


@pytest.fixture
def news(tmp_path):
    file = tmp_path / "news.jsonl"
    file.write_text("".join(json.dumps({"text": text}) + "\n" for text in ARTICLES), encoding="utf-8")
    return str(file)


def _pairs(folder, *pairs):
    file = folder / "pairs.jsonl"
    names = ("premise", "hypothesis", "label")
    records = [dict(zip(names, pair, strict=True)) | {"source": "mnli"} for pair in pairs]
    file.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return str(file)


def test_news_questions_have_their_answers_in_the_text_or_none(news):
    made = [one for seed in range(5) for one in ask_about_news([news], 8, refused=frozenset(), seed=seed)]
    assert {one.answerable for one in made} == {True, False}
    for one in made:
        assert one.source == "asked_news"
        if one.answerable:
            assert one.context[one.start : one.end].strip()
        else:
            assert (one.start, one.end) == (0, 0)


def test_some_news_questions_are_read_in_a_shorter_sentence(news):
    made = [one for seed in range(4) for one in ask_about_news([news], 8, refused=frozenset(), seed=seed)]
    known = {sentence.strip(". ") for text in ARTICLES for sentence in text.split(". ")}
    told = {part.strip(". ") for one in made for part in one.context.split(". ")}
    assert told - known
    assert told & known


def test_the_same_seed_asks_the_same(news):
    first, again, other = (ask_about_news([news], 8, refused=frozenset(), seed=seed) for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_a_sentence_of_an_evaluation_is_neither_asked_about_nor_read(news):
    sentence = "Firemen rescued two sailors from a sinking boat."
    refused = frozenset(word_runs(sentence))
    made = [one for seed in range(4) for one in ask_about_news([news], 8, refused=refused, seed=seed)]
    assert made
    assert not any("sailors" in one.context or "sailors" in one.question for one in made)


def test_a_text_answers_what_it_entails_and_not_what_it_only_names(tmp_path):
    entailed = ("A boy in a red shirt is running through the park.", "A boy is running.", "entailment")
    neutral = ("The committee met the minister in Geneva.", "The minister won a prize.", "neutral")
    unnamed = ("A cat sat there.", "The minister won a prize.", "contradiction")
    made = ask_about_pairs([_pairs(tmp_path, *[entailed, neutral, unnamed])], 40, refused=frozenset(), seed=1)
    answered, not_answered = made
    assert answered.question == "Who is running?"
    assert answered.context[answered.start : answered.end] == "A boy"
    assert "won" in not_answered.question
    assert "minister" in not_answered.context
    assert not not_answered.answerable


def test_an_answer_is_found_by_its_noun_where_the_words_differ(tmp_path):
    entailed = ("The small red boats left the harbour at noon.", "Some boats left.", "entailment")
    neutral = ("The minister came late.", "The minister won.", "neutral")
    made = ask_about_pairs([_pairs(tmp_path, entailed, neutral)], 40, refused=frozenset(), seed=3)
    (answered,) = (one for one in made if one.answerable)
    assert answered.context[answered.start : answered.end] == "The small red boats"


@pytest.mark.parametrize("sentence", ["He left.", "Rain fell."])
def test_a_sentence_without_modifiers_is_not_shortened(sentence):
    (doc,) = load_parser().parse([sentence])
    assert shorten_sentence(doc, np.random.default_rng(1)) is None


def test_a_negation_stays():
    (doc,) = load_parser().parse(["The firm did not sell its shares in London last year."])
    made = {shorten_sentence(doc, np.random.default_rng(seed)) for seed in range(20)}
    assert len(made) > 1
    assert all("not" in text for text in made)
