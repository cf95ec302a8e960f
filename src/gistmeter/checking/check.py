"""Check one summary: several scores, where they stand among judged systems, and the weakest sentences with why."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from gistmeter.checking.finders import FINDERS
from gistmeter.checking.texts import CheckedTexts, Finding, Sentence, read_sentences
from gistmeter.errors import DataError, MissingExtraError
from gistmeter.example import DEFAULT_LANGUAGE, Example
from gistmeter.extras import install_command
from gistmeter.ranking.columns import main_columns, note_columns
from gistmeter.ranking.trust.standings import Standing, find_standings
from gistmeter.result import Result
from gistmeter.scoring.inputs import as_run, label_metrics
from gistmeter.scoring.run import score_in_memory
from gistmeter.text.detection import count_language_words, find_plain_language
from gistmeter.text.languages import WORD_LIST_LANGUAGES, language_code, language_name
from gistmeter.text.words import has_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.checking.finders import Finder
    from gistmeter.scores import ScoreColumn
    from gistmeter.scoring.inputs import Metrics

ALONE = ("length", "repetition")
WITH_DOCUMENT = ("novelty", "fragments", "js")
NEEDING_STOP_WORDS = ("js",)
WITH_REFERENCES = ("rouge1", "rouge2", "rougeLsum")
MODELS_WITH_DOCUMENT = ("consistency", "faithfulness")
ENGLISH_MODELS = ("consistency",)
MODELS_WITH_REFERENCES = ("bertscore",)
_SHOWN = {"length": ("words",), "repetition": ("repeat2",), "novelty": ("novel2",), "fragments": ("density",)}
"""Of metrics with columns of one kind, those that a check with its own choice of metrics shows."""


@dataclass(frozen=True, slots=True)
class CheckedScore:
    """A score of the summary, and where it stands in each dataset that knows it."""

    column: ScoreColumn
    value: float
    standings: tuple[Standing, ...]

    @property
    def standing(self) -> float:
        """The share of judged summaries that it beats (exceeds, where neither way is good), averaged over datasets."""
        return float(np.mean([self.beaten(standing) for standing in self.standings])) if self.standings else np.nan

    def beaten(self, standing: Standing) -> float:
        """The share of the summaries of a dataset that it beats."""
        return 1 - standing.lower_share if self.column.better == "lower" else standing.lower_share

    def beaten_systems(self, standing: Standing) -> int:
        """How many systems of a dataset have a mean that it beats."""
        return standing.systems - standing.lower_systems if self.column.better == "lower" else standing.lower_systems


@dataclass(frozen=True, slots=True)
class CheckedSentence:
    """A sentence of the summary and what speaks against it."""

    sentence: Sentence
    findings: tuple[Finding, ...]

    @property
    def weakness(self) -> float:
        """The sum of the weights of its findings; 0 when nothing was doubtful."""
        return sum(finding.weight for finding in self.findings)


@dataclass(frozen=True, slots=True)
class CheckResult(Result):
    """What a check says of one summary."""

    example: Example
    scores: tuple[CheckedScore, ...]
    sentences: tuple[CheckedSentence, ...]
    remarks: tuple[str, ...] = ()

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader should know: markers that were read, what compares with nothing, what is not installed."""
        return self.remarks

    @property
    def weakest(self) -> tuple[CheckedSentence, ...]:
        """The sentences that something speaks against, the weakest first."""
        doubtful = [sentence for sentence in self.sentences if sentence.findings]
        return tuple(sorted(doubtful, key=lambda sentence: -sentence.weakness))

    def records(self) -> list[dict[str, Any]]:
        """A row for each score."""
        return [
            {
                "score": score.column.name,
                "value": score.value,
                "better": score.column.better,
                "standing": score.standing,
                "standings": [
                    {
                        "dataset": standing.dataset,
                        "about": standing.about,
                        "sample": standing.sample,
                        "summaries": standing.summaries,
                        "beaten_share": score.beaten(standing),
                        "systems": standing.systems,
                        "beaten_systems": score.beaten_systems(standing),
                    }
                    for standing in score.standings
                ],
                "signature": score.column.signature,
            }
            for score in self.scores
        ]

    def details(self) -> dict[str, Any]:
        """The sentences with their findings."""
        return {
            "sentences": [
                {
                    "text": checked.sentence.text,
                    "start": checked.sentence.start,
                    "end": checked.sentence.end,
                    "weakness": checked.weakness,
                    "findings": [
                        {"kind": finding.kind, "text": finding.text, "why": finding.why, "weight": finding.weight}
                        for finding in checked.findings
                    ],
                }
                for checked in self.sentences
            ]
        }


