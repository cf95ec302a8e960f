"""The matches of a summary by category, to be looked at: which words match as nouns, as stop words, as who did what."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.evidence import Mark, Pane
from gistmeter.evidence.categorised import CategorisedAlignment, CategoryMatches
from gistmeter.insight.shares.matching import Match, label_alignment
from gistmeter.insight.shares.measuring import align_examples
from gistmeter.insight.shares.word_labels import CategoryGroup, WordLabels, list_groups, match_group
from gistmeter.linguistics.categories import load_categories, load_meanings
from gistmeter.text.languages import language_code

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gistmeter.evidence.alignment import Alignment, TokenText
    from gistmeter.example import Example
    from gistmeter.metrics.metric import Metric

ALL_MATCHES = "All matches"


def show_categories(metric: Metric, examples: Sequence[Example]) -> list[CategorisedAlignment | None]:
    """For each example what a metric matches, by category; None where it matches nothing, or not in English.

    Of several references that a metric counts, the one with the most weight is shown.

    >>> from gistmeter.metrics.registry import parse_metric
    >>> from gistmeter.example import Example
    >>> example = Example(doc_id="1", system="a", summary="The dog barked.", references="A dog barked.")
    >>> (shown,) = show_categories(parse_metric("rouge1"), [example])
    >>> {each.title: round(each.share, 2) for each in shown.categories if each.is_type}
    {'Stop words': 0.0, 'Topic': 1.0, 'Information': 1.0}
    """
    english = [
        row
        for row, example in enumerate(examples)
        if language_code(example.language) == "en" and metric.lacking(example) is None
    ]
    shown: list[CategorisedAlignment | None] = [None] * len(examples)
    heaviest: dict[int, Alignment] = {}
    aligned = align_examples(metric.spelling, metric, [examples[row] for row in english])
    for row, alignments in zip(english, aligned, strict=True):
        if alignments and max(alignment.total for alignment in alignments) > 0:
            heaviest[row] = max(alignments, key=lambda alignment: alignment.total)
    if not heaviest:
        return shown
    words = WordLabels(load_categories(), "own")
    words.prepare(side.text for alignment in heaviest.values() for side in (alignment.summary, alignment.other))
    for row, alignment in heaviest.items():
        shown[row] = categorise(alignment, words)
    return shown


def categorise(alignment: Alignment, words: WordLabels) -> CategorisedAlignment:
    """An alignment as texts with marks, and for each type and category the marks that match within it."""
    labelled = label_alignment(alignment, words[alignment.summary.text], words[alignment.other.text])
    table = words.table
    edges = [
        Match(token, other, edge.weight)
        for edge in alignment.edges
        for token, other in _pair_runs(edge.summary_run.positions, edge.other_run.positions)
        if edge.weight > 0 and _has_letters(alignment.summary, token) and _has_letters(alignment.other, other)
    ]
    named: list[tuple[CategoryGroup, list[Match]]] = [(CategoryGroup("", ALL_MATCHES, (), is_type=False), edges)]
    only_members = {members[0] for members in table.types.values() if len(members) == 1}  # shown as their type
    for group in sorted(list_groups(table), key=lambda group: not group.is_type):
        if not group.is_type and group.name in only_members:
            continue
        matches = [match for match in match_group(labelled, group, table) if match.weight > 0]
        named.append((group, matches))
    used = [match for _, matches in named for match in matches]
    summary_marks, other_marks = (
        {token: number for number, token in enumerate(sorted(tokens))}
        for tokens in ({match.summary for match in used}, {match.other for match in used})
    )
    total = alignment.total
    return CategorisedAlignment(
        panes=(_make_pane(alignment.summary, summary_marks), _make_pane(alignment.other, other_marks)),
        categories=tuple(
            CategoryMatches(
                title=group.title,
                meaning=load_meanings().get(group.name, ""),
                is_type=group.is_type,
                share=1.0 if group.title == ALL_MATCHES else sum(match.weight for match in matches) / total,
                pairs=tuple(
                    mark for match in matches for mark in (summary_marks[match.summary], other_marks[match.other])
                ),
            )
            for group, matches in named
        ),
    )


def _pair_runs(summary: Sequence[int], other: Sequence[int]) -> list[tuple[int, int]]:
    """Tokens of two runs in pairs, so that each has a partner: the last of the shorter run has the rest."""
    size = max(len(summary), len(other))
    return [
        (summary[min(position, len(summary) - 1)], other[min(position, len(other) - 1)]) for position in range(size)
    ]


def _has_letters(text: TokenText, token: int) -> bool:
    return text.tokens[token].end > text.tokens[token].start


def _make_pane(text: TokenText, marks: Iterable[int]) -> Pane:
    tokens = [text.tokens[token] for token in marks]
    return Pane(
        text.title, text.text, tuple(Mark(token.start, token.end, number) for number, token in enumerate(tokens))
    )
