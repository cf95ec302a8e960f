"""BEwT-E: basic elements that a summary shares with its references, with transformations."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from gistmeter.errors import DataError
from gistmeter.evidence import Evidence, Mark, Pane, Table
from gistmeter.metrics.elements.matching import Pool, key_elements, match_elements, pool_references
from gistmeter.metrics.elements.transformations import list_element_keys
from gistmeter.metrics.metric import Column, Metric, Need
from gistmeter.text.wordnet import load_wordnet
from gistmeter.text.words import has_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.example import Example
    from gistmeter.metrics.elements.extraction import Element
    from gistmeter.metrics.elements.matching import KeyedElement, MatchedElements

_MOST_TEXTS = 4096
_MOST_MARKS = 60


@dataclass(frozen=True, slots=True)
class BewtE(Metric):
    """BEwT-E (Tratz and Hovy, 2008): basic elements of the references that the summary has, by the embedded parser.

    An element is a content word, or a head with a modifier and their relation: `open | bridge | obj`, `mayor | porto |
    of`.
    Elements match where heads, modifiers and relations (`match=hmr`) or heads and modifiers alone (`match=hm`) do. With
    `transformations` so do other ways to say the same: passives, the mayor of Porto and Porto's mayor, numbers and
    abbreviations written out, initials of names, words of one stem, and synonyms where a WordNet is installed. Each
    element counts once in a text. Without transformations and single words it is BE: `-m be`.

    Several references are pooled. An element weighs the number of references that have it (`weights=references`), its
    square root (`root`), or 1 (`alike`). Recall is the weight of the matched elements of the references; precision is
    the share of the summary's elements that are matched; each is matched once at most.

    English only. A summary without elements scores 0; without elements in any reference the scores are missing (NaN).

    >>> from gistmeter.example import Example
    >>> example = Example(doc_id="d", system="s", summary="Porto's mayor opened a bridge.",
    ...                   references="A bridge was opened by the mayor of Porto.")
    >>> BewtE().score([example])
    array([[1., 1., 1.]])
    >>> BewtE(transformations=False).score([example]).round(2)  # all but the relation of mayor and Porto
    array([[0.86, 0.86, 0.86]])
    """

    match: Literal["hmr", "hm"] = "hmr"
    transformations: bool = True
    unigrams: bool = True
    weights: Literal["references", "root", "alike"] = "references"

    name = "bewte"
    paper: ClassVar[str] = "Tratz and Hovy (2008), BEwT-E: Basic Elements with Transformations for Evaluation"
    slow: ClassVar[bool] = True
    model_roles: ClassVar[frozenset[str]] = frozenset({"parser"})
    missing = "no reference has a basic element"
    needs = frozenset[Need]({"references"})
    columns = (
        Column("precision", "share of the summary's elements that the references have"),
        Column("recall", "weighted share of the references' elements that the summary has"),
        Column("f1", "harmonic mean of the two"),
    )

    def score(self, examples: Sequence[Example]) -> FloatArray:
        """Precision, recall and F of each summary."""
        scores = np.full((len(examples), len(self.columns)), np.nan)
        keyed = self._key_texts([text for example in examples for text in (example.summary, *example.references)])
        for row, example in enumerate(examples):
            pool = self._pool(example, keyed)
            if pool.elements:
                matched = match_elements(keyed[example.summary], pool)
                scores[row] = _score_matches(matched, len(keyed[example.summary]), pool)
        return scores

    def check_language(self, code: str) -> None:
        """Refuse other languages than English: the embedded parser reads no other."""
        if code != "en":
            raise DataError(f"bewte reads English only, not language {code!r}")

    def facts(self) -> Mapping[str, str]:
        """The parser, and the WordNet that synonyms come from."""
        from gistmeter.linguistics.parser import load_parser

        parser = load_parser()
        present = load_wordnet() if self.transformations else None
        return {
            "parser": f"{parser.name}-{parser.version}-{parser.digest}",
            "wordnet": present.version if present else "none",
        }

    def explain(self, example: Example) -> Evidence | None:
        """The elements of the references by weight, with those of the summary that match them."""
        keyed = self._key_texts([example.summary, *example.references])
        pool = self._pool(example, keyed)
        if not pool.elements:
            return None
        summary = keyed[example.summary]
        matched = match_elements(summary, pool)
        precision, recall, f1 = _score_matches(matched, len(summary), pool)
        partner = {right: left for left, right in matched.pairs}
        by_weight = sorted(range(len(pool.elements)), key=lambda index: (-pool.weights[index], index not in partner))
        rows = tuple(
            (
                str(pool.elements[index].element),
                f"{pool.weights[index]:.3g}",
                str(summary[partner[index]].element) if index in partner else "-",
            )
            for index in by_weight
        )
        marks = _mark_words([summary[left].element for left, _ in matched.pairs][:_MOST_MARKS])
        return Evidence(
            metric=self.spelling,
            headline=f"{len(matched.pairs)} of {len(pool.elements)} elements: {precision:.3f}, {recall:.3f}, {f1:.3f}",
            blocks=(
                Pane("summary", example.summary, marks),
                Table(("element of the references", "weight", "in the summary"), rows, "elements"),
            ),
        )

    def _pool(self, example: Example, keyed: Mapping[str, Sequence[KeyedElement]]) -> Pool:
        weigh = {"references": float, "root": math.sqrt, "alike": lambda _: 1.0}[self.weights]
        return pool_references([keyed[text] for text in example.references], weigh)

    def _key_texts(self, texts: Sequence[str]) -> dict[str, Sequence[KeyedElement]]:
        """The distinct elements of each text with their keys."""
        wordnet = load_wordnet() if self.transformations else None
        key = functools.partial(
            list_element_keys, transform=self.transformations, relations=self.match == "hmr", wordnet=wordnet
        )
        distinct = list(dict.fromkeys(texts))
        return {
            text: key_elements(elements, key)
            for text, elements in zip(distinct, _PARSED.read(distinct, unigrams=self.unigrams), strict=True)
        }


class _ParsedTexts:
    """Elements of texts, remembered because many systems are compared with the same reference."""

    def __init__(self) -> None:
        self._elements: dict[tuple[str, bool], list[Element]] = {}

    def read(self, texts: Sequence[str], *, unigrams: bool) -> list[list[Element]]:
        """The elements of each text; those that are new are parsed together."""
        from gistmeter.linguistics.parser import load_parser
        from gistmeter.metrics.elements.extraction import extract_elements

        new = [text for text in texts if (text, unigrams) not in self._elements and has_words(text)]
        by_text = {text: self._elements.get((text, unigrams), []) for text in texts}
        for text, doc in zip(new, load_parser().parse(new), strict=True):
            by_text[text] = extract_elements(doc, unigrams=unigrams)
        if len(self._elements) > _MOST_TEXTS:
            self._elements.clear()
        self._elements |= {(text, unigrams): by_text[text] for text in new}
        return [by_text[text] for text in texts]


_PARSED = _ParsedTexts()


def _score_matches(matched: MatchedElements, in_summary: int, pool: Pool) -> tuple[float, float, float]:
    precision = len(matched.pairs) / in_summary if in_summary else 0.0
    recall = sum(pool.weights[right] for _, right in matched.pairs) / sum(pool.weights)
    return precision, recall, 2 * precision * recall / (precision + recall) if precision else 0.0


def _mark_words(elements: Sequence[Element]) -> tuple[Mark, ...]:
    """Marks for all words of matched elements, with the elements in the note."""
    notes: dict[tuple[int, int], list[str]] = {}
    for element in elements:
        for word in (element.head, element.modifier):
            if word is not None:
                notes.setdefault((word.start, word.end), []).append(str(element))
    return tuple(Mark(start=start, end=end, note="; ".join(texts)) for (start, end), texts in sorted(notes.items()))
