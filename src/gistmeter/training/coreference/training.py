"""Training the coreference network on annotated texts and pronouns, and measuring it."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import DataError
from gistmeter.extras import require
from gistmeter.linguistics.coreference.resolver import link_mentions
from gistmeter.linguistics.parser import load_parser
from gistmeter.training.coreference.fitting import Recipe, fit
from gistmeter.training.coreference.scores import Agreement, Ratio, agreement
from gistmeter.training.coreference.texts import named, parsed, pronoun_question, questions, read_pronouns, read_texts
from gistmeter.training.edus.training import allowed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from spacy.tokens import Doc

    from gistmeter.linguistics.coreference.resolver import Linker
    from gistmeter.training.coreference.fitting import Progress, Question
    from gistmeter.training.coreference.texts import Pronoun, Text


@dataclass(frozen=True, slots=True)
class Pronouns:
    """How well pronouns find their names: over all, men's and women's, and the share with both answers right."""

    all: Ratio
    male: Ratio
    female: Ratio
    accuracy: float


@dataclass(frozen=True, slots=True)
class Trained:
    """What a run made and measured."""

    file: Path
    card: Path
    data: str
    gap: str
    texts: int
    questions: int
    pronouns: int
    licences: Mapping[str, int]
    left_out: Mapping[str, int]
    figures: Mapping[str, Agreement]
    named: Mapping[str, Pronouns]


def train_coreference(
    out: str | Path,
    data: str | Path,
    gap: str | Path,
    *,
    recipe: Recipe | None = None,
    progress: Progress | None = None,
) -> Trained:
    """Train on the texts marked `train` and the pronouns marked `development`, measure on the others, write both."""
    from gistmeter.training.coreference.card import written_card

    recipe = recipe or Recipe()
    file = Path(out).expanduser()
    if file.suffix != ".safetensors":
        raise DataError(f"the network is written to a .safetensors file, not to {file.name}")
    if not file.parent.is_dir():
        raise DataError(f"cannot write {out}: there is no folder {file.parent}")
    texts, asked = read_texts(data), read_pronouns(gap)
    train = [one for one in texts if one.split == "train"]
    licensed = [one for one in train if allowed(one.licence)]
    if not licensed:
        raise DataError(f"{data} has no text to train on: none is marked `train` with a licence that allows it")
    learned = [one for one in asked if one.split == "development"]
    whole = asked_of(licensed, parsed(licensed))
    single = asked_of_pronouns(learned, load_parser().parse([one.text for one in learned], entities=True))
    network = fit([*whole, *single], recipe, progress)
    write(network, file)
    splits = sorted({one.split for one in texts} - {"train"})
    held_out = {split: [one for one in texts if one.split == split] for split in splits}
    others = {split: [one for one in asked if one.split == split] for split in sorted({one.split for one in asked})}
    trained = Trained(
        file=file,
        card=file.with_suffix(".md"),
        data=Path(data).name,
        gap=Path(gap).name,
        texts=len(licensed),
        questions=len(whole),
        pronouns=len(single),
        licences=Counter(f"{one.genre}: {one.licence}" for one in licensed),
        left_out=Counter(one.licence for one in train if not allowed(one.licence)),
        figures={name: measured(some, parsed(some), network) for name, some in held_out.items()},
        named={
            name: measured_pronouns(some, load_parser().parse([one.text for one in some], entities=True), network)
            for name, some in others.items()
            if name == "test"
        },
    )
    trained.card.write_text(written_card(trained, recipe), "utf-8")
    return trained


def asked_of(texts: Sequence[Text], docs: Sequence[Sequence[Doc]]) -> list[Question]:
    """All that the texts ask."""
    return [one for text, some in zip(texts, docs, strict=True) for one in questions(text, some)]


def asked_of_pronouns(asked: Sequence[Pronoun], docs: Sequence[Doc]) -> list[Question]:
    """All that single pronouns ask."""
    found = (pronoun_question(one, doc) for one, doc in zip(asked, docs, strict=True))
    return [one for one in found if one is not None]


def measured(texts: Sequence[Text], docs: Sequence[Sequence[Doc]], network: Linker) -> Agreement:
    """How well the clusters of parsed texts agree with the annotated ones."""
    return agreement((text.clusters, link_mentions(some, network)) for text, some in zip(texts, docs, strict=True))


def measured_pronouns(asked: Sequence[Pronoun], docs: Sequence[Doc], network: Linker) -> Pronouns:
    """How well pronouns find their names. The text of each is read whole."""
    counts = np.zeros((2, 2, 2), int)  # gender, found, meant
    right = 0
    for one, doc in zip(asked, docs, strict=True):
        found = named(doc, link_mentions([doc], network), one)
        right += found == one.meant
        for answer, meant in zip(found, one.meant, strict=True):
            counts[int(one.male), int(answer), int(meant)] += 1
    return Pronouns(_ratio(counts.sum(0)), _ratio(counts[1]), _ratio(counts[0]), right / max(len(asked), 1))


def _ratio(counts: np.ndarray) -> Ratio:
    both = int(counts[1, 1])
    return Ratio(precision=both / max(int(counts[1].sum()), 1), recall=both / max(int(counts[:, 1].sum()), 1))


def write(network: Linker, file: Path) -> None:
    """Write a network in half precision, with the names of its features."""
    store = require("safetensors.numpy", "writing a network")
    arrays = {"table": network.table, "bias": network.bias, "out": network.out}
    halves = {name: array.astype(np.float16) for name, array in arrays.items()}
    made = f"gistmeter train coreference, on {load_parser().name} {load_parser().version}"
    file.write_bytes(store.save(halves, metadata={"made": made, "features": json.dumps(list(network.rows))}))
