"""Askers by name: any sequence-to-sequence model that was trained to ask about a marked phrase.

How the phrase is marked in what the model reads is a template, since each model was trained with its own. A checkpoint
that cannot write is refused: transformers would fill its head with random numbers.
"""

from __future__ import annotations

import string
from typing import TYPE_CHECKING, NamedTuple

from gistmeter.errors import MetricError
from gistmeter.models.runtime.batch import split_into_batches
from gistmeter.models.runtime.load import import_torch, quiet_loading
from gistmeter.models.runtime.sequences import load_sequence_model

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.models.runtime.locate import Checkpoint
    from gistmeter.models.runtime.settings import RuntimeSettings

DEFAULT_TEMPLATE = "{before}<hl> {answer} <hl>{after}"
_FIELDS = frozenset({"before", "answer", "after", "sentence"})
_MAX_NEW_TOKENS = 64
_WAY_OUT = "name a sequence-to-sequence model that asks questions, or leave the model out to use the embedded asker"


class MarkedPhrase(NamedTuple):
    """A sentence around a phrase."""

    before: str
    answer: str
    after: str


class NamedWriter:
    """A sequence-to-sequence model that writes one question for each marked phrase."""

    def __init__(self, checkpoint: Checkpoint, *, template: str, beams: int, settings: RuntimeSettings) -> None:
        self.template = check_template(template)
        if beams < 1:
            raise MetricError(f"beams are at least 1, not {beams}")
        self._beams, self._settings = beams, settings
        self._model, self._tokenizer, self._longest = load_sequence_model(
            checkpoint, device=settings.device, purpose=" as an asker", way_out=_WAY_OUT
        )
        self._new = min(_MAX_NEW_TOKENS, self._longest - 1)

    def write(self, marked: Sequence[MarkedPhrase]) -> list[str]:
        """A question for each marked phrase, in their order; equal ones are written once."""
        texts = [self._fitting(phrase) for phrase in marked]
        distinct = list(dict.fromkeys(texts))
        lengths = [len(ids) for ids in self._tokenizer(distinct)["input_ids"]] if distinct else []
        questions: dict[str, str] = {}
        for batch in split_into_batches(lengths, self._settings.batch_tokens):
            asked = [distinct[index] for index in batch]
            questions.update(zip(asked, self._write_batch(asked), strict=True))
        return [questions[text] for text in texts]

    def _fitting(self, marked: MarkedPhrase) -> str:
        """What the model reads: of a sentence longer than that, the words nearest to the phrase."""
        text = fill_template(self.template, marked)
        while len(self._tokenizer(text, verbose=False)["input_ids"]) > self._longest:
            nearer = halve_longer_side(marked)
            if nearer == marked:
                raise MetricError(f"the asker reads {self._longest} tokens, too few for {marked.answer[:60]!r}")
            marked, text = nearer, fill_template(self.template, nearer)
        return text

    def _write_batch(self, texts: Sequence[str]) -> list[str]:
        torch = import_torch()
        read = self._tokenizer(list(texts), return_tensors="pt", padding=True)
        inputs = {name: read[name].to(self._settings.device) for name in ("input_ids", "attention_mask")}
        with torch.inference_mode(), quiet_loading():
            written = self._model.generate(**inputs, num_beams=self._beams, do_sample=False, max_new_tokens=self._new)
        return [_as_question(text) for text in self._tokenizer.batch_decode(written, skip_special_tokens=True)]


def check_template(template: str) -> str:
    """A template that marks the answer, or a sentence that says what it lacks.

    >>> check_template("ask: {before}[{answer}]{after}")
    'ask: {before}[{answer}]{after}'
    >>> check_template("{text}")
    Traceback (most recent call last):
    gistmeter.errors.MetricError: a template holds {answer}, and perhaps {before}, {after}, {sentence}: '{text}'
    """
    try:
        fields = {field for _, field, _, _ in string.Formatter().parse(template) if field is not None}
    except ValueError:
        fields = set()
    if "answer" not in fields or not fields <= _FIELDS:
        fields_allowed = "{answer}, and perhaps {before}, {after}, {sentence}"
        raise MetricError(f"a template holds {fields_allowed}: {template!r}")
    return template


def fill_template(template: str, marked: MarkedPhrase) -> str:
    """What a model reads.

    >>> fill_template(DEFAULT_TEMPLATE, MarkedPhrase("Yesterday ", "Ann", " left."))
    'Yesterday <hl> Ann <hl> left.'
    """
    sentence = "".join(marked)
    return template.format(before=marked.before, answer=marked.answer, after=marked.after, sentence=sentence)


def halve_longer_side(marked: MarkedPhrase) -> MarkedPhrase:
    """Half as many words on the side of a phrase that has more of them.

    >>> halve_longer_side(MarkedPhrase("a b c d ", "e", " f g"))
    MarkedPhrase(before='c d ', answer='e', after=' f g')
    """
    before, after = marked.before.split(), marked.after.split()
    if len(before) >= len(after):
        nearest = before[(len(before) + 1) // 2 :]
        return marked._replace(before=" ".join(nearest) + (" " if nearest else ""))
    nearest = after[: len(after) // 2]
    return marked._replace(after=(" " if nearest else "") + " ".join(nearest))


def _as_question(text: str) -> str:
    text = " ".join(text.split())
    return text if text.endswith("?") else f"{text.rstrip('.!,;: ')}?"
