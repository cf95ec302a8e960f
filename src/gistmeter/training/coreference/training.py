"""Training the coreference network on annotated texts and pronouns, and measuring it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import DataError
from gistmeter.extras import require
from gistmeter.io.atomic import write_bytes
from gistmeter.linguistics.coreference.resolver import link_mentions
from gistmeter.linguistics.parser import load_parser
from gistmeter.training.coreference.card import coreference_card
from gistmeter.training.coreference.choices import pronoun_lesson, resolve_names, text_lessons
from gistmeter.training.coreference.fitting import fit_linker
from gistmeter.training.coreference.recipe import CoreferenceRecipe
from gistmeter.training.coreference.result import PronounFigures, TrainedCoreference
from gistmeter.training.coreference.scores import PrecisionRecall, score_clusters
from gistmeter.training.coreference.texts import parse_texts, read_pronouns, read_texts
from gistmeter.training.licences import select_licensed
from gistmeter.training.progress import SILENCE
from gistmeter.training.result import card_beside, output_file

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from spacy.tokens import Doc

    from gistmeter.arrays import IntArray
    from gistmeter.linguistics.coreference.resolver import Linker
    from gistmeter.training.coreference.fitting import MentionLesson
    from gistmeter.training.coreference.recipe import CoreferenceData
    from gistmeter.training.coreference.scores import ClusterScores
    from gistmeter.training.coreference.texts import ClusteredText, Pronoun
    from gistmeter.training.progress import Progress


def train_coreference(
    out: str | Path,
    data: CoreferenceData,
    *,
    recipe: CoreferenceRecipe | None = None,
    command: str = "",
    progress: Progress = SILENCE,
) -> TrainedCoreference:
    """Train on the texts marked `train` and the pronouns marked `development`, measure on the others, write both."""
    recipe = recipe or CoreferenceRecipe()
    file = output_file(out, (".safetensors",), role="the network", data=data)
    texts, pronouns = read_texts(data.data), read_pronouns(data.gap)
    licensed = select_licensed(
        [text for text in texts if text.split == "train"],
        lambda text: text.licence,
        label=lambda text: f"{text.genre}: {text.licence}",
    )
    if not licensed.allowed:
        raise DataError(f"{data.data} has no text to train on: none is marked `train` with a licence that allows it")
    from_texts = _lessons_from_texts(licensed.allowed)
    from_pronouns = _lessons_from_pronouns([pronoun for pronoun in pronouns if pronoun.split == "development"])
    network = fit_linker([*from_texts, *from_pronouns], recipe, progress)
    write_linker(network, file)
    splits = sorted({text.split for text in texts} - {"train"})
    held_out = {split: [text for text in texts if text.split == split] for split in splits}
    tested = [pronoun for pronoun in pronouns if pronoun.split == "test"]
    trained = TrainedCoreference(
        file=file,
        card=card_beside(file),
        texts=licensed,
        mentions=len(from_texts),
        pronouns=len(from_pronouns),
        figures={
            split: measure_clusters(of_split, parse_texts(of_split), network) for split, of_split in held_out.items()
        },
        pronoun_figures={"test": measure_pronouns(tested, _parse_pronouns(tested), network)} if tested else {},
    )
    coreference_card(trained, recipe, command=command, notes=data.notes).write(trained.card)
    return trained


def measure_clusters(texts: Sequence[ClusteredText], docs: Sequence[Sequence[Doc]], network: Linker) -> ClusterScores:
    """How well the clusters of parsed texts agree with the annotated ones."""
    return score_clusters(
        (text.clusters, link_mentions(sentences, network)) for text, sentences in zip(texts, docs, strict=True)
    )


def measure_pronouns(pronouns: Sequence[Pronoun], docs: Sequence[Doc], network: Linker) -> PronounFigures:
    """How well pronouns find their names. The text of each is read whole."""
    counts = np.zeros((2, 2, 2), np.int64)  # male, resolved to this name, meant by this name
    right = 0
    for pronoun, doc in zip(pronouns, docs, strict=True):
        resolved = resolve_names(doc, link_mentions([doc], network), pronoun)
        right += resolved == pronoun.meant
        for answer, meant in zip(resolved, pronoun.meant, strict=True):
            counts[int(pronoun.male), int(answer), int(meant)] += 1
    return PronounFigures(
        all=_precision_recall(counts.sum(0)),
        male=_precision_recall(counts[1]),
        female=_precision_recall(counts[0]),
        accuracy=right / max(len(pronouns), 1),
    )


def write_linker(network: Linker, file: Path) -> None:
    """Write a network in half precision, with the names of its features."""
    store = require("safetensors.numpy", "writing a network")
    arrays = {"table": network.table, "bias": network.bias, "out": network.out}
    halves = {name: array.astype(np.float16) for name, array in arrays.items()}
    origin = f"gistmeter train coreference, on {load_parser().name} {load_parser().version}"
    write_bytes(file, store.save(halves, metadata={"made": origin, "features": json.dumps(list(network.rows))}))


def _lessons_from_texts(texts: Sequence[ClusteredText]) -> list[MentionLesson]:
    return [
        lesson
        for text, sentences in zip(texts, parse_texts(texts), strict=True)
        for lesson in text_lessons(text, sentences)
    ]


def _lessons_from_pronouns(pronouns: Sequence[Pronoun]) -> list[MentionLesson]:
    lessons = (pronoun_lesson(*pair) for pair in zip(pronouns, _parse_pronouns(pronouns), strict=True))
    return [lesson for lesson in lessons if lesson is not None]


def _parse_pronouns(pronouns: Sequence[Pronoun]) -> Sequence[Doc]:
    return load_parser().parse([pronoun.text for pronoun in pronouns], entities=True)


def _precision_recall(counts: IntArray) -> PrecisionRecall:
    """From counts of (resolved, meant)."""
    right = int(counts[1, 1])
    return PrecisionRecall(
        precision=right / max(int(counts[1].sum()), 1), recall=right / max(int(counts[:, 1].sum()), 1)
    )
