"""Measure `consistency` beside floors without a model, into docs/consistency.md: `python -m bench.figures.consistency`.

The blocks are `people`, `bound`, `errors`, `pairs`, `users` and `speed`. Half of the documents of SummEval and XSum, by
their content, were open to choices; figures are of the other half. Together they take about fifteen minutes of a core.
"""

from __future__ import annotations

import hashlib
import sys
import time
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, get_args

import numpy as np
from scipy import stats

from bench.consistency.measure import measure_pairs, measure_user_pairs, write_rows
from bench.figures.novel import NOVEL_TRIGRAMS, novel_trigrams
from bench.figures.page import Bounded, figure
from bench.figures.runs import ffci_faithfulness, records, summeval
from bench.figures.trust import put_block
from gistmeter import Example
from gistmeter.models.consistency.features import find_unsupported
from gistmeter.models.consistency.measuring import read_document
from gistmeter.probe import WordKind, corrupt, turn_references_into_summaries
from gistmeter.training.consistency.figures import measure_auc

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from bench.figures.runs import FloatArray, Judged

OUTPUT = Path(__file__).parent.parent.parent / "docs" / "consistency.md"
RESAMPLES = 1000
ERROR_STEP = 5
"""Of SummEval's documents every so many have their references corrupted."""
ERROR_KINDS = tuple(kind for kind in get_args(WordKind) if kind != "any")


def main() -> None:
    """Write the blocks that are named, all by default."""
    blocks: dict[str, Callable[[], str]] = {
        "people": people_block,
        "bound": bound_block,
        "errors": errors_block,
        "pairs": lambda: write_rows(measure_pairs()),
        "users": lambda: write_rows(measure_user_pairs()),
        "speed": speed_block,
    }
    for name in sys.argv[1:] or blocks:
        block = blocks[name]()  # measured first: the page may be edited meanwhile
        OUTPUT.write_text(put_block(OUTPUT.read_text(encoding="utf-8"), name, block), encoding="utf-8")


def is_open(judged: Judged) -> NDArray[np.bool_]:
    """Which summaries are of documents that were open to choices: half of them, by a digest of their text."""
    digests = [hashlib.blake2b((example.document or "").encode()).digest() for example in judged.examples]
    return np.array([digest[0] % 2 == 0 for digest in digests])


@cache
def measure_columns(name: str) -> dict[str, FloatArray]:
    """The scores of a set by name: consistency and the floors, all so that higher is more consistent."""
    judged = {"summeval": summeval, "xsum": ffci_faithfulness}[name]()
    scores = judged.scores(["consistency", "novelty"]).table
    columns = {
        f"`consistency` {short}": scores[f"consistency.{short}"].to_numpy() for short in ("mean", "min", "supported")
    }
    columns |= {f"share of novel {order}-grams": -scores[f"novelty.novel{order}"].to_numpy() for order in (1, 2, 3)}
    columns[NOVEL_TRIGRAMS] = -novel_trigrams(judged.examples)
    columns["numbers and names not in the document"] = -_count_unmatched(judged.examples)
    return columns


def _count_unmatched(examples: Sequence[Example]) -> FloatArray:
    counts = []
    for example in examples:
        missing = find_unsupported(read_document(example.document or "").words, example.summary)
        counts.append(len(missing.numbers) + len(missing.names) + len(missing.dates))
    return np.array(counts, dtype=float)


def people_block() -> str:
    """Agreement with people on the half of documents that nothing was chosen on."""
    halves = {name: is_open(judged()) for name, judged in (("summeval", summeval), ("xsum", ffci_faithfulness))}
    faithful = {
        (str(row["doc_id"]), row["system_id"]): float(row["human"]["any_hallucination"]) <= 0.5
        for row in records("xsum_hallucination/xsum_hallucination.jsonl.gz")
    }
    xsum = ffci_faithfulness()
    labels = np.array([faithful[example.doc_id, example.system] for example in xsum.examples], dtype=float)
    asked = {
        "SummEval, consistency ρ": ("summeval", summeval().human["consistency"], _spearman),
        "XSum (FFCI), faithfulness r": ("xsum", xsum.human["faithfulness"], _pearson),
        "XSum hallucination, AUC": ("xsum", labels, _auc),
    }
    lines = [f"|  | {' | '.join(asked)} |", f"|---|{'---|' * len(asked)}"]
    for column in measure_columns("summeval"):
        cells = []
        for name, human, correlate in asked.values():
            rows = ~halves[name]
            documents = np.array([example.doc_id for example in (summeval() if name == "summeval" else xsum).examples])
            cells.append(str(_bound(measure_columns(name)[column][rows], human[rows], documents[rows], correlate)))
        lines.append(f"| {column} | {' | '.join(cells)} |")
    opened = [
        figure(correlate(measure_columns(name)["`consistency` mean"][halves[name]], human[halves[name]]), 3)
        for name, human, correlate in asked.values()
    ]
    return "\n".join([*lines, f"| *`consistency` mean, open half* | {' | '.join(opened)} |"])


