"""Salience by questions: a phrase is salient where a reference answers its question, with a word of it (6.2).

Every noun phrase of the document asks a question from its own sentence. Where no word of a phrase stands in the
reference no answer can share one with it, so that question is not put: the labels are the same, at a third of the cost.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.qa.compare import tokenize_answer
from gistmeter.summarize.spans import DocumentSpans, Span, StatedPhrase

if TYPE_CHECKING:
    from gistmeter.models.answering.spans import Answer
    from gistmeter.models.asking.asker import Question
    from gistmeter.qa.examiner import Examiner
    from gistmeter.summarize.documents import Source

METHOD = "qa"


def label_by_questions(source: Source, examiner: Examiner) -> DocumentSpans:
    """The phrases of a document whose questions its references answer, with the answers."""
    questions = examiner.ask_questions([source.document])[source.document]
    words = {question: frozenset(tokenize_answer(question.answer)) for question in questions}
    reference_words = [frozenset(tokenize_answer(text)) for text in source.references]
    put = [
        (question, number)
        for question in questions
        for number, stated in enumerate(reference_words)
        if words[question] & stated
    ]
    answers = examiner.answer_questions((question.text, source.references[number]) for question, number in put)
    stated_of: dict[Question, list[StatedPhrase]] = {}
    for question, number in put:
        answer = answers[question.text, source.references[number]]
        if _states(answer, words[question]):
            stated_of.setdefault(question, []).append(
                StatedPhrase(reference=number, start=answer.start, end=answer.end, text=answer.text)
            )
    spans = tuple(
        Span(
            start=question.start,
            end=question.end,
            text=source.document[question.start : question.end],
            question=question.text,
            stated=tuple(stated),
        )
        for question, stated in stated_of.items()
    )
    return DocumentSpans(doc_id=source.doc_id, spans=spans, method=METHOD, candidates=len(questions))


def _states(answer: Answer, words: frozenset[str]) -> bool:
    """Whether a question is answered, with at least one word of the phrase that it asks for."""
    return answer.answered and not words.isdisjoint(tokenize_answer(answer.text))
