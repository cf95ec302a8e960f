"""The networks that learn from pairs: small parts on the embedded encoder, or a classifier of transformers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gistmeter.models.entailment.model import LABELS, LEARNED
from gistmeter.models.runtime.adapters import head_shapes
from gistmeter.models.runtime.architecture import read_max_tokens
from gistmeter.models.runtime.batch import pad_pairs
from gistmeter.models.runtime.load import import_torch, load_pretrained, torch_dtype
from gistmeter.models.runtime.locate import locate
from gistmeter.models.runtime.pair_classifier import match_columns
from gistmeter.models.runtime.tokenizer import Tokenizer
from gistmeter.training.loop.adapted_encoder import PairNetwork, join_batch, list_learned_names
from gistmeter.training.loop.adapted_weights import load_adapted, write_parts
from gistmeter.training.loop.classifier import CLASSIFIER, add_new_head, write_classifier
from gistmeter.weights import EMBEDDED

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    import torch

    from gistmeter.models.runtime.locate import Checkpoint
    from gistmeter.models.runtime.tokenizer import JoinedTokens
    from gistmeter.training.entailment.recipe import EntailmentRecipe

    Tensors = dict[str, torch.Tensor]

WEIGHTS_FILE = "entailment.safetensors"


class AdapterLearner:
    """Updates of low rank, norms and a head on the embedded encoder; everything else of it stays as it is.

    What the layers below the first one that learns say of a pair never changes: it is read from `states` and put there.
    """

    def __init__(
        self, recipe: EntailmentRecipe, *, start: Path | None = None, states: dict[int, torch.Tensor] | None = None
    ) -> None:
        self.base, model, parts = load_adapted(recipe, lambda width: head_shapes(width, recipe.hidden), start)
        self.tokenizer = Tokenizer(self.base, prefix_space=False)
        self._network = PairNetwork(
            model, parts, dtype=torch_dtype(recipe.precision), first=recipe.first, dropout=recipe.dropout
        )
        self.parts = parts
        self.learned = {name: parts[name].requires_grad_(True) for name in list_learned_names(parts, recipe.first)}
        self._states = states if recipe.first > 0 else None
        self.max_tokens = read_max_tokens(model.config)

    def logits(self, pairs: Sequence[JoinedTokens], numbers: Sequence[int] | None = None) -> torch.Tensor:
        """Three logits for each pair."""
        torch = import_torch()
        batch = join_batch(pairs)
        if self._states is None or numbers is None:
            return self._network.upper(self._network.lower(batch), batch)
        if not all(number in self._states for number in numbers):
            lower = self._network.lower(batch).view(len(pairs), batch.length, -1)
            for number, pair, of_pair in zip(numbers, pairs, lower, strict=True):
                self._states[number] = of_pair[: len(pair.ids)].clone()
        filled = torch.nn.utils.rnn.pad_sequence([self._states[number] for number in numbers], batch_first=True)
        return self._network.upper(filled.flatten(0, 1), batch)

    def write(self, folder: Path, facts: Mapping[str, str]) -> Path:
        """Write the trained parts."""
        return write_parts(self.parts, folder / WEIGHTS_FILE, base=self.base, facts=facts)


class ClassifierLearner:
    """A classifier of transformers, which learns whole or by updates of low rank of its linear maps.

    A checkpoint without a classification head gets a new one, with the classes in the order of `LABELS`.
    """

    def __init__(self, name: str, recipe: EntailmentRecipe, *, start: Path | None = None) -> None:
        torch = import_torch()
        torch.manual_seed(recipe.seed)
        self.base = locate(str(start) if start is not None else name)
        self.tokenizer = Tokenizer(self.base, prefix_space=False)
        self._model, self._columns = _load_classifier(self.base)
        self._types = getattr(self._model.config, "type_vocab_size", 0) > 1
        self._bf16 = torch_dtype(recipe.precision) is torch.bfloat16
        for module in self._model.modules():
            if isinstance(module, torch.nn.Dropout):
                module.p = recipe.dropout
        if recipe.method == "lora":
            _add_updates(self._model, recipe.rank)
        self.learned = {name: part for name, part in self._model.named_parameters() if part.requires_grad}

    def logits(self, pairs: Sequence[JoinedTokens], numbers: Sequence[int] | None = None) -> torch.Tensor:  # noqa: ARG002
        """Three logits for each pair, in the order of `LABELS`."""
        import torch

        self._model.train(torch.is_grad_enabled())
        inputs = pad_pairs(pairs, self.tokenizer.pad_id, types=self._types)
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=self._bf16):
            outputs = self._model(**{name: torch.from_numpy(array) for name, array in inputs.items()}).logits
        logits: torch.Tensor = outputs[:, list(self._columns)].float()
        return logits

    def write(self, folder: Path, facts: Mapping[str, str]) -> Path:
        """Write a checkpoint as transformers reads it, updates merged, with its tokenizer; what it learned is told."""
        setattr(self._model.config, LEARNED, facts["learned"])
        write_classifier(self._model, self.base, folder / "model", weights=_merge_updates(self._model))
        return folder / "model"


EntailmentLearner = AdapterLearner | ClassifierLearner


def load_learner(
    model: str, recipe: EntailmentRecipe, *, start: Path | None = None, states: dict[int, torch.Tensor] | None = None
) -> EntailmentLearner:
    """The network of that name, as it learns by this recipe; it goes on from the weights in `start`."""
    if model == EMBEDDED and recipe.method == "lora":
        return AdapterLearner(recipe, start=start, states=states)
    return ClassifierLearner(model, recipe, start=start)


def _load_classifier(checkpoint: Checkpoint) -> tuple[Any, tuple[int, ...]]:
    model, missing = load_pretrained(checkpoint, CLASSIFIER, dtype="fp32", purpose=" as an entailment model")
    if not missing:
        return model, match_columns(model.config.id2label, None, order=LABELS, name=checkpoint.name)
    model = add_new_head(checkpoint, LABELS, missing=missing)
    return model, (0, 1, 2)


def _add_updates(model: Any, rank: int) -> None:
    """Freeze all but the head, and put an update of low rank on every linear map of the layers."""
    torch = import_torch()
    from torch.nn.utils.parametrize import register_parametrization

    class Update(torch.nn.Module):  # type: ignore[misc, name-defined]
        """W + up down, of which the factors are learned."""

        def __init__(self, out: int, into: int) -> None:
            super().__init__()
            self.down = torch.nn.Parameter(torch.randn(rank, into) / into**0.5)
            self.up = torch.nn.Parameter(torch.zeros(out, rank))

        def forward(self, weight: Any) -> Any:
            return weight + self.up @ self.down

    for part in model.base_model.parameters():
        part.requires_grad_(False)
    for module in list(model.base_model.modules()):
        if isinstance(module, torch.nn.Linear):
            register_parametrization(module, "weight", Update(*module.weight.shape))


def _merge_updates(model: Any) -> Tensors:
    """The weights of a model with the updates made part of the maps."""
    from torch.nn.utils.parametrize import is_parametrized

    state = {name: part for name, part in model.state_dict().items() if ".parametrizations." not in name}
    for name, module in model.named_modules():
        if is_parametrized(module, "weight"):
            state[f"{name}.weight"] = module.weight.detach()
    return state
