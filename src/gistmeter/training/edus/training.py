"""Training the segmenter of discourse units: which words begin a unit, learned from annotated texts.

A text is parsed twice, as it runs and with every annotated sentence on a line of its own, so that the network knows
both. What is measured is what `segment` gives from the bare text: its own words, its own sentences.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gistmeter.errors import DataError
from gistmeter.extras import require
from gistmeter.io.json_lines import read_json_lines
from gistmeter.linguistics.edus.features import WordFeatures, describe_words
from gistmeter.linguistics.edus.segmenter import WINDOW, BoundaryNetwork, make_boundary_network, segment
from gistmeter.linguistics.parser import load_parser
from gistmeter.models.runtime.load import import_torch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from gistmeter.arrays import SingleArray

    Progress = Callable[[int, int], None]

LEFT_OUT = "left out"
"""Texts marked `train` that are not learned from for their licence; they are measured on."""

_FIELDS = ("tokens", "sentence_starts", "edu_starts")


@dataclass(frozen=True, slots=True)
class Recipe:
    """How the network is trained. The defaults made the shipped one."""

    bits: int = 13
    hidden: int = 32
    epochs: int = 3
    rate: float = 3e-3
    decay: float = 1e-2
    dropout: float = 0.3
    forget: float = 0.3
    """The share of templates that is left out at random in every step."""

    lean: float = 0.2
    """What is added to the evidence for a boundary: the best of 0 to 1 on the development texts."""

    batch: int = 256
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Annotated:
    """A text with the places, by characters, where its sentences and its discourse units begin."""

    name: str
    split: str
    genre: str
    licence: str
    text: str
    sentences: frozenset[int]
    units: frozenset[int]

    @property
    def lines(self) -> str:
        """The same text, as long, with each sentence on a line of its own where space allows."""
        letters = list(self.text)
        for start in self.sentences:
            if start and letters[start - 1] == " ":
                letters[start - 1] = "\n"
        return "".join(letters)


@dataclass(frozen=True, slots=True)
class Agreement:
    """How many boundaries were found, how many there are, and how many are both."""

    found: int
    annotated: int
    both: int

    @property
    def precision(self) -> float:
        """The share of found boundaries that are right."""
        return self.both / self.found if self.found else float("nan")

    @property
    def recall(self) -> float:
        """The share of annotated boundaries that were found."""
        return self.both / self.annotated if self.annotated else float("nan")

    @property
    def f1(self) -> float:
        """The harmonic mean of the two.

        >>> Agreement(found=4, annotated=6, both=3).f1
        0.6
        """
        return 2 * self.both / (self.found + self.annotated) if self.found + self.annotated else float("nan")


@dataclass(frozen=True, slots=True)
class Figures:
    """Agreement with the annotation on some texts."""

    texts: int
    raw: Agreement
    """All boundaries, from the bare text."""

    given: Agreement
    """All boundaries, with the annotated sentences given as lines."""

    inner: Agreement
    """With the sentences given, the boundaries inside them alone."""

    genres: Mapping[str, Agreement]
    """`raw` by genre."""


@dataclass(frozen=True, slots=True)
class Trained:
    """What a run made and measured."""

    file: Path
    card: Path
    data: str
    texts: int
    words: int
    left_out: Mapping[str, int]
    licences: Mapping[str, int]
    figures: Mapping[str, Figures]


def train_edus(
    out: str | Path, data: str | Path, *, recipe: Recipe | None = None, progress: Progress | None = None
) -> Trained:
    """Train a segmenter on the texts of a file marked `train`, measure it on the others, write it and its card."""
    from gistmeter.training.edus.card import written_card

    recipe = recipe or Recipe()
    file = Path(out).expanduser()
    if file.suffix != ".safetensors":
        raise DataError(f"the segmenter is written to a .safetensors file, not to {file.name}")
    texts = read_annotated(data)
    licensed, left_out = _to_learn_from([one for one in texts if one.split == "train"])
    if not licensed:
        raise DataError(f"{data} has no text to train on: none is marked `train` with a licence that allows it")
    known, answers = _examples(licensed)
    arrays = _fit(known, answers, recipe, progress)
    store = require("safetensors.numpy", "writing a segmenter")
    made = f"gistmeter train edus, on {load_parser().name} {load_parser().version}"
    halves = {name: array.astype(np.float16) for name, array in arrays.items()}
    file.write_bytes(store.save(halves, metadata={"made": made}))
    network = make_boundary_network({name: array.astype(np.float32) for name, array in halves.items()}, "new")
    splits = sorted({one.split for one in texts} - {"train"})
    held_out = {split: [one for one in texts if one.split == split] for split in splits}
    held_out[LEFT_OUT] = [one for one in texts if one.split == "train" and not allowed(one.licence)]
    trained = Trained(
        file=file,
        card=file.with_suffix(".md"),
        data=Path(data).name,
        texts=len(licensed),
        words=int(known.word.sum()),
        left_out=left_out,
        licences=Counter(f"{one.genre}: {one.licence}" for one in licensed),
        figures={name: measured(some, network) for name, some in held_out.items() if some},
    )
    trained.card.write_text(written_card(trained, recipe), "utf-8")
    return trained


def read_annotated(path: str | Path) -> list[Annotated]:
    """The annotated texts of a file: JSONL, also gzipped, with tokens and the numbers of those that begin something."""
    file = Path(path).expanduser()
    if not file.is_file():
        raise DataError(f"there is no file {file} to train on")
    return [_annotated(record, f"line {number} of {file.name}") for number, record in read_json_lines(file)]


def measured(texts: Sequence[Annotated], network: BoundaryNetwork | None = None) -> Figures:
    """How well a segmenter, the shipped one by default, finds the units of these texts."""
    raw = list(zip(texts, _found([one.text for one in texts], network), strict=True))
    given = list(zip(texts, _found([one.lines for one in texts], network), strict=True))
    nothing: frozenset[int] = frozenset()
    genres = dict.fromkeys(one.genre for one in texts)
    return Figures(
        texts=len(texts),
        raw=_agreement((one.units, found, nothing) for one, found in raw),
        given=_agreement((one.units, found, nothing) for one, found in given),
        inner=_agreement((one.units, found, one.sentences) for one, found in given),
        genres={g: _agreement((one.units, found, nothing) for one, found in raw if one.genre == g) for g in genres},
    )


def _agreement(pairs: Iterable[tuple[frozenset[int], frozenset[int], frozenset[int]]]) -> Agreement:
    """Counts over texts: (annotated, found, what is left out of both)."""
    counts = [(len(found - out), len(right - out), len((found & right) - out)) for right, found, out in pairs]
    found, annotated, both = (sum(column) for column in zip(*counts, strict=True)) if counts else (0, 0, 0)
    return Agreement(found, annotated, both)


def _found(texts: Sequence[str], network: BoundaryNetwork | None) -> list[frozenset[int]]:
    """Where the units of each text begin."""
    return [frozenset(unit.start for unit in units) for units in segment(texts, network=network)]


def _to_learn_from(texts: Sequence[Annotated]) -> tuple[list[Annotated], dict[str, int]]:
    """The texts whose licence lets weights be shipped, and how many of the others there are by licence."""
    kept = [one for one in texts if allowed(one.licence)]
    return kept, dict(Counter(one.licence for one in texts if not allowed(one.licence)))


def allowed(licence: str) -> bool:
    """Whether a licence is stated and allows commercial use and changes.

    >>> [allowed(name) for name in ("CC BY 4.0", "CC BY-SA 3.0", "CC BY-NC-SA 4.0", "not stated in LICENSE.txt", "")]
    [True, True, False, False, False]
    """
    parts = licence.replace("-", " ").replace("(", " ").replace(")", " ").split()
    return bool(parts) and "NC" not in parts and "ND" not in parts and parts[0] in {"CC", "CC0", "MIT", "Apache"}


def _examples(texts: Sequence[Annotated]) -> tuple[WordFeatures, SingleArray]:
    """What the network sees of the texts in both their forms, and which words begin a unit."""
    pieces: list[tuple[str, frozenset[int]]] = []
    for one in texts:
        for form in dict.fromkeys((one.text, one.lines)):
            at = 0
            for line in form.split("\n"):
                pieces.append((line, frozenset(place - at for place in one.units)))
                at += len(line) + 1
    docs = load_parser().parse([line for line, _ in pieces])
    known = describe_words(docs)
    begins = [word.idx in units for doc, (_, units) in zip(docs, pieces, strict=True) for word in doc]
    answers = np.zeros(len(known.word), np.float32)
    answers[known.word] = begins
    return known, answers


def _fit(
    known: WordFeatures, answers: SingleArray, recipe: Recipe, progress: Progress | None
) -> dict[str, SingleArray]:
    """The weights, by AdamW on the boundary of every word."""
    torch = import_torch()
    torch.manual_seed(recipe.seed)
    rows = torch.from_numpy((known.hashes >> np.uint64(64 - recipe.bits)).astype(np.int64))
    vectors, right = torch.from_numpy(known.vectors), torch.from_numpy(answers)
    words = torch.from_numpy(np.flatnonzero(known.word))
    width = known.vectors.shape[1]
    table = torch.nn.Parameter(torch.randn(2**recipe.bits, recipe.hidden) * 0.02)
    around = torch.nn.Parameter(
        torch.randn(2 * WINDOW + 1, width, recipe.hidden) / (width * (2 * WINDOW + 1)) ** 0.5 / 2
    )
    bias = torch.nn.Parameter(torch.zeros(recipe.hidden))
    out = torch.nn.Parameter(torch.randn(recipe.hidden) / recipe.hidden**0.5)
    out_bias = torch.nn.Parameter(torch.zeros(1))
    weights = {"table": table, "around": around, "bias": bias, "out": out, "out_bias": out_bias}
    steps = recipe.epochs * -(-len(words) // recipe.batch)
    optimizer = torch.optim.AdamW(weights.values(), lr=recipe.rate, weight_decay=recipe.decay)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, recipe.rate, total_steps=steps, pct_start=0.1)
    offsets = torch.arange(-WINDOW, WINDOW + 1)
    functional = torch.nn.functional
    done = 0
    for _ in range(recipe.epochs):
        for some in torch.split(words[torch.randperm(len(words))], recipe.batch):
            kept = (torch.rand(len(some), rows.shape[1]) >= recipe.forget).float() / (1 - recipe.forget)
            hidden = functional.embedding_bag(rows[some], table, mode="sum", per_sample_weights=kept) + bias
            near = vectors[some[:, None] + offsets]
            hidden = hidden + torch.einsum("nkw,kwh->nh", near, around)
            hidden = functional.dropout(torch.relu(hidden), recipe.dropout)
            loss = functional.binary_cross_entropy_with_logits(hidden @ out + out_bias, right[some])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            done += 1
            if progress is not None:
                progress(done, steps)
    found = {name: weight.detach().numpy() for name, weight in weights.items()}
    return {**found, "out_bias": found["out_bias"] + np.float32(recipe.lean)}


def _annotated(record: Mapping[str, Any], where: str) -> Annotated:
    for name in _FIELDS:
        if not isinstance(record.get(name), list):
            raise DataError(f"{where} has no list `{name}`")
    joined = set(record.get("no_space_after", ()))
    pieces, places, at = [], [], 0
    for number, token in enumerate(record["tokens"]):
        places.append(at)
        piece = str(token) if number in joined else f"{token} "
        pieces.append(piece)
        at += len(piece)
    try:
        units, starts = ([places[number] for number in record[name]] for name in ("edu_starts", "sentence_starts"))
    except (IndexError, TypeError):
        raise DataError(f"{where} begins a unit or a sentence at a token that is not there") from None
    licence = str(record.get("licence", "not stated"))
    return Annotated(
        name=str(record.get("doc_id", where)),
        split=str(record.get("split", "train")),
        genre=str(record.get("genre", record.get("corpus", "all"))),
        licence=f"{licence} (NC)" if record.get("nc") and "NC" not in licence else licence,
        text="".join(pieces).rstrip(),
        sentences=frozenset(starts),
        units=frozenset(units),
    )