def bound_block() -> str:
    """How far any weighted sum of the judge's inputs could agree: fitted to people on one half of a set, on the other.

    The means over sentences of the network's logit and of all plain features, by a ridge on the open half of that set
    alone: what the combination could reach if it served one set and nothing else.
    """
    lines = ["| fitted on half of | the other half, ridge 10 | 100 | 1,000 |", "|---|---|---|---|"]
    for name, judged, human, correlate in (
        ("SummEval", summeval(), summeval().human["consistency"], _spearman),
        ("XSum", ffci_faithfulness(), ffci_faithfulness().human["faithfulness"], _pearson),
    ):
        inputs, opened = _average_inputs(judged), is_open(judged)
        documents = np.array([example.doc_id for example in judged.examples])
        cells = []
        for ridge in (10.0, 100.0, 1000.0):
            fitted = _fit_ridge(inputs[opened], human[opened], ridge)
            cells.append(str(_bound(inputs[~opened] @ fitted, human[~opened], documents[~opened], correlate)))
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _average_inputs(judged: Judged) -> FloatArray:
    """Summaries x inputs: the network's logit and the plain features, averaged over sentences and standardised."""
    from gistmeter.metrics.consistency.consistency import Consistency
    from gistmeter.models.consistency.measuring import lay_claims, measure_laid
    from gistmeter.models.consistency.reader import load_support_reader

    sentences_of = [Consistency().list_sentences(example) for example in judged.examples]
    rows = np.repeat(np.arange(len(sentences_of)), [len(sentences) for sentences in sentences_of])
    claims = [
        (example.document or "", sentence)
        for example, sentences in zip(judged.examples, sentences_of, strict=True)
        for sentence in sentences
    ]
    margins, plain = measure_laid(lay_claims(claims), load_support_reader().margins)
    inputs = np.column_stack([margins, plain])
    sums = np.zeros((len(sentences_of), inputs.shape[1]))
    np.add.at(sums, rows, inputs)
    means = sums / np.maximum(np.bincount(rows, minlength=len(sums)), 1)[:, None]
    return np.asarray((means - means.mean(axis=0)) / np.maximum(means.std(axis=0), 1e-9))


def _fit_ridge(inputs: FloatArray, people: FloatArray, ridge: float) -> FloatArray:
    centred = people - people.mean()
    return np.asarray(np.linalg.solve(inputs.T @ inputs + ridge * np.eye(inputs.shape[1]), inputs.T @ centred))


def errors_block() -> str:
    """AUC and pairs by kind of error that `gistmeter corrupt` puts into references of SummEval."""
    references = turn_references_into_summaries(summeval().every(ERROR_STEP).examples)
    chosen = [example for example in references if example.system in ("reference1", "reference2", "reference3")]
    labelled = list(corrupt(chosen, errors=1, words=ERROR_KINDS))
    from gistmeter.metrics import parse_metric

    scores = parse_metric("consistency").score([summary.example for summary in labelled])
    clean = {summary.pair: row for row, summary in enumerate(labelled) if not summary.errors}
    novel = -novel_trigrams([summary.example for summary in labelled])
    header = (
        *("error", "summaries", "pairs, `mean`", "pairs, `min`", "pairs, novel 3-grams"),
        *("AUC, `mean`", "AUC, `min`", "balanced accuracy, `min`"),
    )
    lines = [f"| {' | '.join(header)} |", f"|{'---|' * len(header)}"]
    for kind in ERROR_KINDS:
        rows = [row for row, summary in enumerate(labelled) if summary.words == kind]
        if not rows:
            continue
        originals = [clean[labelled[row].pair] for row in rows]
        means, lowest, novelty = (
            np.column_stack([values[originals], values[rows]]) for values in (scores[:, 0], scores[:, 1], novel)
        )
        cells = [
            *(str(_bound_pairs(values, _share_above)) for values in (means, lowest)),
            figure(_share_above(*novelty.T), 2),
            *(str(_bound_pairs(values, measure_auc)) for values in (means, lowest)),
            figure(_balance(*lowest.T), 2),
        ]
        lines.append(f"| {kind} | {len(rows)} | {' | '.join(cells)} |")
    return "\n".join(lines)


