"""AutoSummENG: the graph of a summary's n-grams beside that of each reference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from gistmeter.metrics.graphs.metric import GRAPH_COLUMNS, GraphMetric
from gistmeter.metrics.metric import Column

if TYPE_CHECKING:
    from gistmeter.evidence import Evidence
    from gistmeter.example import Example
    from gistmeter.metrics.graphs.metric import Compared


@dataclass(frozen=True, slots=True)
class AutoSummEng(GraphMetric):
    """AutoSummENG (Giannakopoulos et al., 2008): how alike the n-gram graphs of summary and reference are.

    Every n-gram of characters is a node. An edge joins two that stand at most `window` characters apart, and weighs how
    often they do. The score is the value similarity: shared edges, each with the smaller of its two weights divided
    by the larger, by the number of edges of the larger graph. With several references it is the mean. Nothing in it
    belongs to a language.

    `min_n` and `max_n` are the lengths of n-grams (an order counts as its length), `symbols=words` takes words in place
    of characters, and `weights` says what a meeting at distance d adds to an edge: 1 (`count`),
    exp(-2 (d / window)^2) (`gauss`), or 1 once (`binary`). Case and spaces count, as in the authors' program;
    `lowercase` ignores case.

    A summary with fewer than two n-grams scores 0. A reference with fewer is left out; without any other reference the
    scores are missing (NaN).

    >>> from gistmeter.example import Example
    >>> example = Example(doc_id="d", system="s", summary="abcde", references="abcdf")
    >>> AutoSummEng().score([example]).round(4)  # abc, bcd, cde and abc, bcd, cdf: one edge of three is shared
    array([[0.3333, 0.3333, 1.    ]])
    """

    name = "autosummeng"
    paper: ClassVar[str] = "Giannakopoulos et al. (2008), Summarization System Evaluation Revisited: N-gram Graphs"
    columns = (
        Column("autosummeng", "value similarity of the graphs, mean over references"),
        *GRAPH_COLUMNS,
    )

    def summarise(self, compared: Compared) -> tuple[float, ...]:
        """Value, containment and size similarity, each the mean over references."""
        return tuple(np.mean(compared.by_reference, axis=0).tolist())

    def show(self, example: Example, compared: Compared) -> Evidence:
        """The stretches that summary and closest reference share, and the similarity to each reference."""
        values = [similarity.value for similarity in compared.by_reference]
        closest = compared.positions[int(np.argmax(values))]
        headline = f"value similarity {np.mean(values):.4f}"
        if len(values) > 1:
            headline += f", the mean over {len(values)} references; the closest is shown"
        return self.show_shared(example, [closest], headline, [self.tabulate(example, compared)])
