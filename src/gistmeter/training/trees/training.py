"""Training the network that turns dependencies into phrases, from trees that people checked.

The parser reads the words of each tree, as one sentence. Of the tree those phrases are learned that the dependencies
allow; a phrase that crosses them cannot be made, in training or after.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gistmeter.errors import DataError
from gistmeter.extras import require
from gistmeter.linguistics.parser import load_parser
from gistmeter.linguistics.trees.network import ARRAY_NAMES, TreeNetwork, make_tree_network, observe
from gistmeter.linguistics.trees.parser import build_tree
from gistmeter.linguistics.trees.phrase_tree import PUNCTUATION, Tree
from gistmeter.linguistics.trees.steps import (
    DONE,
    LEFT,
    RIGHT,
    DependencyTree,
    PhraseGrowth,
    assign_brackets,
    find_reach,
    find_steps,
    innermost_first,
)
from gistmeter.models.runtime.load import import_torch
from gistmeter.training.edus.training import Agreement, allowed
from gistmeter.training.trees.bank import agreement, parsed, read_trees

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from spacy.tokens import Doc

    Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Recipe:
    """How the network is trained. The defaults made the shipped one."""

    bits: int = 13
    hidden: int = 24
    epochs: int = 6
    rate: float = 3e-3
    dropout: float = 0.1
    forget: float = 0.2
    """The share of observations that is left out at random in every step."""

    batch: int = 256
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Figures:
    """Agreement with the trees of one file."""

    trees: int
    brackets: Agreement
    reachable: float
    """The share of annotated brackets that the dependencies allow."""


@dataclass(frozen=True, slots=True)
class Trained:
    """What a run made and measured."""

    file: Path
    card: Path
    data: str
    trees: int
    steps: int
    left_out: Mapping[str, int]
    licences: Mapping[str, int]
    figures: Mapping[str, Figures]


def train_trees(
    out: str | Path,
    data: str | Path,
    *,
    documents: str | Path | None = None,
    tests: Sequence[str | Path] = (),
    recipe: Recipe | None = None,
    progress: Progress | None = None,
) -> Trained:
    """Train on the trees of a file, measure on those of others, write the network and its card.

    `documents` says, in JSON, which documents the trees are from, in order, with the licence and the number of trees of
    each; those whose licence does not let weights be shipped are not learned from.
    """
    from gistmeter.training.trees.card import written_card

    recipe = recipe or Recipe()
    file = Path(out).expanduser()
    if file.suffix != ".safetensors":
        raise DataError(f"the network is written to a .safetensors file, not to {file.name}")
    if not file.parent.is_dir():
        raise DataError(f"cannot write {out}: there is no folder {file.parent}")
    trees = read_trees(data)
    licences = ["not asked"] * len(trees) if documents is None else _licences(documents, len(trees))
    kept = [tree for tree, one in zip(trees, licences, strict=True) if documents is None or allowed(one)]
    if not kept:
        raise DataError(f"{data} has no tree whose licence lets weights be shipped")
    rows, answers = examples(parsed(kept), kept, recipe.bits)
    network = fit(rows, answers, recipe, progress)
    store = require("safetensors.numpy", "writing a network")
    made = {
        "made": f"gistmeter train trees, on {load_parser().name} {load_parser().version}",
        "steps": " ".join(network.steps),
    }
    halves = {name: getattr(network, name).astype(np.float16) for name in ARRAY_NAMES}
    file.write_bytes(store.save(halves, metadata=made))
    trained = Trained(
        file=file,
        card=file.with_suffix(".md"),
        data=Path(data).name,
        trees=len(kept),
        steps=len(answers),
        left_out=Counter(one for one in licences if documents is not None and not allowed(one)),
        licences=Counter(one for one in licences if documents is None or allowed(one)),
        figures={Path(test).name.partition(".")[0]: measured(read_trees(test), network) for test in tests},
    )
    trained.card.write_text(written_card(trained, recipe), "utf-8")
    return trained


def measured(annotated: Sequence[Tree], network: TreeNetwork) -> Figures:
    """How well a network makes these trees from their words."""
    docs = parsed(annotated)
    total = reached = 0
    for doc, tree in zip(docs, annotated, strict=True):
        brackets = tree.brackets({token.i for token in doc if token.tag_ in PUNCTUATION})
        total += len(brackets)
        reached += sum(map(len, assign_brackets(DependencyTree.of(doc), brackets).values()))
    found = agreement([build_tree(doc, network) for doc in docs], annotated)
    return Figures(len(docs), found, reached / total if total else float("nan"))


def examples(docs: Sequence[Doc], trees: Sequence[Tree], bits: int) -> tuple[list[list[int]], list[str]]:
    """What the network sees at each step, and the step that leads to the annotated tree."""
    rows, answers = [], []
    for doc, tree in zip(docs, trees, strict=True):
        sentence = DependencyTree.of(doc)
        built: list[list[Tree]] = [[] for _ in sentence.words]
        children = sentence.children()
        first, last = find_reach(sentence.heads)
        left_out = {token.i for token in doc if token.tag_ in PUNCTUATION}
        wanted = assign_brackets(sentence, tree.brackets(left_out))
        for word in innermost_first(sentence.heads):
            growth = PhraseGrowth(sentence, word, children[word], built)
            for step in find_steps(growth, wanted.get(word, ()), first, last):
                if step not in (LEFT, RIGHT, DONE) and not growth.allows(step):
                    continue  # NP around NP alone, a slip of the annotation
                rows.append(observe(growth, bits))
                answers.append(step)
                if step != DONE:
                    growth.take(step, built)
            built[word] = growth.parts
    return rows, answers


def fit(rows: Sequence[list[int]], answers: Sequence[str], recipe: Recipe, progress: Progress | None) -> TreeNetwork:
    """The network, by AdamW on every step."""
    torch = import_torch()
    torch.manual_seed(recipe.seed)
    functional = torch.nn.functional
    names = sorted(set(answers))
    right = torch.tensor([names.index(one) for one in answers])
    lengths = np.array([len(one) for one in rows])
    flat = torch.from_numpy(np.fromiter((row for one in rows for row in one), np.int64, lengths.sum()))
    starts = torch.from_numpy(np.cumsum(lengths) - lengths)
    counts = torch.from_numpy(lengths)
    table = torch.nn.Parameter(torch.randn(2**recipe.bits, recipe.hidden) * 0.05)
    bias = torch.nn.Parameter(torch.zeros(recipe.hidden))
    out = torch.nn.Parameter(torch.randn(recipe.hidden, len(names)) / recipe.hidden**0.5)
    out_bias = torch.nn.Parameter(torch.zeros(len(names)))
    weights = {"table": table, "bias": bias, "out": out, "out_bias": out_bias}
    total = recipe.epochs * -(-len(right) // recipe.batch)
    optimizer = torch.optim.AdamW(weights.values(), lr=recipe.rate)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, recipe.rate, total_steps=total, pct_start=0.1)
    done = 0
    for _ in range(recipe.epochs):
        for some in torch.split(torch.randperm(len(right)), recipe.batch):
            each = counts[some]
            begin = each.cumsum(0) - each
            inside = torch.arange(int(each.sum())) - begin.repeat_interleave(each)
            kept = (torch.rand(len(inside)) >= recipe.forget).float() / (1 - recipe.forget)
            seen = flat[starts[some].repeat_interleave(each) + inside]
            hidden = functional.embedding_bag(seen, table, begin, mode="sum", per_sample_weights=kept) + bias
            hidden = functional.dropout(torch.relu(hidden), recipe.dropout)
            loss = functional.cross_entropy(hidden @ out + out_bias, right[some])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            done += 1
            if progress is not None:
                progress(done, total)
    halves = {name: weight.detach().numpy().astype(np.float16) for name, weight in weights.items()}
    return make_tree_network({name: half.astype(np.float32) for name, half in halves.items()}, names, "new")


def _licences(path: str | Path, trees: int) -> list[str]:
    """The licence of each tree."""
    try:
        stored = json.loads(Path(path).expanduser().read_text("utf-8"))
        found = [
            f"{one['licence']} (NC)" if one.get("nc") and "NC" not in one["licence"] else str(one["licence"])
            for one in stored["train"]
            for _ in range(one["trees"])
        ]
    except (OSError, ValueError, KeyError, TypeError):
        raise DataError(f"{path} is no JSON object with `train`: documents with `licence` and `trees`") from None
    if len(found) != trees:
        raise DataError(f"{path} speaks of {len(found)} trees, but there are {trees}")
    return found