def check(
    *,
    summary: str,
    document: str | None = None,
    references: str | Sequence[str] = (),
    documents: str | Sequence[str] = (),
    language: str = DEFAULT_LANGUAGE,
    metrics: Metrics | None = None,
    models: bool | None = None,
    finders: Sequence[Finder] | None = None,
) -> CheckResult:
    """Check one summary: scores, where they stand among judged systems, and the weakest sentences with why.

    Parameters
    ----------
    summary
        The text.
    document, documents
        What was summarised: one text, or several.
    references
        One reference or several, where there are any.
    language
        Of all texts, as a code such as `en`.
    metrics
        The metrics to score with; by default what the texts allow and is quick.
    models
        Whether the embedded models may be asked, for consistency, faithfulness and bertscore; None means where they
        are installed.
    finders
        What looks for weak sentences: each takes the texts and yields findings. None means `FINDERS`.

    Returns
    -------
    CheckResult
        `scores`, `sentences`, `weakest`; `to_dict()` and `to_json()`.

    Raises
    ------
    DataError
        The summary has no words, or a metric that was named needs what was not given.
    MissingExtraError
        Models are asked for that are not installed.

    Examples
    --------
    >>> text = "The bridge cost 6.8 million crowns. Work began in May, and the council paid."
    >>> checked = check(summary="The bridge cost 8.6 million crowns.", document=text, models=False)
    >>> checked.weakest[0].findings[0].why
    '8.6 million stands nowhere in the document; where it speaks of the same, it has 6.8 million'
    >>> [score.column.name for score in checked.scores][:2]
    ['length.words', 'repetition.repeat2']
    """
    if not has_words(summary):
        raise DataError("the summary has no words: there is nothing to check")
    example = Example(
        doc_id="1",
        system="summary",
        summary=summary,
        references=references,  # type: ignore[arg-type]  # a single text is made a tuple by Example
        document=document,
        documents=documents,  # type: ignore[arg-type]
        language=language,
    )
    with_models = has_models() if models is None else models
    if with_models and not has_models():
        raise MissingExtraError(f"the embedded models are not installed: {install_command('models')}")
    chosen = choose_metrics(example, models=with_models) if metrics is None else metrics
    run = as_run([example])
    scores = score_in_memory(run, label_metrics(chosen), cache=False)
    shown = [column for column in main_columns(scores.columns) if not column.parts]
    if metrics is None:
        shown = [column for column in shown if column.short in _SHOWN.get(column.metric, (column.short,))]
    (read,) = run.examples()
    texts = CheckedTexts(read, read_sentences(read.summary, language), models=with_models)
    findings = [finding for find in (FINDERS if finders is None else finders) for finding in find(texts)]
    return CheckResult(
        example=read,
        scores=tuple(_place_column(column, scores.table[column.name][0]) for column in shown),
        sentences=tuple(
            CheckedSentence(sentence, tuple(finding for finding in findings if finding.sentence == position))
            for position, sentence in enumerate(texts.sentences)
        ),
        remarks=(*scores.notes, *note_columns(shown), *_note_texts(texts, asked=models)),
    )


def choose_metrics(example: Example, *, models: bool) -> list[str]:
    """The metrics of a check that names none: what the texts allow, and what is quick.

    >>> choose_metrics(Example(doc_id="1", system="s", summary="It rained.", document="It did."), models=False)
    ['length', 'repetition', 'novelty', 'fragments', 'js']
    """
    chosen = [*ALONE]
    if example.document:
        without_words = language_code(example.language) not in WORD_LIST_LANGUAGES
        chosen += [name for name in WITH_DOCUMENT if not (without_words and name in NEEDING_STOP_WORDS)]
        is_english = language_code(example.language) == "en"
        chosen += [name for name in MODELS_WITH_DOCUMENT if models and (is_english or name not in ENGLISH_MODELS)]
    if example.references:
        chosen += [*WITH_REFERENCES, *(MODELS_WITH_REFERENCES if models else ())]
    return chosen


def has_models() -> bool:
    """Whether the embedded encoder is installed, found out without loading it."""
    from gistmeter.models.roles import find_role

    modules = ("torch", "transformers", find_role("encoder").module)
    return all(find_spec(module) is not None for module in modules)


def _place_column(column: ScoreColumn, value: float | None) -> CheckedScore:
    number = float("nan") if value is None else float(value)
    return CheckedScore(column, number, find_standings(column, number))


def _note_texts(texts: CheckedTexts, *, asked: bool | None) -> list[str]:
    notes = []
    if not has_words(texts.document):
        notes.append("without a document nothing is said of numbers, names and support: give it with `document=`")
    elif not texts.models and asked is None:
        notes.append(f"without the models nothing is said of consistency and faithfulness: {install_command('models')}")
    plain_language = find_plain_language(
        count_language_words(f"{texts.example.summary}\n{texts.document}"), texts.language
    )
    if plain_language is not None:
        notes.append(
            f"the texts look {language_name(plain_language)}, but are checked as {language_name(texts.language)}: "
            f'say so with `language="{plain_language}"`'
        )
    return notes
