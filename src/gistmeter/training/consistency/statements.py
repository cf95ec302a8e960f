"""Statements from questions: a question and its answer told as one sentence, and the same with a wrong answer."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.linguistics.parser import load_parser
from gistmeter.models.consistency.passages import choose_passages, join_passages, split_document
from gistmeter.training.consistency.claims import ClaimPair

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from spacy.tokens import Doc, Span, Token

    from gistmeter.training.answering.examples import QaExample

_QUESTION_WORDS = frozenset(["who", "what", "which", "when", "where", "how", "whom"])
_PREPOSITIONS = frozenset(
    ["in", "on", "at", "since", "during", "from", "to", "by", "until", "after", "before", "for", "near"]
)
_SUBJECTS = ("nsubj", "nsubjpass")
_DO = {"did": ("VBD",), "does": ("VBZ",), "do": ("VBP", "VB")}
_MAX_ANSWER_WORDS = 8
_MIN_QUESTION_WORDS = 4


def turn_into_statement(question: Doc, answer: str, *, context: Doc, start: int) -> str | None:
    """A question told as a statement with its answer; None where no rule fits. `start` is where the answer stands.

    >>> parser = load_parser()
    >>> context = parser.parse(["The bridge was opened in 1931 by Ann Lee, who lived in Lyon."])[0]
    >>> asked = ("Who opened the bridge?", "When was the bridge opened?")
    >>> answers = (("Ann Lee", 33), ("1931", 25))
    >>> for question, (answer, start) in zip(parser.parse(asked), answers, strict=True):
    ...     turn_into_statement(question, answer, context=context, start=start)
    'Ann Lee opened the bridge.'
    'The bridge was opened in 1931.'
    """
    words = [word for word in question if not word.is_punct or word.text in ",'-%$"]
    if (
        len(words) < _MIN_QUESTION_WORDS
        or words[0].lower_ not in _QUESTION_WORDS
        or len(answer.split()) > _MAX_ANSWER_WORDS
    ):
        return None
    asked = _find_asked_phrase(question)
    rest = question[asked.end : words[-1].i + 1]
    if not len(rest):
        return None
    noun = _count_noun(asked, answer)
    if _is_subject(asked) and rest[0].pos_ in ("VERB", "AUX") and rest[0].lower_ not in ("did", "do", "does"):
        return _sentence(f"{answer}{noun} {rest.text}")
    auxiliary = rest[0]
    if auxiliary.pos_ not in ("AUX", "VERB"):
        return None
    subject = next((word for word in rest[1:] if word.dep_ in _SUBJECTS and word.i > auxiliary.i), None)
    if subject is None:
        return None
    phrase = question[auxiliary.i + 1 : subject.right_edge.i + 1]
    if subject.left_edge.i != auxiliary.i + 1 or subject.right_edge.i > words[-1].i:
        return None
    after = question[subject.right_edge.i + 1 : words[-1].i + 1]
    verb_part = _verb_part(auxiliary, after, context)
    if verb_part is None:
        return None
    placed = _with_preposition(answer, words[0], after, context, start)
    return _sentence(f"{phrase.text} {verb_part} {placed}{noun}")


def make_statement_pairs(questions: Sequence[QaExample], *, seed: int) -> Iterator[ClaimPair]:
    """Statements of questions with their texts: right, and with the answer to another question of the same sort."""
    rng = np.random.default_rng((seed, 13))
    by_context: dict[str, list[QaExample]] = defaultdict(list)
    for question in questions:
        if question.answerable:
            by_context[question.context].append(question)
    parser = load_parser()
    contexts = parser.parse(list(by_context))
    for (context, asked), parsed in zip(by_context.items(), contexts, strict=True):
        split = split_document(context)
        for question, doc in zip(asked, parser.parse([each.question for each in asked]), strict=True):
            answer = context[question.start : question.end]
            others = [
                other
                for other in asked
                if _sort_of(other.question) == _sort_of(question.question)
                and not _shares_word(context[other.start : other.end], answer)
            ]
            wrong = others[int(rng.integers(len(others)))] if others else None
            for answering, label in ((question, 0), (wrong, 3)):
                if answering is None:
                    continue
                text = context[answering.start : answering.end]
                statement = turn_into_statement(doc, text, context=parsed, start=answering.start)
                if statement is not None:
                    premise = join_passages(split, choose_passages(split, statement))
                    kind = "answer" if label == 0 else "wrong answer"
                    yield ClaimPair(premise=premise, claim=statement, label=label, kind=kind, source=question.source)


def _find_asked_phrase(question: Doc) -> Span:
    """The question word with its noun: how many people, which city."""
    first = question[0]
    if first.lower_ in ("which", "what") and first.dep_ == "det":
        return question[0 : first.head.right_edge.i + 1] if first.head.i < 5 else question[0:1]
    if first.lower_ == "how" and len(question) > 1 and question[1].lower_ in ("many", "much"):
        head = question[1].head
        return question[0 : head.i + 1] if 1 < head.i < 6 and head.pos_ == "NOUN" else question[0:2]
    return question[0:1]


def _count_noun(asked: Span, answer: str) -> str:
    """The noun that an answer in numbers lacks: 14 people."""
    if asked[0].lower_ != "how" or len(asked) < 3:
        return ""
    noun = asked[-1]
    return "" if noun.lemma_.lower() in answer.lower() or not answer[-1:].isalnum() else f" {asked[2:].text}"


def _is_subject(asked: Span) -> bool:
    return asked.root.dep_ in _SUBJECTS


def _verb_part(auxiliary: Token, after: Span, context: Doc) -> str | None:
    """The verb as a statement has it: with its auxiliary, or, where that is `did`, in the form that the text has."""
    if auxiliary.lower_ not in _DO:
        return f"{auxiliary.lower_} {after.text}".strip()
    verb = next((word for word in after if word.pos_ in ("VERB", "AUX")), None)
    if verb is None or verb.i != after.start:
        return None
    forms = [word.lower_ for word in context if word.lemma_ == verb.lemma_ and word.tag_ in _DO[auxiliary.lower_]]
    if auxiliary.lower_ == "did" and not forms and verb.text.endswith("e"):
        forms = [f"{verb.text}d"]
    if not forms:
        return None
    return f"{forms[0]} {after[1:].text}".strip()


def _with_preposition(answer: str, asking: Token, after: Span, context: Doc, start: int) -> str:
    """When and where have the preposition that the text has before the answer."""
    is_stranded = len(after) > 0 and after[-1].pos_ == "ADP"
    if asking.lower_ not in ("when", "where") or is_stranded or answer.split(maxsplit=1)[0].lower() in _PREPOSITIONS:
        return answer
    before = [word for word in context if word.idx + len(word) <= start]
    while before and (before[-1].pos_ == "DET" or before[-1].is_space):
        before.pop()
    preposition = before[-1].lower_ if before and before[-1].lower_ in _PREPOSITIONS else "in"
    return f"{preposition} {answer}"


def _sentence(text: str) -> str:
    text = " ".join(text.split()).replace(" ,", ",").replace(" 's", "'s").rstrip(" ?.,")
    return f"{text[0].upper()}{text[1:]}."


def _sort_of(question: str) -> str:
    words = question.lower().split()
    return " ".join(words[:2]) if words[:1] == ["how"] else (words[0] if words else "")


def _shares_word(text: str, other: str) -> bool:
    return not set(text.lower().split()).isdisjoint(other.lower().split())