def speed_block() -> str:
    """Summaries of 60 words for each second of a core, for documents of 500 words, and the bare encoder on them."""
    from gistmeter.metrics import parse_metric
    from gistmeter.models.encoder.encoder import load_encoder

    examples = [_cut(example) for example in summeval().examples[: 16 * 8]]
    metric = parse_metric("consistency")
    # Both networks are loaded on summaries of other documents: a few may all be copied, and ask neither.
    metric.score([_cut(example) for example in summeval().examples[16 * 8 : 16 * 10]])
    seconds = _time(lambda: metric.score(examples))
    encoder = load_encoder()
    documents = list(dict.fromkeys(example.document or "" for example in examples))
    summaries = list(dict.fromkeys(example.summary for example in examples))
    whole = _time(lambda: encoder.encode(documents, [6]))
    bare = _time(lambda: encoder.encode(summaries, [6]))
    return "\n".join(
        [
            "| what | for each CPU second |",
            "|---|---|",
            f"| `consistency`, summaries | {len(examples) / seconds:.1f} |",
            f"| the bare encoder, summaries alone | {len(summaries) / bare:.1f} |",
            f"| the bare encoder, documents | {len(documents) / whole:.1f} |",
            f"| `consistency`, times the bare encoder on the same texts | {seconds / (bare + whole):.1f} |",
        ]
    )


def _cut(example: Example) -> Example:
    summary, document = example.summary.split()[:60], (example.document or "").split(" ")[:500]
    return Example(doc_id=example.doc_id, system=example.system, summary=" ".join(summary), document=" ".join(document))


def _time(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def _spearman(ours: FloatArray, people: FloatArray) -> float:
    return float(stats.spearmanr(ours, people, nan_policy="omit").statistic)


def _pearson(ours: FloatArray, people: FloatArray) -> float:
    both = ~(np.isnan(ours) | np.isnan(people))
    return float(stats.pearsonr(ours[both], people[both]).statistic)


def _auc(ours: FloatArray, people: FloatArray) -> float:
    return measure_auc(ours[people > 0.5], ours[people <= 0.5])


def _share_above(right: FloatArray, wrong: FloatArray) -> float:
    return float(((right > wrong) + 0.5 * (right == wrong)).mean())


def _balance(right: FloatArray, wrong: FloatArray) -> float:
    return float((right > 0.5).mean() + (wrong <= 0.5).mean()) / 2


def _bound_pairs(pairs: FloatArray, compare: Callable[[FloatArray, FloatArray], float]) -> Bounded:
    """A figure of right beside wrong summaries with its 95% interval, pairs drawn with replacement."""
    rng = np.random.default_rng(0)
    drawn = [compare(*pairs[rng.integers(len(pairs), size=len(pairs))].T) for _ in range(RESAMPLES)]
    low, high = np.quantile(drawn, [0.025, 0.975])
    return Bounded(compare(*pairs.T), float(low), float(high))


def _bound(
    ours: FloatArray, people: FloatArray, documents: FloatArray, correlate: Callable[[FloatArray, FloatArray], float]
) -> Bounded:
    """A figure with its 95% interval, documents drawn with replacement."""
    names = sorted(set(documents.tolist()))
    rows_of = [np.flatnonzero(documents == name) for name in names]
    rng = np.random.default_rng(0)
    drawn = [
        correlate(ours[rows], people[rows])
        for rows in (
            np.concatenate([rows_of[number] for number in rng.integers(len(names), size=len(names))])
            for _ in range(RESAMPLES)
        )
    ]
    low, high = np.nanquantile(drawn, [0.025, 0.975])
    return Bounded(correlate(ours, people), float(low), float(high))


if __name__ == "__main__":
    main()
