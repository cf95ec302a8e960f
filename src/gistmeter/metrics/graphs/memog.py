"""MeMoG: the graph of a summary's n-grams beside one merged graph of all references."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from gistmeter.metrics.graphs.metric import GRAPH_COLUMNS, GraphMetric
from gistmeter.metrics.metric import Column

if TYPE_CHECKING:
    from gistmeter.evidence import Evidence
    from gistmeter.example import Example
    from gistmeter.metrics.graphs.metric import Compared


@dataclass(frozen=True, slots=True)
class MeMoG(GraphMetric):
    """MeMoG (Giannakopoulos and Karkaletsis, 2011): the summary's n-gram graph and the merged one of all references.

    Graphs are made and compared as for `autosummeng`, and settings are the same. The references' graphs are merged one
    after the other: the weight of a shared edge moves 1/k of the way to that in the k-th graph, and an edge that one of
    them has keeps its weight. With one reference it is `autosummeng`.

    A summary with fewer than two n-grams scores 0. A reference with fewer is left out; without any other reference the
    scores are missing (NaN).

    >>> from gistmeter.example import Example
    >>> example = Example(doc_id="d", system="s", summary="abcde", references=("abcde", "abcd"))
    >>> MeMoG().score([example])
    array([[1., 1., 1.]])
    """

    name = "memog"
    paper: ClassVar[str] = "Giannakopoulos and Karkaletsis (2011), AutoSummENG and MeMoG in Evaluating Guided Summaries"
    columns = (
        Column("memog", "value similarity of the summary's graph and the merged graph"),
        *GRAPH_COLUMNS,
    )

    def summarise(self, compared: Compared) -> tuple[float, ...]:
        """Value, containment and size similarity to the merged graph."""
        return compared.merged

    def show(self, example: Example, compared: Compared) -> Evidence:
        """The stretches that the summary shares with any of the references."""
        headline = f"value similarity {compared.merged.value:.4f} to the merged graph"
        return self.show_shared(example, compared.positions, headline, [self.tabulate(example, compared)])
