"""The judge that learned from people's labels, on what it did not see: by documents, by systems, on the other set."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from bench.figures.page import Table, figure
from bench.figures.pyramid_folds import SETS, ByFolds, examples_of, folds
from gistmeter.formats.folds import placed_folds
from gistmeter.insight.budget import SHARES, JudgedRun
from gistmeter.metrics.content import Content
from gistmeter.models.boosting import boosted
from gistmeter.models.trees import trees
from gistmeter.stats import correlate_by_folds
from gistmeter.train.easiness import Recipe, fit, lessons
from gistmeter.train.presence_figures import Scored, agreement, difference
from gistmeter.units.easiness import features
from gistmeter.units.mix import easiest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from bench.figures.pyramid_folds import Kind

    FloatArray = NDArray[np.float64]

TITLES = {"realsumm": "REALSumm", "pyrxsum": "PyrXSum"}
_DRAWS = 5
_BY_DOCUMENTS = """Five folds by documents (Table 1): the judge of a fold learned from the other four, of both sets
together. Units by machine are our own; which sentences they are for (Lite2.5) tells a regressor that did not see the
fold either. "Gain" is over the content words in summary-level r, 95% interval from 10,000 draws of documents."""
_BY_SYSTEMS = """Five folds by systems (Table 4): correlations within a fold of 5 systems (REALSumm) or 2 (PyrXSum),
averaged. With 2 systems a correlation is 1 or -1, so PyrXSum's say little. The judge is the networks alone: the
entailment model was not trained by folds of systems."""
_TRANSFER = """Learned from one set, asked about the other, all documents together (Table 2). The judge is the networks
alone. Published: from TAC 2008 for REALSumm, from TAC 2008, TAC 2009 and REALSumm for PyrXSum."""
_CURVE = """Summary- and system-level r on {title} as a machine cuts the units of more sentences (Fig. 2 and 4), folds
by documents as above: the easiest sentences first, or sentences at random (mean of {draws} draws, and the lowest and
highest). `units` are those left to people. "Gain" is over the content words at summary level, 95% interval from 10,000
draws of documents."""
_PUBLISHED = {
    ("documents", "Lite2Pyramid"): ((0.64, 0.60, 0.89, 0.86), (0.74, 0.66, 0.95, 0.92)),
    ("documents", "Lite2.5Pyramid"): ((0.62, 0.57, 0.90, 0.88), (0.64, 0.59, 0.92, 0.87)),
    ("documents", "Lite3Pyramid"): ((0.57, 0.53, 0.89, 0.87), (0.51, 0.48, 0.89, 0.86)),
    ("systems", "Lite2Pyramid"): ((0.56, 0.52, 0.74, 0.72), (0.66, 0.66, 1.0, 1.0)),
    ("systems", "Lite2.5Pyramid"): ((0.53, 0.51, 0.71, 0.70), (0.53, 0.53, 0.60, 0.60)),
    ("systems", "Lite3Pyramid"): ((0.49, 0.47, 0.78, 0.76), (0.48, 0.48, 0.20, 0.20)),
    ("transfer", "Lite2Pyramid"): ((0.61, 0.57, 0.94, 0.95), (0.70, 0.64, 0.99, 0.94)),
    ("transfer", "Lite2.5Pyramid"): ((0.58, 0.54, 0.92, 0.92), (0.60, 0.55, 0.98, 0.94)),
    ("transfer", "Lite3Pyramid"): ((0.53, 0.48, 0.92, 0.93), (0.50, 0.44, 0.97, 0.88)),
}
_MIXES = {"Lite2Pyramid": 0.0, "Lite2.5Pyramid": 0.5, "Lite3Pyramid": 1.0}
_FOUR = ["summary r", "summary ρ", "system r", "system ρ"]


@dataclass(frozen=True, slots=True)
class Judged:
    """A set whose units, by people and by machine, were judged by judges that did not see them."""

    name: str
    run: JudgedRun
    floor: FloatArray
    """Recall of content words, systems x documents, as the other tables."""

    def scored(self, scores: FloatArray, *, by_fold: bool = True) -> list[Scored]:
        """Scores beside people's, document by document."""
        place = {key: number for number, some in enumerate(folds()["by_examples"]) for key in some}
        people, systems = self.run.people, tuple(self.run.systems)
        return [
            Scored(place[key] if by_fold else 0, systems, scores[:, column], people[:, column])
            for column, key in enumerate(self.run.sentences)
        ]

    def mix(self, share: float) -> FloatArray:
        """The scores when the easiest share of sentences takes units by machine."""
        return self.run.scores(easiest(easy(self.name), share))


@cache
def judged(name: str, kind: Kind = "both") -> Judged:
    """A set judged by folds."""
    examples = examples_of(name)
    run = JudgedRun.of(examples, ByFolds(kind))
    values = dict(
        zip(((one.system, one.doc_id) for one in examples), Content().score(examples)[:, 1].tolist(), strict=True)
    )
    return Judged(name, run, np.array([[values[system, key] for key in run.sentences] for system in run.systems]))


