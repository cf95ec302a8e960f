"""Easiness: how well a machine cuts a reference sentence into units (Zhang and Bansal, 2021, section 3.3).

The easiness of a sentence is the mean, over the units people wrote for it, of the best ROUGE-1 F1 with a triplet unit
of the sentence. A regressor predicts it, so that people need to write units only for the sentences that a machine
cannot cut well: from the units that the machine cut from it (how many, how long, how much of the sentence they have),
or, as in the paper, from the length of the sentence and the shape of its phrase tree.
"""

from __future__ import annotations

import functools
from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING

from gistmeter.errors import MetricError
from gistmeter.linguistics.trees.parser import parse_trees, trees_identity
from gistmeter.models.easiness.regressor import EMBEDDED_69, read_regressor, regressor_file
from gistmeter.text.words import split_words
from gistmeter.units.overlap import find_most_similar
from gistmeter.units.references import extract_reference_units
from gistmeter.weights import EMBEDDED, digest_files

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.example import Unit
    from gistmeter.linguistics.trees.phrase_tree import Tree
    from gistmeter.models.easiness.regressor import Regressor

# Appendix A.3, note 18, in its order, which is that of the released regressors. Print shows both quotation marks as "
# and the comma as a stop. The authors' program has '' at the first of the two quotation marks, `` at the second, and
# the comma at the second stop; the released regressors agree: they never split on the first stop, often on the second.
_TAG_ORDER = """
WRB RBR ADVP VBG $ '' WHADVP -RRB- JJR NAC PRP NNS WP VBZ MD WDT NP ADJP PDT EX UH NN NFP SYM PRP$ RBS FRAG NX CONJP RP
WHPP CC VBD LS . SBAR TO JJ IN VP -LRB- S QP SQ CD `` X POS XX PP PRT JJS HYPH , RB VBN : VBP DT VB SINV UCP WHNP
NNPS NNP
"""
EASINESS_VERSION = "rules-2"
"""What signatures call the features: a new version when any of them changes (tests/signatures)."""

TAGS = tuple(_TAG_ORDER.split())
FEATURES = ("words", "characters of the tree", "depth", "words / depth", *TAGS)
UNIT_FEATURES = (
    *("units", "mean words of a unit", "words of the shortest", "words of the longest"),
    *("mean share of the sentence", "coverage", "uncut", "words"),
)


def describe_units(sentence: str, units: Sequence[str]) -> list[float]:
    """The 8 numbers of a sentence and the units that a machine cut from it.

    `coverage` is the share of its words that any unit has, `uncut` 1 where the sentence itself is its only unit.

    >>> values = describe_units("Ann won the race in May.", ["Ann won the race", "Ann won in May"])
    >>> [values[UNIT_FEATURES.index(name)] for name in ("units", "mean words of a unit", "coverage", "words")]
    [2.0, 4.0, 1.0, 6.0]
    """
    words = split_words(sentence)
    words_of_units = [split_words(unit) for unit in units]
    lengths = [len(unit_words) for unit_words in words_of_units] or [0]
    mean = sum(lengths) / len(lengths)
    covered: Counter[str] = Counter()
    for unit_words in words_of_units:
        covered |= Counter(unit_words)
    count = max(len(words), 1)
    coverage = (covered & Counter(words)).total() / count
    uncut = float(words_of_units == [words])
    return [
        float(len(units)),
        mean,
        float(min(lengths)),
        float(max(lengths)),
        mean / count,
        coverage,
        uncut,
        float(count),
    ]


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
    sentences: Sequence[str],
    language: str = "en",
    *,
    machine_units: Sequence[Sequence[str]] | None = None,
    regressor: str = EMBEDDED,
    parser: str = EMBEDDED,
) -> list[float]:
    """The predicted easiness of each sentence.

    `regressor` is `embedded`, which reads the units that a machine cut from the sentence (`machine_units`, for each
    sentence; cut from each alone where they are not given), `embedded-69`, which reads its phrase tree, or a file, such
    as one that the authors released; `parser` makes the trees.

    >>> hard_sentence = "The 43-year-old, who left in May and, to our dismay, came back, won."
    >>> easy, hard = predict_easiness(["A man died.", hard_sentence])
    >>> easy > hard
    True
    """
    if not sentences:
        return []
    model = _read_regressor(regressor)  # before the slow part: it may not be there
    if model.features == len(FEATURES):
        rows = [describe_tree(tree) for tree in parse_trees(sentences, parser, language)]
    else:
        if machine_units is None:
            machine_units = [
                [unit.text for unit in extract_reference_units([sentence], language)] for sentence in sentences
            ]
        rows = [describe_units(text, units) for text, units in zip(sentences, machine_units, strict=True)]
    return [float(value) for value in model.predict(rows)]


def predict_easiness_by_document(
    documents: Mapping[str, Sequence[str]],
    languages: Mapping[str, str],
    machine_units: Mapping[str, Sequence[Unit]],
    *,
    regressor: str = EMBEDDED,
    parser: str = EMBEDDED,
) -> dict[str, list[float]]:
    """The predicted easiness of the sentences of documents, those of one language parsed together.

    `documents` has the sentences, `languages` the language and `machine_units` the units that a machine cut from each
    document, all by its id.
    """
    easiness: dict[str, list[float]] = {}
    for language in dict.fromkeys(languages[doc_id] for doc_id in documents):
        doc_ids = [doc_id for doc_id in documents if languages[doc_id] == language]
        sentences = [sentence for doc_id in doc_ids for sentence in documents[doc_id]]
        units = [texts for doc_id in doc_ids for texts in group_units(machine_units[doc_id], len(documents[doc_id]))]
        values = iter(predict_easiness(sentences, language, machine_units=units, regressor=regressor, parser=parser))
        easiness |= {doc_id: list(islice(values, len(documents[doc_id]))) for doc_id in doc_ids}
    return {doc_id: easiness[doc_id] for doc_id in documents}


def group_units(units: Sequence[Unit], sentences: int) -> list[list[str]]:
    """The texts of units for each of so many sentences.

    >>> from gistmeter.example import Unit
    >>> group_units([Unit("a", sentence=1), Unit("b", sentence=1)], 2)
    [[], ['a', 'b']]
    """
    return [[unit.text for unit in units if unit.sentence == sentence] for sentence in range(sentences)]


def easiness_identity(regressor: str = EMBEDDED, parser: str = EMBEDDED) -> Mapping[str, str]:
    """What decides the predicted easiness, for signatures, beside what cuts the units."""
    model = _read_regressor(regressor)  # an error says so if it is not there
    facts = {"easiness": f"{EASINESS_VERSION}+{digest_files([regressor_file(regressor)])}"}
    return {**facts, "trees": trees_identity(parser)} if model.features == len(FEATURES) else facts


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


@functools.lru_cache(maxsize=8)
def _read_regressor(name: str) -> Regressor:
    regressor = read_regressor(name)
    if regressor.features not in (len(UNIT_FEATURES), len(FEATURES)):
        raise MetricError(
            f"{name} reads {regressor.features} features; a regressor of easiness reads {len(UNIT_FEATURES)} of units, "
            f"or {len(FEATURES)} of a phrase tree (as {EMBEDDED_69})"
        )
    return regressor
