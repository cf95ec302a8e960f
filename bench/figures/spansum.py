"""Measure summaries that say what is marked, into docs/summarize.md: `python -m bench.figures.spansum [BLOCK ...]`.

The blocks are `ranking`, `control`, `slots` and `quality`, each on every so many documents of SummEval
(`--every N`, by default 5, which is 20 documents: answering questions takes about 3 CPU seconds a document and writer).
None of these documents was learned from: `gistmeter train salience --without` leaves them out by runs of ten words.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import gistmeter as gm
from bench.figures.page import figure
from bench.figures.runs import documents, records
from bench.figures.trust import put_block
from gistmeter import summarize
from gistmeter.models.salience.candidates import find_candidates
from gistmeter.models.salience.predictor import load_predictor
from gistmeter.stats import bootstrap_difference, bootstrap_interval, ratio
from gistmeter.summarize.compression.summarizer import SpanSummarizer
from gistmeter.text.sentences import find_sentences
from gistmeter.training.salience.curves import measure_ranking

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.training.salience.curves import RankedCurves

OUTPUT = Path(__file__).parent.parent.parent / "docs" / "summarize.md"
METRICS = {"rouge1": "R-1", "rouge2": "R-2", "rougeLsum": "R-L", "bertscore": "BERTScore", "qaeval": "QAEval"}
PUBLISHED = {
    "BART (published)": (44.1, 21.0, 40.9, 88.3, 23.5),
    "questions, silver spans (published)": (55.3, 31.4, 51.9, 90.0, 33.7),
    "questions, predicted spans (published)": (45.5, 21.9, 42.4, 88.5, 24.4),
}
"""Table 14 of the thesis, CNN/DailyMail."""
MARKED_SPANS = 10


def load_documents(every: int) -> list[dict[str, Any]]:
    """Every so many documents of SummEval with its first reference, in the order of their ids."""
    texts = documents("summeval/documents.jsonl.gz")
    references: dict[str, str] = {}
    for record in records("summeval/summeval.jsonl.gz"):
        references.setdefault(str(record["doc_id"]), record["references"][0])
    chosen = sorted(references)[::every]
    return [{"doc_id": name, "document": texts[name], "references": [references[name]]} for name in chosen]


def ranking_block(run: Sequence[dict[str, Any]]) -> str:
    """Precision and recall of the first k predicted spans against silver spans, beside the order of the document."""
    silver = {document.doc_id: document for document in summarize.label(run)}
    predictor = load_predictor()
    labels, predicted, in_order = [], [], []
    for record in run:
        found = find_candidates(record["document"])
        salient = {(span.start, span.end) for span in silver[record["doc_id"]].spans}
        labels.append(np.array([(each.start, each.end) in salient for each in found.candidates], dtype=bool))
        predicted.append(predictor.predict(found))
        in_order.append(-np.arange(len(found.candidates), dtype=float))
    curves, position = measure_ranking(labels, predicted), measure_ranking(labels, in_order)
    lines = ["| k | precision@k | by position | recall@k | by position |", "|---|---|---|---|---|"]
    lines += [_ranking_line(k, curves, position) for k in (1, 3, 5, 10, 20)]
    about = (
        f"Against silver spans of {curves.documents} documents of SummEval, none of them learned from; 95% intervals "
        f"over documents. AUC {figure(curves.auc)} (in the order of the document {figure(position.auc)})."
    )
    return "\n".join([*lines, "", about])


def _ranking_line(k: int, curves: RankedCurves, position: RankedCurves) -> str:
    point, plain = curves.at(k), position.at(k)
    precision = f"{figure(point.precision)} [{figure(point.precision_low)}, {figure(point.precision_high)}]"
    recall = f"{figure(point.recall)} [{figure(point.recall_low)}, {figure(point.recall_high)}]"
    return f"| {k} | {precision} | {figure(plain.precision)} | {recall} | {figure(plain.recall)} |"


def control_block(run: Sequence[dict[str, Any]], answerer: str = "embedded") -> str:
    """Question recall and words of ten marked spans, by who writes."""
    control = summarize.measure_control(run, k=[MARKED_SPANS], systems=False, answerer=answerer)
    lines = ["| summaries | question recall | with its word | words | spans for each word |", "|---|---|---|---|---|"]
    for row in control.rows:
        recall = f"{figure(row.recall)} [{figure(row.low)}, {figure(row.high)}]"
        words = f"{row.words:.0f} [{row.words_low:.0f}, {row.words_high:.0f}]"
        lines.append(f"| {row.writer} | {recall} | {figure(row.agreed)} | {words} | {figure(row.ratio)} |")
    about = (
        f"Ten predicted spans of each of {control.documents} documents of SummEval, answerer `{answerer}`; 95% "
        "intervals over documents. With its word: the answer shares a word with the span."
    )
    return "\n".join([*lines, "", about])


def quality_block(run: Sequence[dict[str, Any]]) -> str:
    """The columns of Table 14 for silver and predicted spans and the first three sentences, published rows beside."""
    silver = {document.doc_id: document for document in summarize.label(run)}
    predicted = {document.doc_id: document for document in summarize.predict(run, k=MARKED_SPANS)}
    examples = []
    for record in run:
        text = record["document"]
        writer = SpanSummarizer(text)
        lead = " ".join(text[start:end] for start, end in find_sentences(text)[:3])
        summaries = {
            "first three sentences": lead,
            "silver spans": writer.write(silver[record["doc_id"]].spans).text,
            f"{MARKED_SPANS} predicted spans": writer.write(predicted[record["doc_id"]].spans).text,
        }
        examples += [
            gm.Example(doc_id=record["doc_id"], system=name, summary=summary, references=tuple(record["references"]))
            for name, summary in summaries.items()
        ]
    scores = gm.score(examples, list(METRICS))
    systems = scores.matrix("rouge1.f1").systems
    first = systems.index("first three sentences")
    lines = [f"| summaries | {' | '.join(METRICS.values())} |", f"|---|{'---|' * len(METRICS)}"]
    for name, values in PUBLISHED.items():
        lines.append(f"| {name} | {' | '.join(f'{value:.1f}' for value in values)} |")
    parts = {metric: scores.parts(f"{metric}.f1") for metric in METRICS}
    for number, name in enumerate(systems):
        cells = [_write_mean(table[number], None if number == first else table[first]) for table in parts.values()]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    about = (
        f"F1 of {len(run)} documents of SummEval with the first reference, in percent, 95% intervals over documents; "
        "in round brackets the difference to the first three sentences. The published rows are the whole test set of "
        "CNN/DailyMail with other models for BERTScore and QAEval: their columns do not compare with ours."
    )
    return "\n".join([*lines, "", about])


def _write_mean(parts: FloatArray, lead: FloatArray | None) -> str:
    """A mean in percent with its interval, and its difference to another; parts are sums and counts of documents."""
    interval = bootstrap_interval(parts[None], ratio)
    text = f"{100 * interval.value[0]:.1f} [{100 * interval.low[0]:.1f}, {100 * interval.high[0]:.1f}]"
    if lead is None:
        return text
    more = bootstrap_difference(parts, lead, ratio)
    return f"{text} ({100 * more.value:+.1f} [{100 * more.low:+.1f}, {100 * more.high:+.1f}])"


def main() -> None:
    """Write the blocks that are named, all by default."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("blocks", nargs="*")
    parser.add_argument("--every", type=int, default=5)
    given = parser.parse_args()
    run = load_documents(given.every)
    blocks: dict[str, Callable[[], str]] = {
        "ranking": lambda: ranking_block(run),
        "control": lambda: control_block(run),
        "slots": lambda: control_block(run, "slots"),
        "quality": lambda: quality_block(run),
    }
    for name in given.blocks or blocks:
        OUTPUT.write_text(put_block(OUTPUT.read_text(encoding="utf-8"), name, blocks[name]()), encoding="utf-8")


if __name__ == "__main__":
    main()
