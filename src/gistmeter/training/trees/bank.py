"""Trees that people checked: read from brackets, parsed word by word, and compared with trees that were made."""

from __future__ import annotations

import gzip
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from gistmeter.errors import DataError
from gistmeter.extras import require
from gistmeter.linguistics.parser import load_parser
from gistmeter.linguistics.trees.parser import join_sentences
from gistmeter.linguistics.trees.phrase_tree import Tree
from gistmeter.training.edus.training import Agreement

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spacy.language import Language
    from spacy.tokens import Doc

_WORDS = {"-LRB-": "(", "-RRB-": ")", "-LCB-": "{", "-RCB-": "}", "-LSB-": "[", "-RSB-": "]", "``": '"', "''": '"'}
_ENDINGS = "' , . ; : ? ! ) ] } % - 's 'm 're 've 'll 'd n't ’s ’m ’re ’ve ’ll ’d n’t ”"
_OPENINGS = "( [ { $ £ - “"
_GLUED, _GLUING = frozenset(_ENDINGS.split()), frozenset(_OPENINGS.split())
_WH = frozenset({"WDT", "WP", "WP$"})


def read_trees(path: str | Path) -> list[Tree]:
    """The trees of a file, one in brackets per line, without traces; relative pronouns are WHNP as in Penn's."""
    file = Path(path).expanduser()
    if not file.is_file():
        raise DataError(f"there is no file {file} of trees")
    found = []
    with gzip.open(file, "rt", encoding="utf-8") if file.suffix == ".gz" else file.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, start=1):
            try:
                found.append(_relabelled(Tree.read(line), under=""))
            except DataError as error:
                raise DataError(f"line {number} of {file.name}: {error}") from None
    return found


def parsed(trees: Sequence[Tree]) -> list[Doc]:
    """The dependency parse of the words of each tree."""
    nlp = load_parser().nlp
    return list(nlp.pipe((join_sentences(_doc(nlp, tree)) for tree in trees), disable=["ner", "lemmatizer"]))


def agreement(found: Sequence[Tree], annotated: Sequence[Tree]) -> Agreement:
    """Labelled brackets in common, as evalb counts them; what is punctuation the annotation says."""
    total = [0, 0, 0]
    for one, other in zip(found, annotated, strict=True):
        left_out = other.punctuation()
        mine, theirs = Counter(one.brackets(left_out)), Counter(other.brackets(left_out))
        total[0] += mine.total()
        total[1] += theirs.total()
        total[2] += (mine & theirs).total()
    return Agreement(*total)


def _relabelled(tree: Tree, under: str) -> Tree:
    """The tree with plain words, and with Penn's label for what begins a relative clause or a question."""
    if not tree.children:
        return replace(tree, word=_WORDS.get(tree.word, tree.word))
    label = tree.label
    if label.startswith("NP") and under.startswith("SBAR") and tree.leaves()[0].label in _WH:
        label = "WHNP"
    return Tree(label, tuple(_relabelled(child, label) for child in tree.children))


def _doc(nlp: Language, tree: Tree) -> Doc:
    """The words of a tree, with spaces where English has them: the parser looks at those too."""
    tokens = require("spacy.tokens", "reading trees")
    words = [leaf.word for leaf in tree.leaves()]
    following = [*words[1:], ""]
    spaces = [here not in _GLUING and after not in _GLUED for here, after in zip(words, following, strict=True)]
    doc: Doc = tokens.Doc(nlp.vocab, words=words, spaces=spaces)
    return doc
