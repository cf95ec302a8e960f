"""Training the network that turns dependencies into phrases, from trees that people checked.

The parser reads the words of each tree, as one sentence. Of the tree those phrases are learned that the dependencies
allow; a phrase that crosses them cannot be made, in training or after.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gistmeter.errors import DataError
from gistmeter.extras import require
from gistmeter.io.atomic import write_bytes
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
from gistmeter.training.loop.small_networks import OneCycle, count_steps, to_half_precision
from gistmeter.training.progress import SILENCE
from gistmeter.training.result import card_beside, output_file
from gistmeter.training.trees.bank import count_brackets, parse_trees, read_licensed_trees, read_trees
from gistmeter.training.trees.card import trees_card
from gistmeter.training.trees.recipe import TreesRecipe
from gistmeter.training.trees.result import TrainedTrees, TreeFigures

if TYPE_CHECKING:
    from collections.abc import Sequence

    from spacy.tokens import Doc

    from gistmeter.training.progress import Progress
    from gistmeter.training.trees.recipe import TreesData


class StepLessons(NamedTuple):
    """What the network sees at each step, and the step that leads to the annotated tree."""

    observations: list[list[int]]
    steps: list[str]


def train_trees(
    out: str | Path,
    data: TreesData,
    *,
    recipe: TreesRecipe | None = None,
    command: str = "",
    progress: Progress = SILENCE,
) -> TrainedTrees:
    """Train on the trees of a file, measure on those of others, write the network and its card.

    `data.documents` says, in JSON, which documents the trees are from, in order, with the licence and the number of
    trees of each; those whose licence does not let weights be shipped are not learned from.
    """
    recipe = recipe or TreesRecipe()
    file = output_file(out, (".safetensors",), role="the network", data=data)
    licensed = read_licensed_trees(data.data, data.documents)
    if not licensed.allowed:
        raise DataError(f"{data.data} has no tree whose licence lets weights be shipped")
    trees = [licensed_tree.tree for licensed_tree in licensed.allowed]
    lessons = collect_lessons(parse_trees(trees), trees, recipe.bits)
    network = fit_trees(lessons, recipe, progress)
    store = require("safetensors.numpy", "writing a network")
    origin = {
        "made": f"gistmeter train trees, on {load_parser().name} {load_parser().version}",
        "steps": " ".join(network.steps),
    }
    halves = {name: getattr(network, name).astype(np.float16) for name in ARRAY_NAMES}
    write_bytes(file, store.save(halves, metadata=origin))
    trained = TrainedTrees(
        file=file,
        card=card_beside(file),
        trees=licensed,
        steps=len(lessons.steps),
        figures={Path(test).name.partition(".")[0]: measure_trees(read_trees(test), network) for test in data.test},
    )
    trees_card(trained, recipe, command=command, notes=data.notes).write(trained.card)
    return trained


def measure_trees(annotated: Sequence[Tree], network: TreeNetwork) -> TreeFigures:
    """How well a network builds these trees from their words."""
    docs = parse_trees(annotated)
    total = reached = 0
    for doc, tree in zip(docs, annotated, strict=True):
        brackets = tree.brackets({token.i for token in doc if token.tag_ in PUNCTUATION})
        total += len(brackets)
        reached += sum(map(len, assign_brackets(DependencyTree.of(doc), brackets).values()))
    return TreeFigures(
        trees=len(docs),
        brackets=count_brackets([build_tree(doc, network) for doc in docs], annotated),
        reachable=reached / total if total else float("nan"),
    )


def collect_lessons(docs: Sequence[Doc], trees: Sequence[Tree], bits: int) -> StepLessons:
    """Every step on the way to the annotated trees, as far as the dependencies allow it."""
    lessons = StepLessons([], [])
    for doc, tree in zip(docs, trees, strict=True):
        sentence = DependencyTree.of(doc)
        built: list[list[Tree]] = [[] for _ in sentence.words]
        children = sentence.children()
        first, last = find_reach(sentence.heads)
        punctuation = {token.i for token in doc if token.tag_ in PUNCTUATION}
        wanted = assign_brackets(sentence, tree.brackets(punctuation))
        for word in innermost_first(sentence.heads):
            growth = PhraseGrowth(sentence, word, children[word], built)
            for step in find_steps(growth, wanted.get(word, ()), first, last):
                if step not in (LEFT, RIGHT, DONE) and not growth.allows(step):
                    continue  # NP around NP alone, a slip of the annotation
                lessons.observations.append(sorted(observe(growth, bits)))  # a set has another order in every process
                lessons.steps.append(step)
                if step != DONE:
                    growth.take(step, built)
            built[word] = growth.parts
    return lessons


def fit_trees(lessons: StepLessons, recipe: TreesRecipe, progress: Progress = SILENCE) -> TreeNetwork:
    """The network, by AdamW on every step."""
    torch = import_torch()
    torch.manual_seed(recipe.seed)
    functional = torch.nn.functional
    names = sorted(set(lessons.steps))
    right = torch.tensor([names.index(step) for step in lessons.steps])
    lengths = np.array([len(row) for row in lessons.observations])
    flat = torch.from_numpy(
        np.fromiter((item for row in lessons.observations for item in row), np.int64, lengths.sum())
    )
    starts = torch.from_numpy(np.cumsum(lengths) - lengths)
    counts = torch.from_numpy(lengths)
    table = torch.nn.Parameter(torch.randn(2**recipe.bits, recipe.hidden) * 0.05)
    bias = torch.nn.Parameter(torch.zeros(recipe.hidden))
    out = torch.nn.Parameter(torch.randn(recipe.hidden, len(names)) / recipe.hidden**0.5)
    out_bias = torch.nn.Parameter(torch.zeros(len(names)))
    weights = {"table": table, "bias": bias, "out": out, "out_bias": out_bias}
    total = count_steps(len(right), epochs=recipe.epochs, batch=recipe.batch)
    optimizer = OneCycle(weights.values(), rate=recipe.rate, steps=total)
    done = 0
    for _ in range(recipe.epochs):
        for batch in torch.split(torch.randperm(len(right)), recipe.batch):
            sizes = counts[batch]
            begin = sizes.cumsum(0) - sizes
            inside = torch.arange(int(sizes.sum())) - begin.repeat_interleave(sizes)
            keep = (torch.rand(len(inside)) >= recipe.forget).float() / (1 - recipe.forget)
            observations = flat[starts[batch].repeat_interleave(sizes) + inside]
            hidden = functional.embedding_bag(observations, table, begin, mode="sum", per_sample_weights=keep) + bias
            hidden = functional.dropout(torch.relu(hidden), recipe.dropout)
            optimizer.step(functional.cross_entropy(hidden @ out + out_bias, right[batch]))
            done += 1
            progress.advance("training", done, total)
    return make_tree_network(to_half_precision(weights), names, "new")
