"""Questions of gistmeter's own asker about the sentences of news, to learn answering from.

A metric asks about a reference and reads a summary that tells the same in other or fewer words, or does not tell it.
So a sentence is asked about and read without some of its modifiers, or the other way round; where the answer went with
them, there is none. And the question is asked of the article without the sentence: another one that has the answer
and words of the question may tell the same, the others do not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gistmeter.linguistics.parser import load_parser
from gistmeter.models.asking.asker import load_asker
from gistmeter.training.answering.asked_places import long_words, most_alike, place_of, stands_in
from gistmeter.training.answering.examples import QaExample
from gistmeter.training.sources.evaluated import runs_of_words
from gistmeter.training.sources.shortened import shortened
from gistmeter.training.sources.texts import read_source

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from spacy.tokens import Doc

    from gistmeter.models.asking.asker import Question

SOURCE = "asked_news"
_SHORTENED, _ASKED_LONG = 0.75, 0.6
"""How often a shorter form of the sentence is made, and how often that is then read, not asked about."""

_ELSEWHERE, _SAME_ARTICLE = 0.5, 0.7
"""How often a question is asked again without its sentence, and how often of its own article where none tells it."""

_AROUND = 4
"""Sentences of the article that are read beside the one that matters, at most."""

_ALIKE = 3
"""Words that another sentence shares with the question before it is taken to tell the same."""

_SHORTEST = 6
"""Words of a sentence that is asked about."""


def asked_of_news(files: Sequence[str], count: int, *, refused: frozenset[int], seed: int) -> list[QaExample]:
    """Questions on so many sentences of these texts (`read_source`); some have no answer in what is read."""
    rng = np.random.default_rng((seed, 21))
    texts = [
        [one for one in text.sentences if one is not None and refused.isdisjoint(runs_of_words(one))]
        for file in files
        for text in read_source(file).of("en")
    ]
    places = [(i, j) for i, text in enumerate(texts) for j, one in enumerate(text) if len(one.split()) >= _SHORTEST]
    places = [places[k] for k in rng.permutation(len(places))[:count]]
    docs = load_parser().parse([texts[i][j] for i, j in places])
    told = [_two_tellings(texts[i][j], doc, rng) for (i, j), doc in zip(places, docs, strict=True)]
    asked = load_asker().questions([one for one, _ in told])
    found: list[QaExample] = []
    for (i, j), (_, read), questions in zip(places, told, asked, strict=True):
        if questions:
            question = questions[int(rng.integers(len(questions)))]
            other = texts[int(rng.integers(len(texts)))]
            found += _of_article(question, read, texts[i], j, other, rng)
    return found


def _two_tellings(sentence: str, doc: Doc, rng: np.random.Generator) -> tuple[str, str]:
    """What is asked about and what is read: a sentence and a shorter form of it, one way or the other, or it twice."""
    short = shortened(doc, rng) if rng.random() < _SHORTENED else None
    if short is None:
        return sentence, sentence
    return (sentence, short) if rng.random() < _ASKED_LONG else (short, sentence)


def _of_article(
    question: Question, read: str, article: Sequence[str], at: int, other: Sequence[str], rng: np.random.Generator
) -> Iterator[QaExample]:
    """The question of what is read, and of the article without it, as far as it is known whether that answers."""
    near = [one for place, one in enumerate(article) if abs(place - at) <= _AROUND and place != at]
    near = [near[k] for k in sorted(rng.permutation(len(near))[: int(rng.integers(_AROUND + 1))])]
    if not any(stands_in(question.answer, one) for one in near):
        yield from _placed(question, near, read, rng)
    if rng.random() >= _ELSEWHERE:
        return
    told = [one for place, one in enumerate(article) if place != at and _tells(question, one)]
    if told:
        same = told[int(rng.integers(len(told)))]
        rest = [one for one in near if one != same and not stands_in(question.answer, one)]
        yield from _placed(question, rest, same, rng)
        return
    rest = [one for one in article if one != article[at] and not stands_in(question.answer, one)]
    if rng.random() >= _SAME_ARTICLE:
        rest = [one for one in other if not stands_in(question.answer, one)]
    if rest:
        best = most_alike(question.text, rest)
        rest = [one for one in rest if one is not best][: int(rng.integers(_AROUND))]
        yield QaExample(question.text, _joined(rest, best, rng), 0, 0, SOURCE)


def _placed(question: Question, around: Sequence[str], read: str, rng: np.random.Generator) -> Iterator[QaExample]:
    """The question of a text that has the sentence that is read somewhere; nothing where its answer is half in it."""
    text = _joined(around, read, rng)
    words = long_words(question.answer)
    place = place_of(question.answer, text)
    if place is not None:
        yield QaExample(question.text, text, *place, SOURCE)
    elif words and not words & long_words(read):
        yield QaExample(question.text, text, 0, 0, SOURCE)


def _joined(around: Sequence[str], sentence: str, rng: np.random.Generator) -> str:
    at = int(rng.integers(len(around) + 1))
    return " ".join([*around[:at], sentence, *around[at:]])


def _tells(question: Question, sentence: str) -> bool:
    """Whether a sentence has the answer and so many words of the question that it seems to tell the same."""
    asked = long_words(question.text) - long_words(question.answer)
    return place_of(question.answer, sentence) is not None and len(asked & long_words(sentence)) >= _ALIKE
