"""From a dependency parse to phrases, step by step.

Each word with dependents, the innermost first, grows into phrases: it takes the next dependent on its left (`<`) or on
its right (`>`), closes a phrase around what it has (`NP`, `VP`, ...), or is done (`.`). What it made becomes part of
the word above it. Every phrase that a dependency parse allows can be made so. A network chooses the steps; here is what
it sees, and which steps lead to a given tree. Punctuation is left out before and put back after.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gistmeter.linguistics.trees.phrase_tree import PUNCTUATION, Bracket, Tree

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from spacy.tokens import Doc

LEFT, RIGHT, DONE = "<", ">", "."
MAX_PHRASES = 8
"""A word makes so many phrases at most."""


@dataclass(frozen=True, slots=True)
class DependencyTree:
    """A sentence without its punctuation: words, tags, and a projective tree of dependencies; the root has head -1."""

    words: tuple[str, ...]
    tags: tuple[str, ...]
    deps: tuple[str, ...]
    heads: tuple[int, ...]

    @classmethod
    def of(cls, doc: Doc) -> DependencyTree:
        """What a parse says of its words that are no punctuation and no white space."""
        kept = [token for token in doc if token.tag_ not in PUNCTUATION and not token.is_space]
        place = {token.i: at for at, token in enumerate(kept)}
        heads = []
        for token in kept:
            above = token.head
            while above.i not in place and above.head.i != above.i:
                above = above.head
            heads.append(-1 if above.i == token.i else place.get(above.i, -1))
        return cls(
            tuple(token.lower_ for token in kept),
            tuple(token.tag_ for token in kept),
            tuple(token.dep_ for token in kept),
            tuple(_projective(heads)),
        )

    def children(self) -> list[list[int]]:
        """The dependents of each word, in their order."""
        found: list[list[int]] = [[] for _ in self.heads]
        for word, head in enumerate(self.heads):
            if head >= 0:
                found[head].append(word)
        return found


class PhraseGrowth:
    """What one word has made so far."""

    __slots__ = ("_labels", "_sentence", "fresh", "items", "lefts", "made", "rights", "taken", "word")

    def __init__(
        self, sentence: DependencyTree, word: int, children: Sequence[int], built: Sequence[list[Tree]]
    ) -> None:
        self._sentence = sentence
        self.word = word
        self.lefts = [child for child in children if child < word]  # the next one is last
        self.rights = [child for child in reversed(children) if child > word]
        self.items = [Tree(sentence.tags[word], word=str(word))]
        self.made: list[str] = []
        self.fresh: list[str] = []
        self.taken: list[str] = []
        self._labels = {child: "+".join(tree.label for tree in built[child][:3]) for child in children}

    def take(self, step: str, built: Sequence[list[Tree]]) -> None:
        """Go one step."""
        if step == LEFT:
            child = self.lefts.pop()
            self.items = built[child] + self.items
            self.fresh.append("<" + self._sentence.deps[child])
        elif step == RIGHT:
            child = self.rights.pop()
            self.items = self.items + built[child]
            self.fresh.append(">" + self._sentence.deps[child])
        else:
            self.items = [Tree(step, tuple(self.items))]
            self.made.append(step)
            self.taken += self.fresh
            self.fresh = []

    def allows(self, step: str) -> bool:
        """Whether a step can be gone: nothing may be left behind, and a phrase of itself alone is no new phrase."""
        if step == LEFT:
            return bool(self.lefts)
        if step == RIGHT:
            return bool(self.rights)
        if step == DONE:
            return not self.lefts and not self.rights
        return len(self.made) < MAX_PHRASES and (bool(self.fresh) or step not in self.made)

    def seen(self) -> Iterator[str]:
        """What the network sees, as short texts."""
        known, word = self._sentence, self.word
        tag, dep, level = known.tags[word], known.deps[word], self.made[-1] if self.made else "-"
        above = known.heads[word]
        over = known.tags[above] if above >= 0 else "-"
        left, right = self._next(self.lefts), self._next(self.rights)
        fresh = " ".join(sorted(self.fresh))
        yield f"t {tag}"
        yield f"d {dep}"
        yield f"w {known.words[word]}"
        yield f"m {' '.join(self.made)}"
        yield f"tm {tag} {level}"
        yield f"tdm {tag} {dep} {level}"
        yield f"lm {left[0]} {level} {bool(self.fresh)}"
        yield f"rm {right[0]} {level} {bool(self.fresh)}"
        yield f"tlr {tag} {left[0]} {right[0]} {level}"
        yield from (f"l{at} {value}" for at, value in enumerate(left))
        yield from (f"r{at} {value}" for at, value in enumerate(right))
        yield f"tl {tag} {left[0]} {left[2]}"
        yield f"tr {tag} {right[0]} {right[2]}"
        yield f"f {fresh} {level}"
        yield f"tf {tag} {fresh}"
        yield from (f"f1 {one} {level}" for one in set(self.fresh))
        yield from (f"k1 {one}" for one in set(self.taken))
        yield from (f"q< {known.deps[one]}" for one in self.lefts)
        yield from (f"q> {known.deps[one]}" for one in self.rights)
        yield f"o {over} {dep}"
        yield f"om {over} {level} {not (self.lefts or self.rights)}"
        yield f"ow {known.words[above] if above >= 0 else '-'}"
        yield f"od {known.deps[above] if above >= 0 else '-'} {dep} {level}"
        yield f"s {above < word} {dep} {level}"
        yield f"b {known.tags[word - 1] if word else '-'}"
        yield f"a {known.tags[word + 1] if word + 1 < len(known.tags) else '-'}"
        yield f"e {self.items[0].label} {self.items[-1].label} {min(len(self.items), 4)}"
        yield f"n {min(len(self.lefts), 3)} {min(len(self.rights), 3)} {level}"

    def _next(self, side: list[int]) -> tuple[str, str, str, str]:
        """Of the next dependent of a side: dependency, tag, what it made, the word; and nothing where none is left."""
        if not side:
            return "-", "-", "-", "-"
        child = side[-1]
        known = self._sentence
        return known.deps[child], known.tags[child], self._labels[child], known.words[child]


def innermost_first(heads: Sequence[int]) -> list[int]:
    """The words, each after all its dependents.

    >>> innermost_first([1, -1, 1])
    [2, 0, 1]
    """
    below: dict[int, list[int]] = defaultdict(list)
    for word, head in enumerate(heads):
        below[head].append(word)
    order = list(below[-1])
    for word in order:  # grows while it is read
        order += below[word]
    return order[::-1]


def find_reach(heads: Sequence[int]) -> tuple[list[int], list[int]]:
    """The first and the last word that each word has below it, itself included."""
    first, last = list(range(len(heads))), list(range(len(heads)))
    for word in innermost_first(heads):
        if (head := heads[word]) >= 0:
            first[head], last[head] = min(first[head], first[word]), max(last[head], last[word])
    return first, last


def assign_brackets(sentence: DependencyTree, brackets: Sequence[Bracket]) -> dict[int, list[Bracket]]:
    """The phrases that the dependencies allow, by the word that heads each, inner ones first."""
    heads = sentence.heads
    first, last = find_reach(heads)
    found: dict[int, list[Bracket]] = defaultdict(list)
    for bracket in brackets:
        start, end, _ = bracket
        tops = [word for word in range(start, end) if not start <= heads[word] < end]
        if len(tops) != 1:
            continue
        inner = (word for word in range(start, end) if heads[word] == tops[0])
        if all(first[word] >= start and last[word] < end for word in inner):
            found[tops[0]].append(bracket)
    return found


def find_steps(
    growth: PhraseGrowth, wanted: Sequence[Bracket], first: Sequence[int], last: Sequence[int]
) -> Iterator[str]:
    """The steps of one word that make the phrases wanted, inner ones first."""
    for start, end, label in wanted:
        yield from (LEFT for child in reversed(growth.lefts[:]) if first[child] >= start)
        yield from (RIGHT for child in reversed(growth.rights[:]) if last[child] < end)
        yield label
    yield from (LEFT for _ in growth.lefts[:])
    yield from (RIGHT for _ in growth.rights[:])
    yield DONE


def _projective(heads: list[int]) -> list[int]:
    """The heads with one root; a dependent across another arc is lifted to the word above its head."""
    roots = {word for word, head in enumerate(heads) if head < 0}
    top = min(roots, default=-1)
    heads = [top if word in roots and word != top else head for word, head in enumerate(heads)]
    while (crossing := _crossing(heads)) is not None:
        heads[crossing] = heads[heads[crossing]]
    return heads


def _crossing(heads: list[int]) -> int | None:
    """The shortest dependency that spans a word that is not below its head."""
    first, last = find_reach(heads)
    sizes = [1] * len(heads)
    for word in innermost_first(heads):
        if heads[word] >= 0:
            sizes[heads[word]] += sizes[word]
    if all(end - start + 1 == size for start, end, size in zip(first, last, sizes, strict=True)):
        return None
    return min(
        (abs(word - head), word)
        for word, head in enumerate(heads)
        if head >= 0 and any(head not in _above(heads, one) for one in range(min(word, head) + 1, max(word, head)))
    )[1]


def _above(heads: Sequence[int], word: int) -> Iterator[int]:
    while word >= 0:
        yield word
        word = heads[word]
