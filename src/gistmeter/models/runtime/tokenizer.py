"""Tokenizer: texts to a model's tokens with their positions in the text, never cut and never padded."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from gistmeter.errors import MetricError
from gistmeter.extras import require
from gistmeter.models.runtime.load import first_line
from gistmeter.models.runtime.states import Tokens
from gistmeter.text.characters import replace_half_characters

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.arrays import IntArray
    from gistmeter.models.runtime.locate import Checkpoint

_VOCABULARY_PATTERNS = ("tokenizer.json", "vocab.txt", "vocab.json", "*.model")
"""Where a vocabulary is. Without any of these transformers makes up a tokenizer that knows no words."""
_UNLIMITED_TOKENS = 1 << 30
_SPACE = re.compile(r"\s")


class JoinedTokens(Protocol):
    """Two texts in one sequence: ids and types of the tokens, and where the second text stands."""

    @property
    def ids(self) -> IntArray: ...  # noqa: D102
    @property
    def types(self) -> IntArray: ...  # noqa: D102
    @property
    def hypothesis(self) -> IntArray: ...  # noqa: D102


class PairTokens(NamedTuple):
    """The tokens of two texts in one sequence, and where in it the second one, the hypothesis, stands."""

    ids: IntArray
    types: IntArray
    hypothesis: IntArray


class QuestionTokens(NamedTuple):
    """The tokens of a question and a text in one sequence, and where in it the text stands."""

    ids: IntArray
    types: IntArray
    hypothesis: IntArray
    offsets: IntArray
    """Start and end in the text of each of its tokens."""

    null: int = 0
    """The position that stands for "not answerable": the class token, which XLNet has at the end."""


class Tokenizer:
    """A model's own tokenizer, by the rules of bert-score: texts are stripped, byte-level ones start with a space."""

    def __init__(self, checkpoint: Checkpoint, *, prefix_space: bool = True) -> None:
        transformers = require("transformers", "a model")
        if not any(file for pattern in _VOCABULARY_PATTERNS for file in checkpoint.folder.glob(pattern)):
            raise MetricError(f"{checkpoint.name} has no tokenizer: there is no tokenizer.json in {checkpoint.folder}")
        try:
            loaded = transformers.AutoTokenizer.from_pretrained(
                str(checkpoint.folder), local_files_only=True, trust_remote_code=False
            )
        except Exception as error:
            raise MetricError(f"{checkpoint.name} has no tokenizer that can be read: {first_line(error)}") from None
        if not getattr(loaded, "is_fast", False):
            raise MetricError(f"{checkpoint.name} has no fast tokenizer (tokenizer.json), which positions need")
        self.mask_id: int | None = loaded.mask_token_id
        self._class_id: int | None = loaded.cls_token_id
        marks = set(loaded.all_special_ids) - {loaded.unk_token_id}
        self.mark_ids: list[int] = sorted(marks)
        """The ids of its special tokens, but not the one for what it does not know."""
        self.pad_id: int = loaded.pad_token_id if loaded.pad_token_id is not None else 0
        self.max_tokens = loaded.model_max_length if loaded.model_max_length < _UNLIMITED_TOKENS else _UNLIMITED_TOKENS
        self._backend = loaded.backend_tokenizer
        self._backend.no_truncation()
        self._backend.no_padding()
        splitting = self._backend.pre_tokenizer
        if type(splitting).__name__ == "ByteLevel":
            splitting.add_prefix_space = prefix_space

    def __call__(self, texts: Sequence[str]) -> list[Tokens]:
        """The tokens of each text, special ones included."""
        encodings = self._backend.encode_batch([_clean(text) for text in texts])
        return [_tokens(text, encoding) for text, encoding in zip(texts, encodings, strict=True)]

    def pairs(self, pairs: Sequence[tuple[str, str]]) -> list[PairTokens]:
        """Two texts to a sequence, joined as the model was trained to read them."""
        cleaned = [(_clean(premise), _clean(hypothesis)) for premise, hypothesis in pairs]
        return [_pair_tokens(encoding) for encoding in self._backend.encode_batch(cleaned)]

    def questions(self, pairs: Sequence[tuple[str, str]]) -> list[QuestionTokens]:
        """A question and a text to a sequence, with the offsets of the tokens in the text."""
        cleaned = [(_clean(question), _clean(text)) for question, text in pairs]
        shifts = [len(text) - len(text.lstrip()) for _, text in pairs]
        encodings = self._backend.encode_batch(cleaned)
        return [
            _question_tokens(encoding, shift, self._class_id) for encoding, shift in zip(encodings, shifts, strict=True)
        ]

    def decode(self, token: int) -> str:
        """The text of one token as the vocabulary spells it."""
        return str(self._backend.id_to_token(token))


def _clean(text: str) -> str:
    return replace_half_characters(text.strip())


def _pair_tokens(encoding: Any) -> PairTokens:
    second = np.array([number == 1 for number in encoding.sequence_ids], dtype=np.bool_)
    return PairTokens(
        np.array(encoding.ids, dtype=np.int64), np.array(encoding.type_ids, dtype=np.int64), np.flatnonzero(second)
    )


def _question_tokens(encoding: Any, shift: int, class_id: int | None) -> QuestionTokens:
    pair = _pair_tokens(encoding)
    null = encoding.ids.index(class_id) if class_id in encoding.ids else 0
    offsets = np.array(encoding.offsets, dtype=np.int64).reshape(-1, 2)[pair.hypothesis] + shift
    return QuestionTokens(*pair, offsets, null)


def _tokens(text: str, encoding: Any) -> Tokens:
    special = np.array(encoding.special_tokens_mask, dtype=np.bool_)
    offsets = np.array(encoding.offsets, dtype=np.int64).reshape(-1, 2)
    shift = len(text) - len(text.lstrip())
    starts, ends = offsets[:, 0] + shift, offsets[:, 1] + shift
    for i in np.flatnonzero(~special & (starts < ends)):  # byte-level tokens hold the space before them
        while starts[i] < ends[i] - 1 and _SPACE.match(text, int(starts[i])):
            starts[i] += 1
    starts[special] = ends[special] = 0
    return Tokens(text=text, ids=np.array(encoding.ids, dtype=np.int64), starts=starts, ends=ends, special=special)
