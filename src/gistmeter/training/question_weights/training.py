"""Training the weighter of questions: which questions about documents their references answer (QuestEval)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import DataError
from gistmeter.qa.evaluate import area_under_curve
from gistmeter.qa.weighter import FEATURES, AskedPhrase, describe_phrases, fit_weighter
from gistmeter.text.words import has_words
from gistmeter.training.card import table
from gistmeter.training.sources.evaluated import runs_of_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import NDArray

    from gistmeter.example import Example
    from gistmeter.qa.examiner import Examiner

FOLDS = 5
_ABOUT = (
    "How likely a question about a document is one that a reference answers (Scialom et al., 2021, QuestEval): a "
    "logistic regression over cheap numbers of the question and its phrase in the document."
)


@dataclass(frozen=True, slots=True)
class Trained:
    """What a run made and measured."""

    file: Path
    card: Path
    documents: int
    refused: int
    questions: int
    answered: float
    """The share of questions that a reference answers."""

    auc: float
    """On held-out documents: how well the weights tell these questions from the others."""


@dataclass(frozen=True, slots=True, eq=False)
class Lessons:
    """Features of questions, whether a reference answers each, and the number of its document."""

    rows: NDArray[np.float64]
    labels: NDArray[np.bool_]
    document: NDArray[np.int64]
    refused: int = 0


def train_weighter(
    out: str | Path,
    examples: Iterable[Example],
    examiner: Examiner,
    *,
    refused: frozenset[int] = frozenset(),
    seed: int = 0,
    command: str = "",
    notes: Sequence[str] = (),
    progress: Callable[[int, int], None] | None = None,
) -> Trained:
    """Ask about documents, see what their references answer, learn it, measure it by folds, write it with a card."""
    file = Path(out).expanduser()
    if file.suffix != ".json":
        raise DataError(f"a weighter is written to a .json file, not to {file.name}")
    if not file.parent.is_dir():
        raise DataError(f"cannot write {out}: there is no folder {file.parent}")
    found = lessons(examples, examiner, refused=refused, progress=progress)
    documents = len(np.unique(found.document))
    if documents < FOLDS or found.labels.all() or not found.labels.any():
        raise DataError(
            f"a weighter needs at least {FOLDS} documents with references that answer some questions and others not; "
            f"there are {documents}"
        )
    chances = np.empty(len(found.labels))
    fold = np.random.default_rng(seed).permutation(found.document.max() + 1)[found.document] % FOLDS
    for number in range(FOLDS):
        held = fold == number
        chances[held] = fit_weighter(found.rows[~held], found.labels[~held]).probabilities(found.rows[held])
    model = fit_weighter(found.rows, found.labels)
    file.write_text(json.dumps(model.to_dict(), indent=1), "utf-8")
    trained = Trained(
        file=file,
        card=file.with_suffix(".md"),
        documents=documents,
        refused=found.refused,
        questions=len(found.labels),
        answered=float(found.labels.mean()),
        auc=area_under_curve(found.labels, chances),
    )
    weights = dict(zip(FEATURES, model.weights.tolist(), strict=True))
    trained.card.write_text(_card(trained, weights, examiner, command, notes), "utf-8")
    return trained


def lessons(
    examples: Iterable[Example],
    examiner: Examiner,
    *,
    refused: frozenset[int] = frozenset(),
    progress: Callable[[int, int], None] | None = None,
) -> Lessons:
    """The questions of each document with references, once; documents with a refused run of words are left out."""
    known: dict[str, tuple[str, ...]] = {}
    for one in examples:
        if one.document and (some := tuple(text for text in one.references if has_words(text))):
            known.setdefault(one.document, some)
    kept = {text: some for text, some in known.items() if not any(run in refused for run in runs_of_words(text))}
    rows, labels, owners = [], [], []
    for number, (document, references) in enumerate(kept.items()):
        questions = examiner.ask_questions([document])[document]
        answers = examiner.answer_questions((question.text, text) for question in questions for text in references)
        rows.append(describe_phrases(document, [AskedPhrase(one.text, one.start, one.end) for one in questions]))
        labels += [any(answers[one.text, text].answered for text in references) for one in questions]
        owners += [number] * len(questions)
        if progress is not None:
            progress(number + 1, len(kept))
    return Lessons(
        rows=np.concatenate(rows) if rows else np.zeros((0, len(FEATURES))),
        labels=np.array(labels, dtype=bool),
        document=np.array(owners, dtype=np.int64),
        refused=len(known) - len(kept),
    )


def _card(trained: Trained, weights: dict[str, float], examiner: Examiner, command: str, notes: Sequence[str]) -> str:
    """What the weighter is, what it learned from, how it was made and how good it is, in Markdown."""
    who = ", ".join(f"{key} {value}" for key, value in sorted(examiner.facts().items()))
    lines = [
        "# Weighter of questions, English",
        "",
        _ABOUT,
        "",
        f"- Learned from: {trained.questions:,} questions about {trained.documents:,} documents.",
        f"- A reference answers {trained.answered:.1%} of them.",
        f"- Left out as evaluation data: {trained.refused:,} documents.",
        f"- Asked and answered by: {who}.",
        f"- Made by: `{command or 'gistmeter train weighter'}`.",
        *(f"- {note}" for note in notes),
        "",
        f"Area under the curve on held-out documents ({FOLDS} folds): {trained.auc:.3f} (0.5 is chance).",
        "",
        table(("feature (mean 0, spread 1)", "weight"), list(weights.items())),
    ]
    return "\n".join(lines) + "\n"
