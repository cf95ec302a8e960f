"""Evidence for faithfulness: what in the document supports each sentence, or each word, of the summary."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.evidence import Evidence, Pane, Table
from gistmeter.metrics.embedding.token_evidence import match_words
from gistmeter.metrics.embedding.tokens import WeightedTokens, align_closest
from gistmeter.metrics.marks import mark_segments, shorten
from gistmeter.missing import average_present
from gistmeter.text.words import normalize

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.metrics.embedding.bertscore import BertScore

_QUOTE_CHARACTERS = 40


@dataclass(frozen=True, slots=True)
class SplitText:
    """A text and its sentences."""

    text: str
    sentences: Sequence[str]


def explain_by_sentence(
    spelling: str, summary: SplitText, document: SplitText, pair_scores: FloatArray, *, support: FloatArray, top: int
) -> Evidence:
    """Each sentence of the summary with the sentences of the document that support it.

    `pair_scores` has a row for each sentence of the summary and a column for each of the document; `support` is the
    score of each sentence of the summary, the mean of its `top` highest.
    """
    best = _best_columns(pair_scores, top)
    supported = _group_supported(best, pair_scores)
    quotes = [shorten(sentence, _QUOTE_CHARACTERS) for sentence in summary.sentences]
    summary_notes = [
        f"{support[row]:.3f}, the mean of {', '.join(f'{value:.3f}' for value in pair_scores[row, best[row]])}"
        for row in range(len(quotes))
    ]
    document_notes = [
        "supports " + ", ".join(f"“{quotes[row]}” ({pair_scores[row, column]:.3f})" for row in rows)
        for column, rows in enumerate(supported)
    ]
    order = [int(row) for row in np.argsort(support, kind="stable")]
    mean = average_present(support)
    count = f"{len(quotes)} {'sentence' if len(quotes) == 1 else 'sentences'}"
    return Evidence(
        metric=spelling,
        headline=(
            f"{mean:.3f}: mean over {count} of the summary, each with its {min(top, len(document.sentences))} nearest "
            f"of {len(document.sentences)} in the document; the least supported has {support[order[0]]:.3f}"
        ),
        blocks=(
            Pane(
                "summary",
                summary.text,
                mark_segments(summary.text, summary.sentences, [[row] for row in range(len(quotes))], summary_notes),
            ),
            Pane(
                "document",
                document.text,
                mark_segments(document.text, document.sentences, supported, document_notes),
            ),
            Table(
                ("sentence of the summary", "score", "nearest in the document"),
                tuple(
                    (
                        summary.sentences[row],
                        f"{support[row]:.3f}",
                        "\n".join(
                            f"{pair_scores[row, column]:.3f} {' '.join(document.sentences[column].split())}"
                            for column in best[row]
                        ),
                    )
                    for row in order
                ),
                "sentences of the summary, the least supported first",
            ),
        ),
    )


def explain_by_token(
    spelling: str, metric: BertScore, summary: str, document: SplitText, *, score: float, code: str
) -> Evidence:
    """Each word of the summary with the closest word of the document, whose sentences were read one at a time."""
    summary_text, document_text = normalize(summary), normalize(document.text)
    (summary_tokens,) = metric.weigh_tokens([summary_text], code)
    sentences = [normalize(sentence) for sentence in document.sentences]
    document_tokens = _join_sentences(document_text, sentences, metric.weigh_tokens(sentences, code))
    texts = (summary_text, document_text)
    closest = align_closest(texts, (summary_tokens, document_tokens), "document")
    matches = match_words(closest, code, by="precision", other="document")
    return Evidence(
        metric=spelling,
        headline=(
            f"{score:.3f}: weighted mean over the tokens of the summary, each with the one of the document that is "
            f"closest to it at layer {metric.choose_layer(code)}"
        ),
        blocks=(
            Pane("summary", summary_text, matches.marks[0]),
            Pane("document", document_text, matches.marks[1]),
            matches.table,
        ),
    )


def _join_sentences(
    document: str, sentences: Sequence[str], tokens_of_sentences: Sequence[WeightedTokens]
) -> WeightedTokens:
    """The tokens of all sentences of a document, with their starts and ends in the document."""
    shifted = []
    end = 0
    for sentence, tokens in zip(sentences, tokens_of_sentences, strict=True):
        start = document.find(sentence, end)
        end = end if start < 0 else start + len(sentence)
        shift = start if start >= 0 else len(document)  # the splitter changed it: it can be matched, not marked
        shifted.append(replace(tokens, starts=tokens.starts + shift, ends=tokens.ends + shift))
    return WeightedTokens(
        states=np.concatenate([tokens.states for tokens in shifted]),
        weights=np.concatenate([tokens.weights for tokens in shifted]),
        starts=np.concatenate([tokens.starts for tokens in shifted]),
        ends=np.concatenate([tokens.ends for tokens in shifted]),
        empty=all(tokens.empty for tokens in shifted),
    )


def _best_columns(pair_scores: FloatArray, count: int) -> list[list[int]]:
    """For each row the columns of its `count` highest scores, the highest first; missing scores do not count."""
    order = np.argsort(-pair_scores, axis=1, kind="stable")[:, :count]  # NaN is sorted last
    return [
        [int(column) for column in columns if not np.isnan(row[column])]
        for columns, row in zip(order, pair_scores, strict=True)
    ]


def _group_supported(best: Sequence[Sequence[int]], pair_scores: FloatArray) -> list[list[int]]:
    """For each sentence of the document the sentences of the summary that it supports, the best supported first."""
    return [
        sorted(
            (row for row, columns in enumerate(best) if column in columns),
            key=pair_scores[:, column].__getitem__,
            reverse=True,
        )
        for column in range(pair_scores.shape[1])
    ]
