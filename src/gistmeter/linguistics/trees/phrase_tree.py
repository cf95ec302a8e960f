"""A phrase-structure tree of a sentence, as in the Penn Treebank."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from gistmeter.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

_PART = re.compile(r"\(\s*([^\s()]*)|([^\s()]+)|(\))")
_ESCAPED = {"(": "-LRB-", ")": "-RRB-"}
_FUNCTION = re.compile(r"(?<=.)[-=|].*")
PUNCTUATION = frozenset({",", ":", "``", "''", "."})
"""The tags of the tokens that evalb leaves out."""


class Bracket(NamedTuple):
    """A phrase: its first word, the word after its last, and its label. Punctuation is not counted as a word."""

    start: int
    end: int
    label: str


@dataclass(frozen=True, slots=True)
class Tree:
    """A phrase with its parts, or a word with its part of speech as the label.

    >>> tree = Tree.read("(S (NP (PRP It)) (VP (VBD rained)) (. .))")
    >>> str(tree), tree.depth, list(tree.labels())
    ('(S (NP (PRP It)) (VP (VBD rained)) (. .))', 3, ['S', 'NP', 'PRP', 'VP', 'VBD', '.'])
    """

    label: str
    children: tuple[Tree, ...] = ()
    word: str = ""

    @classmethod
    def read(cls, text: str) -> Tree:
        """The tree that brackets show."""
        open_phrases: list[tuple[str, list[Tree]]] = [("", [])]
        word = ""
        for part in _PART.finditer(text):
            if part[2] is not None:
                word = part[2]
            elif part[3] is None:
                open_phrases.append((part[1], []))
            elif len(open_phrases) == 1:
                raise DataError(f"a bracket closes that never opened: {text[:60]!r}")
            else:
                label, children = open_phrases.pop()
                open_phrases[-1][1].append(cls(label, tuple(children), "" if children else word))
                word = ""
        if len(open_phrases) != 1 or len(open_phrases[0][1]) != 1 or word:
            raise DataError(f"not one bracketed tree: {text[:60]!r}")
        return open_phrases[0][1][0]

    def __str__(self) -> str:
        parts: list[str] = []
        for tree, opens in self.walk():
            if not opens:
                parts.append(")")
            elif tree.children:
                parts.append(f" ({tree.label}")
            else:
                parts.append(f" ({tree.label} {_ESCAPED.get(tree.word, tree.word)})")
        return "".join(parts)[1:]

    @property
    def depth(self) -> int:
        """How many brackets are open at most, those around a word included."""
        deepest = level = 0
        for tree, opens in self.walk():
            if not opens:
                level -= 1
            elif tree.children:
                level += 1
            deepest = max(deepest, level + (not tree.children))
        return deepest

    def labels(self) -> Iterator[str]:
        """The labels of all phrases and words, from the top."""
        return (tree.label for tree, opens in self.walk() if opens)

    def leaves(self) -> list[Tree]:
        """The words with their parts of speech."""
        return [tree for tree, opens in self.walk() if opens and not tree.children]

    def punctuation(self) -> frozenset[int]:
        """The numbers of the words that are punctuation, counted from 0."""
        return frozenset(number for number, leaf in enumerate(self.leaves()) if leaf.label in PUNCTUATION)

    def brackets(self, left_out: Collection[int] | None = None) -> list[Bracket]:
        """The phrases as evalb counts them: no words, no punctuation, no functions; inner ones first.

        `left_out` are the numbers of the words that do not count, by default the punctuation.

        >>> Tree.read("(ROOT (S (NP-SBJ (PRP It)) (VP (VBD rained)) (. .)))").brackets()
        [Bracket(start=0, end=1, label='NP'), Bracket(start=1, end=2, label='VP'), Bracket(start=0, end=2, label='S')]
        """
        brackets: list[Bracket] = []
        starts: list[int] = []
        left_out = self.punctuation() if left_out is None else left_out
        leaf = word = 0
        for tree, opens in self.walk():
            if opens and not tree.children:
                word += leaf not in left_out
                leaf += 1
            elif opens:
                starts.append(word)
            elif (start := starts.pop()) < word and tree.label not in ("ROOT", "TOP", ""):
                brackets.append(Bracket(start, word, _FUNCTION.sub("", tree.label)))
        return brackets

    def walk(self) -> Iterator[tuple[Tree, bool]]:
        """Each phrase when it opens and when it closes; each word once. No recursion: trees can be deep."""
        waiting = [(self, True)]
        while waiting:
            tree, opens = waiting.pop()
            yield tree, opens
            if opens and tree.children:
                waiting.append((tree, False))
                waiting += [(child, True) for child in reversed(tree.children)]
