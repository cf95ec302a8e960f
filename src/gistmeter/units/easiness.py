"""Easiness: how well a machine cuts a reference sentence into units (Zhang and Bansal, 2021, section 3.3).

The easiness of a sentence is the mean, over the units people wrote for it, of the best ROUGE-1 F1 with a triplet unit
of the sentence. A regressor predicts it from the length of the sentence and the shape of its phrase tree, so that
people need to write units only for the sentences that a machine cannot cut well.
"""

from __future__ import annotations

import functools
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from gistmeter.errors import MetricError
from gistmeter.linguistics.trees.parser import parse_trees, trees_identity
from gistmeter.models.easiness.boosting import WEIGHTS, read_boosted_trees
from gistmeter.units.overlap import find_most_similar
from gistmeter.weights import EMBEDDED, digest_files

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.example import Unit
    from gistmeter.linguistics.trees.phrase_tree import Tree
    from gistmeter.models.easiness.boosting import BoostedTrees

# Appendix A.3, note 18, in its order, which is that of the released regressors. Print shows both quotation marks as "
# and the comma as a stop. The authors' program has '' at the first of the two quotation marks, `` at the second, and
# the comma at the second stop; the released regressors agree: they never split on the first stop, often on the second.
_TAG_ORDER = """
WRB RBR ADVP VBG $ '' WHADVP -RRB- JJR NAC PRP NNS WP VBZ MD WDT NP ADJP PDT EX UH NN NFP SYM PRP$ RBS FRAG NX CONJP RP
WHPP CC VBD LS . SBAR TO JJ IN VP -LRB- S QP SQ CD `` X POS XX PP PRT JJS HYPH , RB VBN : VBP DT VB SINV UCP WHNP
NNPS NNP
"""
EASINESS_VERSION = "rules-1"
"""What signatures call the features of a tree: a new version when any of them changes (tests/signatures)."""

TAGS = tuple(_TAG_ORDER.split())
FEATURES = ("words", "characters of the tree", "depth", "words / depth", *TAGS)


def describe_tree(tree: Tree) -> list[float]:
    """The 69 numbers of a sentence: words, characters of the tree in brackets, depth, words/depth, counts of 65 labels.

    >>> from gistmeter.linguistics.trees.phrase_tree import Tree
    >>> tree = Tree.read("(S (NP (PRP It)) (VP (VBD rained)) (. .))")
    >>> values = dict(zip(FEATURES, describe_tree(tree), strict=True))
    >>> [values[name] for name in ("words", "characters of the tree", "depth", "words / depth", "NP", ".")]
    [3, 41, 3, 1.0, 1, 1]
    """
    counts = Counter(tree.labels())
    words, depth = len(tree.leaves()), tree.depth
    return [words, len(str(tree)), depth, words / depth, *(counts[tag] for tag in TAGS)]


def predict_easiness(
    sentences: Sequence[str], language: str = "en", *, regressor: str = EMBEDDED, parser: str = EMBEDDED
) -> list[float]:
    """The predicted easiness of each sentence.

    `regressor` is `embedded` or a file of XGBoost's, such as one that the authors released; `parser` makes the trees.

    >>> hard_sentence = "The 43-year-old, who left in May and, to our dismay, came back, won."
    >>> easy, hard = predict_easiness(["A man died.", hard_sentence])
    >>> easy > hard
    True
    """
    if not sentences:
        return []
    model = _read_regressor(regressor)  # before the slow part: it may not be there
    rows = [describe_tree(tree) for tree in parse_trees(sentences, parser, language)]
    return [float(value) for value in model.predict(rows)]


def predict_easiness_by_document(
    documents: Mapping[str, Sequence[str]],
    languages: Mapping[str, str],
    *,
    regressor: str = EMBEDDED,
    parser: str = EMBEDDED,
) -> dict[str, list[float]]:
    """The predicted easiness of the sentences of documents, those of one language parsed together.

    `documents` has the sentences and `languages` the language of each document, both by its id.
    """
    easiness: dict[str, list[float]] = {}
    for language in dict.fromkeys(languages[doc_id] for doc_id in documents):
        doc_ids = [doc_id for doc_id in documents if languages[doc_id] == language]
        sentences = [sentence for doc_id in doc_ids for sentence in documents[doc_id]]
        values = iter(predict_easiness(sentences, language, regressor=regressor, parser=parser))
        easiness |= {doc_id: list(islice(values, len(documents[doc_id]))) for doc_id in doc_ids}
    return {doc_id: easiness[doc_id] for doc_id in documents}


def easiness_identity(regressor: str = EMBEDDED, parser: str = EMBEDDED) -> Mapping[str, str]:
    """What decides the predicted easiness, for signatures."""
    _read_regressor(regressor)  # an error says so if it is not there
    return {
        "easiness": f"{EASINESS_VERSION}+{digest_files([_regressor_file(regressor)])}",
        "trees": trees_identity(parser),
    }


def measure_easiness(people: Sequence[Unit], machine: Sequence[Unit], sentences: int) -> list[float | None]:
    """The easiness of each sentence from units that people and a machine made; None where people wrote no unit.

    >>> from gistmeter.example import Unit
    >>> people = [Unit("Ann won", sentence=0), Unit("Ann won in May", sentence=0)]
    >>> measure_easiness(people, [Unit("Ann won in May", sentence=0)], 2)  # mean of 2*2/(2+4) and 1
    [0.8333333333333333, None]
    """
    easiness: list[float | None] = []
    for sentence in range(sentences):
        people_texts = [unit.text for unit in people if unit.sentence == sentence]
        machine_texts = [unit.text for unit in machine if unit.sentence == sentence]
        best = [find_most_similar(text, machine_texts).f1 if machine_texts else 0.0 for text in people_texts]
        easiness.append(sum(best) / len(best) if best else None)
    return easiness


def _regressor_file(regressor: str) -> Path:
    return WEIGHTS if regressor == EMBEDDED else Path(regressor).expanduser()


@functools.lru_cache(maxsize=8)
def _read_regressor(name: str) -> BoostedTrees:
    regressor = read_boosted_trees(_regressor_file(name))
    if regressor.features != len(FEATURES):
        raise MetricError(f"{name} reads {regressor.features} features; a regressor of easiness reads {len(FEATURES)}")
    return regressor
