"""The best choice of tuples that match, where words are part of several: as an integer program.

Rare: a word that is both the head of a tuple and a child in another ("ran" in "who ran won"), or a child of two kinds.
Pairing heads alone would then use the word twice.
"""

from __future__ import annotations

from collections import defaultdict
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from gistmeter.insight.shares.matching import LabelledToken
    from gistmeter.linguistics.categories.rules import Category

    Pair = tuple[int, int]
    """A token of the summary and one of the other text, by position."""


def choose_tuples(
    summary: Sequence[LabelledToken],
    other: Sequence[LabelledToken],
    categories: Sequence[Category],
    *,
    fits: Callable[[int, int, str], bool],
    weights: Mapping[str, float],
) -> list[Pair]:
    """Pairs of tokens, each used once and each inside a tuple that is aligned whole, of the most weight together.

    `fits` says whether two tokens match in a category of words; `weights` has what a pair of a key adds.
    """
    tuples = [
        tuple(zip(left, right, strict=True))
        for category in categories
        for left, right in product(_list_tuples(summary, category), _list_tuples(other, category))
        if all(
            fits(*pair, name)
            for pair, name in zip(zip(left, right, strict=True), (category.head, *category.children), strict=True)
        )
    ]
    pairs = list(dict.fromkeys(pair for pairs in tuples for pair in pairs))
    if not pairs:
        return []
    from scipy.optimize import Bounds, LinearConstraint, milp

    # One variable for each pair, 1 where it is chosen, then one for each tuple, which is no more than its pairs.
    number = {pair: position for position, pair in enumerate(pairs)}
    rows: list[dict[int, int]] = []
    inside: dict[int, dict[int, int]] = {position: {position: 1} for position in number.values()}
    for position, tuple_pairs in enumerate(tuples, start=len(pairs)):
        for pair in tuple_pairs:
            rows.append({position: 1, number[pair]: -1})
            inside[number[pair]][position] = -1  # a pair is no more than the tuples that it is in
    rows += inside.values()
    by_token: dict[tuple[int, int], dict[int, int]] = defaultdict(dict)
    for pair, position in number.items():
        for side, token in enumerate(pair):
            by_token[side, token][position] = 1
    table = np.zeros((len(rows) + len(by_token), len(pairs) + len(tuples)))
    for row, entries in enumerate([*rows, *by_token.values()]):
        table[row, list(entries)] = list(entries.values())
    most = np.concatenate([np.zeros(len(rows)), np.ones(len(by_token))])
    gains = np.zeros(table.shape[1])
    gains[: len(pairs)] = [weights[summary[token].key] for token, _ in pairs]
    solved = milp(
        -gains, integrality=np.ones_like(gains), bounds=Bounds(0, 1), constraints=LinearConstraint(table, ub=most)
    )
    return [pair for pair, value in zip(pairs, solved.x, strict=False) if value > 0.5]


def _list_tuples(tokens: Sequence[LabelledToken], category: Category) -> Iterator[tuple[int, ...]]:
    """The tokens of each tuple of a category: the head, then a child for each role."""
    first_tokens = {token.word: position for position, token in reversed(list(enumerate(tokens)))}
    children: dict[int, list[int]] = defaultdict(list)
    for position, token in enumerate(tokens):
        if token.head != token.word:
            children[token.head].append(position)
    for word, head in first_tokens.items():
        if word >= 0 and category.head in tokens[head].groups:
            roles = [[child for child in children[word] if role in tokens[child].groups] for role in category.children]
            yield from ((head, *chosen) for chosen in product(*roles))
