"""Questions of gistmeter's own asker about the sentences of news, to learn answering from.

A metric asks about a reference and reads a summary that tells the same in other or fewer words, or does not tell it.
So a sentence is asked about and read without some of its modifiers, or the other way round; where the answer went with
them, there is none. And the question is asked of the article without the sentence: another one that has the answer
and words of the question may tell the same, the others do not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gistmeter.linguistics.parser import load_parser
from gistmeter.models.asking.asker import load_asker
from gistmeter.training.answering.examples import QaExample
from gistmeter.training.answering.spans import contains_phrase, find_most_similar, find_span, long_words
from gistmeter.training.sources.evaluated import shares_run
from gistmeter.training.sources.shortening import shorten_sentence
from gistmeter.training.sources.texts import read_source

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from spacy.tokens import Doc

    from gistmeter.models.asking.asker import Question

SOURCE = "asked_news"
SHORTENED_SHARE, ASKED_LONG_SHARE = 0.75, 0.6
"""How often a shorter form of the sentence is made, and how often that is then read, not asked about."""

ELSEWHERE_SHARE, SAME_ARTICLE_SHARE = 0.5, 0.7
"""How often a question is asked again without its sentence, and how often of its own article where none tells it."""

MAX_NEIGHBOURS = 4
"""Sentences of the article that are read beside the one that matters, at most."""

MIN_SHARED_WORDS = 3
"""Words that another sentence shares with the question before it is taken to tell the same."""

MIN_WORDS = 6
"""Words of a sentence that is asked about."""


def ask_about_news(files: Sequence[str], count: int, *, refused: frozenset[int], seed: int) -> list[QaExample]:
    """Questions on so many sentences of these texts (`read_source`); some have no answer in what is read."""
    rng = np.random.default_rng((seed, 21))
    texts = [
        [sentence for sentence in text.sentences if sentence is not None and not shares_run(sentence, refused)]
        for file in files
        for text in read_source(file).in_language("en")
    ]
    positions = [
        (i, j) for i, text in enumerate(texts) for j, sentence in enumerate(text) if len(sentence.split()) >= MIN_WORDS
    ]
    positions = [positions[k] for k in rng.permutation(len(positions))[:count]]
    docs = load_parser().parse([texts[i][j] for i, j in positions])
    tellings = [_tell_twice(texts[i][j], doc, rng) for (i, j), doc in zip(positions, docs, strict=True)]
    questions_of = load_asker().questions([telling.asked for telling in tellings])
    examples: list[QaExample] = []
    for (i, j), telling, questions in zip(positions, tellings, questions_of, strict=True):
        if questions:
            question = questions[int(rng.integers(len(questions)))]
            other = texts[int(rng.integers(len(texts)))]
            examples += _ask_about_article(question, telling.read, texts[i], j, other, rng)
    return examples


class _Telling(NamedTuple):
    """What is asked about, and what is read."""

    asked: str
    read: str


def _tell_twice(sentence: str, doc: Doc, rng: np.random.Generator) -> _Telling:
    """A sentence and a shorter form of it, one asked about and the other read, or the sentence twice."""
    short = shorten_sentence(doc, rng) if rng.random() < SHORTENED_SHARE else None
    if short is None:
        return _Telling(sentence, sentence)
    return _Telling(sentence, short) if rng.random() < ASKED_LONG_SHARE else _Telling(short, sentence)


def _ask_about_article(
    question: Question, read: str, article: Sequence[str], asked: int, other: Sequence[str], rng: np.random.Generator
) -> Iterator[QaExample]:
    """The question of what is read, and of the article without it, as far as it is known whether that answers."""
    near = [text for i, text in enumerate(article) if abs(i - asked) <= MAX_NEIGHBOURS and i != asked]
    near = [near[k] for k in sorted(rng.permutation(len(near))[: int(rng.integers(MAX_NEIGHBOURS + 1))])]
    if not any(contains_phrase(question.answer, text) for text in near):
        yield from _ask_of_text(question, near, read, rng)
    if rng.random() >= ELSEWHERE_SHARE:
        return
    tellings = [text for i, text in enumerate(article) if i != asked and _tells_same(question, text)]
    if tellings:
        same = tellings[int(rng.integers(len(tellings)))]
        rest = [text for text in near if text != same and not contains_phrase(question.answer, text)]
        yield from _ask_of_text(question, rest, same, rng)
        return
    rest = [text for text in article if text != article[asked] and not contains_phrase(question.answer, text)]
    if rng.random() >= SAME_ARTICLE_SHARE:
        rest = [text for text in other if not contains_phrase(question.answer, text)]
    if rest:
        best = find_most_similar(question.text, rest)
        rest = [text for text in rest if text is not best][: int(rng.integers(MAX_NEIGHBOURS))]
        yield QaExample(question=question.text, context=_join_text(rest, best, rng), start=0, end=0, source=SOURCE)


def _ask_of_text(
    question: Question, neighbours: Sequence[str], read: str, rng: np.random.Generator
) -> Iterator[QaExample]:
    """The question of a text that has the sentence that is read somewhere; nothing where its answer is half in it."""
    text = _join_text(neighbours, read, rng)
    words = long_words(question.answer)
    span = find_span(question.answer, text)
    if span is not None:
        start, end = span
        yield QaExample(question=question.text, context=text, start=start, end=end, source=SOURCE)
    elif words and not words & long_words(read):
        yield QaExample(question=question.text, context=text, start=0, end=0, source=SOURCE)


def _join_text(neighbours: Sequence[str], sentence: str, rng: np.random.Generator) -> str:
    """Sentences with another one somewhere among them."""
    index = int(rng.integers(len(neighbours) + 1))
    return " ".join([*neighbours[:index], sentence, *neighbours[index:]])


def _tells_same(question: Question, sentence: str) -> bool:
    """Whether a sentence has the answer and so many words of the question that it seems to tell the same."""
    words = long_words(question.text) - long_words(question.answer)
    return find_span(question.answer, sentence) is not None and len(words & long_words(sentence)) >= MIN_SHARED_WORDS
