"""Measure summaries that say what is marked, into docs/summarize.md: `python -m bench.figures.spansum [BLOCK ...]`.

The blocks are `ranking`, `questions`, `control`, `slots` and `quality`, of documents of
SummEval: every second one in the order of their ids, 50 in all, since the others had a part in choosing how many words
a summary of predicted spans has and how much early sentences are preferred. `--every N` takes every Nth of them
(control and slots take every 2nd: answering takes about 3 CPU seconds a document and writer). None was learned from:
`gistmeter train salience --without` leaves evaluation documents out by runs of ten words.
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
from gistmeter.qa.compare import normalize_answer
from gistmeter.stats import bootstrap_difference, bootstrap_interval, ratio
from gistmeter.text.sentences import find_sentences
from gistmeter.training.salience.curves import measure_ranking

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gistmeter.arrays import BoolArray, FloatArray
    from gistmeter.models.salience.candidates import CandidateDocument
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
MOST_CONTROL_WORDS = 95
"""The most words a summary may have so that they are 85 on average at most, on 25 documents of the half that settings
were chosen on (.900 of the questions in 85 words)."""
EVERY = {"control": 2, "slots": 2}
"""Of the blocks that take long, which documents are taken."""

LEAD = "first three sentences"


def load_documents(every: int = 1) -> list[dict[str, Any]]:
    """The half of SummEval on which no setting was chosen, with the first reference, in the order of their ids."""
    texts = documents("summeval/documents.jsonl.gz")
    references: dict[str, str] = {}
    for record in records("summeval/summeval.jsonl.gz"):
        references.setdefault(str(record["doc_id"]), record["references"][0])
    chosen = sorted(references)[1::2][::every]
    return [{"doc_id": name, "document": texts[name], "references": [references[name]]} for name in chosen]


def ranking_block(run: Sequence[dict[str, Any]], method: str = "lexical") -> str:
    """Precision and recall of the first k predicted spans against silver spans, beside the order of the document.

    Silver spans are counted where the document first has their words, as those of `lexical` are by themselves.
    """
    silver = {document.doc_id: document for document in summarize.label(run, method=method)}
    predictor = load_predictor()
    every_mention, labels, predicted, in_order = [], [], [], []
    for record in run:
        found = find_candidates(record["document"])
        salient = {(span.start, span.end) for span in silver[record["doc_id"]].spans}
        every_mention.append(np.array([(each.start, each.end) in salient for each in found.candidates], dtype=bool))
        labels.append(_find_first_mentions(found, every_mention[-1]))
        predicted.append(predictor.predict(found))
        in_order.append(-np.arange(len(found.candidates), dtype=float))
    curves, position = measure_ranking(labels, predicted), measure_ranking(labels, in_order)
    lines = ["| k | precision@k | by position | recall@k | by position |", "|---|---|---|---|---|"]
    lines += [_ranking_line(k, curves, position) for k in (1, 3, 5, 10, 20)]
    about = (
        f"Against silver spans (`--method {method}`) of {curves.documents} documents of SummEval, none of them learned "
        f"from, each where the document first has its words; 95% intervals over documents. AUC {figure(curves.auc)} "
        f"(in the order of the document {figure(position.auc)})."
    )
    if method != "lexical":
        mentions, plain = measure_ranking(every_mention, predicted), measure_ranking(every_mention, in_order)
        about += (
            f" Counting every mention: precision@1 {figure(mentions.at(1).precision)} "
            f"({figure(plain.at(1).precision)}), recall@20 {figure(mentions.at(20).recall)} "
            f"({figure(plain.at(20).recall)}), AUC {figure(mentions.auc)} ({figure(plain.auc)})."
        )
    return "\n".join([*lines, "", about])


def _find_first_mentions(found: CandidateDocument, salient: BoolArray) -> BoolArray:
    """Of candidates with the same words the first, where any of them is salient."""
    words = [normalize_answer(candidate.phrase.text) for candidate in found.candidates]
    stated = {own for own, is_salient in zip(words, salient, strict=True) if is_salient}
    return np.array([own in stated and own not in words[:number] for number, own in enumerate(words)], dtype=bool)


def _ranking_line(k: int, curves: RankedCurves, position: RankedCurves) -> str:
    point, plain = curves.at(k), position.at(k)
    precision = f"{figure(point.precision)} [{figure(point.precision_low)}, {figure(point.precision_high)}]"
    recall = f"{figure(point.recall)} [{figure(point.recall_low)}, {figure(point.recall_high)}]"
    return f"| {k} | {precision} | {figure(plain.precision)} | {recall} | {figure(plain.recall)} |"


def control_block(run: Sequence[dict[str, Any]], answerer: str = "embedded") -> str:
    """Question recall and words of ten marked spans, by who writes."""
    control = summarize.measure_control(
        run, k=[MARKED_SPANS], words=MOST_CONTROL_WORDS, systems=False, answerer=answerer
    )
    lines = ["| summaries | question recall | with its word | words | spans for each word |", "|---|---|---|---|---|"]
    for row in control.rows:
        recall = f"{figure(row.recall)} [{figure(row.low)}, {figure(row.high)}]"
        words = f"{row.words:.0f} [{row.words_low:.0f}, {row.words_high:.0f}]"
        lines.append(f"| {row.writer} | {recall} | {figure(row.agreed)} | {words} | {figure(row.ratio)} |")
    about = (
        f"Ten predicted spans of each of {control.documents} documents of SummEval, answerer `{answerer}`; with marks "
        f"at most {MOST_CONTROL_WORDS} words each; 95% intervals over documents. With its word: the answer shares a "
        "word with the span."
    )
    return "\n".join([*lines, "", about])


def quality_block(run: Sequence[dict[str, Any]], name: str = "SummEval", *, with_silver: bool = True) -> str:
    """The columns of Table 14 for silver and predicted spans and the first three sentences, published rows beside."""
    written = {LEAD: {record["doc_id"]: _write_lead(record["document"]) for record in run}}
    if with_silver:
        written["silver spans"] = _write_spans(run, spans="silver")
    written["20 predicted spans"] = _write_spans(run)
    if with_silver:
        written[f"{MARKED_SPANS} predicted spans, what is marked"] = _write_spans(run, k=MARKED_SPANS, keep="marked")
    examples = [
        gm.Example(
            doc_id=record["doc_id"],
            system=system,
            summary=texts[record["doc_id"]],
            references=tuple(record["references"]),
        )
        for record in run
        for system, texts in written.items()
    ]
    scores = gm.score(examples, list(METRICS))
    systems = scores.matrix("rouge1.f1").systems
    first = systems.index(LEAD)
    lines = [f"| summaries | words | {' | '.join(METRICS.values())} |", f"|---|---|{'---|' * len(METRICS)}"]
    for published, values in PUBLISHED.items() if with_silver else ():
        lines.append(f"| {published} | | {' | '.join(f'{value:.1f}' for value in values)} |")
    parts = {metric: scores.parts(f"{metric}.f1") for metric in METRICS}
    for number, system in enumerate(systems):
        cells = [_write_mean(table[number], None if number == first else table[first]) for table in parts.values()]
        words = np.mean([len(text.split()) for text in written[system].values()])
        lines.append(f"| {system} | {words:.0f} | {' | '.join(cells)} |")
    about = (
        f"F1 of {len(run)} documents of {name} with the first reference, in percent, 95% intervals over documents; "
        "in round brackets the difference to the first three sentences."
    )
    if with_silver:
        about += (
            " The published rows are the whole test set of CNN/DailyMail with other models for BERTScore and QAEval: "
            "their columns do not compare with ours."
        )
    return "\n".join([*lines, "", about])


def _write_lead(text: str) -> str:
    return " ".join(text[start:end] for start, end in find_sentences(text)[:3])


def _write_spans(run: Sequence[dict[str, Any]], **settings: Any) -> dict[str, str]:
    """The summaries of documents as `gistmeter summarize` writes them with these settings."""
    return {summary.doc_id: summary.text for summary in summarize.summarize(run, **settings).summaries}


def _write_mean(parts: FloatArray, lead: FloatArray | None) -> str:
    """A mean in percent with its interval, and its difference to another; parts are sums and counts of documents."""
    interval = bootstrap_interval(parts[None], ratio)
    text = f"{100 * interval.value[0]:.1f} [{100 * interval.low[0]:.1f}, {100 * interval.high[0]:.1f}]"
    if lead is None:
        return text
    more = bootstrap_difference(parts, lead, ratio)
    signed = [f"{round(100 * value, 1) + 0.0:+.1f}" for value in (more.value, more.low, more.high)]
    return f"{text} ({signed[0]} [{signed[1]}, {signed[2]}])"


def main() -> None:
    """Write the blocks that are named, all by default."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("blocks", nargs="*")
    parser.add_argument("--every", type=int)
    given = parser.parse_args()
    blocks: dict[str, Callable[[int], str]] = {
        "ranking": lambda every: ranking_block(load_documents(every)),
        "questions": lambda every: ranking_block(load_documents(every), "qa"),
        "control": lambda every: control_block(load_documents(every)),
        "slots": lambda every: control_block(load_documents(every), "slots"),
        "quality": lambda every: quality_block(load_documents(every)),
    }
    for name in given.blocks or blocks:
        block = blocks[name](given.every or EVERY.get(name, 1))
        OUTPUT.write_text(put_block(OUTPUT.read_text(encoding="utf-8"), name, block), encoding="utf-8")


if __name__ == "__main__":
    main()
