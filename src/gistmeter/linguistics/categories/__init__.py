"""Categories of words: what kind of word a token is, by rules over its parse that stand in a table."""

from gistmeter.linguistics.categories.labels import Auxiliaries, LabelledWord, label_words
from gistmeter.linguistics.categories.rules import Category, load_categories, load_meanings, read_categories

__all__ = [
    "Auxiliaries",
    "Category",
    "LabelledWord",
    "label_words",
    "load_categories",
    "load_meanings",
    "read_categories",
]
