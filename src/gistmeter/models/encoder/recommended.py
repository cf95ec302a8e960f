"""The models that our papers recommend, which layers of them, and how large they are (`recommended.toml`)."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from importlib.resources import files

from gistmeter.models.encoder.layers import Recommendation, recommend_from_tables


@dataclass(frozen=True, slots=True)
class RecommendedModel:
    """A model by its name on the hub: whom it reads, its size, and its layers by aspect where metrics read layers."""

    name: str
    languages: str
    parameters: int
    """In millions."""
    layers: dict[str, Recommendation]

    @property
    def gigabytes(self) -> float:
        """The size of its weights at four bytes each."""
        return self.parameters * 4 / 1000


def list_recommended(language: str | None = None) -> list[RecommendedModel]:
    """The models recommended, or those that read a language.

    >>> [model.name for model in list_recommended("tr")][-2:]
    ['xlm-roberta-large', 'dbmdz/bert-base-turkish-uncased']
    """
    text = (files("gistmeter.models.encoder") / "recommended.toml").read_text("utf-8")
    models = [
        RecommendedModel(
            name=row["name"],
            languages=row.get("languages", "en"),
            parameters=row["parameters"],
            layers=_find_layers(row["name"]),
        )
        for row in tomllib.loads(text)["models"]
    ]
    return [model for model in models if language is None or model.languages in (language, *_MANY)]


_MANY = ("100", "102", "104")
"""So many languages are read, all eight of ours among them."""


def _find_layers(name: str) -> dict[str, Recommendation]:
    layers: dict[str, Recommendation] = {}
    for aspect in ("faithfulness", "focus", "coverage"):
        recommended = recommend_from_tables(name, aspect)
        if recommended is not None:
            layers[aspect] = recommended
    return layers
