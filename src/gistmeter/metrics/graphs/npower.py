"""NPowER: AutoSummENG and MeMoG in one learned sum."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar

import numpy as np

from gistmeter.evidence import Table
from gistmeter.metrics.graphs.metric import GraphMetric
from gistmeter.metrics.metric import Column
from gistmeter.metrics.settings import Within

if TYPE_CHECKING:
    from gistmeter.evidence import Evidence
    from gistmeter.example import Example
    from gistmeter.metrics.graphs.metric import Compared

Coefficient = Annotated[float, Within(-1000, 1000)]


@dataclass(frozen=True, slots=True)
class NPowER(GraphMetric):
    """NPowER (Giannakopoulos and Karkaletsis, 2013): a sum of `autosummeng` and `memog`, with learned weights.

    0.52905 AutoSummENG + 0.30053 MeMoG + 0.05866, which the authors fitted to the responsiveness of TAC 2009 and 2010
    on a scale from 0 to 10, here divided by 10, as their program does. `each`, `merged` and `constant` are these
    numbers; a regression on judgments of your own gives others. Further settings are those of `autosummeng`.

    A summary with fewer than two n-grams has the constant. A reference with fewer is left out; without any other
    reference the scores are missing (NaN).

    >>> from gistmeter.example import Example
    >>> example = Example(doc_id="d", system="s", summary="It rained.", references="It rained.")
    >>> NPowER().score([example]).round(4)
    array([[0.8882, 1.    , 1.    ]])
    """

    each: Coefficient = 0.52905
    merged: Coefficient = 0.30053
    constant: Coefficient = 0.05866

    name = "npower"
    paper: ClassVar[str] = "Giannakopoulos and Karkaletsis (2013), Summary Evaluation: Together We Stand NPowER-ed"
    columns = (
        Column("npower", "weighted sum of the two and a constant"),
        Column("autosummeng", "value similarity of the graphs, mean over references"),
        Column("memog", "value similarity of the summary's graph and the merged graph of all references"),
    )

    def summarise(self, compared: Compared) -> tuple[float, ...]:
        """NPowER, AutoSummENG and MeMoG."""
        each = float(np.mean([similarity.value for similarity in compared.by_reference]))
        merged = compared.merged.value
        return self.each * each + self.merged * merged + self.constant, each, merged

    def show(self, example: Example, compared: Compared) -> Evidence:
        """What each part adds, and the stretches that the summary shares with any of the references."""
        total, each, merged = self.summarise(compared)
        rows = (
            ("autosummeng", f"{each:.4f}", f"{self.each:g}", f"{self.each * each:.4f}"),
            ("memog", f"{merged:.4f}", f"{self.merged:g}", f"{self.merged * merged:.4f}"),
            ("constant", "-", "-", f"{self.constant:.4f}"),
        )
        parts = Table(("part", "similarity", "weight", "adds"), rows, "parts of the sum")
        tables = [parts, self.tabulate(example, compared)]
        return self.show_shared(example, compared.positions, f"NPowER {total:.4f}", tables)
