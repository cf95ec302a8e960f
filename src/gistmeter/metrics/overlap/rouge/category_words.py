"""Words of a category: which words of a text ROUGE compares when it is restricted to noun chunks, or to verbs."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

from gistmeter.errors import DataError, MetricError
from gistmeter.linguistics.categories.rules import load_categories
from gistmeter.text.words import Word

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gistmeter.linguistics.categories.labels import LabelledWord
    from gistmeter.text.analysis import Analysis

ALL_WORDS = "none"
"""The name for no restriction."""
_MOST_TEXTS = 20_000
"""Labelled texts that are held in memory: some hundred bytes a word."""


def check_category(name: str, metric: str) -> None:
    """Refuse a category that there is not, or that is of tuples."""
    try:
        category = load_categories()[name]
    except DataError as error:
        words = [other for other, each in load_categories().by_name.items() if not each.has_tuples]
        raise MetricError(f"{metric} cannot have category={name}: {error} (there are {', '.join(words)})") from None
    if category.has_tuples:
        raise MetricError(
            f"{metric} cannot have category={name}, which is a category of tuples: it compares single words, such as "
            f"those of {category.head} or {category.children[0]}"
        )


def describe_categories() -> Mapping[str, str]:
    """What decides the categories of words: the parser and the table of rules."""
    from gistmeter.linguistics.parser import load_parser

    parser = load_parser()
    return {"categories": load_categories().digest, "parser": f"{parser.name}-{parser.version}-{parser.digest}"}


def choose_words(texts: Sequence[str], analysis: Analysis, category: str) -> list[list[Word]]:
    """The words of each text that belong to a category, as an analysis reads them.

    Words match when their kinds in the category do, too: an organisation is no person. The kind joins the word.
    """
    normalized = [analysis.normalize(text) for text in texts]
    labelled_texts = _LABELLED.label(normalized)
    return [
        _restrict(analysis.spans(text), labelled_texts[own_text], category)
        for text, own_text in zip(texts, normalized, strict=True)
    ]


def _restrict(words: Sequence[Word], labelled: Sequence[LabelledWord], category: str) -> list[Word]:
    from gistmeter.linguistics.categories.labels import find_containing_words

    owners = find_containing_words(labelled, [word.start for word in words])
    restricted = []
    for word, owner in zip(words, owners, strict=True):
        kind = None if owner is None else labelled[owner].groups.get(category)
        if kind is not None:
            restricted.append(Word(f"{word.text} ({kind})" if kind else word.text, word.start, word.end))
    return restricted


class _LabelledTexts:
    """Texts with the categories of their words; those used last are remembered."""

    def __init__(self) -> None:
        self._texts: OrderedDict[str, tuple[LabelledWord, ...]] = OrderedDict()

    def label(self, texts: Sequence[str]) -> dict[str, tuple[LabelledWord, ...]]:
        """The labelled words of each text; new texts are parsed together."""
        from gistmeter.linguistics.categories.labels import label_words
        from gistmeter.linguistics.parser import load_parser

        distinct = list(dict.fromkeys(texts))
        labelled = {text: self._texts[text] for text in distinct if text in self._texts}
        new = [text for text in distinct if text not in labelled]
        for text, doc in zip(new, load_parser().parse(new, entities=True) if new else [], strict=True):
            labelled[text] = label_words(doc, load_categories())
        for text, words in labelled.items():
            self._texts[text] = words
            self._texts.move_to_end(text)
        while len(self._texts) > _MOST_TEXTS:
            self._texts.popitem(last=False)
        return labelled


_LABELLED = _LabelledTexts()
