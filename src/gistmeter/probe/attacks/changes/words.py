"""What attacks do with texts: join them as a summary is written, and find the words that a document speaks of."""

from __future__ import annotations

from collections import Counter

from gistmeter.text.languages import WORD_LIST_LANGUAGES, language_code
from gistmeter.text.stopwords import load_stopwords
from gistmeter.text.words import split_words


def join_texts(summary: str, *texts: str) -> str:
    r"""A summary and what stands after it: on lines of their own where the summary has its sentences on lines.

    >>> join_texts("It rained.", "A lot."), join_texts("It rained.\nA lot.", "Again."), join_texts("", "Again.")
    ('It rained. A lot.', 'It rained.\nA lot.\nAgain.', 'Again.')
    """
    separator = "\n" if "\n" in summary.strip() else " "
    return separator.join(text for text in (summary.rstrip(), *texts) if text)


def list_keywords(text: str, language: str, count: int) -> list[str]:
    """The most frequent words of a text that are no stop words and no numbers, the first of equals first.

    >>> list_keywords("The ship sank. The ship was old, and the crew left the ship at 9.", "en", 3)
    ['ship', 'sank', 'old']
    """
    code = language_code(language)
    stopwords = load_stopwords("language", code) if code in WORD_LIST_LANGUAGES else frozenset()
    words = [word for word in split_words(text, language=code) if word not in stopwords and not word.isnumeric()]
    return [word for word, _ in Counter(words).most_common(count)]
