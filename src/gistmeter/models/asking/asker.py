"""The asking role: questions that the phrases of a text answer.

Embedded are rules over the spaCy parse (`wh`, `order`) that put a wh-phrase in the place of a phrase and
keep the rest of the sentence, as the model of Deutsch (2022, Figure 9) does. By name it is any
sequence-to-sequence model that was trained to ask about a marked phrase.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Protocol

from gistmeter.errors import MetricError
from gistmeter.linguistics.parser import load_parser, parser_digest
from gistmeter.linguistics.phrases import check_phrase_kind, find_phrases
from gistmeter.models.asking import RULES_VERSION
from gistmeter.models.asking.order import order_pieces
from gistmeter.models.asking.wh import find_gap
from gistmeter.models.asking.writer import DEFAULT_TEMPLATE, MarkedPhrase, NamedWriter
from gistmeter.models.asking.writing import write_question
from gistmeter.models.runtime.locate import identify, locate
from gistmeter.models.runtime.settings import current_settings
from gistmeter.text.languages import language_code
from gistmeter.text.sentences import find_sentences
from gistmeter.weights import EMBEDDED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from spacy.tokens import Doc, Span

    from gistmeter.linguistics.phrases import PhraseKind
    from gistmeter.models.runtime.settings import RuntimeSettings


@dataclass(frozen=True, slots=True)
class Question:
    """A question, the phrase that answers it, and where that stands in the text: its characters `start` to `end`."""

    text: str
    answer: str
    start: int
    end: int


class Asker(Protocol):
    """Whoever asks about the phrases of texts."""

    def questions(self, texts: Sequence[str]) -> list[tuple[Question, ...]]:
        """The questions of each text, in the order of their answers."""

    def identity(self) -> Mapping[str, str]:
        """The facts that decide its questions, for a signature."""


class PhraseAsker:
    """Asks about the phrases of each sentence: by rules, or with a model that writes questions."""

    def __init__(self, answers: PhraseKind, identity: Mapping[str, str], writer: NamedWriter | None = None) -> None:
        self._answers, self._identity, self._writer = answers, identity, writer

    def questions(self, texts: Sequence[str]) -> list[tuple[Question, ...]]:
        """The questions of each text, in the order of their answers; equal sentences are read once.

        >>> (asked,) = load_asker().questions(["On Monday, Rossi filed a lawsuit in Seattle."])
        >>> for question in asked:
        ...     print(question.answer, "|", question.text)
        Monday | When did Rossi file a lawsuit in Seattle?
        Rossi | On Monday, who filed a lawsuit in Seattle?
        a lawsuit | On Monday, what did Rossi file in Seattle?
        Seattle | On Monday, where did Rossi file a lawsuit?
        """
        sentences = [[(start, text[start:end]) for start, end in find_sentences(text)] for text in texts]
        distinct = list(dict.fromkeys(sentence for of_text in sentences for _, sentence in of_text))
        asked = self._ask_docs(load_parser().parse(distinct, entities=True))
        questions = dict(zip(distinct, asked, strict=True))
        return [
            tuple(_shift(question, start) for start, sentence in of_text for question in questions[sentence])
            for of_text in sentences
        ]

    def identity(self) -> Mapping[str, str]:
        """The facts that decide its questions."""
        return self._identity

    def _ask_docs(self, docs: Sequence[Doc]) -> list[list[Question]]:
        """The questions of each parsed sentence."""
        phrases = [[span for span in find_phrases(doc, self._answers) if says_more(span)] for doc in docs]
        spans = [span for of_doc in phrases for span in of_doc]
        if self._writer is None:
            texts = [ask_by_rules(span) for span in spans]
        else:
            texts = self._writer.write([_mark(span) for span in spans])
        questions = [
            Question(text=text, answer=span.text, start=span.start_char, end=span.end_char)
            for text, span in zip(texts, spans, strict=True)
        ]
        ends = accumulate(len(of_doc) for of_doc in phrases)
        return [questions[end - len(of_doc) : end] for of_doc, end in zip(phrases, ends, strict=True)]


def load_asker(
    model: str = EMBEDDED,
    answers: PhraseKind = "chunks",
    *,
    template: str = DEFAULT_TEMPLATE,
    beams: int = 1,
    language: str = "en",
) -> Asker:
    """The asker of a name, for a way to choose answers; loaded once per process.

    `model` is `embedded`, a folder with a checkpoint, or a Hugging Face name. `template` says how such a model was
    taught to see the phrase: `{before}`, `{answer}` and `{after}` are the sentence, in the marks of that model. With
    more than one of `beams` it searches for the likeliest question instead of taking the likeliest word each time.
    """
    code = language_code(language)
    if code != "en":
        raise MetricError(f"questions are asked of English texts only, not of texts in {code!r}")
    return _load_asker_once(model, check_phrase_kind(answers), template, beams, current_settings())


def asking_identity(
    model: str = EMBEDDED, answers: PhraseKind = "chunks", *, template: str = DEFAULT_TEMPLATE, beams: int = 1
) -> Mapping[str, str]:
    """What decides the questions of an asker, found without loading its model.

    >>> asking_identity()["asker"]
    'rules-1'
    """
    chosen = {"answers": check_phrase_kind(answers), "parser": parser_digest()}
    if model == EMBEDDED:
        return {"asker": RULES_VERSION, **chosen}
    name, digest = identify(locate(model), None)
    return {"asker": name, "weights": digest, "template": template, "beams": str(beams), **chosen}


def ask_by_rules(phrase: Span) -> str:
    """The question that the rules ask about a phrase of a parsed text with entities."""
    return write_question(order_pieces(phrase, find_gap(phrase)))


@functools.lru_cache(maxsize=4)
def _load_asker_once(model: str, answers: PhraseKind, template: str, beams: int, settings: RuntimeSettings) -> Asker:
    identity = asking_identity(model, answers, template=template, beams=beams)
    if model == EMBEDDED:
        return PhraseAsker(answers, identity)
    return PhraseAsker(answers, identity, NamedWriter(locate(model), template=template, beams=beams, settings=settings))


def _shift(question: Question, at: int) -> Question:
    return Question(text=question.text, answer=question.answer, start=at + question.start, end=at + question.end)


def _mark(phrase: Span) -> MarkedPhrase:
    sentence = phrase.doc.text
    return MarkedPhrase(sentence[: phrase.start_char], phrase.text, sentence[phrase.end_char :])


def says_more(phrase: Span) -> bool:
    """Whether a sentence has a word with a meaning of its own beside the phrase, so that there is something to ask."""
    others = (word for word in phrase.sent if not phrase.start <= word.i < phrase.end)
    return any(word.pos_ in ("NOUN", "PROPN", "VERB", "ADJ", "ADV", "NUM", "AUX") for word in others)
