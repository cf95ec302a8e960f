"""The beams of any sequence-to-sequence summarizer: its likeliest summaries of a document, the likeliest first."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from gistmeter.errors import ArgumentError
from gistmeter.models.runtime.load import import_torch, quiet_loading
from gistmeter.models.runtime.locate import locate
from gistmeter.models.runtime.sequences import load_sequence_model
from gistmeter.models.runtime.settings import RuntimeSettings, current_settings

if TYPE_CHECKING:
    from gistmeter.models.runtime.locate import Checkpoint

MAX_SUMMARY_TOKENS = 142
"""The longest summary that is written: what BART's authors allow on CNN/DailyMail."""

_WAY_OUT = "name a sequence-to-sequence model that writes summaries"


class BeamSummarizer:
    """A model that writes the `beams` likeliest summaries of a document, by beam search without chance."""

    def __init__(self, checkpoint: Checkpoint, *, beams: int, settings: RuntimeSettings) -> None:
        if beams < 1:
            raise ArgumentError(f"`beams` is at least 1, not {beams}")
        self.name = checkpoint.name
        self.digest = checkpoint.digest
        self.beams = beams
        self._settings = settings
        self._model = load_sequence_model(
            checkpoint, device=settings.device, purpose=" as a summarizer", way_out=_WAY_OUT
        )

    def write_beams(self, document: str) -> list[str]:
        """The likeliest summaries of a document, the likeliest first; of a long document the beginning is read."""
        torch = import_torch()
        model, tokenizer, longest = self._model
        read = tokenizer([document], return_tensors="pt", truncation=True, max_length=longest)
        inputs = {name: read[name].to(self._settings.device) for name in ("input_ids", "attention_mask")}
        with torch.inference_mode(), quiet_loading():
            written = model.generate(
                **inputs,
                num_beams=self.beams,
                num_return_sequences=self.beams,
                do_sample=False,
                max_new_tokens=min(MAX_SUMMARY_TOKENS, longest - 1),
            )
        return [text.strip() for text in tokenizer.batch_decode(written, skip_special_tokens=True)]


def load_beam_summarizer(model: str, *, beams: int) -> BeamSummarizer:
    """The summarizer of a name or folder, loaded once per process."""
    return _load_once(model, beams, current_settings())


@functools.lru_cache(maxsize=2)
def _load_once(model: str, beams: int, settings: RuntimeSettings) -> BeamSummarizer:
    return BeamSummarizer(locate(model, otherwise=_WAY_OUT), beams=beams, settings=settings)
