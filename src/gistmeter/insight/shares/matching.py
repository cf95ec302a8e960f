"""How much of an alignment lies within categories: its weight between words of a category, or within aligned tuples.

A free alignment (ROUGE's) is one of many with the same total. What a category contributes is then the most that any of
them gives it: a maximum matching of the words of that category alone, worked out for each key. A tuple is a head and
its children; every child has one head, so the heads can be paired by a matching whose weights are the children that
fit, which is exact for tuples, too.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import maximum_bipartite_matching

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.evidence.alignment import Alignment, TokenText
    from gistmeter.linguistics.categories.labels import LabelledWord
    from gistmeter.linguistics.categories.rules import Category


@dataclass(frozen=True, slots=True)
class LabelledToken:
    """A token of an alignment: its key, the word it lies in, that word's head, and the word's categories."""

    key: str
    word: int
    head: int
    groups: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class LabelledAlignment:
    """An alignment with the categories of its tokens on both sides."""

    alignment: Alignment
    summary: tuple[LabelledToken, ...]
    other: tuple[LabelledToken, ...]

    def measure_words(self, names: Sequence[str]) -> float:
        """The weight between words that share one of some categories of words."""
        if self.alignment.free:
            return self._match_free_words(names)
        return sum(
            edge.weight
            for edge in self.alignment.edges
            if _share_group(self.summary[edge.summary], self.other[edge.other], names)
        )

    def measure_tuples(self, categories: Sequence[Category]) -> float:
        """The weight of edges inside tuples of some categories that are aligned in all their words."""
        if self.alignment.free:
            return self._match_free_tuples(categories)
        return self._sum_aligned_tuples(categories)

    def _match_free_words(self, names: Sequence[str]) -> float:
        summary, other = _positions_by_key(self.summary), _positions_by_key(self.other)
        total = 0.0
        for key, weight in self._key_weights().items():
            left, right = (
                [tokens[position] for position in positions[key] if any(n in tokens[position].groups for n in names)]
                for tokens, positions in ((self.summary, summary), (self.other, other))
            )
            total += weight * _count_matching(left, right, names)
        return total

    def _match_free_tuples(self, categories: Sequence[Category]) -> float:
        summary, other = _collect_stars(self.summary, categories), _collect_stars(self.other, categories)
        weights = self._key_weights()
        total = 0.0
        for key in summary.keys() & other.keys():
            gains = np.array(
                [[_weigh_stars(left, right, categories, weights) for right in other[key]] for left in summary[key]]
            )
            rows, columns = linear_sum_assignment(gains, maximize=True)
            total += float(gains[rows, columns].sum())
        return total

    def _sum_aligned_tuples(self, categories: Sequence[Category]) -> float:
        words = [{token.word: token for token in tokens if token.word >= 0} for tokens in (self.summary, self.other)]
        edges: dict[tuple[int, int], float] = defaultdict(float)  # between words, of all their tokens
        for edge in self.alignment.edges:
            pair = self.summary[edge.summary].word, self.other[edge.other].word
            if min(pair) >= 0:
                edges[pair] += edge.weight
        below: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)  # pairs of dependents, by their heads
        for child, partner in edges:
            heads = words[0][child].head, words[1][partner].head
            if heads[0] != child and heads[1] != partner:
                below[heads].append((child, partner))
        inside: set[tuple[int, int]] = set()
        for category in categories:
            for pair in edges.keys() & below.keys():
                if not _share_group(words[0][pair[0]], words[1][pair[1]], [category.head]):
                    continue
                by_role = [
                    [
                        (child, partner)
                        for child, partner in below[pair]
                        if _share_group(words[0][child], words[1][partner], [role])
                    ]
                    for role in category.children
                ]
                if all(by_role):
                    inside |= {pair, *(child_pair for child_pairs in by_role for child_pair in child_pairs)}
        return sum(edges[pair] for pair in inside)

    def _key_weights(self) -> dict[str, float]:
        """What an edge weighs, for each key that has one."""
        return {self.summary[edge.summary].key: edge.weight for edge in self.alignment.edges}


def label_alignment(
    alignment: Alignment, summary: Sequence[LabelledWord], other: Sequence[LabelledWord]
) -> LabelledAlignment:
    """An alignment with the categories of the words that its tokens begin in; `summary` and `other` are those words."""
    return LabelledAlignment(
        alignment, _label_tokens(alignment.summary, summary), _label_tokens(alignment.other, other)
    )


def _label_tokens(text: TokenText, words: Sequence[LabelledWord]) -> tuple[LabelledToken, ...]:
    """The tokens of a text, each with the word in which it begins; one between words belongs to no category."""
    starts = np.array([word.start for word in words])
    labelled = []
    for token in text.tokens:
        position = int(np.searchsorted(starts, token.start, side="right")) - 1 if len(words) else -1
        inside = position >= 0 and token.start < words[position].end and token.end > token.start
        if inside:
            word = words[position]
            labelled.append(LabelledToken(key=token.key, word=position, head=word.head, groups=word.groups))
        else:
            labelled.append(LabelledToken(key=token.key, word=-1, head=-1, groups={}))
    return tuple(labelled)


def _share_group(left: LabelledToken, right: LabelledToken, names: Sequence[str]) -> bool:
    return any(name in left.groups and left.groups[name] == right.groups.get(name) for name in names)


def _positions_by_key(tokens: Sequence[LabelledToken]) -> dict[str, list[int]]:
    positions: dict[str, list[int]] = defaultdict(list)
    for position, token in enumerate(tokens):
        positions[token.key].append(position)
    return positions


def _count_matching(left: Sequence[LabelledToken], right: Sequence[LabelledToken], names: Sequence[str]) -> int:
    """The most pairs of tokens of one key that share a group of a category, each token at most once."""
    if not left or not right:
        return 0
    if len(names) == 1:  # groups are kinds that do not mix, so each is counted alone
        counts = [Counter(token.groups[names[0]] for token in tokens) for tokens in (left, right)]
        return (counts[0] & counts[1]).total()
    graph = csr_matrix([[_share_group(token, other, names) for other in right] for token in left])
    return int((maximum_bipartite_matching(graph, perm_type="column") >= 0).sum())


Star = tuple["LabelledToken", dict[str, Counter[tuple[str, str]]]]
"""A head, and for each role the keys and groups of its children."""


def _collect_stars(tokens: Sequence[LabelledToken], categories: Sequence[Category]) -> dict[str, list[Star]]:
    """The heads that have a child, with their children by role, for each key of a head.

    Of a word in several tokens ("U.S.") the first stands for it as a head. A child that fits several roles takes the
    first of them.
    """
    roles = list(dict.fromkeys(role for category in categories for role in category.children))
    heads = {category.head for category in categories}
    children: dict[int, dict[str, Counter[tuple[str, str]]]] = defaultdict(lambda: defaultdict(Counter))
    for token in tokens:
        role = next((role for role in roles if role in token.groups), None)
        if role is not None and token.head != token.word:
            children[token.head][role][token.key, token.groups[role]] += 1
    stars: dict[str, list[Star]] = defaultdict(list)
    used_words: set[int] = set()
    for token in tokens:
        if token.word >= 0 and token.word not in used_words and token.word in children and heads & token.groups.keys():
            used_words.add(token.word)
            stars[token.key].append((token, children[token.word]))
    return stars


def _weigh_stars(left: Star, right: Star, categories: Sequence[Category], weights: Mapping[str, float]) -> float:
    """What the tuples of two heads of one key add when these are paired: the heads, and the children that fit."""
    (head, children), (other_head, other_children) = left, right
    matched: dict[str, float] = {}
    for category in categories:
        if not _share_group(head, other_head, [category.head]):
            continue
        gains = {
            role: sum(count * weights[key] for (key, _), count in (children[role] & other_children[role]).items())
            for role in category.children
        }
        if all(gains.values()):
            matched |= gains
    return sum(matched.values()) + weights[head.key] if matched else 0.0