@cache
def easy(name: str) -> dict[str, list[float]]:
    """How easy each reference sentence is, by a regressor that did not learn from its fold."""
    found = [lesson for one in SETS for lesson in lessons(one, examples_of(one))]
    sentences = judged(name).run.sentences
    told = {}
    for fold in folds()["by_examples"]:
        model = boosted(fit([one for one in found if one.document not in fold], Recipe(least=10)))
        keys = [key for key in sentences if key in fold]
        read = iter(trees([text for key in keys for text in sentences[key]]))
        for key in keys:
            told[key] = [float(one) for one in model.predict([features(next(read)) for _ in sentences[key]])]
    return told


def tables() -> Iterator[Table]:
    """All tables."""
    yield Table("Judged by folds of documents", _BY_DOCUMENTS, ["", *_FOUR, "gain"], list(_by_documents()))
    yield Table("Judged by folds of systems", _BY_SYSTEMS, ["", *_FOUR], list(_by_systems()))
    yield Table("Judged after learning from the other set", _TRANSFER, ["", *_FOUR, "gain"], list(_transfer()))
    header = ["share", "units", "summary r", "at random", "gain", "system r", "at random"]
    for name in SETS:
        text = _CURVE.format(title=TITLES[name], draws=_DRAWS)
        yield Table(f"Cost against quality, {TITLES[name]}", text, header, list(curve(name)))


def _by_documents() -> Iterator[list[str | float]]:
    for place, name in enumerate(SETS):
        found, networks = judged(name), judged(name, "networks")
        yield [f"{TITLES[name]}, content words (floor)", *_figures(found, found.floor), ""]
        yield [f"{TITLES[name]}, Lite2Pyramid, networks alone", *gained(networks, networks.mix(0.0))]
        for metric, share in _MIXES.items():
            yield [f"{TITLES[name]}, {metric}", *gained(found, found.mix(share))]
            yield ["*published*", *_PUBLISHED["documents", metric][place], ""]


def _by_systems() -> Iterator[list[str | float]]:
    for place, name in enumerate(SETS):
        found = judged(name, "networks by systems")
        yield [f"{TITLES[name]}, content words (floor)", *_within_systems(found, found.floor)]
        for metric, share in _MIXES.items():
            yield [f"{TITLES[name]}, {metric}", *_within_systems(found, found.mix(share))]
            yield ["*published*", *_PUBLISHED["systems", metric][place]]


def _transfer() -> Iterator[list[str | float]]:
    for place, name in enumerate(SETS):
        found = judged(name, "networks of the other set")
        yield [f"{TITLES[name]}, content words (floor)", *_figures(found, found.floor, by_fold=False), ""]
        for metric, share in _MIXES.items():
            yield [f"{TITLES[name]}, {metric}", *gained(found, found.mix(share), by_fold=False)]
            yield ["*published*", *_PUBLISHED["transfer", metric][place], ""]


def curve(name: str) -> Iterator[list[str | float]]:
    """The budget curve of a set."""
    found, easiness = judged(name), easy(name)
    rng = np.random.default_rng(0)
    for share in SHARES:
        taken = easiest(easiness, share)
        left = sum((key, unit.sentence) not in taken for key, some in found.run.by_people.items() for unit in some)
        mine = agreement(found.scored(found.run.scores(taken)))
        drawn = []
        for _ in range(_DRAWS if 0 < share < 1 else 1):
            at_random = easiest({key: rng.random(len(some)) for key, some in easiness.items()}, share)
            drawn.append(agreement(found.scored(found.run.scores(at_random))))
        gain = gained(found, found.run.scores(taken))[-1]
        yield [
            *(f"{share:.0%}", str(left), mine.pearson, _range([one.pearson for one in drawn]), gain),
            *(mine.system_pearson, _range([one.system_pearson for one in drawn])),
        ]


def gained(found: Judged, scores: FloatArray, *, by_fold: bool = True) -> list[str | float]:
    """The four correlations, and the gain over the floor with its interval."""
    mean, low, high = difference(found.scored(scores), found.scored(found.floor))
    gain = f"{_signed(mean)} ({_signed(low)} to {_signed(high)})"
    return [*_figures(found, scores, by_fold=by_fold), gain]


def _figures(found: Judged, scores: FloatArray, *, by_fold: bool = True) -> list[float]:
    one = agreement(found.scored(scores, by_fold=by_fold))
    return [one.pearson, one.spearman, one.system_pearson, one.system_spearman]


def _within_systems(found: Judged, scores: FloatArray) -> list[float]:
    systems = found.run.systems
    kept = [[system for system in fold if system in systems] for fold in folds()["by_systems"]]
    places = placed_folds([fold for fold in kept if fold], systems)
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
