"""Fit the combination of the embedded judge of consistency, with its weights as they are.

python scripts/fit_consistency.py [--data ../shared/data]

Writes src/gistmeter/models/consistency/combination.json. It is fitted on claims that rules make of documents which the
network did not learn from, and on people's judgments of half of the documents of SummEval (consistency) and of XSum
(FFCI's faithfulness), chosen by their content; docs/consistency.md reports on the other half. Each set has a constant
of its own; that which is kept is then moved to where made claims of all kinds are told apart best, so that one half is
where right claims end. About eight minutes of a core.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from bench.figures.consistency import is_open  # noqa: E402
from bench.figures.runs import ffci_faithfulness, summeval  # noqa: E402

from gistmeter.metrics.consistency.consistency import Consistency  # noqa: E402
from gistmeter.models.consistency.combination import write_combination  # noqa: E402
from gistmeter.models.consistency.reader import load_support_reader  # noqa: E402
from gistmeter.training.consistency.claims import SUPPORTED, DocumentClaim, make_document_claims  # noqa: E402
from gistmeter.training.consistency.combining import (  # noqa: E402
    MeasuredClaims,
    fit_combination,
    join_measured,
    measure_claims,
    move_constant,
)
from gistmeter.training.consistency.pairs import draw_documents, read_documents  # noqa: E402
from gistmeter.training.sources.evaluated import collect_runs  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.figures.runs import FloatArray, Judged

TARGET = ROOT / "src/gistmeter/models/consistency/combination.json"
DOCUMENTS = ("training/bbc_news.jsonl.gz", "linguistic/gum_summaries.jsonl.gz")
EVALUATED = (
    *("summeval/documents.jsonl.gz", "summeval/summeval.jsonl.gz"),
    *("realsumm/documents.jsonl.gz", "realsumm/realsumm.jsonl.gz", "pyrxsum/documents.jsonl.gz"),
    *("ffci/faithfulness_documents.jsonl.gz", "ffci/faithfulness.jsonl.gz", "ffci/coherence.jsonl.gz"),
    *("ffci/focus_coverage.jsonl.gz", "rose/documents.jsonl.gz"),
)
"""Whose text was left out when the network learned, as in the command on its card: else other documents are drawn."""
LEARNED_PAIRS = {"bbc_news": 10500, "gum_summaries": 800}
"""Of which documents the network learned: as in the command on its card."""
CLAIMS = 4
SEED = 1
FITTED_DOCUMENTS = 120
CLAIMS_OF_KIND = 80
RIDGE = 1e-3
XSUM_SHARE, SUMMEVAL_SHARE = 3.0, 3.0
"""What people's judgments of each set count beside all made claims together. Chosen by folds of the open halves."""


def main() -> None:
    """Fit and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared/data")
    given = parser.parse_args()
    margins_of = load_support_reader().margins
    made_claims = measure_claims(list_made_claims(given.data), margins_of, ask_always=False)
    parts = [
        made_claims,
        measure_judged(ffci_faithfulness(), "faithfulness", (0.0, 1.0), XSUM_SHARE),
        measure_judged(summeval(), "consistency", (1.0, 5.0), SUMMEVAL_SHARE),
    ]
    weights = move_constant(fit_combination(join_measured(parts), ridge=RIDGE), made_claims)
    TARGET.write_bytes(write_combination(weights))
    print(TARGET.read_text("utf-8"))


def list_made_claims(data: Path) -> list[DocumentClaim]:
    """Claims about documents that the network did not learn from, at most so many of each kind."""
    refused = collect_runs([str(data / name) for name in EVALUATED])
    every = read_documents([str(data / name) for name in DOCUMENTS], refused=refused, left_out=Counter())
    learned = {id(text) for text in draw_documents(every, LEARNED_PAIRS, claims=CLAIMS, seed=SEED)}
    others = [text for text in every if id(text) not in learned]
    order = np.random.default_rng((SEED, 17)).permutation(len(others))[: 2 * FITTED_DOCUMENTS : 2]
    counts: Counter[str] = Counter()
    chosen = []
    for claim in make_document_claims([others[number] for number in order.tolist()], claims=3, seed=SEED):
        counts[claim.kind] += 1
        if claim.kind == SUPPORTED or counts[claim.kind] <= CLAIMS_OF_KIND:
            chosen.append(claim)
    return chosen


def measure_judged(judged: Judged, aspect: str, scale: tuple[float, float], share: float) -> MeasuredClaims:
    """Sentences of the summaries of open documents, each labelled with what people said of its summary."""
    low, high = scale
    claims: list[DocumentClaim] = []
    labels: list[float] = []
    for example, value, opened in zip(judged.examples, judged.human[aspect], is_open(judged), strict=True):
        if opened:
            sentences = Consistency().list_sentences(example)
            claims += [DocumentClaim(document=example.document or "", text=text, kind=SUPPORTED) for text in sentences]
            labels += [(float(value) - low) / (high - low)] * len(sentences)
    measured = measure_claims(claims, load_support_reader().margins, ask_always=False)
    return MeasuredClaims(
        margins=measured.margins,
        plain=measured.plain,
        labels=_clip(labels),
        shares=np.full(len(claims), share / len(claims)),
    )


def _clip(labels: Sequence[float]) -> FloatArray:
    return np.asarray(np.clip(np.array(labels), 0.0, 1.0))


if __name__ == "__main__":
    main()
