"""Trees that people checked: read from brackets, parsed word by word, and compared with trees that were built."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import msgspec

from gistmeter.errors import DataError
from gistmeter.extras import require
from gistmeter.io.files import read_text_lines
from gistmeter.io.json_lines import read_json
from gistmeter.linguistics.parser import load_parser
from gistmeter.linguistics.trees.parser import join_sentences
from gistmeter.linguistics.trees.phrase_tree import Tree
from gistmeter.training.licences import Licensed, read_licence, select_licensed
from gistmeter.training.match_counts import MatchCounts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spacy.language import Language
    from spacy.tokens import Doc

_WORDS = {"-LRB-": "(", "-RRB-": ")", "-LCB-": "{", "-RCB-": "}", "-LSB-": "[", "-RSB-": "]", "``": '"', "''": '"'}
_ENDINGS = "' , . ; : ? ! ) ] } % - 's 'm 're 've 'll 'd n't ’s ’m ’re ’ve ’ll ’d n’t ”"
_OPENINGS = "( [ { $ £ - “"
_GLUED_TO_PREVIOUS, _GLUED_TO_NEXT = frozenset(_ENDINGS.split()), frozenset(_OPENINGS.split())
_WH_TAGS = frozenset({"WDT", "WP", "WP$"})
_UNKNOWN_LICENCE = "not asked"


class LicensedTree(NamedTuple):
    """A tree and the licence of the document it is from."""

    tree: Tree
    licence: str


def read_trees(path: str | Path) -> list[Tree]:
    """The trees of a file, one in brackets per line, without traces; relative pronouns are WHNP as in Penn's."""
    file = Path(path).expanduser()
    trees = []
    for number, line in enumerate(read_text_lines(str(file)), start=1):
        try:
            trees.append(_relabel(Tree.read(line), parent_label=""))
        except DataError as error:
            raise DataError(f"line {number} of {file.name}: {error}") from None
    return trees


def read_licensed_trees(path: str | Path, documents: str | Path | None) -> Licensed[LicensedTree]:
    """The trees of a file, by whether their documents may be learned from; without `documents`, all may."""
    trees = read_trees(path)
    if documents is None:
        every = tuple(LicensedTree(tree, _UNKNOWN_LICENCE) for tree in trees)
        return Licensed(allowed=every, refused=(), licences={_UNKNOWN_LICENCE: len(trees)}, left_out={})
    licences = _read_licences(documents)
    if len(licences) != len(trees):
        raise DataError(f"{documents} speaks of {len(licences)} trees, but there are {len(trees)}")
    return select_licensed(list(map(LicensedTree, trees, licences)), lambda tree: tree.licence)


def parse_trees(trees: Sequence[Tree]) -> list[Doc]:
    """The dependency parse of the words of each tree."""
    nlp = load_parser().nlp
    return list(nlp.pipe((join_sentences(_doc(nlp, tree)) for tree in trees), disable=["ner", "lemmatizer"]))


def count_brackets(built: Sequence[Tree], annotated: Sequence[Tree]) -> MatchCounts:
    """Labelled brackets in common, as evalb counts them; what is punctuation the annotation says."""
    total: Counter[str] = Counter()
    for built_tree, annotated_tree in zip(built, annotated, strict=True):
        punctuation = annotated_tree.punctuation()
        predicted = Counter(built_tree.brackets(punctuation))
        right = Counter(annotated_tree.brackets(punctuation))
        total.update(predicted=predicted.total(), annotated=right.total(), matched=(predicted & right).total())
    return MatchCounts(**{name: total[name] for name in ("predicted", "annotated", "matched")})


def _relabel(tree: Tree, parent_label: str) -> Tree:
    """The tree with plain words, and with Penn's label for what begins a relative clause or a question."""
    if not tree.children:
        return replace(tree, word=_WORDS.get(tree.word, tree.word))
    label = tree.label
    if label.startswith("NP") and parent_label.startswith("SBAR") and tree.leaves()[0].label in _WH_TAGS:
        label = "WHNP"
    return Tree(label, tuple(_relabel(child, label) for child in tree.children))


def _doc(nlp: Language, tree: Tree) -> Doc:
    """The words of a tree, with spaces where English has them: the parser looks at those too."""
    tokens = require("spacy.tokens", "reading trees")
    words = [leaf.word for leaf in tree.leaves()]
    next_words = [*words[1:], ""]
    spaces = [
        word not in _GLUED_TO_NEXT and next_word not in _GLUED_TO_PREVIOUS
        for word, next_word in zip(words, next_words, strict=True)
    ]
    doc: Doc = tokens.Doc(nlp.vocab, words=words, spaces=spaces)
    return doc


class _LicensedDocument(msgspec.Struct):
    licence: str | None
    trees: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
    nc: bool | None = None


class _LicenceFile(msgspec.Struct):
    train: list[_LicensedDocument]


def _read_licences(path: str | Path) -> list[str]:
    """The licence of each tree, from JSON that says how many trees each document has."""
    content = "a file of licences (`train`: documents with `licence` and `trees`)"
    stored = read_json(Path(path).expanduser(), content, kind=_LicenceFile)
    return [
        licence
        for document in stored.train
        for licence in [read_licence({"licence": document.licence, "nc": document.nc})] * document.trees
    ]
