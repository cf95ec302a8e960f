"""What stands between the sentences of a summary, so that a control made of sentences looks like the rest."""

from __future__ import annotations

from gistmeter.text.sentences import find_sentences
from gistmeter.text.words import has_unspaced


def find_gap(text: str, language: str) -> str:
    """A blank, the break of a line, or nothing, as in Chinese; of a single sentence what is usual in its script.

    >>> find_gap("It rained. It froze.", "en"), find_gap("It rained\\nIt froze", "en"), find_gap("下雨。天晴。", "zh")
    (' ', '\\n', '')
    """
    if len(text.strip().splitlines()) > 1:
        return "\n"
    sentences = find_sentences(text, language)
    if len(sentences) < 2:
        return "" if has_unspaced(text) else " "
    rest = text[len(text[: sentences[0][1]].rstrip()) :]
    return rest[: len(rest) - len(rest.lstrip())]
