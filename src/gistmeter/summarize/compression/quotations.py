"""Quotations: which words of a sentence are somebody's own, so that none of them is cut or loses its marks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from spacy.tokens import Doc

LONGEST_QUOTATION = 1500
"""Characters after which an opened quotation mark counts as an apostrophe or a slip."""

_OPENING = re.compile(
    r"(?<!\S)(?:[\"“‘]|``)(?=\s)|(?<=[:,.;!?]\s)'(?=\s)|(?<=[.!?])\"(?=[A-Z])|(?<![\w.,!?;%)’'”])(?:[\"“‘']|``)(?=[\w\[(£$€#@])(?!(?:s|re|ve|ll|d|m|t|em|n|til)\b)"
)
_CLOSING = {
    '"': re.compile(r'(?<=[.,!?…])"|(?<=\S)"(?!\w)'),
    "“": re.compile(r"(?<=\S)[”\"](?!\w)"),
    "‘": re.compile(r"(?<=\S)[’'](?!\w)"),
    "'": re.compile(r"(?<=\S)['’](?!\w)"),
    "``": re.compile(r"''"),
}
_TOKENISED = {
    '"': re.compile(r'(?<=\s)"(?!\S)'),
    "“": re.compile(r"(?<=\s)[”\"](?!\S)"),
    "‘": re.compile(r"(?<=[.,!?…]\s)[’'](?!\S)"),
    "'": re.compile(r"(?<=[.,!?…]\s)'(?!\S)"),
    "``": re.compile(r"(?<=\s)''(?!\S)"),
}
"""What ends a quotation in a text whose marks are parted by blanks from what they stand beside."""

_GLUED = re.compile(r"[.!?]\"(?=[A-Z])")
"""A mark with no blank on either side: the end of a quotation, or where its next paragraph opens it anew."""

_NEXT_MARK = re.compile(r'(.)"', re.DOTALL)
_SPEAKER = re.compile(r"\b(?:I|[Ww]e|[Yy]ou|[Mm]y|[Oo]ur|[Yy]our|me|us)\b")
_STOP = re.compile(r"(?<=[.!?])\s")
_PLURAL_OWNER = re.compile(r"s['’] [a-z]")
"""`the residents' views`: an apostrophe that may look like the end of a quotation."""

_KEY = "gistmeter_quotations"


class Quotation(NamedTuple):
    """The words of a sentence that stand in one quotation, with its marks where they stand in this sentence."""

    words: frozenset[int]
    opening: str
    """The mark that stands in an earlier sentence, and is put before these words."""

    closing: str
    """The mark that stands in a later sentence."""


def find_quotations(text: str) -> list[tuple[int, int]]:
    """Where quotations start and end, marks included; what stands in a quotation in a quotation is no other one.

    >>> text = "'It is the residents' harbour,' she said. It was 'dull'."
    >>> [text[start:end] for start, end in find_quotations(text)]
    ["'It is the residents' harbour,'", "'dull'"]
    """
    quotations = []
    at = 0
    while (opening := _OPENING.search(text, at)) is not None:
        end = None if _ends_nothing(text, opening.start()) else _find_end(text, opening.end(), opening.group())
        if end is None:
            at = opening.end()
        else:
            quotations.append((opening.start(), end))
            at = end - 1 if _goes_on(text, end) else end
    return quotations


def _ends_nothing(text: str, at: int) -> bool:
    """Whether a mark between two sentences without blanks is the end of a quotation that nobody saw begin: the next
    mark opens another."""
    if at == 0 or _GLUED.match(text, at - 1) is None:
        return False
    following = _NEXT_MARK.search(text, at + 1, min(at + LONGEST_QUOTATION, len(text)))
    return following is not None and (following[1].isspace() or following[1] == ":")


def _goes_on(text: str, end: int) -> bool:
    """Whether the mark that a quotation ends with opens its next paragraph: the mark after it is an end, too.

    Where that may open the next quotation as well, it is an end if what stands before it speaks of itself.
    """
    if _GLUED.match(text, end - 2) is None:
        return False
    following = _NEXT_MARK.search(text, end, min(end + LONGEST_QUOTATION, len(text)))
    if following is None or following[1] not in ".,!?…":
        return False
    return _GLUED.match(text, following.start()) is None or _SPEAKER.search(text, end, following.start()) is not None


def note_quotations(doc: Doc, start: int, quotations: Sequence[tuple[int, int]], text: str) -> None:
    """Keep with the parse of a sentence, which starts at a character of a text, what of it stands in quotations."""
    doc.user_data[_KEY] = tuple(_read_quotations(doc, start, quotations, text))


def list_quotations(doc: Doc) -> tuple[Quotation, ...]:
    """What of a sentence stands in quotations: as was noted, else as it stands alone."""
    if _KEY not in doc.user_data:
        note_quotations(doc, 0, find_quotations(doc.text), doc.text)
    noted: tuple[Quotation, ...] = doc.user_data[_KEY]
    return noted


def keep_quotations(doc: Doc, remaining: Collection[int]) -> set[int]:
    """The words that stay, and all of every quotation that one of them stands in.

    >>> from gistmeter.linguistics.parser import load_parser
    >>> (doc,) = load_parser().parse(["'I am glad of it,' Ann said."])
    >>> sorted(keep_quotations(doc, {2, 7, 8})), sorted(keep_quotations(doc, {7, 8}))
    ([0, 1, 2, 3, 4, 5, 6, 7, 8], [7, 8])
    """
    whole = set(remaining)
    for quotation in list_quotations(doc):
        if any(not doc[position].is_punct for position in quotation.words & whole):
            whole |= quotation.words
    return whole


def _find_end(text: str, start: int, mark: str) -> int | None:
    """Where a quotation ends that was opened before a character; None where it is not closed soon."""
    paragraph = text.find("\n\n", start)
    last = min(start + LONGEST_QUOTATION, len(text) if paragraph < 0 else paragraph)
    closing = _TOKENISED[mark] if text[start : start + 1].isspace() else _CLOSING[mark]
    ends = list(closing.finditer(text, start, last))
    if not ends:
        return None
    again = next((other.start() for other in _OPENING.finditer(text, start, last) if other.group() == mark), last)
    if again < ends[0].start():  # opened anew in a new paragraph: no more than a sentence is surely quoted
        stop = _STOP.search(text, start, again)
        return start + len(text[start:again].rstrip()) if stop is None else stop.start()
    for end, following in zip(ends, [*ends[1:], None], strict=True):
        may_own = mark in ("'", "‘") and _PLURAL_OWNER.match(text, end.start() - 1)
        if not may_own or following is None or _OPENING.search(text, end.end(), following.start()):
            return end.end()
    return ends[-1].end()


def _read_quotations(doc: Doc, start: int, quotations: Sequence[tuple[int, int]], text: str) -> Iterator[Quotation]:
    end = start + len(doc.text.rstrip())
    for first, last in quotations:
        if first < end and last > start:
            words = frozenset(word.i for word in doc if first <= start + word.idx < last)
            opening = text[first] if first < start else ""
            is_open = last > end or text[last - 1] not in "\"'”’"
            yield Quotation(words, opening, _close(text[first]) if is_open else "")


def _close(opening: str) -> str:
    return {"“": "”", "‘": "’", "`": "''"}.get(opening, opening)
