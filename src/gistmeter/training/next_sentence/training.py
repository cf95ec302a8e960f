"""Training the next-sentence head behind `coherence`: pairs, vectors, a few small networks, and their model card.

The encoder stays as it is. Every sentence is encoded once; what is trained are small networks on the vectors of two
sentences, each with its own seed, stopped early on the development pairs, their probabilities averaged.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gistmeter.errors import DataError
from gistmeter.extras import require
from gistmeter.models.next_sentence.heads import PairHead, PairVectors, load_vector_source, read_head
from gistmeter.models.runtime.load import import_torch
from gistmeter.training.next_sentence.card import Figures, Judged, figures_of, judged_by_people, written_card
from gistmeter.training.next_sentence.pairs import Pair, divided, drawn
from gistmeter.training.sources.evaluated import evaluated_sentences
from gistmeter.training.sources.texts import read_source

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from gistmeter.arrays import SingleArray
    from gistmeter.models.next_sentence.heads import VectorSource
    from gistmeter.training.next_sentence.pairs import Parts, Text
    from gistmeter.training.sources.texts import Source

    Progress = Callable[[str, int, int], None]

_ENCODED_AT_ONCE = 1024
_HIDDEN_DROPOUT = 0.2

READS = "mean@6"
"""Which states of the encoder the shipped English head reads."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a head is trained. The cards of the shipped heads say what made them."""

    pairs: int = 100_000
    networks: int = 3
    hidden: int = 64
    dropout: float = 0.5
    rate: float = 5e-4
    decay: float = 0.05
    batch: int = 256
    epochs: int = 5
    patience: int = 2
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Trained:
    """What a run made and measured."""

    file: Path
    card: Path
    reads: str
    recipe: Recipe
    sources: tuple[Source, ...]
    counts: Mapping[str, int]
    epochs: tuple[int, ...]
    """The epoch each network was kept from."""

    dev: Figures
    test: Figures
    languages: Mapping[str, Figures] = field(default_factory=dict)
    judged: tuple[Judged, ...] = ()
    notes: tuple[str, ...] = ()
    command: str = ""


def train_following(
    out: str | Path,
    data: Sequence[str],
    *,
    reads: str = READS,
    recipe: Recipe | None = None,
    without: Sequence[str] = (),
    tests: Sequence[str] = (),
    judgments: str | None = None,
    notes: Sequence[str] = (),
    command: str = "",
    progress: Progress | None = None,
) -> Trained:
    """Train a head on the documents of `data` and write it to `out`, a .safetensors file, with its card beside it.

    `without` are files of evaluation data, whose sentences are not learned from; `tests` are documents in other
    languages, only tested on; `judgments` are summaries whose coherence people judged. `reads` says which states of
    the encoder the head reads, or `sentences` for the multilingual sentence encoder.
    """
    recipe = recipe or Recipe()
    tell = progress or _silent
    file = _target(out)
    used = evaluated_sentences(without)
    sources = tuple(read_source(path, without=used) for path in data)
    parts = divided([text for source in sources for text in source.of("en")], seed=recipe.seed)
    pairs = _pairs(parts, recipe)
    encoding = _Encoding(load_vector_source(reads), tell)
    sides = {part: encoding.of(some, f"encoding {part}") for part, some in pairs.items()}
    nets, epochs = [], []
    for number in range(recipe.networks):
        net, epoch = _network(sides["train"], sides["dev"], recipe, number, tell)
        nets.append(net)
        epochs.append(epoch)
    _write(file, {name: np.stack([net[name] for net in nets]).astype(np.float16) for name in nets[0]}, reads)
    head = read_head(file)
    figures = {part: figures_of(pairs[part], head.probabilities(*sides[part].vectors)) for part in ("dev", "test")}
    trained = Trained(
        file=file,
        card=file.with_suffix(".md"),
        reads=reads,
        recipe=recipe,
        sources=sources,
        counts={part: len(some) for part, some in pairs.items()},
        epochs=tuple(epochs),
        dev=figures["dev"],
        test=figures["test"],
        languages=_in_languages(tests, used, recipe, head, encoding),
        judged=judged_by_people(judgments, lambda joints: _asked(head, encoding, joints)) if judgments else (),
        notes=tuple(notes),
        command=command,
    )
    trained.card.write_text(written_card(trained), "utf-8")
    return trained


@dataclass(frozen=True, slots=True)
class _Encoded:
    """The vectors of distinct sentences on either side, which of them each pair has, and whether the second follows."""

    sides: PairVectors
    first: NDArray[np.int64]
    second: NDArray[np.int64]
    follows: SingleArray

    @property
    def vectors(self) -> tuple[SingleArray, SingleArray]:
        """One row for each pair."""
        return self.sides.first[self.first], self.sides.second[self.second]


@dataclass(frozen=True, slots=True)
class _Encoding:
    """Gives the vectors of pairs, each sentence encoded once, and tells how far it is."""

    vectors: VectorSource
    tell: Progress

    def of(self, pairs: Sequence[Pair], doing: str) -> _Encoded:
        places: dict[str, int] = {}
        rows = np.array([[places.setdefault(text, len(places)) for text in (one.first, one.second)] for one in pairs])
        texts = list(places)
        some = []
        for start in range(0, len(texts), _ENCODED_AT_ONCE):
            self.tell(doing, start, len(texts))
            some.append(self.vectors.of(texts[start : start + _ENCODED_AT_ONCE]))
        self.tell(doing, len(texts), len(texts))
        sides = PairVectors(np.concatenate([one.first for one in some]), np.concatenate([one.second for one in some]))
        follows = np.array([pair.follows for pair in pairs], np.float32)
        return _Encoded(sides, rows[:, 0], rows[:, 1], follows)


