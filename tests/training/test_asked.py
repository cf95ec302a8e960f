"""Questions that gistmeter asks to learn answering from: they have an answer where it stands, and none elsewhere."""

import json

import numpy as np
import pytest

from gistmeter.linguistics.parser import load_parser
from gistmeter.training.answering.news_questions import ask_about_news
from gistmeter.training.answering.pair_questions import ask_about_pairs
from gistmeter.training.sources.evaluated import word_runs
from gistmeter.training.sources.shortening import shorten_sentence

pytestmark = pytest.mark.more

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
    qa_examples = [item for seed in range(5) for item in ask_about_news([news], 8, refused=frozenset(), seed=seed)]
    assert {item.answerable for item in qa_examples} == {True, False}
    for qa_example in qa_examples:
        assert qa_example.source == "asked_news"
        if qa_example.answerable:
            assert qa_example.context[qa_example.start : qa_example.end].strip()
        else:
            assert (qa_example.start, qa_example.end) == (0, 0)


def test_some_news_questions_are_read_in_a_shorter_sentence(news):
    qa_examples = [
        qa_example for seed in range(4) for qa_example in ask_about_news([news], 8, refused=frozenset(), seed=seed)
    ]
    own_sentences = {sentence.strip(". ") for text in ARTICLES for sentence in text.split(". ")}
    context_sentences = {part.strip(". ") for qa_example in qa_examples for part in qa_example.context.split(". ")}
    assert context_sentences - own_sentences
    assert context_sentences & own_sentences


def test_the_same_seed_asks_the_same(news):
    first, again, other = (ask_about_news([news], 8, refused=frozenset(), seed=seed) for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_a_sentence_of_an_evaluation_is_neither_asked_about_nor_read(news):
    sentence = "Firemen rescued two sailors from a sinking boat."
    refused = frozenset(word_runs(sentence))
    qa_examples = [
        qa_example for seed in range(4) for qa_example in ask_about_news([news], 8, refused=refused, seed=seed)
    ]
    assert qa_examples
    assert not any("sailors" in qa_example.context or "sailors" in qa_example.question for qa_example in qa_examples)


def test_a_text_answers_what_it_entails_and_not_what_it_only_names(tmp_path):
    entailed = ("A boy in a red shirt is running through the park.", "A boy is running.", "entailment")
    neutral = ("The committee met the minister in Geneva.", "The minister won a prize.", "neutral")
    unnamed = ("A cat sat there.", "The minister won a prize.", "contradiction")
    qa_examples = ask_about_pairs([_pairs(tmp_path, *[entailed, neutral, unnamed])], 40, refused=frozenset(), seed=1)
    answered, not_answered = qa_examples
    assert answered.question == "Who is running?"
    assert answered.context[answered.start : answered.end] == "A boy"
    assert "won" in not_answered.question
    assert "minister" in not_answered.context
    assert not not_answered.answerable


def test_an_answer_is_found_by_its_noun_where_the_words_differ(tmp_path):
    entailed = ("The small red boats left the harbour at noon.", "Some boats left.", "entailment")
    neutral = ("The minister came late.", "The minister won.", "neutral")
    qa_examples = ask_about_pairs([_pairs(tmp_path, entailed, neutral)], 40, refused=frozenset(), seed=3)
    (answered,) = (qa_example for qa_example in qa_examples if qa_example.answerable)
    assert answered.context[answered.start : answered.end] == "The small red boats"


@pytest.mark.parametrize("sentence", ["He left.", "Rain fell."])
def test_a_sentence_without_modifiers_is_not_shortened(sentence):
    (doc,) = load_parser().parse([sentence])
    assert shorten_sentence(doc, np.random.default_rng(1)) is None


def test_a_negation_stays():
    (doc,) = load_parser().parse(["The firm did not sell its shares in London last year."])
    built = {shorten_sentence(doc, np.random.default_rng(seed)) for seed in range(20)}
    assert len(built) > 1
    assert all("not" in text for text in built)
