"""The judged datasets of `gistmeter trust`, the metrics that are calibrated on them, and their scores."""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gistmeter.api import read_run, score
from gistmeter.judgments import Judgments
from gistmeter.meta.study import Study
from gistmeter.metrics.registry import parse_metric
from gistmeter.ranking.columns import main_columns
from gistmeter.ranking.trust.lookup import plain_signature
from gistmeter.ranking.trust.tables import Dataset
from gistmeter.scores import Scores
from gistmeter.signature import without_version

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter import Example
    from gistmeter.scores import ScoreColumn

DATA = Path(os.environ.get("GISTMETER_DATA", "../shared/data"))
SCORES = Path(os.environ.get("GISTMETER_TRUST_SCORES", "build/trust-scores"))
FOLDER = Path(__file__).parent
LLM_RUN = "rose-llm"


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedRun:
    """A file of judged summaries: which of its systems and documents count, and against how many references."""

    file: str
    documents: str = ""
    units: str = ""
    references: int = 1
    doc_ids: str = ""
    """How the ids of its documents start."""
    without: tuple[str, ...] = ()
    """Systems left out: the references themselves."""

    def examples(self, data: Path = DATA) -> list[Example]:
        """The summaries, with as many references as count."""
        read = read_run(
            data / self.file,
            documents=[data / self.documents] if self.documents else [],
            units=[data / self.units] if self.units else [],
        )
        examples = [
            replace(example, references=example.references[: self.references])
            for example in read
            if example.doc_id.startswith(self.doc_ids) and example.system not in self.without
        ]
        if any(len(example.references) != self.references for example in examples):
            raise SystemExit(f"{self.file} does not have {self.references} references throughout")
        return examples


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedSet:
    """One question that people answered about a run."""

    name: str
    question: str
    run: str
    aspect: str
    about: str
    pooled: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibratedMetric:
    """A metric with default settings: the sets it is fitted to, and what it took from them."""

    name: str
    question: str = "content"
    sets: tuple[str, ...] = ()
    every: int = 1
    """Only every so many documents of each set are scored, in the order of their ids, with all systems."""
    columns: tuple[str, ...] = ()
    learned: Mapping[str, str] = field(default_factory=dict)
    chosen: Mapping[str, str] = field(default_factory=dict)
    twins: Mapping[str, str] = field(default_factory=dict)

    def judged_sets(self) -> list[JudgedSet]:
        """The sets it is fitted to or shown on."""
        return [
            judged
            for judged in read_sets()
            if judged.question == self.question and (not self.sets or judged.name in self.sets)
        ]

    def dataset(self, judged: JudgedSet) -> Dataset:
        """How a table describes a set: one that trained the metric is shown and not pooled."""
        pooled = judged.pooled and judged.name not in self.learned
        references = read_runs()[judged.run].references
        return Dataset(
            judged.name,
            judged.aspect,
            judged.about,
            references=references,
            pooled=pooled,
            sample=describe_sample(self.every),
        )

    def bias(self, judged: JudgedSet) -> str:
        """What it took from the judgments of a run; the same judgments may stand under two names."""
        own = {**self.chosen, **self.learned}
        return own.get(judged.name, "")

    def choose_columns(self, scores: Scores) -> list[ScoreColumn]:
        """The scores to calibrate: those shown first that judge, and recall beside an f1."""
        if self.columns:
            return [scores.column(f"{self.name}.{column}") for column in self.columns]
        shown = {column.name for column in main_columns(scores.columns)}
        if f"{self.name}.f1" in shown:
            shown.add(f"{self.name}.recall")
        judging = [
            column
            for column in scores.columns
            if column.name in shown and column.better != "neither" and not column.parts
        ]
        return sorted(judging, key=lambda column: column.short != "f1")


@cache
def read_runs() -> dict[str, JudgedRun]:
    """The runs by key."""
    return {
        key: JudgedRun(**{**fields, "without": tuple(fields.get("without", ()))})
        for key, fields in _read_toml("sets")["runs"].items()
    }


@cache
def read_sets() -> tuple[JudgedSet, ...]:
    """All sets, in the order of the tables."""
    return tuple(JudgedSet(**fields) for fields in _read_toml("sets")["sets"])


@cache
def read_metrics() -> dict[str, CalibratedMetric]:
    """The calibrated metrics by name."""
    return {
        name: CalibratedMetric(
            name=name,
            **{key: tuple(value) if isinstance(value, list) else value for key, value in fields.items()},
        )
        for name, fields in _read_toml("metrics").items()
    }


def score_run(
    key: str, metric: str, *, every: int = 1, data: Path = DATA, folder: Path = SCORES, fresh: bool = True
) -> Scores:
    """The scores of a run by a metric: from the folder if it has them with today's signature, else scored into it.

    With `every` only every so many documents count (`choose_documents`). With `fresh` false a score that is not in the
    folder is an error: some take hours.
    """
    path = folder / key / (f"{metric}.parquet" if every == 1 else f"{metric}.every{every}.parquet")
    if path.exists():
        scores = Scores.read(path)
        expected = describe_measure(plain_signature(parse_metric(metric)))
        if {describe_measure(column.signature) for column in scores.columns} == {expected}:
            return scores
    if not fresh:
        raise FileNotFoundError(f"{path} is not there, or of another version of {metric}")
    path.parent.mkdir(parents=True, exist_ok=True)
    scores = score(choose_documents(read_runs()[key].examples(data), every), metric, cache=every > 1)
    scores.write(path)
    return scores


def choose_documents(examples: Sequence[Example], every: int) -> list[Example]:
    """All summaries of every so many documents, in the order of their ids."""
    chosen = {*sorted({example.doc_id for example in examples})[::every]}
    return [example for example in examples if example.doc_id in chosen]


def describe_sample(every: int) -> str:
    """What part of the documents that is.

    >>> describe_sample(4), describe_sample(1)
    ('every 4th document', '')
    """
    ordinal = {2: "2nd", 3: "3rd"}.get(every, f"{every}th")
    return f"every {ordinal} document" if every > 1 else ""


def describe_measure(signature: str) -> str:
    """What must be alike on all sets: a signature without its version, and without how sentences are told apart.

    FFCI marks the sentences of its summaries, the other sets do not.

    >>> describe_measure("coherence|language:en|sentences:newline+split|v:0.2.0")
    'coherence|language:en'
    """
    parts = without_version(signature).split("|")
    return "|".join(part for part in parts if not part.startswith("sentences:"))


def join_judgments(key: str, scores: Scores, *, data: Path = DATA) -> Study:
    """Scores of a run and all that people said of it."""
    return Study.join(scores, read_judgments(key, data=data))


@cache
def read_judgments(key: str, *, data: Path = DATA) -> Judgments:
    """All that people said in the file of a run."""
    return Judgments.read(data / read_runs()[key].file)


def _read_toml(name: str) -> dict[str, Any]:
    return tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))


def names(metrics: Sequence[str]) -> list[CalibratedMetric]:
    """The metrics named, or all when none is."""
    known = read_metrics()
    if unknown := [name for name in metrics if name not in known]:
        raise SystemExit(f"there is no calibrated metric {', '.join(unknown)} (there is {', '.join(known)})")
    return [known[name] for name in metrics or known]
