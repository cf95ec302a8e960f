"""Evidence for faithfulness: what in the document supports each sentence, or each word, of the summary."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gistmeter.evidence import Evidence, Pane, Table
from gistmeter.metrics.embedding.bertscore import Side
from gistmeter.metrics.embedding.sts import places, shortened
from gistmeter.metrics.embedding.token_evidence import match_words
from gistmeter.text.words import normalize

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.metrics.embedding.bertscore import BertScore


def support_by_sentence(
    spelling: str,
    texts: tuple[str, str],
    cut: tuple[Sequence[str], Sequence[str]],
    near: FloatArray,
    each: FloatArray,
    top: int,
) -> Evidence:
    """Each sentence of the summary with those of the document that support it; `near` has the scores of all pairs."""
    mine, theirs = cut
    best = _best(near, top)
    supported = [
        sorted(
            (one for one, chosen in enumerate(best) if place in chosen), key=near[:, place].__getitem__, reverse=True
        )
        for place in range(len(theirs))
    ]
    names = [shortened(one, 40) for one in mine]
    mean = float(np.nanmean(each)) if not np.isnan(each).all() else float("nan")
    order = [int(one) for one in np.argsort(each, kind="stable")]
    count = f"{len(mine)} {'sentence' if len(mine) == 1 else 'sentences'}"
    return Evidence(
        metric=spelling,
        headline=(
            f"{mean:.3f}: mean over {count} of the summary, each with its {min(top, len(theirs))} nearest of "
            f"{len(theirs)} in the document; the least supported has {each[order[0]]:.3f}"
        ),
        panes=(
            Pane(
                "summary",
                texts[0],
                places(
                    texts[0],
                    mine,
                    [[one] for one in range(len(mine))],
                    [f"{each[one]:.3f}, the mean of {_listed(near[one, best[one]])}" for one in range(len(mine))],
                ),
            ),
            Pane(
                "document",
                texts[1],
                places(
                    texts[1],
                    theirs,
                    supported,
                    [
                        "supports " + ", ".join(f"“{names[one]}” ({near[one, place]:.3f})" for one in ones)
                        for place, ones in enumerate(supported)
                    ],
                ),
            ),
        ),
        table=Table(
            ("sentence of the summary", "score", "nearest in the document"),
            tuple(
                (
                    mine[one],
                    f"{each[one]:.3f}",
                    "\n".join(f"{near[one, place]:.3f} {' '.join(theirs[place].split())}" for place in best[one]),
                )
                for one in order
            ),
            "sentences of the summary, the least supported first",
        ),
    )


def support_by_token(
    spelling: str, metric: BertScore, texts: tuple[str, str], cut: Sequence[str], score: float, code: str
) -> Evidence:
    """Each word of the summary with the closest of the document, whose sentences were read one by one."""
    summary, document = normalize(texts[0]), normalize(texts[1])
    (mine,) = metric.sides([summary], code)
    theirs = _joined(document, [normalize(one) for one in cut], metric, code)
    found = match_words((summary, document), (mine, theirs), code, by="precision", other="document")
    return Evidence(
        metric=spelling,
        headline=(
            f"{score:.3f}: weighted mean over the tokens of the summary, each with the one of the document that is "
            f"closest to it at layer {metric.resolved_layer}"
        ),
        panes=(Pane("summary", summary, found.marks[0]), Pane("document", document, found.marks[1])),
        table=found.table,
    )


def _joined(document: str, cut: Sequence[str], metric: BertScore, code: str) -> Side:
    """The sentences of a document as one side of a comparison, their tokens at their places in the document."""
    sides = []
    at = 0
    for sentence, side in zip(cut, metric.sides(cut, code), strict=True):
        start = document.find(sentence, at)
        at = at if start < 0 else start + len(sentence)
        shift = start if start >= 0 else len(document)  # the splitter changed it: it can be matched, not marked
        sides.append(Side(side.states, side.weights, side.starts + shift, side.ends + shift, side.empty))
    return Side(
        np.concatenate([side.states for side in sides]),
        np.concatenate([side.weights for side in sides]),
        np.concatenate([side.starts for side in sides]),
        np.concatenate([side.ends for side in sides]),
        all(side.empty for side in sides),
    )


def _best(near: FloatArray, count: int) -> list[list[int]]:
    """For each row the places of its `count` highest scores, the highest first; those missing do not count."""
    order = np.argsort(-near, axis=1, kind="stable")[:, :count]  # NaN is sorted last
    return [
        [int(place) for place in row if not np.isnan(scores[place])] for row, scores in zip(order, near, strict=True)
    ]


def _listed(values: FloatArray) -> str:
    return ", ".join(f"{value:.3f}" for value in values)
