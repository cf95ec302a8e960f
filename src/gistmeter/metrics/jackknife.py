"""Jackknife: any metric on references, with each of them left out in turn, so that people and systems compare."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from gistmeter.errors import MetricError
from gistmeter.metrics.metric import Column, Metric, Need, collect_inner_facts
from gistmeter.metrics.overlap.rouge import RougeN
from gistmeter.metrics.references import find_own_reference

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.evidence import Evidence
    from gistmeter.example import Example


@dataclass(frozen=True, slots=True)
class Jackknife(Metric):
    """A metric with each reference left out in turn, so that references can be scored as systems are.

    A reference that is scored as a summary against all references meets itself, and leads every table. Here it is
    scored against the others alone; and so that other summaries have no reference more, theirs is the mean of the
    scores with each reference left out in turn (Lin, 2004, section 6). `metric` is any metric that reads references,
    and combines those that are left in its own way.

    A document with one reference gives the plain score, and no score (NaN) to a summary that is that reference. The
    numbers that a metric adds up over a system (corpus BLEU) are averaged over the references left out, too.

    >>> from gistmeter.example import Example
    >>> own = Example(doc_id="1", system="person", summary="it rained", references=("it rained", "it rained hard"))
    >>> RougeN(order=1).score([own])[0].round(2), Jackknife(RougeN(order=1)).score([own])[0].round(2)
    (array([1.  , 0.8 , 0.89]), array([1.  , 0.67, 0.8 ]))
    """

    metric: Metric = field(default_factory=lambda: RougeN(order=1))

    name = "jackknife"
    paper = "Lin (2004), ROUGE: A Package for Automatic Evaluation of Summaries, section 6"
    slow: ClassVar[bool] = True
    missing = "the summary is the only reference, or its scores against the others are missing"

    def __post_init__(self) -> None:
        if "references" not in self.metric.reads or "units" in self.metric.needs:
            raise MetricError(f"jackknife cannot use {self.metric}: it takes one that reads references, and no units")
        if self.metric.leaves_own_reference_out:
            raise MetricError(f"jackknife cannot use {self.metric}: it leaves references out in turn already")

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns of the inner metric."""
        return self.metric.columns

    @property
    def parts(self) -> tuple[str, ...]:
        """The additive parts of the inner metric."""
        return self.metric.parts

    @property
    def needs(self) -> frozenset[Need]:
        """What the inner metric needs, and references."""
        return self.metric.needs | {"references"}

    @property
    def reads(self) -> frozenset[Need]:
        """What the inner metric reads."""
        return self.metric.reads | self.needs

    @property
    def leaves_own_reference_out(self) -> bool:
        """It does."""
        return True

    @property
    def fits(self) -> bool:
        """Whether the inner metric must read the run first."""
        return self.metric.fits

    def fit(self, examples: Iterable[Example]) -> Self:
        """This metric, with the inner metric fitted to the run."""
        return replace(self, metric=self.metric.fit(examples))

    def score(self, examples: Sequence[Example]) -> FloatArray:
        """The mean over each reference left out in turn; of a summary that is a reference, with that one left out."""
        versions = [leave_references_out(example) for example in examples]
        scores = np.full((len(examples), self.width), np.nan)
        flat = [version for each in versions for version in each]
        if flat:
            ends = np.cumsum([len(each) for each in versions])
            for row, part in enumerate(np.split(self.metric.score(flat), ends[:-1])):
                if len(part):
                    scores[row] = part.mean(axis=0)
        # Parts are summed over a system: where there is no score there is nothing to add.
        columns = len(self.summary_columns)
        scores[:, columns:] = np.nan_to_num(scores[:, columns:])
        return scores

    def pool(self, sums: FloatArray) -> FloatArray:
        """The pooled columns of the inner metric."""
        return self.metric.pool(sums)

    def check_language(self, code: str) -> None:
        """Refuse what the inner metric does not read."""
        self.metric.check_language(code)

    def traits(self, example: Example) -> Mapping[str, str]:
        """What the data decided about the inner metric."""
        traits = self.metric.traits(example)
        return {key if key == "language" else f"metric.{key}": value for key, value in traits.items()}

    def facts(self) -> Mapping[str, str]:
        """The inner metric with its facts."""
        return collect_inner_facts(self.metric)

    def why_missing(self, example: Example) -> str:
        """The summary is the only reference, or why the inner metric has no score."""
        versions = leave_references_out(example)
        if not versions:
            return "the summary is its only reference, and nothing is left to compare it with"
        return self.metric.why_missing(versions[0])

    def explain(self, example: Example) -> Evidence | None:
        """Why the inner metric scores as it does, against all references but the summary itself."""
        own = find_own_reference(example.summary, example.references)
        others = example if own is None else _drop_reference(example, own)
        if not others.references:
            return None
        evidence = self.metric.explain(others)
        if evidence is None:
            return None
        count = len(example.references)
        how = f"the mean of {count} scores, with each reference left out in turn" if count > 1 else "one reference"
        if own is not None:
            how = f"the summary is reference {own + 1} of {count} and is compared with the others"
        return replace(evidence, metric=self.spelling, headline=f"{how}; against all at once: {evidence.headline}")


def leave_references_out(example: Example) -> list[Example]:
    """The example with each reference left out in turn, or only with that which is the summary itself.

    >>> from gistmeter.example import Example
    >>> system = Example(doc_id="1", system="a", summary="rain", references=("it rained", "it poured"))
    >>> [version.references for version in leave_references_out(system)]
    [('it poured',), ('it rained',)]
    >>> [version.references for version in leave_references_out(replace(system, summary="it rained"))]
    [('it poured',)]
    """
    own = find_own_reference(example.summary, example.references)
    if own is not None:
        others = _drop_reference(example, own)
        return [others] if others.references else []
    if len(example.references) == 1:
        return [example]
    return [_drop_reference(example, position) for position in range(len(example.references))]


def _drop_reference(example: Example, position: int) -> Example:
    references = example.references
    return replace(example, references=references[:position] + references[position + 1 :])
