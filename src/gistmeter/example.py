"""Example: one summary by one system of one document, the record every metric reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from gistmeter.errors import DataError

DEFAULT_LANGUAGE = "en"
_END_MARKS = tuple(".!?…。！？؟।\"'”’)")
LARGEST_NUMBER = 1e100
"""The largest weight, score or judgment, either way: sums of squares of such numbers are still finite."""
_PARAGRAPH = "\n\n"
_MOST_SENTENCES = 1 << 31
_SHOWN_CHARACTERS = 60


@dataclass(frozen=True, slots=True)
class UnitSpan:
    """A stretch of a text that states a content unit, in characters: of the summary, or of a reference by its number.

    >>> UnitSpan(4, 11, reference=0)
    UnitSpan(start=4, end=11, reference=0)
    """

    start: int
    end: int
    reference: int | None = None
    """Counted from 0; None for the summary."""

    def __post_init__(self) -> None:
        if not all(type(border) is int for border in (self.start, self.end)) or not 0 <= self.start < self.end:
            borders = f"{shorten_value(self.start)} to {shorten_value(self.end)}"
            raise DataError(f"a span of a content unit goes from a character to a later one, not from {borders}")
        if self.reference is not None and (type(self.reference) is not int or self.reference < 0):
            raise DataError(f"the reference of a span is counted from 0, not {shorten_value(self.reference)}")


@dataclass(frozen=True, slots=True)
class Unit:
    """A content unit: one fact a reference states, with its weight and the sentence it comes from.

    `weight` is the number of references that state it; 0 is for a fact that the summary has and no reference.
    `sentence` counts the sentences of all references in their order, from 0. `present` says whether the summary
    has it, None where nobody judged. `spans` say where the summary and the references state it, if that was marked.

    >>> Unit("It rained.", weight=2)
    Unit(text='It rained.', weight=2.0, sentence=None, present=None)
    """

    text: str
    weight: float = 1.0
    sentence: int | None = None
    present: bool | None = None
    spans: tuple[UnitSpan, ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.text, str) or not self.text.strip():
            raise DataError("a content unit has no text")
        if isinstance(self.weight, bool) or not isinstance(self.weight, int | float):
            raise DataError(f"the weight of a content unit is a number, not {self.weight!r}")
        if not 0 <= self.weight <= LARGEST_NUMBER:
            limit = f"at most {LARGEST_NUMBER:g}" if self.weight > 0 else "0 or more"
            raise DataError(f"the weight of a content unit is {limit}, not {shorten_value(self.weight)}")
        if self.sentence is not None and (type(self.sentence) is not int or not 0 <= self.sentence < _MOST_SENTENCES):
            raise DataError(f"the sentence of a content unit is counted from 0, not {shorten_value(self.sentence)}")
        if self.present not in (None, True, False):
            raise DataError(
                f"a content unit is present (True), absent (False) or not judged (None), not {self.present!r}"
            )
        put = object.__setattr__
        put(self, "weight", float(self.weight))
        put(self, "present", None if self.present is None else bool(self.present))
        put(self, "spans", tuple(self.spans))


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One summary by one system of one document, with what it can be compared to.

    `document` is the whole source text and `documents` the same as a tuple of source documents: give either.
    A list of sentences stands for its lines: sentences are joined by newlines, which metrics on sentences read.

    >>> example = Example(doc_id="d1", system="lead", summary=["It rained.", "A lot."], references="Rain fell.")
    >>> example.summary, example.references, example.document
    ('It rained.\\nA lot.', ('Rain fell.',), None)
    """

    doc_id: str
    system: str
    summary: str
    references: tuple[str, ...] = ()
    document: str | None = None
    documents: tuple[str, ...] = ()
    language: str = DEFAULT_LANGUAGE
    units: tuple[Unit, ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        put = object.__setattr__
        if not _is_plain_name(self.doc_id) or not _is_plain_name(self.system):
            put(self, "doc_id", name_text(self.doc_id, "doc_id"))
            put(self, "system", name_text(self.system, "system"))
        if type(self.summary) is not str:
            put(self, "summary", parse_text(self.summary, "summary"))
        if type(self.references) is not tuple or not all(type(text) is str for text in self.references):
            put(self, "references", parse_texts(self.references, "references"))
        if self.document is not None:
            if type(self.document) is not str:
                put(self, "document", parse_text(self.document, "document"))
            documents = parse_texts(self.documents, "documents") or (self.document,)
            if _PARAGRAPH.join(documents) != self.document:  # the same twice is what `dataclasses.replace` gives
                raise DataError(f"{self.name} gives both `document` and `documents`; give one of them")
            put(self, "documents", documents)
        elif self.documents:
            put(self, "documents", parse_texts(self.documents, "documents"))
            put(self, "document", _PARAGRAPH.join(self.documents))
        if not isinstance(self.language, str):
            raise DataError(f"`language` of {self.name} is a code such as en, not {shorten_value(self.language)}")
        if isinstance(self.units, str) or not isinstance(self.units, Iterable):
            raise DataError(f"`units` of {self.name} must be a list of Unit objects or texts, not {_kind(self.units)}")
        if type(self.units) is not tuple or not all(type(unit) is Unit for unit in self.units):
            put(self, "units", tuple(_check_unit(unit, self.name) for unit in self.units))

    @property
    def name(self) -> str:
        """How messages speak of this example: system/document."""
        return f"{self.system}/{self.doc_id}"


def name_text(value: Any, what: str) -> str:
    """The name of a document, a system or a rater as text; a list or an object is none.

    >>> name_text(17, "doc_id")
    '17'
    >>> name_text(["a"], "rater")
    Traceback (most recent call last):
    gistmeter.errors.DataError: `rater` is a name (a text or a number), not list
    """
    if isinstance(value, str):
        if not _is_whole_text(value):
            raise DataError(f"`{what}` is {value!r}, which holds half a character: no file can have that name")
        return value
    if value is None or isinstance(value, Mapping | Sequence | Set):
        raise DataError(f"`{what}` is a name (a text or a number), not {_kind(value)}")
    try:
        return str(value)
    except ValueError:  # an integer of thousands of digits
        raise DataError(f"`{what}` is a name, not {shorten_value(value)}") from None


def _is_plain_name(value: Any) -> bool:
    """Whether a name is a text that needs no second look, which nearly all are."""
    return type(value) is str and value.isascii()


def _is_whole_text(text: str) -> bool:
    """Whether a text can be encoded: half of a character in two parts (a lone surrogate) cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def shorten_value(value: Any) -> str:
    """A value as Python writes it, for a message, not longer than a line.

    >>> shorten_value("good"), shorten_value(10**5000)
    ("'good'", 'a number of thousands of digits')
    """
    try:
        text = repr(value)
    except (ValueError, RecursionError):
        return "a number of thousands of digits" if isinstance(value, int) else _kind(value)
    return text if len(text) <= _SHOWN_CHARACTERS else f"{text[:_SHOWN_CHARACTERS]}..."


def parse_text(value: Any, what: str) -> str:
    """A text, from a string, from a list of sentences (joined by newlines), or from an object with either or both.

    >>> parse_text({"text": "it rained a lot", "sentences": ["it rained", "a lot"]}, "summary")
    'it rained\\na lot'
    """
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        text, sentences = value.get("text"), value.get("sentences")
        if text is None and sentences is None:
            raise DataError(f"`{what}` is an object without `text` or `sentences`")
        return parse_text(sentences if text is None or _marks_sentences(sentences, text) else text, what)
    if isinstance(value, Sequence) and all(isinstance(sentence, str) for sentence in value):
        return "\n".join(value)
    raise DataError(f"`{what}` must be text or a list of sentences, not {_kind(value)}")


def parse_texts(value: Any, what: str) -> tuple[str, ...]:
    """Several texts: a list whose members are texts or lists of sentences; a lone text counts as one."""
    if value is None:
        return ()
    if isinstance(value, str | dict):
        return (parse_text(value, what),)
    if isinstance(value, Sequence):
        return tuple(parse_text(member, what) for member in value)
    raise DataError(f"`{what}` must be a list of texts, not {_kind(value)}")


def _check_unit(value: Any, name: str) -> Unit:
    """A unit, also from its text; `name` is of the example, for the error."""
    if isinstance(value, Unit):
        return value
    if isinstance(value, str):
        return Unit(value)
    raise DataError(f"`units` of {name} must be Unit objects or texts, not {_kind(value)}")


def _marks_sentences(sentences: Any, text: Any) -> bool:
    """Whether a list of sentences is the text itself and tells where they end, most of them having no end mark."""
    if not isinstance(text, str) or not isinstance(sentences, list):
        return False
    if not all(isinstance(sentence, str) for sentence in sentences):
        return False
    ended = sum(sentence.rstrip().endswith(_END_MARKS) for sentence in sentences[:-1])
    return len(sentences) > 1 and 2 * ended <= len(sentences) - 1 and " ".join(sentences).split() == text.split()


def _kind(value: Any) -> str:
    return "null" if value is None else type(value).__name__
