"""The evidence that an alignment is by itself: two texts, what is paired in them marked alike, and a table of pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gistmeter.evidence import Evidence, Mark, Pane, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.evidence.alignment import Alignment, Edge, Run, TokenText


def show_alignments(metric: str, alignments: Sequence[Alignment]) -> Evidence | None:
    """What a metric matches in the text with the most weight; None where it is compared with no text.

    >>> from gistmeter.evidence.alignment import Token, TokenText, align_equal_tokens
    >>> summary = TokenText("summary", "a cat sat", (Token(2, 5, "cat"), Token(6, 9, "sat")))
    >>> other = TokenText("document", "The cat.", (Token(4, 7, "cat"),))
    >>> evidence = show_alignments("cats", [align_equal_tokens(summary, other)])
    >>> evidence.headline, evidence.table.rows
    ('1 match with the document: 1.000 together', (('cat', 'cat', '1.000'),))
    """
    if not alignments:
        return None
    alignment = max(alignments, key=lambda each: each.total)
    edges = sorted((edge for edge in alignment.edges if edge.weight > 0), key=lambda edge: -edge.weight)
    best = ", the best match" if len(alignments) > 1 else ""
    groups = _group_tokens(edges)
    count = "1 match" if len(edges) == 1 else f"{len(edges):,} matches"
    return Evidence(
        metric=metric,
        headline=f"{count} with the {alignment.other.title}{best}: {alignment.total:.3f} together",
        blocks=(
            Pane("summary", alignment.summary.text, _mark_tokens(alignment.summary, groups[0])),
            Pane(f"{alignment.other.title}{best}", alignment.other.text, _mark_tokens(alignment.other, groups[1])),
            Table(
                ("summary", alignment.other.title, "adds"),
                tuple(
                    (
                        _read(alignment.summary, edge.summary_run),
                        _read(alignment.other, edge.other_run),
                        f"{edge.weight:.3f}",
                    )
                    for edge in edges
                ),
            ),
        ),
    )


def _group_tokens(edges: Sequence[Edge]) -> tuple[dict[int, int], dict[int, int]]:
    """For the tokens of both sides that an edge joins the group they are in: tokens joined by edges are in one."""
    parents: dict[tuple[int, int], tuple[int, int]] = {}

    def find(end: tuple[int, int]) -> tuple[int, int]:
        while parents.setdefault(end, end) != end:
            end = parents[end]
        return end

    for edge in edges:
        ends = [(0, position) for position in edge.summary_run.positions]
        ends += [(1, position) for position in edge.other_run.positions]
        for end in ends[1:]:
            parents[find(end)] = find(ends[0])
    numbers: dict[tuple[int, int], int] = {}
    groups: tuple[dict[int, int], dict[int, int]] = ({}, {})
    for side, position in sorted(parents):
        groups[side][position] = numbers.setdefault(find((side, position)), len(numbers))
    return groups


def _mark_tokens(text: TokenText, groups: dict[int, int]) -> tuple[Mark, ...]:
    """Marks on the tokens that are in a group and have letters."""
    tokens = [(text.tokens[position], group) for position, group in sorted(groups.items())]
    return tuple(Mark(token.start, token.end, group) for token, group in tokens if token.end > token.start)


def _read(text: TokenText, run: Run) -> str:
    span = text.cover(run)
    return " ".join(text.text[span.start : span.end].split())
