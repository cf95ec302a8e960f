"""Training the segmenter of discourse units: which words begin a unit, learned from annotated texts.

A text is parsed twice, as it runs and with every annotated sentence on a line of its own, so that the network knows
both. What is measured is what `segment` gives from the bare text: its own words, its own sentences.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gistmeter.errors import DataError
from gistmeter.extras import require
from gistmeter.io.atomic import write_bytes
from gistmeter.linguistics.edus.features import describe_words
from gistmeter.linguistics.edus.segmenter import WINDOW, make_boundary_network
from gistmeter.linguistics.parser import load_parser
from gistmeter.models.runtime.load import import_torch
from gistmeter.training.edus.card import edus_card
from gistmeter.training.edus.recipe import EdusRecipe
from gistmeter.training.edus.result import TrainedEdus
from gistmeter.training.edus.texts import measure_boundaries, read_edu_texts
from gistmeter.training.licences import select_licensed
from gistmeter.training.loop.small_networks import OneCycle, count_steps
from gistmeter.training.progress import SILENCE
from gistmeter.training.result import card_beside, output_file

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from gistmeter.arrays import SingleArray
    from gistmeter.linguistics.edus.features import WordFeatures
    from gistmeter.training.edus.recipe import EdusData
    from gistmeter.training.edus.texts import EduText
    from gistmeter.training.progress import Progress

LEFT_OUT = "left out"
"""Texts marked `train` that are not learned from for their licence; they are measured on."""


def train_edus(
    out: str | Path,
    data: EdusData,
    *,
    recipe: EdusRecipe | None = None,
    command: str = "",
    progress: Progress = SILENCE,
) -> TrainedEdus:
    """Train a segmenter on the texts of a file marked `train`, measure it on the others, write it and its card."""
    recipe = recipe or EdusRecipe()
    file = output_file(out, (".safetensors",), role="the segmenter", data=data)
    texts = read_edu_texts(data.data)
    licensed = select_licensed(
        [text for text in texts if text.split == "train"],
        lambda text: text.licence,
        label=lambda text: f"{text.genre}: {text.licence}",
    )
    if not licensed.allowed:
        raise DataError(f"{data.data} has no text to train on: none is marked `train` with a licence that allows it")
    lessons = _lessons(licensed.allowed)
    arrays = _fit(lessons, recipe, progress)
    store = require("safetensors.numpy", "writing a segmenter")
    origin = f"gistmeter train edus, on {load_parser().name} {load_parser().version}"
    halves = {name: array.astype(np.float16) for name, array in arrays.items()}
    write_bytes(file, store.save(halves, metadata={"made": origin}))
    network = make_boundary_network({name: array.astype(np.float32) for name, array in halves.items()}, "new")
    splits = sorted({text.split for text in texts} - {"train"})
    held_out = {split: [text for text in texts if text.split == split] for split in splits}
    held_out[LEFT_OUT] = list(licensed.refused)
    trained = TrainedEdus(
        file=file,
        card=card_beside(file),
        texts=licensed,
        words=int(lessons.features.word.sum()),
        figures={name: measure_boundaries(of_split, network) for name, of_split in held_out.items() if of_split},
    )
    edus_card(trained, recipe, command=command, notes=data.notes).write(trained.card)
    return trained


class _Lessons(NamedTuple):
    """What the network sees of every word, and whether the word begins a unit (1 or 0)."""

    features: WordFeatures
    begins_unit: SingleArray


def _lessons(texts: Sequence[EduText]) -> _Lessons:
    """The words of the texts in both their forms: as they run, and a sentence a line."""
    pieces: list[tuple[str, frozenset[int]]] = []
    for text in texts:
        for form in dict.fromkeys((text.text, text.lines)):
            offset = 0
            for line in form.split("\n"):
                pieces.append((line, frozenset(start - offset for start in text.unit_starts)))
                offset += len(line) + 1
    docs = load_parser().parse([line for line, _ in pieces])
    word_features = describe_words(docs)
    begins = [word.idx in starts for doc, (_, starts) in zip(docs, pieces, strict=True) for word in doc]
    begins_unit = np.zeros(len(word_features.word), np.float32)
    begins_unit[word_features.word] = begins
    return _Lessons(word_features, begins_unit)


def _fit(lessons: _Lessons, recipe: EdusRecipe, progress: Progress) -> dict[str, SingleArray]:
    """The weights, by AdamW on the boundary of every word."""
    torch = import_torch()
    torch.manual_seed(recipe.seed)
    functional = torch.nn.functional
    rows = torch.from_numpy((lessons.features.hashes >> np.uint64(64 - recipe.bits)).astype(np.int64))
    vectors, right = torch.from_numpy(lessons.features.vectors), torch.from_numpy(lessons.begins_unit)
    words = torch.from_numpy(np.flatnonzero(lessons.features.word))
    width = lessons.features.vectors.shape[1]
    table = torch.nn.Parameter(torch.randn(2**recipe.bits, recipe.hidden) * 0.02)
    around = torch.nn.Parameter(
        torch.randn(2 * WINDOW + 1, width, recipe.hidden) / (width * (2 * WINDOW + 1)) ** 0.5 / 2
    )
    bias = torch.nn.Parameter(torch.zeros(recipe.hidden))
    out = torch.nn.Parameter(torch.randn(recipe.hidden) / recipe.hidden**0.5)
    out_bias = torch.nn.Parameter(torch.zeros(1))
    weights = {"table": table, "around": around, "bias": bias, "out": out, "out_bias": out_bias}
    steps = count_steps(len(words), epochs=recipe.epochs, batch=recipe.batch)
    optimizer = OneCycle(weights.values(), rate=recipe.rate, decay=recipe.decay, steps=steps)
    offsets = torch.arange(-WINDOW, WINDOW + 1)
    done = 0
    for _ in range(recipe.epochs):
        for batch in torch.split(words[torch.randperm(len(words))], recipe.batch):
            keep = (torch.rand(len(batch), rows.shape[1]) >= recipe.forget).float() / (1 - recipe.forget)
            hidden = functional.embedding_bag(rows[batch], table, mode="sum", per_sample_weights=keep) + bias
            near = vectors[batch[:, None] + offsets]
            hidden = hidden + torch.einsum("nkw,kwh->nh", near, around)
            hidden = functional.dropout(torch.relu(hidden), recipe.dropout)
            optimizer.step(functional.binary_cross_entropy_with_logits(hidden @ out + out_bias, right[batch]))
            done += 1
            progress.advance("training", done, steps)
    arrays = {name: weight.detach().numpy() for name, weight in weights.items()}
    return {**arrays, "out_bias": arrays["out_bias"] + np.float32(recipe.lean)}
