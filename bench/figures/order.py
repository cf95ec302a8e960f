"""Measure how often the embedded next-sentence head tells order, into docs/models.md: `python -m bench.figures.order`.

The documents are held out: SummEval's, which nothing was learned from, and the test part of what the head learned from.
Three minutes on one core.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from bench.figures.page import figure
from bench.figures.runs import DATA
from bench.figures.trust import put_block
from gistmeter.models.next_sentence.heads import head_file, load_vector_source, read_head
from gistmeter.models.next_sentence.votes import HeadVoters, Votes
from gistmeter.training.next_sentence.encoding import PairEncoder
from gistmeter.training.next_sentence.figures import correlate_coherence, measure_order
from gistmeter.training.next_sentence.pairs import SentencePair, divide_texts
from gistmeter.training.progress import SILENCE
from gistmeter.training.sources.evaluated import collect_sentences
from gistmeter.training.sources.texts import read_source

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.training.next_sentence.figures import OrderFigures
    from gistmeter.training.sources.sentences import SentenceText

    Judge = Callable[[Sequence[tuple[str, str]]], FloatArray]

OUTPUT = Path(__file__).parent.parent.parent / "docs" / "models.md"
LEARNED = ("training/bbc_news.jsonl.gz", "linguistic/gum_summaries.jsonl.gz")
EVALUATED = (
    "summeval/documents.jsonl.gz",
    "summeval/summeval.jsonl.gz",
    "realsumm/documents.jsonl.gz",
    "realsumm/realsumm.jsonl.gz",
    "pyrxsum/documents.jsonl.gz",
    "ffci/faithfulness_documents.jsonl.gz",
    "ffci/focus_coverage.jsonl.gz",
    "ffci/coherence.jsonl.gz",
    "rose/documents.jsonl.gz",
)
JUDGMENTS = DATA / "ffci/coherence.jsonl.gz"
SYSTEMS = {"PG": "C-PG", "BERT": "C-BT", "LEAD3": "LEAD3", "PROPHETNET": "ProphetNet"}


def main() -> None:
    """Write the table."""
    text = OUTPUT.read_text(encoding="utf-8")
    OUTPUT.write_text(put_block(text, "order", order_block(list_judges())), encoding="utf-8")


def list_judges() -> dict[str, Judge]:
    """The parts of the embedded English head, each added to those before it."""
    head = read_head(head_file(multilingual=False))
    encoder = PairEncoder(load_vector_source(head.reads), SILENCE)
    voters = HeadVoters(head, "en")
    votes_of: dict[tuple[str, str], tuple[float, ...]] = {}

    def ask(pairs: Sequence[tuple[str, str]]) -> Votes:
        new = [pair for pair in dict.fromkeys(pairs) if pair not in votes_of]
        if new:
            encoded = encoder.encode([SentencePair(*pair, "adjacent") for pair in new], "")
            networks, cues, reader = voters.ask(head.probabilities(*encoded.vectors), new)
            both = reader if reader is not None else np.zeros((len(new), 2))
            votes_of.update(zip(new, map(tuple, np.column_stack([networks, cues, both])), strict=True))
        table = np.array([votes_of[pair] for pair in pairs]).reshape(-1, 4)
        return Votes(networks=table[:, 0], cues=table[:, 1], reader=table[:, 2:] if head.reader else None)

    return {
        "networks alone": lambda pairs: ask(pairs)._replace(cues=np.zeros(len(pairs)), reader=None).combine(None),
        "with cues of order": lambda pairs: ask(pairs)._replace(reader=None).combine(None),
        "with the reader": lambda pairs: ask(pairs).combine(head.shares),
    }


def order_block(judges: dict[str, Judge]) -> str:
    """Order, shuffles and agreement by each judge, as a table."""
    sets = {
        "BBC and GUM test documents": _read_test_documents(),
        "CNN/DM documents (SummEval's, never learned from)": _read_summeval_documents(),
    }
    rows: list[tuple[str, list[float]]] = []
    for name, texts in sets.items():
        found = [measure_order(texts, judge) for judge in judges.values()]
        rows += _describe(name, found)
    agreements = [
        {system.system: system.weakest for system in correlate_coherence(str(JUDGMENTS), judge)}
        for judge in judges.values()
    ]
    start = "agreement with people (FFCI, weakest joint, 135 summaries each): "
    for system, shown in SYSTEMS.items():
        rows.append((start + shown, [of_judge[system] for of_judge in agreements]))
        start = ""
    lines = [["", *judges], ["---", *("---:" for _ in judges)]]
    lines += [[name, *(figure(value) for value in values)] for name, values in rows]
    return "\n".join(f"| {' | '.join(line)} |".replace("|  |", "| |") for line in lines)


def _describe(name: str, found: Sequence[OrderFigures]) -> list[tuple[str, list[float]]]:
    first = found[0]
    return [
        (
            f"joints within the first three sentences, {first.leads} {name}: the writer's order is the likelier one",
            [figures.lead_order for figures in found],
        ),
        (f"joints within the first seven, {first.pairs:,} joints", [figures.order for figures in found]),
        (
            "the first three sentences score above a shuffle of them, weakest joint",
            [figures.shuffled_min for figures in found],
        ),
        ("the same, mean joint", [figures.shuffled_mean for figures in found]),
    ]


def _read_summeval_documents() -> tuple[SentenceText, ...]:
    return read_source(str(DATA / "summeval/documents.jsonl.gz")).texts


def _read_test_documents() -> tuple[SentenceText, ...]:
    """The test part of the documents that the head learned from, divided as its training divides them."""
    evaluated = collect_sentences([str(DATA / path) for path in EVALUATED])
    sources = [read_source(str(DATA / path), without=evaluated) for path in LEARNED]
    return divide_texts([text for source in sources for text in source.in_language("en")], seed=0).test


if __name__ == "__main__":
    main()