def _target(out: str | Path) -> Path:
    file = Path(out)
    if file.suffix != ".safetensors":
        raise DataError(f"a head is written to a .safetensors file, not to {out}")
    if not file.parent.is_dir():
        raise DataError(f"cannot write {out}: there is no folder {file.parent}")
    return file


def _pairs(parts: Parts, recipe: Recipe) -> dict[str, tuple[Pair, ...]]:
    shares = (("train", parts.train, 8), ("dev", parts.dev, 1), ("test", parts.test, 1))
    return {
        name: drawn(texts, recipe.pairs * share // 10, seed=recipe.seed + number)
        for number, (name, texts, share) in enumerate(shares, start=1)
    }


def _network(
    train: _Encoded, dev: _Encoded, recipe: Recipe, number: int, tell: Progress
) -> tuple[dict[str, SingleArray], int]:
    """One network, as it was at the epoch with the smallest loss on the development pairs."""
    torch = import_torch()
    seed = recipe.seed + number
    order = np.random.default_rng(seed)
    torch.manual_seed(seed)
    net = _module(train.sides.first.shape[1], recipe)
    steps = recipe.epochs * -(-len(train.follows) // recipe.batch)
    optimizer = torch.optim.AdamW(net.parameters(), lr=recipe.rate, weight_decay=recipe.decay)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, recipe.rate, total_steps=steps + 1, pct_start=0.1)
    loss_of = torch.nn.functional.binary_cross_entropy_with_logits
    first, second = torch.from_numpy(train.sides.first), torch.from_numpy(train.sides.second)
    follows = torch.from_numpy(train.follows)
    held_out = tuple(map(torch.from_numpy, dev.vectors))
    best: tuple[float, int, dict[str, Any]] = (np.inf, 0, {})
    for epoch in range(recipe.epochs):
        tell(f"network {number + 1} of {recipe.networks}", epoch, recipe.epochs)
        net.train()
        for rows in np.array_split(order.permutation(len(follows)), -(-len(follows) // recipe.batch)):
            said = net(first[train.first[rows]], second[train.second[rows]])
            optimizer.zero_grad()
            loss_of(said, follows[rows]).backward()
            optimizer.step()
            schedule.step()
        net.eval()
        with torch.inference_mode():
            loss = float(loss_of(net(*held_out), torch.from_numpy(dev.follows)))
        if loss < best[0]:
            best = (loss, epoch, {name: value.clone() for name, value in net.state_dict().items()})
        elif epoch - best[1] >= recipe.patience:
            break
    tell(f"network {number + 1} of {recipe.networks}", recipe.epochs, recipe.epochs)
    return {name: value.numpy() for name, value in best[2].items()}, best[1]


def _module(width: int, recipe: Recipe) -> Any:
    """The network of `PairHead` as a torch module, its parameters under the same names."""
    torch = import_torch()

    class Network(torch.nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.hidden = torch.nn.Linear(4 * width, recipe.hidden)
            self.out = torch.nn.Linear(recipe.hidden, 1)
            self.some, self.few = torch.nn.Dropout(recipe.dropout), torch.nn.Dropout(_HIDDEN_DROPOUT)

        def forward(self, first: Any, second: Any) -> Any:
            both = torch.cat([first, second, (first - second).abs(), first * second], dim=1)
            return self.out(self.few(torch.relu(self.hidden(self.some(both)))))[:, 0]

    return Network()


def _write(file: Path, arrays: Mapping[str, NDArray[np.float16]], reads: str) -> None:
    safetensors = require("safetensors.numpy", "writing a head")
    kept = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    kept["out.weight"], kept["out.bias"] = kept["out.weight"][:, 0], kept["out.bias"][:, 0]
    safetensors.save_file(kept, file, metadata={"reads": reads})


def _asked(head: PairHead, encoding: _Encoding, joints: Sequence[tuple[str, str]]) -> NDArray[np.float64]:
    sides = encoding.of([Pair(*joint, "adjacent") for joint in joints], "encoding judged summaries")
    return head.probabilities(*sides.vectors)


def _in_languages(
    tests: Sequence[str], used: frozenset[str], recipe: Recipe, head: PairHead, encoding: _Encoding
) -> dict[str, Figures]:
    """Figures on documents of other languages."""
    texts: dict[str, list[Text]] = {}
    for path in tests:
        source = read_source(path, without=used)
        for code in dict.fromkeys(source.languages):
            texts.setdefault(code, []).extend(source.of(code))
    found = {}
    for code, some in sorted(texts.items()):
        pairs = drawn(some, recipe.pairs // 10, seed=recipe.seed)
        found[code] = figures_of(pairs, head.probabilities(*encoding.of(pairs, f"encoding {code}").vectors))
    return found


def _silent(_doing: str, _done: int, _total: int) -> None:
    """Progress that nobody asked for."""
