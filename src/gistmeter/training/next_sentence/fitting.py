"""Fitting the networks of a next-sentence head on the vectors of pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gistmeter.models.runtime.load import import_torch
from gistmeter.training.loop.small_networks import OneCycle, count_steps

if TYPE_CHECKING:
    from gistmeter.arrays import SingleArray
    from gistmeter.training.next_sentence.encoding import EncodedPairs
    from gistmeter.training.next_sentence.recipe import NextSentenceRecipe
    from gistmeter.training.progress import Progress

HIDDEN_DROPOUT = 0.2


class FittedNetwork(NamedTuple):
    """The weights of a network as they were at its best epoch, from 0."""

    weights: dict[str, SingleArray]
    epoch: int


def fit_network(
    train: EncodedPairs, dev: EncodedPairs, recipe: NextSentenceRecipe, number: int, progress: Progress
) -> FittedNetwork:
    """One network, as it was at the epoch with the smallest loss on the development pairs."""
    torch = import_torch()
    seed = recipe.seed + number
    order = np.random.default_rng(seed)
    torch.manual_seed(seed)
    network = _network(train.sides.first.shape[1], recipe)
    pairs = len(train.follows)
    steps = count_steps(pairs, epochs=recipe.epochs, batch=recipe.batch)
    optimizer = OneCycle(network.parameters(), rate=recipe.rate, decay=recipe.decay, steps=steps + 1)
    loss_of = torch.nn.functional.binary_cross_entropy_with_logits
    first, second = torch.from_numpy(train.sides.first), torch.from_numpy(train.sides.second)
    follows = torch.from_numpy(train.follows)
    held_out = tuple(map(torch.from_numpy, dev.vectors))
    task = f"network {number + 1} of {recipe.networks}"
    best_loss, best = np.inf, FittedNetwork({}, 0)
    for epoch in range(recipe.epochs):
        progress.advance(task, epoch, recipe.epochs)
        network.train()
        for rows in np.array_split(order.permutation(pairs), -(-pairs // recipe.batch)):
            logits = network(first[train.first[rows]], second[train.second[rows]])
            optimizer.step(loss_of(logits, follows[rows]))
        network.eval()
        with torch.inference_mode():
            loss = float(loss_of(network(*held_out), torch.from_numpy(dev.follows)))
        if loss < best_loss:
            weights = {name: weight.clone().numpy() for name, weight in network.state_dict().items()}
            best_loss, best = loss, FittedNetwork(weights, epoch)
        elif epoch - best.epoch >= recipe.patience:
            break
    progress.advance(task, recipe.epochs, recipe.epochs)
    return best


def _network(width: int, recipe: NextSentenceRecipe) -> Any:
    """The network of `PairHead` as a torch module, its parameters under the same names."""
    torch = import_torch()

    class Network(torch.nn.Module):  # type: ignore[misc, name-defined]
        def __init__(self) -> None:
            super().__init__()
            self.hidden = torch.nn.Linear(4 * width, recipe.hidden)
            self.out = torch.nn.Linear(recipe.hidden, 1)
            self.vector_dropout = torch.nn.Dropout(recipe.dropout)
            self.hidden_dropout = torch.nn.Dropout(HIDDEN_DROPOUT)

        def forward(self, first: Any, second: Any) -> Any:
            both = torch.cat([first, second, (first - second).abs(), first * second], dim=1)
            return self.out(self.hidden_dropout(torch.relu(self.hidden(self.vector_dropout(both)))))[:, 0]

    return Network()
