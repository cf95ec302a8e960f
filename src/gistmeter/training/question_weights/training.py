"""Training the weighter of questions: which questions about documents their references answer (QuestEval)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import DataError
from gistmeter.io.atomic import write_bytes
from gistmeter.io.runs import open_run
from gistmeter.qa.evaluate import area_under_curve
from gistmeter.qa.examiner import Examiner
from gistmeter.qa.weighter import FEATURES, AskedPhrase, describe_phrases, fit_weighter
from gistmeter.text.words import has_words
from gistmeter.training.progress import SILENCE
from gistmeter.training.question_weights.card import question_weights_card
from gistmeter.training.question_weights.recipe import QuestionWeightsRecipe
from gistmeter.training.question_weights.result import TrainedQuestionWeights
from gistmeter.training.result import card_beside, output_file
from gistmeter.training.sources.evaluated import collect_runs, shares_run

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from numpy.typing import NDArray

    from gistmeter.arrays import FloatArray, IntArray
    from gistmeter.example import Example
    from gistmeter.training.progress import Progress
    from gistmeter.training.question_weights.recipe import QuestionWeightsData


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class QuestionLessons:
    """Features of questions, whether a reference answers each, and the number of its document."""

    rows: FloatArray
    labels: NDArray[np.bool_]
    document: IntArray
    refused: int = 0
    """Documents left out as evaluation data."""


def train_question_weights(
    out: str | Path,
    data: QuestionWeightsData,
    *,
    recipe: QuestionWeightsRecipe | None = None,
    command: str = "",
    progress: Progress = SILENCE,
) -> TrainedQuestionWeights:
    """Ask about documents, see what their references answer, learn it, measure it by folds, write it with a card."""
    recipe = recipe or QuestionWeightsRecipe()
    file = output_file(out, (".json",), role="a weighter", data=data)
    run = open_run(list(data.data), documents=list(data.documents), references=list(data.references))
    examiner = Examiner(model=data.model, asker=data.asker, threshold=data.threshold, most=data.most)
    refused = collect_runs(data.without)
    lessons = collect_lessons(run.examples(), examiner, refused=refused, progress=progress)
    documents = len(np.unique(lessons.document))
    if documents < recipe.folds or lessons.labels.all() or not lessons.labels.any():
        raise DataError(
            f"a weighter needs at least {recipe.folds} documents with references that answer some questions and others "
            f"not; there are {documents}"
        )
    model = fit_weighter(lessons.rows, lessons.labels)
    write_bytes(file, json.dumps(model.to_dict(), indent=1).encode())
    trained = TrainedQuestionWeights(
        file=file,
        card=card_beside(file),
        documents=documents,
        refused=lessons.refused,
        questions=len(lessons.labels),
        answered=float(lessons.labels.mean()),
        auc=area_under_curve(lessons.labels, _predict_held_out(lessons, recipe)),
        weights=dict(zip(FEATURES, model.weights.tolist(), strict=True)),
    )
    card = question_weights_card(trained, recipe, examiner=examiner.facts(), command=command, notes=data.notes)
    card.write(trained.card)
    return trained


def collect_lessons(
    examples: Iterable[Example],
    examiner: Examiner,
    *,
    refused: frozenset[int] = frozenset(),
    progress: Progress = SILENCE,
) -> QuestionLessons:
    """The questions of each document with references, once; documents with a refused run of words are left out."""
    references_of: dict[str, tuple[str, ...]] = {}
    for example in examples:
        if example.document and (references := tuple(text for text in example.references if has_words(text))):
            references_of.setdefault(example.document, references)
    documents = {
        document: references for document, references in references_of.items() if not shares_run(document, refused)
    }
    rows, labels, owners = [], [], []
    for number, (document, references) in enumerate(documents.items()):
        questions = examiner.ask_questions([document])[document]
        answers = examiner.answer_questions((question.text, text) for question in questions for text in references)
        rows.append(
            describe_phrases(
                document, [AskedPhrase(question.text, question.start, question.end) for question in questions]
            )
        )
        labels += [any(answers[question.text, text].answered for text in references) for question in questions]
        owners += [number] * len(questions)
        progress.advance("asking", number + 1, len(documents))
    return QuestionLessons(
        rows=np.concatenate(rows) if rows else np.zeros((0, len(FEATURES))),
        labels=np.array(labels, dtype=bool),
        document=np.array(owners, dtype=np.int64),
        refused=len(references_of) - len(documents),
    )


def _predict_held_out(lessons: QuestionLessons, recipe: QuestionWeightsRecipe) -> FloatArray:
    """For each question the probability by a weighter that did not see its document."""
    probabilities = np.empty(len(lessons.labels))
    shuffled = np.random.default_rng(recipe.seed).permutation(lessons.document.max() + 1)
    folds = shuffled[lessons.document] % recipe.folds
    for fold in range(recipe.folds):
        held_out = folds == fold
        model = fit_weighter(lessons.rows[~held_out], lessons.labels[~held_out])
        probabilities[held_out] = model.probabilities(lessons.rows[held_out])
    return probabilities
