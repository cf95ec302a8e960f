"""Training the next-sentence model behind `coherence`: pairs, a head or a checkpoint that learns, and its model card.

The embedded encoder stays as it is. Every sentence is encoded once; what is trained are small networks on the vectors
of two sentences, each with its own seed, stopped early on the development pairs, their probabilities averaged. A
checkpoint by name learns whole (`fine_tuning`).
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gistmeter.errors import ArgumentError, DataError
from gistmeter.models.next_sentence.heads import (
    PairHead,
    head_file,
    load_vector_source,
    read_head,
    write_head,
)
from gistmeter.models.next_sentence.votes import HeadVoters
from gistmeter.text.languages import language_code
from gistmeter.training.next_sentence.card import next_sentence_card
from gistmeter.training.next_sentence.combination import fit_shares
from gistmeter.training.next_sentence.encoding import PairEncoder
from gistmeter.training.next_sentence.figures import correlate_coherence, measure_order, measure_pairs
from gistmeter.training.next_sentence.fine_tuning import fine_tune_checkpoint
from gistmeter.training.next_sentence.fitting import fit_network
from gistmeter.training.next_sentence.joint_groups import draw_joint_groups
from gistmeter.training.next_sentence.order import fit_order_cues, weigh_positions
from gistmeter.training.next_sentence.pairs import SentencePair, divide_texts, draw_pairs, list_joints
from gistmeter.training.next_sentence.reader import TrainedReader, train_reader
from gistmeter.training.next_sentence.recipe import NextSentenceRecipe
from gistmeter.training.next_sentence.result import TrainedNextSentence
from gistmeter.training.progress import SILENCE
from gistmeter.training.result import card_beside, output_file, output_folder
from gistmeter.training.sources.evaluated import collect_sentences
from gistmeter.training.sources.texts import read_source
from gistmeter.weights import EMBEDDED

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from gistmeter.arrays import FloatArray
    from gistmeter.models.next_sentence.heads import Shares
    from gistmeter.training.next_sentence.figures import PairFigures
    from gistmeter.training.next_sentence.pairs import DividedTexts
    from gistmeter.training.next_sentence.recipe import NextSentenceData
    from gistmeter.training.progress import Progress
    from gistmeter.training.sources.sentences import SentenceText
    from gistmeter.training.sources.texts import Source

WEIGHED_JOINTS = 3000
"""Joints of development documents, with their reversals and other pairs, that say how much each part counts."""


def train_next_sentence(
    out: str | Path,
    data: NextSentenceData,
    *,
    recipe: NextSentenceRecipe | None = None,
    command: str = "",
    progress: Progress = SILENCE,
) -> TrainedNextSentence:
    """Train a next-sentence model on documents and write it to `out` with its card.

    The embedded head is written to a .safetensors file, its card beside it; a model by name is fine-tuned whole and
    written to a folder.
    """
    recipe = recipe or NextSentenceRecipe()
    by_name = data.model != EMBEDDED
    if by_name:
        recipe.refuse_unused()
    file = output_folder(out) if by_name else output_file(out, (".safetensors",), role="a head", data=data)
    evaluated = collect_sentences(data.without)
    sources = tuple(
        read_source(path, without=evaluated, language=language_code(data.language or "en")) for path in data.data
    )
    texts = _divide_languages(sources, _choose_languages(sources, data, recipe), recipe)
    pairs = _draw_parts(texts, recipe)
    if by_name:
        model = _fine_tune(file, data, recipe, pairs, progress)
    else:
        start = head_file(multilingual=recipe.multilingual) if data.start == EMBEDDED else data.start
        model = _train_head(file, texts, recipe, pairs, progress, start=start)
    trained = TrainedNextSentence(
        file=file,
        card=file / "card.md" if by_name else card_beside(file),
        sources=sources,
        learned_languages=tuple(texts),
        counts={part: len(of_part) for part, of_part in pairs.items()},
        epochs=model.epochs,
        cues=model.cues,
        reader=model.reader,
        shares=model.shares,
        dev=_measure_part(pairs["dev"], model),
        test=_measure_part(pairs["test"], model),
        order=measure_order([text for parts in texts.values() for text in parts.test], model.judge, seed=recipe.seed),
        languages=_measure_languages(data.test, evaluated, recipe, model),
        coherence=correlate_coherence(data.judgments, model.judge) if data.judgments else (),
    )
    next_sentence_card(trained, recipe, model=data.model, command=command, notes=data.notes).write(trained.card)
    return trained


class _TrainedModel(NamedTuple):
    """What was trained: how it judges pairs of sentences, and the epochs whose weights were chosen, from 0."""

    judge: Callable[[Sequence[tuple[str, str]]], FloatArray]
    epochs: tuple[int, ...]
    cues: int = 0
    """Cues of order that it weighs."""

    reader: TrainedReader | None = None
    shares: Shares | None = None
    """How much its parts count, where it has a reader."""


def _train_head(
    file: Path,
    texts: Mapping[str, DividedTexts],
    recipe: NextSentenceRecipe,
    pairs: Mapping[str, Sequence[SentencePair]],
    progress: Progress,
    *,
    start: str | Path | None,
) -> _TrainedModel:
    """Small networks on the vectors of two sentences, cues of their order and perhaps a reader, written to a file."""
    code = next(iter(texts))
    order = fit_order_cues(texts[code].train, code, share=recipe.order) if recipe.order and len(texts) == 1 else None
    encoder = PairEncoder(load_vector_source(recipe.states, language=code), progress)
    epochs: tuple[int, ...] = ()
    if start is not None:
        networks = read_head(start)
        if networks.reads != recipe.states:
            raise ArgumentError(f"{Path(start).name} reads {networks.reads}, but this recipe {recipe.states}")
    else:
        networks, epochs = _fit_networks(encoder, pairs, recipe, progress)
    head = replace(networks, order=order, reader=None, shares=None)
    trained_reader = None
    if recipe.reader:
        trained_reader = _train_reader(file, texts[code], recipe, progress)
        head = _weigh_parts(replace(head, reader=trained_reader.parts), texts[code], encoder, recipe)
    write_head(file, head)
    head = read_head(file)
    voters = HeadVoters(head, code)

    def judge(joints: Sequence[tuple[str, str]]) -> FloatArray:
        return voters.add_to(_ask_networks(head, encoder, joints), joints)

    cues = len(order.weights) if order else 0
    return _TrainedModel(judge=judge, epochs=epochs, cues=cues, reader=trained_reader, shares=head.shares)


def _ask_networks(head: PairHead, encoder: PairEncoder, joints: Sequence[tuple[str, str]]) -> FloatArray:
    """The probabilities that the networks of a head give."""
    joint_pairs = [SentencePair(*joint, "adjacent") for joint in joints]
    return head.probabilities(*encoder.encode(joint_pairs, "encoding held-out sentences").vectors)


def _train_reader(file: Path, texts: DividedTexts, recipe: NextSentenceRecipe, progress: Progress) -> TrainedReader:
    """A reader that learns from joints of these documents, in a folder beside the head, in which it can go on."""
    groups = draw_joint_groups(texts.train, recipe.reader, seed=recipe.seed)
    checked = [(joint.sentence, joint.move(1).sentence) for joint in list_joints(texts.dev)]
    folder = file.with_suffix(".reader")
    return train_reader(groups, checked, folder, seed=recipe.seed, progress=progress)


def _weigh_parts(head: PairHead, texts: DividedTexts, encoder: PairEncoder, recipe: NextSentenceRecipe) -> PairHead:
    """A head whose parts count as much as development documents say, of which early joints weigh more, as for cues."""
    read = [pair for group in draw_joint_groups(texts.dev, WEIGHED_JOINTS, seed=recipe.seed) for pair in group]
    pairs = [(pair.first, pair.second) for pair in read]
    code = head.order.language if head.order else "en"
    votes = HeadVoters(head, code).ask(_ask_networks(head, encoder, pairs), pairs)
    kinds = np.array([pair.kind for pair in read])
    weights = weigh_positions([pair.position for pair in read])
    return replace(head, shares=fit_shares(votes, kinds, weights))


def _fit_networks(
    encoder: PairEncoder, pairs: Mapping[str, Sequence[SentencePair]], recipe: NextSentenceRecipe, progress: Progress
) -> tuple[PairHead, tuple[int, ...]]:
    """A head with networks and no cues of order yet, and the epochs whose weights were chosen."""
    encoded = {part: encoder.encode(pairs[part], f"encoding {part}") for part in ("train", "dev")}
    networks = [
        fit_network(encoded["train"], encoded["dev"], recipe, number, progress) for number in range(recipe.networks)
    ]
    names = networks[0].weights
    arrays = {name: np.stack([network.weights[name] for network in networks]) for name in names}
    arrays["out.weight"], arrays["out.bias"] = arrays["out.weight"][:, 0], arrays["out.bias"][:, 0]
    return PairHead(arrays, recipe.states, digest=""), tuple(network.epoch for network in networks)


def _fine_tune(
    folder: Path,
    data: NextSentenceData,
    recipe: NextSentenceRecipe,
    pairs: Mapping[str, Sequence[SentencePair]],
    progress: Progress,
) -> _TrainedModel:
    """A checkpoint by name that learns whole, written to a folder."""
    tuned = fine_tune_checkpoint(
        data.model, folder, train=pairs["train"], dev=pairs["dev"], recipe=recipe, progress=progress
    )
    return _TrainedModel(tuned.model.probabilities, (tuned.epoch,))


def _choose_languages(sources: Sequence[Source], data: NextSentenceData, recipe: NextSentenceRecipe) -> tuple[str, ...]:
    """The languages to learn from: the one asked for, or all that the documents have and the model reads."""
    present = tuple(dict.fromkeys(code for source in sources for code in source.languages))
    asked = (language_code(data.language),) if data.language else present
    chosen = tuple(code for code in asked if code in present)
    if not chosen:
        raise DataError(f"no document is in the language {data.language!r}: the data has {', '.join(present)}")
    if data.model != EMBEDDED or recipe.multilingual:
        return chosen
    if "en" not in chosen:
        raise ArgumentError(
            f"the documents are in {', '.join(chosen)}, and the embedded encoder reads English: add --multilingual "
            "for a head on multilingual sentence vectors, or name a checkpoint that reads them with --model"
        )
    return ("en",)


def _divide_languages(
    sources: Sequence[Source], languages: Sequence[str], recipe: NextSentenceRecipe
) -> dict[str, DividedTexts]:
    """The documents of each language in three parts."""
    return {
        code: divide_texts([text for source in sources for text in source.in_language(code)], seed=recipe.seed)
        for code in languages
    }


def _draw_parts(texts: Mapping[str, DividedTexts], recipe: NextSentenceRecipe) -> dict[str, tuple[SentencePair, ...]]:
    """Pairs to learn from, to stop on and to test on: eight, one and one of ten; no pair is of two languages."""
    sizes = {code: sum(map(len, parts)) for code, parts in texts.items()}
    drawn: dict[str, tuple[SentencePair, ...]] = {"train": (), "dev": (), "test": ()}
    for code, parts in texts.items():
        of_language = recipe.pairs * sizes[code] // sum(sizes.values())
        tenths = (("train", parts.train, 8), ("dev", parts.dev, 1), ("test", parts.test, 1))
        for number, (name, part, share) in enumerate(tenths, start=1):
            try:
                drawn[name] += draw_pairs(part, of_language * share // 10, seed=recipe.seed + number)
            except DataError as error:
                raise DataError(
                    f"{error}: the {name} part has {len(part)} of {sizes[code]} documents ({code})"
                ) from None
    return drawn


def _measure_part(pairs: Sequence[SentencePair], model: _TrainedModel) -> PairFigures:
    return measure_pairs(pairs, model.judge([(pair.first, pair.second) for pair in pairs]))


def _measure_languages(
    files: Sequence[str], evaluated: frozenset[str], recipe: NextSentenceRecipe, model: _TrainedModel
) -> dict[str, PairFigures]:
    """Figures on documents of other languages."""
    texts: dict[str, list[SentenceText]] = {}
    for path in files:
        source = read_source(path, without=evaluated)
        for code in dict.fromkeys(source.languages):
            texts.setdefault(code, []).extend(source.in_language(code))
    return {
        code: _measure_part(draw_pairs(of_language, recipe.pairs // 10, seed=recipe.seed), model)
        for code, of_language in sorted(texts.items())
    }
