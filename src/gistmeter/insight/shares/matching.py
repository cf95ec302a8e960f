"""Which matches of an alignment lie within categories: between words of a category, or within aligned tuples.

A free alignment (ROUGE's) is one of many with the same total. What a category gets is then the most that any of them
gives it: a maximum matching of the words of that category alone, worked out for each key. A tuple is a head and its
children; every child has one head, so the heads can be paired by a matching whose weights are the children that fit,
which is exact for tuples, too, unless that uses a word twice (see `tuple_choice`).
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gistmeter.insight.shares.tuple_choice import choose_tuples
from gistmeter.linguistics.categories.labels import find_containing_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from gistmeter.evidence.alignment import Alignment, TokenText
    from gistmeter.linguistics.categories.labels import LabelledWord
    from gistmeter.linguistics.categories.rules import Category


class Match(NamedTuple):
    """A token of the summary and one of the other text, by position, and what the pair adds."""

    summary: int
    other: int
    weight: float


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
        return sum(match.weight for match in self.match_words(names))

    def measure_tuples(self, categories: Sequence[Category]) -> float:
        """The weight of edges inside tuples of some categories that are aligned in all their words."""
        return sum(match.weight for match in self.match_tuples(categories))

    def match_words(self, names: Sequence[str]) -> list[Match]:
        """The matches between words that share one of some categories of words."""
        if self.alignment.free:
            return self._match_free_words(names)
        return self._match_tokens(lambda token, other: _share_group(self.summary[token], self.other[other], names))

    def match_tuples(self, categories: Sequence[Category]) -> list[Match]:
        """The matches inside tuples of some categories that are aligned in all their words."""
        if self.alignment.free:
            return self._match_free_tuples(categories)
        inside = self._find_aligned_tuples(categories)
        return self._match_tokens(lambda token, other: (self.summary[token].word, self.other[other].word) in inside)

    def _match_free_words(self, names: Sequence[str]) -> list[Match]:
        summary, other = _positions_by_key(self.summary), _positions_by_key(self.other)
        matches = []
        for key, weight in self._key_weights().items():
            left, right = (
                [position for position in positions[key] if any(name in tokens[position].groups for name in names)]
                for tokens, positions in ((self.summary, summary), (self.other, other))
            )
            matches += [Match(first, second, weight) for first, second in self._pair_words(left, right, names)]
        return matches

    def _pair_words(self, left: Sequence[int], right: Sequence[int], names: Sequence[str]) -> list[tuple[int, int]]:
        """As many pairs of words that share one of some categories as there can be, each word at most once."""
        if not left or not right:
            return []
        if len(names) == 1:  # groups are kinds that do not mix, so each is paired alone
            waiting: dict[str, list[int]] = defaultdict(list)
            for position in reversed(right):
                waiting[self.other[position].groups[names[0]]].append(position)
            groups = ((position, self.summary[position].groups[names[0]]) for position in left)
            return [(position, waiting[group].pop()) for position, group in groups if waiting[group]]
        from scipy.sparse import csr_matrix
        from scipy.sparse.csgraph import maximum_bipartite_matching

        graph = csr_matrix(
            [[_share_group(self.summary[first], self.other[second], names) for second in right] for first in left]
        )
        partners = maximum_bipartite_matching(graph, perm_type="column")
        return [(first, right[partner]) for first, partner in zip(left, partners, strict=True) if partner >= 0]

    def _match_free_tuples(self, categories: Sequence[Category]) -> list[Match]:
        from scipy.optimize import linear_sum_assignment

        summary, other = _collect_stars(self.summary, categories), _collect_stars(self.other, categories)
        weights = self._key_weights()
        matches: list[Match] = []
        for key in summary.keys() & other.keys():
            pairs = [
                [self._match_stars(left, right, categories, weights) for right in other[key]] for left in summary[key]
            ]
            gains = np.array([[sum(match.weight for match in cell) for cell in row] for row in pairs])
            rows, columns = linear_sum_assignment(gains, maximize=True)
            matches += [match for row, column in zip(rows, columns, strict=True) for match in pairs[row][column]]
        if self._fit_several_roles(categories) or _use_a_token_twice(matches):
            chosen = choose_tuples(self.summary, self.other, categories, fits=self._fit, weights=weights)
            return [Match(token, other, weights[self.summary[token].key]) for token, other in chosen]
        return matches

    def _fit(self, token: int, other: int, name: str) -> bool:
        """Whether a token and one of the other text match in a category of words."""
        left, right = self.summary[token], self.other[other]
        return left.key == right.key and _share_group(left, right, [name])

    def _fit_several_roles(self, categories: Sequence[Category]) -> bool:
        """Whether a token fits several roles of tuples of some categories."""
        roles = {role for category in categories for role in category.children}
        return any(len(roles & token.groups.keys()) > 1 for token in (*self.summary, *self.other))

    def _match_stars(
        self, left: _Star, right: _Star, categories: Sequence[Category], weights: Mapping[str, float]
    ) -> list[Match]:
        """The matches in the tuples of two heads of one key when these are paired: the heads, and children that fit."""
        matched: dict[str, list[Match]] = {}
        for category in categories:
            if not _share_group(self.summary[left.head], self.other[right.head], [category.head]):
                continue
            by_role = {role: self._match_children(left, right, role, weights) for role in category.children}
            if all(by_role.values()):
                matched |= by_role
        if not matched:
            return []
        head = Match(left.head, right.head, weights[self.summary[left.head].key])
        return [head, *(match for matches in matched.values() for match in matches)]

    def _match_children(self, left: _Star, right: _Star, role: str, weights: Mapping[str, float]) -> list[Match]:
        """Children of one role that have the same key and group, each at most once."""
        return [
            Match(first, second, weights[key])
            for (key, group), positions in left.children[role].items()
            for first, second in zip(positions, right.children[role].get((key, group), ()), strict=False)
        ]

    def _match_tokens(self, counts: Callable[[int, int], bool]) -> list[Match]:
        """The edges, token by token, for which `counts` says so.

        An edge between runs is split evenly among the tokens of the other text; each looks for its like in the run of
        the summary, and the first that it finds is its match.
        """
        matches = []
        for edge in self.alignment.edges:
            for other in edge.other_run.positions:
                token = next((each for each in edge.summary_run.positions if counts(each, other)), None)
                if token is not None:
                    matches.append(Match(token, other, edge.weight / edge.other_size))
        return matches

    def _find_aligned_tuples(self, categories: Sequence[Category]) -> set[tuple[int, int]]:
        """The pairs of words that are part of tuples aligned in all their words."""
        words = [{token.word: token for token in tokens if token.word >= 0} for tokens in (self.summary, self.other)]
        linked = {
            (self.summary[token].word, self.other[other].word)
            for edge in self.alignment.edges
            for token in edge.summary_run.positions
            for other in edge.other_run.positions
        }
        linked = {pair for pair in linked if min(pair) >= 0}
        below: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)  # pairs of dependents, by their heads
        for child, partner in linked:
            heads = words[0][child].head, words[1][partner].head
            if heads[0] != child and heads[1] != partner:
                below[heads].append((child, partner))
        inside: set[tuple[int, int]] = set()
        for category in categories:
            for pair in linked & below.keys():
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
        return inside

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
    owners = find_containing_words(words, [token.start for token in text.tokens])
    labelled = []
    for token, owner in zip(text.tokens, owners, strict=True):
        if owner is not None and token.end > token.start:
            word = words[owner]
            labelled.append(LabelledToken(key=token.key, word=owner, head=word.head, groups=word.groups))
        else:
            labelled.append(LabelledToken(key=token.key, word=-1, head=-1, groups={}))
    return tuple(labelled)


def _share_group(token: LabelledToken, other: LabelledToken, names: Iterable[str]) -> bool:
    return any(name in token.groups and token.groups[name] == other.groups.get(name) for name in names)


def _use_a_token_twice(matches: Sequence[Match]) -> bool:
    return any(len({match[side] for match in matches}) < len(matches) for side in (0, 1))


def _positions_by_key(tokens: Sequence[LabelledToken]) -> dict[str, list[int]]:
    positions: dict[str, list[int]] = defaultdict(list)
    for position, token in enumerate(tokens):
        positions[token.key].append(position)
    return positions


@dataclass(frozen=True, slots=True)
class _Star:
    """The position of a head, and for each role those of its children by their keys and groups."""

    head: int
    children: Mapping[str, Mapping[tuple[str, str], list[int]]]


def _collect_stars(tokens: Sequence[LabelledToken], categories: Sequence[Category]) -> dict[str, list[_Star]]:
    """The heads that have a child, with their children by role, for each key of a head.

    Of a word in several tokens ("U.S.") the first stands for it as a head.
    """
    roles = list(dict.fromkeys(role for category in categories for role in category.children))
    heads = {category.head for category in categories}
    children: dict[int, dict[str, dict[tuple[str, str], list[int]]]] = {}
    for position, token in enumerate(tokens):
        role = next((role for role in roles if role in token.groups), None)
        if role is not None and token.head != token.word:
            by_role = children.setdefault(token.head, {each: defaultdict(list) for each in roles})
            by_role[role][token.key, token.groups[role]].append(position)
    stars: dict[str, list[_Star]] = defaultdict(list)
    used_words: set[int] = set()
    for position, token in enumerate(tokens):
        if token.word >= 0 and token.word not in used_words and token.word in children and heads & token.groups.keys():
            used_words.add(token.word)
            stars[token.key].append(_Star(position, children[token.word]))
    return stars
