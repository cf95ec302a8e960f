"""Options that the `meta` commands share, and how mistakes in them are told."""

from __future__ import annotations

import functools
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, ParamSpec, TypeVar, cast, get_args

import typer

from gistmeter.arguments import MOST_DRAWS
from gistmeter.cli import options as o
from gistmeter.cli.door.completion import complete_scores
from gistmeter.cli.door.files import READS
from gistmeter.cli.door.words import split_score_names
from gistmeter.errors import ArgumentError, GistmeterError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gistmeter.meta import Study
    from gistmeter.result import Result

Parameters = ParamSpec("Parameters")
Word = TypeVar("Word", bound=str)

LevelName = Literal["system", "summary", "pooled", "per-system"]
CoefficientName = Literal["pearson", "spearman", "kendall", "kendall-c"]


AgreementName = Literal[CoefficientName, "auc", "balanced-accuracy"]

if TYPE_CHECKING:
    LevelChoice = LevelName
    CoefficientChoice = CoefficientName
    AgreementChoice = AgreementName
else:
    # An option that may be repeated takes no Literal, only a list of an enumeration.
    LevelChoice, CoefficientChoice, AgreementChoice = (
        StrEnum(name, [(word.upper(), word) for word in get_args(words)])
        for name, words in (
            ("LevelChoice", LevelName),
            ("CoefficientChoice", CoefficientName),
            ("AgreementChoice", AgreementName),
        )
    )


Files = Annotated[
    list[Path],
    typer.Argument(
        metavar="FILE...",
        help="A matrix file (.json), files of scores and then one of judgments, or a run whose records carry `human`.",
    ),
    READS,
]
JudgmentFile = Annotated[
    Path | None,
    typer.Option("--judgments", metavar="FILE", help="Where people's judgments are, if not in the last FILE."),
    READS,
]
UnitFiles = Annotated[
    list[str] | None,
    typer.Option("--units", metavar="FILE", help="Content units of a run, by document id, for metrics that need them."),
]
MetricNames = Annotated[
    list[str] | None,
    typer.Option(
        "--metric",
        "-m",
        metavar="M,...",
        callback=split_score_names,
        autocompletion=complete_scores,
        help="Scores: rouge2 (its f1), rouge2.recall; with commas between, or repeat.",
    ),
]
MetricName = Annotated[
    list[str],
    typer.Option(
        "--metric",
        "-m",
        metavar="M",
        callback=split_score_names,
        autocompletion=complete_scores,
        help="The score to look at: rouge2 (its f1) or rouge2.recall; only one.",
    ),
]
LowerNames = Annotated[
    list[str] | None,
    typer.Option("--lower", metavar="NAME", help="A score or judgment of which lower is better; repeat for more."),
]
HigherNames = Annotated[
    list[str] | None,
    typer.Option("--higher", metavar="NAME", help="A score or judgment of which higher is better; repeat for more."),
]
GroupFields = Annotated[
    list[str] | None,
    typer.Option(
        "--group",
        metavar="FIELD",
        help="A column for each value of this field (language, subset, system ...), their mean and ranks; repeat.",
    ),
]
AllDocuments = Annotated[
    Path | None,
    typer.Option(
        "--all-documents", metavar="FILE", help="Scores of all documents, judged or not, for the means of systems."
    ),
    READS,
]
HumanNames = Annotated[
    list[str] | None,
    typer.Option(
        "--human",
        metavar="NAME",
        help="The judgment to compare with, or its column in FILE; correlate takes several, by default all.",
    ),
]
Levels = Annotated[list[LevelChoice] | None, typer.Option("--level", help="Level of the correlation; repeat for more.")]
Level = Annotated[LevelName, typer.Option("--level", help="Level of the correlation.")]
Coefficients = Annotated[
    list[CoefficientChoice] | None,
    typer.Option("--coefficient", help="Coefficient of correlation; repeat for more."),
]
AgreementCoefficients = Annotated[
    list[AgreementChoice] | None,
    typer.Option("--coefficient", help="Coefficient of correlation, or auc and such for yes and no; repeat for more."),
]
Coefficient = Annotated[CoefficientName, typer.Option("--coefficient", help="Coefficient of correlation.")]
UndefinedPolicy = Annotated[
    Literal["drop", "zero", "error"], typer.Option("--undefined", help="What to do with constant documents.")
]
Method = Annotated[Literal["systems", "documents", "both"], typer.Option("--method", help="What is resampled.")]
SwapMethod = Annotated[
    Literal["scaled-systems", "systems", "documents", "both", "crossed"] | None,
    typer.Option(
        "--method",
        help="What is swapped (by default scaled-systems; both is Deutsch's, 2022) or resampled (by default both).",
    ),
]
Correction = Annotated[
    Literal["bonferroni-metric", "bonferroni-all", "holm", "none"],
    typer.Option("--correction", help="For more than two metrics."),
]
Alternative = Annotated[
    Literal["two-sided", "greater", "less"] | None,
    typer.Option(
        "--alternative",
        help="Do two metrics differ (the default), is the first better, or worse? Of more, each is tested for better.",
    ),
]
Alpha = Annotated[float, typer.Option("--alpha", min=0.0001, max=0.5, help="Level of significance.")]
Workers = Annotated[
    int, typer.Option("--workers", min=1, max=o.MOST_THREADS, help="Threads; the result is the same for any number.")
]
Trials = Annotated[int, typer.Option("--trials", min=2, max=MOST_DRAWS, help="How many simulated trials.")]


