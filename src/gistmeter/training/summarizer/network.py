"""The training loop of the summarizer: cross-entropy on summaries, chosen by ROUGE-2 on validation documents."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import numpy as np

from gistmeter.example import Example
from gistmeter.metrics.registry import parse_metric
from gistmeter.models.generation.marked import (
    MARK_TOKENS,
    PURPOSE,
    SPAN_END,
    WAY_OUT,
    count_marks,
    knows_marks,
    write_summaries,
)
from gistmeter.models.runtime.load import import_torch
from gistmeter.models.runtime.locate import locate
from gistmeter.models.runtime.sequences import load_sequence_model
from gistmeter.models.runtime.settings import current_settings
from gistmeter.training.loop.resumable import ResumableTraining, linear_rate_share

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    import torch

    from gistmeter.models.runtime.sequences import SequenceModel
    from gistmeter.training.summarizer.examples import MarkedExample
    from gistmeter.training.summarizer.recipe import SummarizerRecipe

MODEL_FOLDER = "model"
ROUGE_2 = "rouge2"
F1_COLUMN = 2
VALIDATION_BEAMS = 1
_IGNORED = -100
"""The label that cross-entropy passes over."""


def load_learner(model: str) -> SequenceModel:
    """A model to fine-tune, taught the two marks where it does not know them."""
    device = current_settings().device
    learner = load_sequence_model(locate(model, otherwise=WAY_OUT), device=device, purpose=PURPOSE, way_out=WAY_OUT)
    if not knows_marks(learner.tokenizer):
        learner.tokenizer.add_special_tokens({"additional_special_tokens": list(MARK_TOKENS)})
        import_torch().manual_seed(0)  # the new rows are drawn around the mean of the others
        learner.network.resize_token_embeddings(len(learner.tokenizer))
    return learner


def count_cut_marks(learner: SequenceModel, example: MarkedExample) -> int:
    """How many marks of an example stand after what a model reads of a text."""
    _, tokenizer, longest = learner
    return example.text.count(SPAN_END) - count_marks(tokenizer, example.text, longest=longest)


class SummarizerTraining(ResumableTraining[list[int]]):
    """Fine-tuning of all weights of a sequence-to-sequence model; a batch is a list of examples by number."""

    def __init__(
        self,
        learner: SequenceModel,
        examples: Sequence[MarkedExample],
        validation: Sequence[MarkedExample],
        folder: Path,
        *,
        recipe: SummarizerRecipe,
    ) -> None:
        self._learner, self._examples, self._validation = learner, examples, validation
        self._per_epoch = -(-len(examples) // recipe.batch)
        self._recipe = recipe
        steps = max(1, round(recipe.epochs * self._per_epoch))
        learned = {name: part for name, part in learner.network.named_parameters() if part.requires_grad}
        content = "\0".join(f"{example.text}\1{example.summary}" for example in (*examples, *validation))
        digest = hashlib.sha256(content.encode(errors="surrogatepass")).hexdigest()[:16]
        super().__init__(folder, recipe, learned=learned, digest=digest, steps=steps)

    def batches(self) -> Iterator[list[int]]:
        """The examples in an order that the seed draws anew for each epoch."""
        while True:
            epoch, number_in_epoch = divmod(self.step, self._per_epoch)
            order = np.random.default_rng((self.recipe.seed, epoch)).permutation(len(self._examples))
            yield order[number_in_epoch * self._recipe.batch : (number_in_epoch + 1) * self._recipe.batch].tolist()

    def count_tokens(self, batch: list[int]) -> int:
        """The tokens of a batch, roughly: its words."""
        return sum(len(self._examples[number].text.split()) for number in batch)

    def loss(self, batch: list[int]) -> torch.Tensor:
        """The cross-entropy of the summaries."""
        network, tokenizer, longest = self._learner
        device = current_settings().device
        chosen = [self._examples[number] for number in batch]
        network.train()
        settings: dict[str, Any] = {"return_tensors": "pt", "truncation": True, "padding": True, "max_length": longest}
        read = tokenizer([example.text for example in chosen], **settings)
        targets = tokenizer(text_target=[example.summary for example in chosen], **settings)["input_ids"]
        targets[targets == tokenizer.pad_token_id] = _IGNORED
        output = network(
            input_ids=read["input_ids"].to(device),
            attention_mask=read["attention_mask"].to(device),
            labels=targets.to(device),
        )
        loss: torch.Tensor = output.loss
        return loss

    def rate_share(self) -> float:
        """A warm-up, then a straight line down."""
        warm_up = max(1, round(self._recipe.warm_up * (self.steps or 1)))
        return linear_rate_share(self.step, steps=self.steps, warm_up=warm_up)

    def check_figures(self) -> Mapping[str, float]:
        """ROUGE-2 F1 on the validation documents; the best weights so far are written."""
        if not self._validation:
            return {}
        best = max((check.figures[ROUGE_2] for check in self.checks if check.figures), default=-1.0)
        score = self.measure_rouge(self._validation)
        if score > best:
            self._write_model()
        return {ROUGE_2: score}

    def measure_rouge(self, examples: Sequence[MarkedExample]) -> float:
        """The mean ROUGE-2 F1 of what the model writes for examples."""
        network, tokenizer, longest = self._learner
        network.eval()
        texts = [example.text for example in examples]
        device = current_settings().device
        written = write_summaries(network, tokenizer, texts, longest=longest, beams=VALIDATION_BEAMS, device=device)
        scored = [
            Example(doc_id=str(number), system="summarizer", summary=text, references=(example.summary,))
            for number, (text, example) in enumerate(zip(written, examples, strict=True))
        ]
        return float(np.nanmean(parse_metric(ROUGE_2).score(scored)[:, F1_COLUMN]))

    def write_weights(self) -> Path:
        """The folder of the model: of the best check, or where nothing was held out of the last step."""
        if not self._validation:
            self._write_model()
        return self.folder / MODEL_FOLDER

    def _write_model(self) -> None:
        network, tokenizer, _ = self._learner
        network.eval()
        network.save_pretrained(self.folder / MODEL_FOLDER)
        tokenizer.save_pretrained(self.folder / MODEL_FOLDER)
