"""The judge that learned from people's labels, on what it did not see: by folds of documents and of systems."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, get_args

import numpy as np

from bench.figures.page import Table, figure
from bench.figures.pyramid_folds import SETS, ByFolds, examples_of, folds
from gistmeter.insight.budget import SHARES, RunJudgments
from gistmeter.io.folds import index_folds
from gistmeter.metrics.overlap.content import Content
from gistmeter.models.easiness.regressor import parse_regressor
from gistmeter.stats import correlate_by_folds
from gistmeter.training.easiness.recipe import EasinessRecipe
from gistmeter.training.easiness.training import collect_lessons, fit_regressor
from gistmeter.training.presence.figures import ScoredDocument, correlate_recall, measure_gain
from gistmeter.units.easiness import describe_units, group_units
from gistmeter.units.mix import choose_easiest
from gistmeter.units.references import Coreference

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from bench.figures.pyramid_folds import Kind
    from gistmeter.training.easiness.training import SentenceLesson

    FloatArray = NDArray[np.float64]

TITLES = {"realsumm": "REALSumm", "pyrxsum": "PyrXSum"}
_DRAWS = 20
_JUDGES: dict[Kind, str] = {"both": "the whole judge", "networks": "the networks alone"}
_MIXED_BY: dict[str, Kind] = {"realsumm": "both", "pyrxsum": "both"}
"""Who judges units by machine: the whole judge, or its networks alone, which read faster."""

_BY_DOCUMENTS = """Five folds by documents (Table 1): the judge of a fold learned from the other four, of both sets
together; it is the whole one, or its networks alone. Units by machine are our own; which sentences they are for
(Lite2.5) tells a regressor that did not see the fold either. "Gain" is over the content words in summary-level r, 95%
interval from 10,000 draws of documents. Learned from one set and asked about the other (Table 2): see the card of the
networks, `gistmeter models show presence`."""
_BY_SYSTEMS = """Five folds by systems (Table 4): correlations within a fold of 5 systems (REALSumm) or 2 (PyrXSum),
averaged. With 2 systems a correlation is 1 or -1, so PyrXSum's say little, and its folds are drawn, not the paper's.
The judge is the networks alone: the entailment model was not trained by folds of systems."""
_CURVE = """Summary- and system-level r on {title} as a machine cuts the units of more sentences (Fig. 2 and 4), folds
by documents as above, judged by {judge}: the easiest sentences first, or sentences at random (mean of {draws} draws,
and the lowest and highest). `units` are those left to people. "Gain" is over the content words at summary level, 95%
interval from 10,000 draws of documents."""
_COREFERENCE = """Lite3Pyramid by the networks alone, folds by documents, with each way to use coreference when units
are cut ("With coreference and without", below, has how well such units fit people's). "Gain" as above."""
_READINGS = {
    "realsumm": "Choosing beats chance in the middle: at 40% and 50% its summary r is above all draws; beyond 60%, and "
    "at system level, it is within them.",
    "pyrxsum": "Choosing does not beat chance at summary level (at 60% it is below all draws), though its units fit "
    "people's better (see below); at system level it is above the mean of the draws at nearly every share.",
}
_PUBLISHED = {
    ("documents", "Lite2Pyramid"): ((0.64, 0.60, 0.89, 0.86), (0.74, 0.66, 0.95, 0.92)),
    ("documents", "Lite2.5Pyramid"): ((0.62, 0.57, 0.90, 0.88), (0.64, 0.59, 0.92, 0.87)),
    ("documents", "Lite3Pyramid"): ((0.57, 0.53, 0.89, 0.87), (0.51, 0.48, 0.89, 0.86)),
    ("systems", "Lite2Pyramid"): ((0.56, 0.52, 0.74, 0.72), (0.66, 0.66, 1.0, 1.0)),
    ("systems", "Lite2.5Pyramid"): ((0.53, 0.51, 0.71, 0.70), (0.53, 0.53, 0.60, 0.60)),
    ("systems", "Lite3Pyramid"): ((0.49, 0.47, 0.78, 0.76), (0.48, 0.48, 0.20, 0.20)),
}
_MIXES = {"Lite2Pyramid": 0.0, "Lite2.5Pyramid": 0.5, "Lite3Pyramid": 1.0}
_FOUR = ["summary r", "summary ρ", "system r", "system ρ"]


@dataclass(frozen=True, slots=True)
class Judged:
    """A set whose units, by people and by machine, were judged by judges that did not see them."""

    name: str
    run: RunJudgments
    floor: FloatArray
    """Recall of content words, systems x documents, as the other tables."""

    def scored(self, scores: FloatArray) -> list[ScoredDocument]:
        """Scores beside people's, document by document."""
        place = {key: number for number, some in enumerate(folds()["by_documents"]) for key in some}
        people, systems = self.run.people, tuple(self.run.systems)
        return [
            ScoredDocument(place[key], systems, scores[:, column], people[:, column])
            for column, key in enumerate(self.run.sentences)
        ]

    def mix(self, share: float) -> FloatArray:
        """The scores when the easiest share of sentences takes units by machine."""
        return self.run.score_mix(choose_easiest(easy(self.name), share))


@cache
def judged(name: str, kind: Kind) -> Judged:
    """A set judged by folds."""
    run = RunJudgments.judge(examples_of(name), ByFolds(kind))
    floor = _content(name)
    return Judged(name, run, np.array([[floor[system, key] for key in run.sentences] for system in run.systems]))


@cache
def _content(name: str) -> dict[tuple[str, str], float]:
    examples = examples_of(name)
    return {
        (one.system, one.doc_id): float(row[1]) for one, row in zip(examples, Content().score(examples), strict=True)
    }


@cache
def easy(name: str) -> dict[str, list[float]]:
    """How easy each reference sentence is, by a regressor that did not learn from its fold."""
    lessons, run = _lessons(), judged(name, "networks").run
    easiness = {}
    for fold in folds()["by_documents"]:
        model = parse_regressor(
            fit_regressor([lesson for lesson in lessons if lesson.document not in fold], EasinessRecipe())
        )
        for key, sentences in run.sentences.items():
            if key in fold:
                units = group_units(run.by_machine[key], len(sentences))
                rows = [describe_units(*pair) for pair in zip(sentences, units, strict=True)]
                easiness[key] = [float(value) for value in model.predict(rows)]
    return easiness


@cache
def _lessons() -> list[SentenceLesson]:
    return [lesson for one in SETS for lesson in collect_lessons(one, examples_of(one))]


def tables() -> Iterator[Table]:
    """All tables."""
    yield Table("Judged by folds of documents", _BY_DOCUMENTS, ["", *_FOUR, "gain"], list(_by_documents()))
    yield Table("Judged by folds of systems", _BY_SYSTEMS, ["", *_FOUR], list(_by_systems()))
    header = ["share", "units", "summary r", "at random", "gain", "system r", "at random"]
    for name in SETS:
        text = _CURVE.format(title=TITLES[name], draws=_DRAWS, judge=_JUDGES[_MIXED_BY[name]])
        yield Table(f"Cost against quality, {TITLES[name]}", text, header, list(curve(name, _MIXED_BY[name])))
    yield Table(
        "Lite3Pyramid with coreference and without", _COREFERENCE, ["", *_FOUR, "gain"], list(_by_coreference())
    )
    for name in SETS:
        text = _CURVE.format(title=TITLES[name], draws=_DRAWS, judge=_JUDGES["networks"])
        title = f"Cost against quality by the networks, {TITLES[name]}"
        yield Table(title, f"{text} {_READINGS[name]}", header, list(curve(name, "networks")))


def _by_documents() -> Iterator[list[str | float]]:
    for place, name in enumerate(SETS):
        title = TITLES[name]
        found = judged(name, _MIXED_BY[name])
        yield [f"{title}, content words (floor)", *_figures(found, found.floor), ""]
        yield [f"{title}, Lite2Pyramid", *gained(found, by_people(name))]
        yield ["*published*", *_PUBLISHED["documents", "Lite2Pyramid"][place], ""]
        alone = judged(name, "networks")
        for metric, share in _MIXES.items():
            yield [f"{title}, {metric}, networks alone", *gained(alone, alone.mix(share))]
            if share and _MIXED_BY[name] == "both":
                yield [f"{title}, {metric}", *gained(found, found.mix(share))]
            if share:
                yield ["*published*", *_PUBLISHED["documents", metric][place], ""]


def _by_coreference() -> Iterator[list[str | float]]:
    for name in SETS:
        default = judged(name, "networks")
        for use in get_args(Coreference):
            run = RunJudgments.judge(examples_of(name), ByFolds("networks"), coreference=use)
            every = {(key, number) for key, texts in run.sentences.items() for number in range(len(texts))}
            figures = gained(Judged(name, run, default.floor), run.score_mix(every))
            yield [f"{TITLES[name]}, coreference={use}", *figures]


def by_people(name: str) -> FloatArray:
    """Lite2Pyramid by the whole judge: the mean probability of people's units, systems x documents."""
    examples = examples_of(name)
    said = ByFolds("both").judge_units(examples, [one.units for one in examples])
    means = {(one.system, one.doc_id): float(some.mean()) for one, some in zip(examples, said, strict=True)}
    run = judged(name, _MIXED_BY[name]).run
    return np.array([[means[system, key] for key in run.sentences] for system in run.systems])


def _by_systems() -> Iterator[list[str | float]]:
    for place, name in enumerate(SETS):
        found = judged(name, "networks by systems")
        yield [f"{TITLES[name]}, content words (floor)", *_within_systems(found, found.floor)]
        for metric, share in _MIXES.items():
            yield [f"{TITLES[name]}, {metric}", *_within_systems(found, found.mix(share))]
            yield ["*published*", *_PUBLISHED["systems", metric][place]]


def curve(name: str, kind: Kind) -> Iterator[list[str | float]]:
    """The budget curve of a set, by one kind of judge."""
    found, easiness = judged(name, kind), easy(name)
    rng = np.random.default_rng(0)
    for share in SHARES:
        taken = choose_easiest(easiness, share)
        left = sum((key, unit.sentence) not in taken for key, some in found.run.by_people.items() for unit in some)
        mine = correlate_recall(found.scored(found.run.score_mix(taken)))
        drawn = []
        for _ in range(_DRAWS if 0 < share < 1 else 1):
            at_random = choose_easiest({key: rng.random(len(some)) for key, some in easiness.items()}, share)
            drawn.append(correlate_recall(found.scored(found.run.score_mix(at_random))))
        gain = gained(found, found.run.score_mix(taken))[-1]
        yield [
            *(f"{share:.0%}", str(left), mine.pearson, _range([one.pearson for one in drawn]), gain),
            *(mine.system_pearson, _range([one.system_pearson for one in drawn])),
        ]


def gained(found: Judged, scores: FloatArray) -> list[str | float]:
    """The four correlations, and the gain over the floor with its interval."""
    mean, low, high = measure_gain(found.scored(scores), found.scored(found.floor))
    gain = f"{_signed(mean)} ({_signed(low)} to {_signed(high)})"
    return [*_figures(found, scores), gain]


def _figures(found: Judged, scores: FloatArray) -> list[float]:
    one = correlate_recall(found.scored(scores))
    return [one.pearson, one.spearman, one.system_pearson, one.system_spearman]


def _within_systems(found: Judged, scores: FloatArray) -> list[float]:
    systems = found.run.systems
    kept = [[system for system in fold if system in systems] for fold in folds()["by_systems"]]
    places = index_folds([fold for fold in kept if fold], systems)
    return [
        correlate_by_folds(scores, found.run.people, places, axis="systems", level=level, coefficient=kind).value
        for level in ("summary", "system")
        for kind in ("pearson", "spearman")
    ]


def _signed(value: float) -> str:
    return f"{'+' if value >= 0 else '-'}{figure(abs(value))}"


def _range(values: list[float]) -> str:
    mean, low, high = (figure(float(one)) for one in (np.mean(values), min(values), max(values)))
    return mean if len(values) == 1 else f"{mean} ({low} to {high})"