def open_study(
    files: Sequence[Path],
    judgments: Path | None,
    metrics: Sequence[str] | None,
    units: Sequence[str] | None,
    lower: Sequence[str] | None = None,
    higher: Sequence[str] | None = None,
    human: str | Sequence[str] | None = None,
    group: Sequence[str] | None = None,
    fields: list[str] | None = None,
) -> Study:
    """The scores and judgments that these options name; what joining left out is said on standard error."""
    from gistmeter import meta

    study = meta.open_study(
        files,
        judgments,
        metrics=metrics,
        aspects=human,
        units=units or (),
        lower=lower,
        higher=higher,
        group=group,
        fields=o.parse_fields(fields),
    )
    for note in study.notes:
        o.say(f"note: {note}")
    return study


def single_human(names: list[str] | None) -> str | None:
    """The judgment asked for; more than one is refused."""
    if names and len(names) > 1:
        raise GistmeterError(
            f"give --human once: {' and '.join(names)} are compared one at a time (`meta correlate` takes several)"
        )
    return names[0] if names else None


def single_metric(names: list[str]) -> str:
    """The score asked for; more than one is refused."""
    if len(names) > 1:
        raise GistmeterError(f"give --metric once: {' and '.join(names)} are looked at one at a time")
    return names[0]


def ask(question: Callable[..., Result], study: Study, group: Sequence[str] | None, **options: Any) -> Result:
    """The answer to a question of `gistmeter.meta` about a study, or about each of its groups."""
    from gistmeter import meta

    return meta.by_group(question, study, group=group, **options) if group else question(study, **options)


def level_names(choices: list[LevelChoice] | None) -> tuple[LevelName, ...]:
    """The levels asked for; the two usual ones by default."""
    return choice_names(choices, default=("system", "summary"))


def choice_names(choices: list[Word] | None, *, default: tuple[Word, ...]) -> tuple[Word, ...]:
    """The words chosen with an option that may be repeated, as plain texts, or the default."""
    return tuple(cast("Word", str(choice)) for choice in choices) if choices else default


def with_option_names(command: Callable[Parameters, None]) -> Callable[Parameters, None]:
    """A command whose wrong arguments are told as the options that the user typed."""

    @functools.wraps(command)
    def run(*values: Parameters.args, **named: Parameters.kwargs) -> None:
        try:
            command(*values, **named)
        except ArgumentError as error:
            raise ArgumentError(o.use_flags(error, o.META_ARGUMENTS)) from None

    return run
