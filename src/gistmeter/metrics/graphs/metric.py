"""What AutoSummENG, MeMoG and NPowER share: how texts become graphs, and what evidence shows of them."""

from __future__ import annotations

import hashlib
from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple

import numpy as np

from gistmeter.errors import MetricError
from gistmeter.evidence import Evidence, Mark, Pane, Table
from gistmeter.metrics.graphs.ngram_graphs import (
    EdgeWeights,
    Similarity,
    build_graphs,
    compare_graphs,
    find_shared_starts,
    merge_graphs,
    number_ngrams,
)
from gistmeter.metrics.metric import Column, Metric, Need
from gistmeter.metrics.settings import Within
from gistmeter.text.languages import language_code
from gistmeter.text.words import Tokenizer, find_words, normalize

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from gistmeter.arrays import FloatArray
    from gistmeter.example import Example

Order = Annotated[int, Within(1, 30)]
GRAPH_COLUMNS = (
    Column("containment", "share of the smaller graph's edges that the larger has"),
    Column("size", "edges of the smaller graph divided by those of the larger", "neither"),
)
"""What a comparison of two graphs says beside their value similarity."""


class SymbolText(NamedTuple):
    """A text as its symbols (characters or words) in order: what each is, and where it stands."""

    text: str
    symbols: NDArray[np.int64]
    starts: Sequence[int]
    ends: Sequence[int]


class Compared(NamedTuple):
    """How alike the graph of a summary is to that of each reference that has one, and to the merged one of all."""

    positions: tuple[int, ...]
    by_reference: tuple[Similarity, ...]
    merged: Similarity


@dataclass(frozen=True, slots=True)
class GraphMetric(Metric):
    """A comparison of n-gram graphs, with the settings that make the graphs."""

    min_n: Order = 3
    max_n: Order = 3
    window: Annotated[int, Within(1, 100)] = 3
    symbols: Literal["characters", "words"] = "characters"
    weights: EdgeWeights = "count"
    lowercase: bool = False
    tokenizer: Tokenizer = "unicode"

    needs = frozenset[Need]({"references"})
    missing = "no reference has two n-grams"

    def __post_init__(self) -> None:
        if self.min_n > self.max_n:
            raise MetricError(
                f"{self.name} cannot have min_n={self.min_n} and max_n={self.max_n}: min_n is the smaller"
            )

    def score(self, examples: Sequence[Example]) -> FloatArray:
        """The columns of each summary, missing where no reference has a graph."""
        scores = np.full((len(examples), len(self.columns)), np.nan)
        for row, example in enumerate(examples):
            compared = self.compare(example)
            if compared is not None:
                scores[row] = self.summarise(compared)
        return scores

    def explain(self, example: Example) -> Evidence | None:
        """The stretches that summary and references share, and the similarity to each reference."""
        compared = self.compare(example)
        return self.show(example, compared) if compared is not None else None

    @abstractmethod
    def summarise(self, compared: Compared) -> tuple[float, ...]:
        """The columns from the similarities."""

    @abstractmethod
    def show(self, example: Example, compared: Compared) -> Evidence:
        """Evidence for the columns."""

    def compare(self, example: Example) -> Compared | None:
        """The summary's graph against those of its references; None where no reference has one."""
        texts = [self.read_text(text, example.language) for text in (example.summary, *example.references)]
        orders = range(self.min_n, self.max_n + 1)
        graphs_by_order = [
            build_graphs(number_ngrams([text.symbols for text in texts], order), self.window, self.weights)
            for order in orders
        ]
        # A reference counts where its shortest n-grams make a graph.
        usable = tuple(index for index, graph in enumerate(graphs_by_order[0][1:]) if graph.edges)
        if not usable:
            return None
        by_order = []
        for graphs in graphs_by_order:
            references = [graphs[1 + index] for index in usable]
            by_order.append([compare_graphs(graphs[0], graph) for graph in [*references, merge_graphs(references)]])
        # Longer n-grams count more: the similarity of order n has weight n (Giannakopoulos et al., 2008).
        shares = np.array(orders) / sum(orders)
        *by_reference, merged = (Similarity(*row) for row in np.tensordot(shares, np.array(by_order), axes=1).tolist())
        return Compared(usable, tuple(by_reference), merged)

    def read_text(self, text: str, language: str) -> SymbolText:
        """A text in symbols: its characters as they stand, or its words."""
        if self.symbols == "words":
            words = find_words(text, self.tokenizer, language_code(language))
            numbers = [_hash_word(word.text) for word in words]
            return SymbolText(
                text=normalize(text, self.tokenizer),
                symbols=np.array(numbers, dtype=np.int64),
                starts=[word.start for word in words],
                ends=[word.end for word in words],
            )
        shown = text.lower() if self.lowercase else text
        codes = np.frombuffer(shown.encode("utf-32-le", "surrogatepass"), dtype=np.uint32).astype(np.int64)
        return SymbolText(text=shown, symbols=codes, starts=range(len(codes)), ends=range(1, len(codes) + 1))

    def show_shared(
        self, example: Example, positions: Sequence[int], headline: str, tables: Sequence[Table]
    ) -> Evidence:
        """Evidence: the summary and these references, with the stretches whose edges the other side has marked."""
        texts = [self.read_text(example.summary, example.language)]
        texts += [self.read_text(example.references[position], example.language) for position in positions]
        order = self.min_n
        numbers = number_ngrams([text.symbols for text in texts], order)
        size = 1 + max((int(text.max()) for text in numbers if len(text)), default=0)
        graphs = build_graphs(numbers, self.window, self.weights)
        others = [merge_graphs(graphs[1:]), *[graphs[0]] * len(positions)]
        count = len(example.references)
        titles = [
            "summary",
            *(f"reference {index + 1} of {count}" if count > 1 else "reference" for index in positions),
        ]
        panes = [
            Pane(title, text.text, _mark_stretches(text, find_shared_starts(ids, size, other), order))
            for title, text, ids, other in zip(titles, texts, numbers, others, strict=True)
        ]
        return Evidence(metric=self.spelling, headline=headline, blocks=(*panes, *tables))

    def tabulate(self, example: Example, compared: Compared) -> Table:
        """The similarities to each reference and, where there are several, to their merged graph."""
        count = len(example.references)
        rows = [
            (f"reference {position + 1}" if count > 1 else "reference", *(f"{number:.4f}" for number in similarity))
            for position, similarity in zip(compared.positions, compared.by_reference, strict=True)
        ]
        if len(rows) > 1:
            rows.append(("merged", *(f"{number:.4f}" for number in compared.merged)))
        return Table(("graph", "value", "containment", "size"), tuple(rows), "graphs compared")


def _mark_stretches(text: SymbolText, starts: Sequence[int], order: int) -> tuple[Mark, ...]:
    """Marks for the n-grams at these positions with the next one; those that touch become one mark."""
    stretches: list[list[int]] = []
    for start in starts:
        if stretches and start <= stretches[-1][1]:
            stretches[-1][1] = start + order
        else:
            stretches.append([start, start + order])
    return tuple(Mark(text.starts[first], text.ends[last]) for first, last in stretches)


def _hash_word(word: str) -> int:
    """A number for a word that is the same in every process."""
    return int.from_bytes(hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=7).digest(), "big")
