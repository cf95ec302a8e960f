"""From a dependency parse to phrases, step by step.

Each word with dependents, the innermost first, grows into phrases: it takes the next dependent on its left (`<`) or on
its right (`>`), closes a phrase around what it has (`NP`, `VP`, ...), or is done (`.`). What it made becomes part of
the word above it. Every phrase that a dependency parse allows can be made so. A network chooses the steps; here is what
it sees, and which steps lead to a given tree. Punctuation is left out before and put back after.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

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
        tokens = [token for token in doc if token.tag_ not in PUNCTUATION and not token.is_space]
        word_of = {token.i: number for number, token in enumerate(tokens)}
        heads = []
        for token in tokens:
            above = token.head
            while above.i not in word_of and above.head.i != above.i:
                above = above.head
            heads.append(-1 if above.i == token.i else word_of.get(above.i, -1))
        return cls(
            words=tuple(token.lower_ for token in tokens),
            tags=tuple(token.tag_ for token in tokens),
            deps=tuple(token.dep_ for token in tokens),
            heads=tuple(_make_projective(heads)),
        )

    def children(self) -> list[list[int]]:
        """The dependents of each word, in their order."""
        children: list[list[int]] = [[] for _ in self.heads]
        for word, head in enumerate(self.heads):
            if head >= 0:
                children[head].append(word)
        return children


class Reach(NamedTuple):
    """The first and the last word that each word of a sentence has below it, itself included."""

    first: list[int]
    last: list[int]


class _NextChild(NamedTuple):
    """The next dependent of a side: its dependency, tag, labels of its phrases and word; `-` where none is left."""

    dep: str = "-"
    tag: str = "-"
    labels: str = "-"
    word: str = "-"


class PhraseGrowth:
    """The phrases that one word has made so far, and the dependents that it has yet to take.

    `parts` is what it has made, `labels` are the phrases closed so far, `new_arcs` the dependencies taken since the
    last of them and `older_arcs` those before.
    """

    __slots__ = ("_child_labels", "_tree", "labels", "lefts", "new_arcs", "older_arcs", "parts", "rights", "word")

    def __init__(
        self, sentence: DependencyTree, word: int, children: Sequence[int], built: Sequence[list[Tree]]
    ) -> None:
        self._tree = sentence
        self.word = word
        self.lefts = [child for child in children if child < word]  # the next one is last
        self.rights = [child for child in reversed(children) if child > word]
        self.parts = [Tree(sentence.tags[word], word=str(word))]
        self.labels: list[str] = []
        self.new_arcs: list[str] = []
        self.older_arcs: list[str] = []
        self._child_labels = {child: "+".join(tree.label for tree in built[child][:3]) for child in children}

    def take(self, step: str, built: Sequence[list[Tree]]) -> None:
        """Take a step: the next dependent on a side, or a phrase around all parts."""
        if step == LEFT:
            child = self.lefts.pop()
            self.parts = built[child] + self.parts
            self.new_arcs.append("<" + self._tree.deps[child])
        elif step == RIGHT:
            child = self.rights.pop()
            self.parts = self.parts + built[child]
            self.new_arcs.append(">" + self._tree.deps[child])
        else:
            self.parts = [Tree(step, tuple(self.parts))]
            self.labels.append(step)
            self.older_arcs += self.new_arcs
            self.new_arcs = []

    def allows(self, step: str) -> bool:
        """Whether a step is possible: no dependent may be left behind, and a phrase needs a new part or a new label."""
        if step == LEFT:
            return bool(self.lefts)
        if step == RIGHT:
            return bool(self.rights)
        if step == DONE:
            return not self.lefts and not self.rights
        return len(self.labels) < MAX_PHRASES and (bool(self.new_arcs) or step not in self.labels)

    def describe(self) -> Iterator[str]:
        """The features that the network sees, as short texts."""
        tree, word = self._tree, self.word
        tag, dep, label = tree.tags[word], tree.deps[word], self.labels[-1] if self.labels else "-"
        head = tree.heads[word]
        head_tag = tree.tags[head] if head >= 0 else "-"
        left, right = self._next_child(self.lefts), self._next_child(self.rights)
        new_arcs = " ".join(sorted(self.new_arcs))
        yield f"t {tag}"
        yield f"d {dep}"
        yield f"w {tree.words[word]}"
        yield f"m {' '.join(self.labels)}"
        yield f"tm {tag} {label}"
        yield f"tdm {tag} {dep} {label}"
        yield f"lm {left.dep} {label} {bool(self.new_arcs)}"
        yield f"rm {right.dep} {label} {bool(self.new_arcs)}"
        yield f"tlr {tag} {left.dep} {right.dep} {label}"
        yield from (f"l{number} {value}" for number, value in enumerate(left))
        yield from (f"r{number} {value}" for number, value in enumerate(right))
        yield f"tl {tag} {left.dep} {left.labels}"
        yield f"tr {tag} {right.dep} {right.labels}"
        yield f"f {new_arcs} {label}"
        yield f"tf {tag} {new_arcs}"
        yield from (f"f1 {arc} {label}" for arc in set(self.new_arcs))
        yield from (f"k1 {arc}" for arc in set(self.older_arcs))
        yield from (f"q< {tree.deps[child]}" for child in self.lefts)
        yield from (f"q> {tree.deps[child]}" for child in self.rights)
        yield f"o {head_tag} {dep}"
        yield f"om {head_tag} {label} {not (self.lefts or self.rights)}"
        yield f"ow {tree.words[head] if head >= 0 else '-'}"
        yield f"od {tree.deps[head] if head >= 0 else '-'} {dep} {label}"
        yield f"s {head < word} {dep} {label}"
        yield f"b {tree.tags[word - 1] if word else '-'}"
        yield f"a {tree.tags[word + 1] if word + 1 < len(tree.tags) else '-'}"
        yield f"e {self.parts[0].label} {self.parts[-1].label} {min(len(self.parts), 4)}"
        yield f"n {min(len(self.lefts), 3)} {min(len(self.rights), 3)} {label}"

    def _next_child(self, children: list[int]) -> _NextChild:
        if not children:
            return _NextChild()
        child, tree = children[-1], self._tree
        return _NextChild(
            dep=tree.deps[child], tag=tree.tags[child], labels=self._child_labels[child], word=tree.words[child]
        )


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


def find_reach(heads: Sequence[int]) -> Reach:
    """The first and the last word that each word has below it, itself included."""
    first, last = list(range(len(heads))), list(range(len(heads)))
    for word in innermost_first(heads):
        if (head := heads[word]) >= 0:
            first[head], last[head] = min(first[head], first[word]), max(last[head], last[word])
    return Reach(first, last)


def assign_brackets(tree: DependencyTree, brackets: Sequence[Bracket]) -> dict[int, list[Bracket]]:
    """The phrases that the dependencies allow, by the word that heads each, inner ones first."""
    heads = tree.heads
    first, last = find_reach(heads)
    brackets_of: dict[int, list[Bracket]] = defaultdict(list)
    for bracket in brackets:
        start, end, _ = bracket
        tops = [word for word in range(start, end) if not start <= heads[word] < end]
        if len(tops) != 1:
            continue
        inner = (word for word in range(start, end) if heads[word] == tops[0])
        if all(first[word] >= start and last[word] < end for word in inner):
            brackets_of[tops[0]].append(bracket)
    return brackets_of


def find_steps(
    growth: PhraseGrowth, brackets: Sequence[Bracket], first: Sequence[int], last: Sequence[int]
) -> Iterator[str]:
    """The steps of one word that make the phrases `brackets`, inner ones first; `first` and `last` are its reach."""
    for start, end, label in brackets:
        yield from (LEFT for child in reversed(growth.lefts[:]) if first[child] >= start)
        yield from (RIGHT for child in reversed(growth.rights[:]) if last[child] < end)
        yield label
    yield from (LEFT for _ in growth.lefts[:])
    yield from (RIGHT for _ in growth.rights[:])
    yield DONE


def _make_projective(heads: list[int]) -> list[int]:
    """The heads with one root; a dependent across another arc is lifted to the word above its head."""
    roots = {word for word, head in enumerate(heads) if head < 0}
    top = min(roots, default=-1)
    heads = [top if word in roots and word != top else head for word, head in enumerate(heads)]
    while (crossing := _find_crossing(heads)) is not None:
        heads[crossing] = heads[heads[crossing]]
    return heads


def _find_crossing(heads: list[int]) -> int | None:
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
        if head >= 0
        and any(head not in _list_ancestors(heads, between) for between in range(min(word, head) + 1, max(word, head)))
    )[1]


def _list_ancestors(heads: Sequence[int], word: int) -> Iterator[int]:
    """A word and all words above it."""
    while word >= 0:
        yield word
        word = heads[word]
