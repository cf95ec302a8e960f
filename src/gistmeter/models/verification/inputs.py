"""What a learned scorer reads: the texts of an answer between the separators of its tokenizer, as a template says.

LERC (Chen et al., 2020) reads context, question, reference and candidate, with a separator after each; the tokens
of the first two are of type 0, those of the answers of type 1. A context that is too long is cut around the
candidate, and nothing else is ever cut.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gistmeter.errors import MetricError
from gistmeter.models.runtime.tokenizer import PairTokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.arrays import IntArray
    from gistmeter.models.runtime.states import Tokens
    from gistmeter.models.runtime.tokenizer import Tokenizer

DEFAULT_INPUT = "{context}|{question}|{reference}|{candidate}"
"""The order in which LERC reads an answer."""

_FIELDS = ("context", "question", "reference", "candidate")
_CONTEXT = "{context}"
_ANSWERS = ("{reference}", "{candidate}")
_FIELD = re.compile(r"\{(\w*)\}")


class GivenAnswer(NamedTuple):
    """An answer to a question about a text (the context), and the reference it is compared with."""

    context: str
    question: str
    reference: str
    candidate: str


def check_input(template: str) -> tuple[str, ...]:
    """The parts of a template between bars, refused where a field is unknown or an answer is missing.

    >>> check_input("{question}|{reference}|{candidate}")
    ('{question}', '{reference}', '{candidate}')
    >>> check_input("{question}|{candidate}")
    Traceback (most recent call last):
    gistmeter.errors.MetricError: the input '{question}|{candidate}' of a verifier lacks {reference}
    """
    for field in _FIELD.findall(template):
        if field not in _FIELDS:
            raise MetricError(
                f"the input {template!r} of a verifier has the field {{{field}}}: it takes context, question, "
                "reference and candidate"
            )
    for field in _ANSWERS:
        if field not in template:
            raise MetricError(f"the input {template!r} of a verifier lacks {field}")
    parts = tuple(part.strip() for part in template.split("|"))
    if not all(parts) or template.count(_CONTEXT) > 1:
        raise MetricError(f"the input {template!r} of a verifier has an empty part, or the context twice")
    if any(_CONTEXT in part and part != _CONTEXT for part in parts):
        raise MetricError(f"the input {template!r} of a verifier has words beside {_CONTEXT}: put bars around it")
    return parts


class InputWriter:
    """Writes answers as token ids, with the special tokens of a model before, between and after the parts."""

    def __init__(self, tokenizer: Tokenizer, parts: Sequence[str], max_tokens: int, name: str) -> None:
        self._tokenizer, self._parts, self._max_tokens, self._name = tokenizer, parts, max_tokens, name
        (single,) = tokenizer(["a"])
        words = np.flatnonzero(~single.special)
        self._before, self._after = single.ids[: words[0]], single.ids[words[-1] + 1 :]
        (pair,) = tokenizer.pairs([("a", "a")])
        self._between = pair.ids[words[-1] + 1 : pair.hypothesis[0]]
        first_answer = next(n for n, part in enumerate(parts) if any(field in part for field in _ANSWERS))
        has_types = bool((pair.types == 1).any())  # as in BERT; RoBERTa reads all as of type 0
        self._types = [int(has_types and number >= first_answer) for number in range(len(parts))]

    def __call__(self, answers: Sequence[GivenAnswer]) -> list[PairTokens]:
        """The tokens of each answer."""
        texts = [_fill(part, answer) for answer in answers for part in self._parts]
        tokens = iter(self._tokenizer(texts))
        return [self._join([next(tokens) for _ in self._parts], answer) for answer in answers]

    def _join(self, parts: Sequence[Tokens], answer: GivenAnswer) -> PairTokens:
        ids = [self._text_ids(part) for part in parts]
        special = len(self._before) + len(self._between) * (len(parts) - 1) + len(self._after)
        excess = special + sum(map(len, ids)) - self._max_tokens
        if excess > 0:
            ids = self._cut_context(parts, ids, answer, excess)
        pieces: list[IntArray] = [self._before]
        types: list[int] = [0] * len(self._before)
        for number, (part_ids, part_type) in enumerate(zip(ids, self._types, strict=True)):
            closing = self._after if number == len(ids) - 1 else self._between
            pieces += [part_ids, closing]
            types += [part_type] * (len(part_ids) + len(closing))
        joined = np.concatenate(pieces)
        return PairTokens(joined, np.array(types, dtype=np.int64), np.zeros(0, dtype=np.int64))

    def _text_ids(self, tokens: Tokens) -> IntArray:
        """The ids of a text; marks of the model that happen to stand in it are left out, as they are not its words."""
        words = ~tokens.special & ~np.isin(tokens.ids, self._tokenizer.mark_ids)
        return np.asarray(tokens.ids[words], dtype=np.int64)

    def _cut_context(
        self, parts: Sequence[Tokens], ids: Sequence[IntArray], answer: GivenAnswer, excess: int
    ) -> list[IntArray]:
        """The parts with the context cut to what fits, around the candidate where it stands there."""
        number = self._parts.index(_CONTEXT) if _CONTEXT in self._parts else -1
        room = len(ids[number]) - excess if number >= 0 else -1
        if room < 0:
            raise MetricError(
                f"{self._name} reads {self._max_tokens} tokens at once, too few for {answer.question[:60]!r} "
                f"with its answers {answer.reference[:60]!r} and {answer.candidate[:60]!r}"
            )
        position = max(answer.context.find(answer.candidate), 0)
        token = int(np.searchsorted(parts[number].starts[~parts[number].special], position))
        start = min(max(token - room // 2, 0), len(ids[number]) - room)
        return [part[start : start + room] if n == number else part for n, part in enumerate(ids)]


def _fill(part: str, answer: GivenAnswer) -> str:
    """A part with the texts of an answer in it, put in at once, so that braces in a text stay as they are."""
    texts = answer._asdict()
    return _FIELD.sub(lambda match: texts[match[1]], part)
