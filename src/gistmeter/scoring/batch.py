"""The work on one batch: decode it, check that each metric has what it needs, score it."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import DataError, MetricError
from gistmeter.io.records import suggest_columns
from gistmeter.metrics.references import find_own_reference
from gistmeter.models.runtime.settings import current_settings
from gistmeter.qa.answer_store import use_answer_store
from gistmeter.scoring.answer_store import CachedAnswers
from gistmeter.scoring.cache import ScoreCache, cache_keys, content_digests
from gistmeter.scoring.contents import describe_content
from gistmeter.scoring.failures import name_example, name_failure, score_or_name
from gistmeter.scoring.languages import check_languages, count_languages, count_watched_words
from gistmeter.wording import format_count

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager
    from pathlib import Path

    from gistmeter.arrays import FloatArray
    from gistmeter.example import Example
    from gistmeter.io.batches import Batch, RecordDefaults, RecordLocations
    from gistmeter.metrics.metric import Metric, Need
    from gistmeter.models.runtime.settings import RuntimeSettings
    from gistmeter.scoring.failures import Describe


Traits = dict[str, dict[str, set[str]]]
"""By metric label: what the data decided about it, each with all values seen."""


@dataclass(slots=True)
class ScoredBatch:
    """The outcome of one batch: keys, numbers (all metrics side by side), traits, and things to warn about."""

    doc_ids: list[str]
    systems: list[str]
    locations: RecordLocations
    numbers: FloatArray
    traits: Traits
    counts: Counter[str]
    contents: list[str]
    """A digest of the texts of each summary."""
    read_bytes: int = 0
    seconds: float = 0.0
    """How long it took."""
    answers: int = 0
    """How many questions were answered, without those whose answers were in the cache."""


@dataclass(frozen=True, slots=True)
class Job:
    """What to do with every batch of a run. Sent once to each worker."""

    metrics: dict[str, Metric]
    defaults: RecordDefaults
    cache_path: Path | None = None
    runtime: RuntimeSettings = field(default_factory=current_settings)
    note_answers: Callable[[int], None] | None = field(default=None, compare=False, repr=False)
    """Hears how many questions were answered, as soon as they are, in this process only."""

    _opened: dict[Path, ScoreCache] = field(default_factory=dict, compare=False, repr=False)
    _stores: dict[Path | None, CachedAnswers] = field(default_factory=dict, compare=False, repr=False)

    def __getstate__(self) -> tuple[dict[str, Metric], RecordDefaults, Path | None, RuntimeSettings]:
        return self.metrics, self.defaults, self.cache_path, self.runtime

    def __setstate__(self, state: tuple[dict[str, Metric], RecordDefaults, Path | None, RuntimeSettings]) -> None:
        names = ("metrics", "defaults", "cache_path", "runtime", "note_answers", "_opened", "_stores")
        for name, value in zip(names, (*state, None, {}, {}), strict=True):
            object.__setattr__(self, name, value)

    @property
    def answers(self) -> int:
        """How many questions this process has answered, those of an unfinished batch too."""
        return sum(store.answers for store in self._stores.values())

    @property
    def saved_answers(self) -> int:
        """How many answers to questions this process has saved, those of an unfinished batch too."""
        return sum(store.answers for store in self._stores.values() if store.saves)

    @property
    def width(self) -> int:
        """How many numbers there are for one summary."""
        return sum(metric.width for metric in self.metrics.values())

    def score(self, batch: Batch) -> ScoredBatch:
        """Score one batch."""
        started, answers_before = time.monotonic(), self.answers
        written = batch.examples(self.defaults)
        examples = self.defaults.read_markers(written)
        check_languages(self.metrics, examples, batch.locations)
        self._check_needs(batch, examples)
        describe = partial(_describe_example, batch.locations, examples)
        with self._answer_store():
            numbers = self._score_all(examples, describe)
            missing = self._count_missing(examples, numbers, describe)
        return ScoredBatch(
            doc_ids=[example.doc_id for example in examples],
            systems=[example.system for example in examples],
            locations=batch.locations,
            numbers=np.concatenate(numbers, axis=1) if numbers else np.empty((len(examples), 0)),
            traits=self._collect_traits(examples, describe),
            counts=(
                _count_empty(examples)
                + self._count_own_references(examples)
                + _count_read(written, examples)
                + count_languages(examples)
                + count_watched_words(examples, batch.locations)
                + missing
            ),
            contents=[describe_content(example) for example in examples],
            read_bytes=batch.read_bytes,
            seconds=time.monotonic() - started,
            answers=self.answers - answers_before,
        )

    def close(self) -> None:
        """Let go of the cache file."""
        for cache in self._opened.values():
            cache.close()
        self._opened.clear()

    def _count_own_references(self, examples: Sequence[Example]) -> Counter[str]:
        """How many summaries are one of their own references, by system, if a metric compares them so."""
        if not any(metric.rewards_own_reference for metric in self.metrics.values()):
            return Counter()
        return Counter(
            OWN_REFERENCE + example.system
            for example in examples
            if example.references
            and example.summary.strip()
            and find_own_reference(example.summary, example.references) is not None
        )

    def _score_all(self, examples: Sequence[Example], describe: Describe) -> list[FloatArray]:
        cache = self._open_cache()
        scorers = [MetricScorer(label, metric, describe) for label, metric in self.metrics.items()]
        if cache is None or not examples:
            return [scorer.score(examples) for scorer in scorers]
        digests: dict[frozenset[Need], list[bytes]] = {}
        for metric in self.metrics.values():
            if metric.reads not in digests:
                digests[metric.reads] = content_digests(metric.reads, examples)
        return [
            scorer.score_cached(examples, cache, cache_keys(scorer.metric, digests[scorer.metric.reads]))
            for scorer in scorers
        ]

    def _answer_store(self) -> AbstractContextManager[None]:
        """Where metrics keep what they asked, for `report` and `explain`: in the cache, if there is one."""
        cache = self._open_cache()
        path = None if cache is None else cache.path
        return use_answer_store(self._stores.setdefault(path, CachedAnswers(cache, self.note_answers)))

    def _count_missing(
        self, examples: Sequence[Example], numbers: Sequence[FloatArray], describe: Describe
    ) -> Counter[str]:
        """How many summaries have no score of a metric, by metric and reason."""
        counts: Counter[str] = Counter()
        for (label, metric), rows in zip(self.metrics.items(), numbers, strict=True):
            if width := len(metric.summary_columns):
                missing: list[int] = np.flatnonzero(np.isnan(rows[:, :width]).all(axis=1)).tolist()
                reasons = _ask_why_missing(label, metric, [examples[row] for row in missing], describe)
                counts.update(missing_key(label, reason) for reason in reasons)
        return counts

    def _open_cache(self) -> ScoreCache | None:
        if self.cache_path is None:
            return None
        if self.cache_path not in self._opened:
            self._opened[self.cache_path] = ScoreCache(self.cache_path)
        cache = self._opened[self.cache_path]
        return cache if cache.is_usable else None

    def _check_needs(self, batch: Batch, examples: Sequence[Example]) -> None:
        for label, metric in self.metrics.items():
            for index, example in enumerate(examples):
                need = metric.lacking(example)
                if need:
                    where = batch.locations.describe(index)
                    others = suggest_columns(batch.locations.file, need, self.defaults.fields)
                    raise DataError(f"{label} needs `{need}`, but {example.name} ({where}) has none{others}")

    def _collect_traits(self, examples: Sequence[Example], describe: Describe) -> Traits:
        traits: Traits = {}
        for label, metric in self.metrics.items():
            values_by_trait = _read_traits(label, metric, examples, describe)
            if self.defaults.markers == "keep":
                values_by_trait["markers"].add("keep")
            traits[label] = dict(values_by_trait)
        return traits


def _read_traits(
    label: str, metric: Metric, examples: Sequence[Example], describe: Describe
) -> defaultdict[str, set[str]]:
    values_by_trait: defaultdict[str, set[str]] = defaultdict(set)
    done = 0
    with name_failure(label, metric, lambda: f"reading the traits of {describe(examples[done])}"):
        for example in examples:
            for trait, value in metric.traits(example).items():
                values_by_trait[trait].add(value)
            done += 1
    return values_by_trait


def _ask_why_missing(label: str, metric: Metric, examples: Sequence[Example], describe: Describe) -> list[str]:
    reasons: list[str] = []
    with name_failure(label, metric, lambda: f"asked why {describe(examples[len(reasons)])} has no score"):
        for example in examples:
            reasons.append(metric.why_missing(example))  # noqa: PERF401  (a failure is that of the next)
    return reasons


def add_traits(total: Traits, more: Traits) -> None:
    """Join the traits of one batch to those of the batches before."""
    for label, values_by_trait in more.items():
        total_values = total.setdefault(label, {})
        for trait, values in values_by_trait.items():
            total_values.setdefault(trait, set()).update(values)


def missing_key(label: str, reason: str) -> str:
    """What a missing score is counted under."""
    return f"no {label}: {reason}"


@dataclass(frozen=True, slots=True)
class MetricScorer:
    """A metric, which may be of another package, by its label: its scores are checked, and its failures named."""

    label: str
    metric: Metric
    describe: Describe

    def score(self, examples: Sequence[Example]) -> FloatArray:
        """The scores, refused unless there is a row for each summary."""
        metric = self.metric
        given = score_or_name(self.label, metric, examples, self.describe)
        try:
            scores: FloatArray = np.asarray(given, dtype=np.float64)
        except (TypeError, ValueError):
            raise MetricError(f"{_name_maker(metric)} gave no array of numbers, but {type(given).__name__}") from None
        if scores.shape != (len(examples), metric.width):
            size = " x ".join(map(str, scores.shape)) or "a single number"
            raise MetricError(
                f"{_name_maker(metric)} gave {size} for {format_count(len(examples), 'summary')}: its scores must be "
                f"{len(examples)} x {metric.width}, a row for each summary and a column for each score"
            )
        return scores

    def score_cached(self, examples: Sequence[Example], cache: ScoreCache, keys: Sequence[bytes]) -> FloatArray:
        """Scores from the cache where it has them; the others are computed and kept."""
        width = self.metric.width
        rows = len(examples) // len(keys)  # examples under one key: all of a cheap metric's batch, else one
        numbers, present = cache.find_scores(keys, rows * width)
        absent: list[int] = np.flatnonzero(~present).tolist()
        if absent:
            scored = self.score(examples if rows > 1 else [examples[index] for index in absent])
            numbers[absent] = scored.reshape(len(absent), -1)
            cache.store_scores([keys[index] for index in absent], numbers[absent])
        return numbers.reshape(len(examples), width)


def _name_maker(metric: Metric) -> str:
    """A metric and the class behind it, for messages to whoever wrote it."""
    return f"{metric.spelling} ({type(metric).__module__}:{type(metric).__qualname__})"


def _describe_example(locations: RecordLocations, examples: Sequence[Example], example: Example) -> str:
    index = next(index for index, other in enumerate(examples) if other is example)
    return f"{name_example(example)} ({locations.describe(index)})"


READ_MARKERS = "markers read"
"""What a summary with markers that were read as what they stand for is counted under."""

OWN_REFERENCE = "own reference of "
"""What a summary that is one of its own references is counted under, followed by its system."""


def _count_read(written: Sequence[Example], read: Sequence[Example]) -> Counter[str]:
    """How many summaries have markers, in their own text or in what they are compared with."""
    return Counter({READ_MARKERS: sum(before is not after for before, after in zip(written, read, strict=True))})


def _count_empty(examples: Sequence[Example]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for example in examples:
        if not example.summary or example.summary.isspace():
            counts["empty summary"] += 1
        if example.references and not any(text and not text.isspace() for text in example.references):
            counts["empty references"] += 1
        if example.documents and not any(text and not text.isspace() for text in example.documents):
            counts["empty document"] += 1
    return counts
