"""Phrase-structure trees of English sentences.

Embedded, the trees are made from spaCy's dependency parse: a small network turns it into phrases with Penn labels.
By name, a constituency parser that is installed gives them: `benepar_en3` and the other models of benepar.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from gistmeter.errors import MetricError, MissingExtraError
from gistmeter.extras import require
from gistmeter.linguistics.parser import load_parser
from gistmeter.linguistics.trees import RULES_VERSION
from gistmeter.linguistics.trees.network import load_tree_network
from gistmeter.linguistics.trees.phrase_tree import PUNCTUATION, Tree
from gistmeter.linguistics.trees.steps import DependencyTree
from gistmeter.text.languages import language_code
from gistmeter.weights import EMBEDDED

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from spacy.tokens import Doc

    from gistmeter.linguistics.trees.network import TreeNetwork

_BENEPAR = "benepar_"


def parse_trees(sentences: Sequence[str], name: str = EMBEDDED, language: str = "en") -> list[Tree]:
    """The tree of each sentence: one tree, even where the parser would see two sentences. Equal ones are read once.

    >>> print(parse_trees(["The old dog slept in the kitchen."])[0])
    (S (NP (DT The) (JJ old) (NN dog)) (VP (VBD slept) (PP (IN in) (NP (DT the) (NN kitchen)))) (. .))
    """
    if (code := language_code(language)) != "en":
        raise MetricError(f"phrase trees are made for English alone, not for {code!r}")
    distinct = list(dict.fromkeys(sentences))
    if name == EMBEDDED:
        nlp = load_parser().nlp
        distinct_trees = make_trees(nlp.make_doc(" ".join(text.split())) for text in distinct)
    else:
        distinct_trees = _benepar_trees(distinct, name)
    tree_of = dict(zip(distinct, distinct_trees, strict=True))
    return [tree_of[text] for text in sentences]


def trees_identity(name: str = EMBEDDED) -> str:
    """What makes the trees: the version of the rules, the network and the parser, or a model of benepar's."""
    if name == EMBEDDED:
        return f"{RULES_VERSION}+{load_tree_network().digest}+{load_parser().digest}"
    return f"{name}+{getattr(require('benepar', name), '__version__', 'unknown')}"


def make_trees(docs: Iterable[Doc], network: TreeNetwork | None = None) -> list[Tree]:
    """The trees of sentences that spaCy has cut into words."""
    parsed = load_parser().nlp.pipe(map(join_sentences, docs), disable=["ner", "lemmatizer"])
    return [build_tree(doc, network or load_tree_network()) for doc in parsed]


def join_sentences(doc: Doc) -> Doc:
    """The words, with the parser told that no new sentence begins among them."""
    for token in doc:
        token.is_sent_start = token.i == 0
    return doc


def build_tree(doc: Doc, network: TreeNetwork) -> Tree:
    """The tree of a parsed sentence, with its punctuation at the lowest phrase that has words on both sides."""
    words: list[Tree] = []
    punctuation: list[list[Tree]] = [[]]
    for token in doc:
        if token.is_space:
            continue
        leaf = Tree(token.tag_, word=token.text)
        if token.tag_ in PUNCTUATION:
            punctuation[-1].append(leaf)
        else:
            words.append(leaf)
            punctuation.append([])
    if not words:
        return Tree("FRAG", tuple(punctuation[0]))
    phrases = network.build_phrases(DependencyTree.of(doc))
    top = phrases[0] if len(phrases) == 1 and phrases[0].children else Tree("FRAG", tuple(phrases))
    open_phrases: list[list[tuple[int, Tree]]] = [[]]
    for phrase, opens in top.walk():
        if opens and phrase.children:
            open_phrases.append([])
        elif opens:
            open_phrases[-1].append((int(phrase.word), words[int(phrase.word)]))
        else:
            parts = open_phrases.pop()
            children = [parts[0][1]]
            for word, part in parts[1:]:
                children += [*punctuation[word], part]
            if len(open_phrases) == 1:
                children = [*punctuation[0], *children, *punctuation[-1]]
            open_phrases[-1].append((parts[0][0], Tree(phrase.label, tuple(children))))
    return open_phrases[0][0][1]


def _benepar_trees(sentences: Sequence[str], name: str) -> list[Tree]:
    nlp = _benepar(name)
    return [
        Tree.read(next(iter(doc.sents))._.parse_string)
        for doc in nlp.pipe(join_sentences(nlp.make_doc(" ".join(text.split()))) for text in sentences)
    ]


@functools.lru_cache(maxsize=2)
def _benepar(name: str) -> Any:
    """The embedded spaCy pipeline with benepar's model at its end."""
    if not name.startswith(_BENEPAR):
        raise MetricError(
            f"trees are made by `{EMBEDDED}` or by a model of benepar such as benepar_en3, not by {name!r}"
        )
    try:
        require("benepar", f"trees={name}")
    except MissingExtraError:
        raise MissingExtraError(
            f"trees={name} needs benepar: pip install benepar, or leave `trees` out to make them from the dependencies"
        ) from None
    import spacy

    nlp = spacy.load(load_parser().nlp.path, disable=["ner", "lemmatizer"])
    try:
        nlp.add_pipe("benepar", config={"model": name})
    except LookupError:
        raise MetricError(f"benepar has no model {name} here: `benepar.download({name!r})` fetches it") from None
    return nlp
