"""S3: a regression that learned from people's scores how to weigh ROUGE, divergences and nearness of words."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from gistmeter.errors import DataError
from gistmeter.evidence import Evidence, Table
from gistmeter.metrics.learned.features import FEATURES, describe_summaries
from gistmeter.metrics.metric import Column, Metric, Need
from gistmeter.models.s3.regression import SHIPPED, find_regression, read_regression
from gistmeter.weights import digest_files

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.example import Example


@dataclass(frozen=True, slots=True)
class S3(Metric):
    """S3 (Peyrard et al., 2017): a score learned from people's judgments of summaries, from nine simpler measures.

    Recall of ROUGE-1, 2, L and SU4, precision of ROUGE-1, ROUGE-WE (words and pairs of words by their nearest in the
    summary), and the Jensen-Shannon divergence of words and of pairs of words from the references, in a ridge
    regression. Words are near by the embedded encoder's table of word pieces, where the paper took word2vec.

    `target=pyr` learned the share of content units that people found (REALSumm and PyrXSum), `target=resp` how relevant
    experts found summaries (SummEval), from 0 to 1. Not the authors' weights, which learned from TAC: do not compare
    with published S3. `weights` names a file of your own from `gistmeter train s3`. The model cards
    (`gistmeter models show s3-pyr`) have what was learned from, and held-out figures.

    English only. It is a prediction: it may lie a little below 0 or above 1. Without words in any reference it is
    missing (NaN).

    >>> from gistmeter.example import Example
    >>> same, other = (Example(doc_id="d", system="s", summary=text, references="It rained all day in the north.")
    ...                for text in ("It rained all day in the north.", "Cats sleep."))
    >>> bool(np.diff(S3().score([other, same])[:, 0])[0] > 0.5)
    True
    """

    target: Literal["pyr", "resp"] = "pyr"
    weights: str = field(default=SHIPPED, metadata={"takes": "gistmeter, or a file from `gistmeter train s3`"})

    name = "s3"
    paper: ClassVar[str] = "Peyrard, Botschen and Gurevych (2017), Learning to Score System Summaries"
    model_roles: ClassVar[frozenset[str]] = frozenset({"s3-pyr", "s3-resp"})
    missing = "no reference has words"
    needs = frozenset[Need]({"references"})
    columns = (Column("s3", "predicted judgment, about 0 to 1"),)

    def score(self, examples: Sequence[Example]) -> FloatArray:
        """The prediction for each summary."""
        regression = read_regression(find_regression(self.weights, self.target), FEATURES)
        return regression.predict(describe_summaries(examples))[:, None]

    def check_language(self, code: str) -> None:
        """Refuse other languages than English, which nothing was learned of."""
        if code != "en":
            raise DataError(f"s3 reads English only, not language {code!r}")

    def facts(self) -> Mapping[str, str]:
        """Which weights."""
        return {"digest": digest_files([find_regression(self.weights, self.target)])}

    def explain(self, example: Example) -> Evidence | None:
        """What each measure is and what it adds to the prediction of the mean summary."""
        regression = read_regression(find_regression(self.weights, self.target), FEATURES)
        (row,) = describe_summaries([example])
        if np.isnan(row).any():
            return None
        means, deviations, coefficients = map(
            np.array, (regression.means, regression.deviations, regression.coefficients)
        )
        added = (row - means) / deviations * coefficients
        rows = tuple(
            (feature, f"{value:.3f}", f"{mean:.3f}", f"{part:+.3f}")
            for feature, value, mean, part in zip(FEATURES, row, means, added, strict=True)
        )
        headline = f"{regression.intercept + added.sum():.3f}: {regression.intercept:.3f} for the mean summary, and"
        table = Table(("measure", "this summary", "mean summary", "adds"), rows, "measures")
        return Evidence(
            metric=self.spelling, headline=f"{headline} {added.sum():+.3f} for its measures", blocks=(table,)
        )
