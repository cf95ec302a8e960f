"""Training the next-sentence head behind `coherence`: pairs, vectors, a few small networks, and their model card.

The encoder stays as it is. Every sentence is encoded once; what is trained are small networks on the vectors of two
sentences, each with its own seed, stopped early on the development pairs, their probabilities averaged.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gistmeter.extras import require
from gistmeter.models.next_sentence.heads import PairHead, load_vector_source, read_head
from gistmeter.training.next_sentence.card import next_sentence_card
from gistmeter.training.next_sentence.encoding import PairEncoder
from gistmeter.training.next_sentence.figures import correlate_coherence, measure_pairs
from gistmeter.training.next_sentence.fitting import fit_network
from gistmeter.training.next_sentence.pairs import SentencePair, divide_texts, draw_pairs
from gistmeter.training.next_sentence.recipe import NextSentenceRecipe
from gistmeter.training.next_sentence.result import TrainedNextSentence
from gistmeter.training.progress import SILENCE
from gistmeter.training.result import card_beside, output_file
from gistmeter.training.sources.evaluated import collect_sentences
from gistmeter.training.sources.texts import read_source

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from gistmeter.arrays import FloatArray
    from gistmeter.training.next_sentence.figures import PairFigures
    from gistmeter.training.next_sentence.pairs import DividedTexts
    from gistmeter.training.next_sentence.recipe import NextSentenceData
    from gistmeter.training.progress import Progress
    from gistmeter.training.sources.sentences import SentenceText


def train_next_sentence(
    out: str | Path,
    data: NextSentenceData,
    *,
    recipe: NextSentenceRecipe | None = None,
    command: str = "",
    progress: Progress = SILENCE,
) -> TrainedNextSentence:
    """Train a head on documents and write it to `out`, a .safetensors file, with its card beside it."""
    recipe = recipe or NextSentenceRecipe()
    file = output_file(out, (".safetensors",), role="a head")
    evaluated = collect_sentences(data.without)
    sources = tuple(read_source(path, without=evaluated) for path in data.data)
    texts = divide_texts([text for source in sources for text in source.in_language("en")], seed=recipe.seed)
    pairs = _draw_parts(texts, recipe)
    encoder = PairEncoder(load_vector_source(recipe.states), progress)
    encoded = {part: encoder.encode(of_part, f"encoding {part}") for part, of_part in pairs.items()}
    networks = [
        fit_network(encoded["train"], encoded["dev"], recipe, number, progress) for number in range(recipe.networks)
    ]
    names = networks[0].weights
    stacked = {name: np.stack([network.weights[name] for network in networks]).astype(np.float16) for name in names}
    _write_head(file, stacked, recipe.states)
    head = read_head(file)
    figures = {part: measure_pairs(pairs[part], head.probabilities(*encoded[part].vectors)) for part in ("dev", "test")}

    def judge_joints(joints: Sequence[tuple[str, str]]) -> FloatArray:
        joint_pairs = [SentencePair(*joint, "adjacent") for joint in joints]
        return head.probabilities(*encoder.encode(joint_pairs, "encoding judged summaries").vectors)

    trained = TrainedNextSentence(
        file=file,
        card=card_beside(file),
        sources=sources,
        counts={part: len(of_part) for part, of_part in pairs.items()},
        epochs=tuple(network.epoch for network in networks),
        dev=figures["dev"],
        test=figures["test"],
        languages=_measure_languages(data.test, evaluated, recipe, head, encoder),
        coherence=correlate_coherence(data.judgments, judge_joints) if data.judgments else (),
    )
    next_sentence_card(trained, recipe, command=command, notes=data.notes).write(trained.card)
    return trained


def _draw_parts(texts: DividedTexts, recipe: NextSentenceRecipe) -> dict[str, tuple[SentencePair, ...]]:
    """Pairs to learn from, to stop on and to test on: eight, one and one of ten."""
    tenths = (("train", texts.train, 8), ("dev", texts.dev, 1), ("test", texts.test, 1))
    return {
        name: draw_pairs(part, recipe.pairs * share // 10, seed=recipe.seed + number)
        for number, (name, part, share) in enumerate(tenths, start=1)
    }


def _write_head(file: Path, arrays: Mapping[str, NDArray[np.float16]], reads: str) -> None:
    safetensors = require("safetensors.numpy", "writing a head")
    stored = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    stored["out.weight"], stored["out.bias"] = stored["out.weight"][:, 0], stored["out.bias"][:, 0]
    safetensors.save_file(stored, file, metadata={"reads": reads})


def _measure_languages(
    files: Sequence[str], evaluated: frozenset[str], recipe: NextSentenceRecipe, head: PairHead, encoder: PairEncoder
) -> dict[str, PairFigures]:
    """Figures on documents of other languages."""
    texts: dict[str, list[SentenceText]] = {}
    for path in files:
        source = read_source(path, without=evaluated)
        for code in dict.fromkeys(source.languages):
            texts.setdefault(code, []).extend(source.in_language(code))
    figures = {}
    for code, of_language in sorted(texts.items()):
        pairs = draw_pairs(of_language, recipe.pairs // 10, seed=recipe.seed)
        figures[code] = measure_pairs(pairs, head.probabilities(*encoder.encode(pairs, f"encoding {code}").vectors))
    return figures
