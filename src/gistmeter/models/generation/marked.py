"""Summaries by a sequence-to-sequence model that was taught to say what is marked (Deutsch, 2022, section 6.3.2).

Marked spans stand between two tokens of their own in the document; nothing else of the model is changed.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from gistmeter.errors import MetricError
from gistmeter.models.generation.summaries import MAX_SUMMARY_TOKENS
from gistmeter.models.runtime.load import import_torch, quiet_loading
from gistmeter.models.runtime.locate import locate
from gistmeter.models.runtime.sequences import load_sequence_model
from gistmeter.models.runtime.settings import current_settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.models.runtime.locate import Checkpoint
    from gistmeter.models.runtime.settings import RuntimeSettings

SPAN_START = "[SS]"
SPAN_END = "[SE]"
MARK_TOKENS = (SPAN_START, SPAN_END)
DEFAULT_BEAMS = 4
PURPOSE = " as a summarizer"
WAY_OUT = "name a sequence-to-sequence model that writes summaries"


def mark_document(document: str, spans: Sequence[tuple[int, int]]) -> str:
    """A document with marks around its spans, which are in order and do not overlap.

    >>> mark_document("Ann won in Rome.", [(0, 3), (11, 15)])
    '[SS] Ann [SE] won in [SS] Rome [SE].'
    """
    pieces, last = [], 0
    for start, end in spans:
        pieces += [document[last:start], f"{SPAN_START} {document[start:end]} {SPAN_END}"]
        last = end
    return "".join([*pieces, document[last:]])


def knows_marks(tokenizer: Any) -> bool:
    """Whether both marks are tokens of their own."""
    unknown = tokenizer.unk_token_id
    ids = [tokenizer.convert_tokens_to_ids(token) for token in MARK_TOKENS]
    return all(token_id is not None and token_id != unknown for token_id in ids)


class MarkedSummarizer:
    """A model that writes the summary of a document with marks, by beam search without chance."""

    def __init__(self, checkpoint: Checkpoint, *, beams: int, settings: RuntimeSettings) -> None:
        self.name, self.digest, self.beams, self._settings = checkpoint.name, checkpoint.digest, beams, settings
        self._model = load_sequence_model(checkpoint, device=settings.device, purpose=PURPOSE, way_out=WAY_OUT)
        if not knows_marks(self._model.tokenizer):
            raise MetricError(
                f"{checkpoint.name} does not know the marks {' and '.join(MARK_TOKENS)}: teach it with `gistmeter "
                f"train summarizer OUT --model {checkpoint.name}`, or leave the model out to use the embedded one"
            )

    def write(self, document: str, spans: Sequence[tuple[int, int]]) -> str:
        """The summary of a document in which these spans are marked; of a long document the beginning is read."""
        network, tokenizer, longest = self._model
        text = mark_document(document, spans)
        return write_summaries(
            network, tokenizer, [text], longest=longest, beams=self.beams, device=self._settings.device
        )[0]

    def count_read(self, document: str, spans: Sequence[tuple[int, int]]) -> int:
        """How many of these spans stand whole in what the model reads of a document."""
        _, tokenizer, longest = self._model
        return count_marks(tokenizer, mark_document(document, spans), longest=longest)


def count_marks(tokenizer: Any, text: str, *, longest: int) -> int:
    """How many marks end within the tokens that a model reads of a text."""
    read: list[int] = tokenizer(text, truncation=True, max_length=longest)["input_ids"]
    return read.count(tokenizer.convert_tokens_to_ids(SPAN_END))


def write_summaries(
    network: Any, tokenizer: Any, texts: Sequence[str], *, longest: int, beams: int, device: str
) -> list[str]:
    """The likeliest summary of each text, one at a time."""
    torch = import_torch()
    summaries = []
    for text in texts:
        read = tokenizer([text], return_tensors="pt", truncation=True, max_length=longest)
        inputs = {name: read[name].to(device) for name in ("input_ids", "attention_mask")}
        with torch.inference_mode(), quiet_loading():
            written = network.generate(
                **inputs, num_beams=beams, do_sample=False, max_new_tokens=min(MAX_SUMMARY_TOKENS, longest - 1)
            )
        summaries.append(tokenizer.batch_decode(written, skip_special_tokens=True)[0].strip())
    return summaries


def load_marked_summarizer(model: str, *, beams: int = DEFAULT_BEAMS) -> MarkedSummarizer:
    """The summarizer of a name or folder, loaded once per process."""
    return _load_once(model, beams, current_settings())


@functools.lru_cache(maxsize=2)
def _load_once(model: str, beams: int, settings: RuntimeSettings) -> MarkedSummarizer:
    return MarkedSummarizer(locate(model, otherwise=WAY_OUT), beams=beams, settings=settings)
