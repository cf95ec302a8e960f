"""Which layer of a model to read: the user's own choices, then recommendations from the literature (`layer_tables`).

A layer was chosen with some weighting of the tokens, and is recommended with it: none in all the papers.
"""

from __future__ import annotations

import functools
import tomllib
from dataclasses import dataclass
from importlib.resources import files
from pathlib import PurePath
from typing import Any, Literal

from gistmeter.errors import MetricError
from gistmeter.models.encoder.own_layers import find_own_layer
from gistmeter.text.languages import language_code

Aspect = Literal["none", "faithfulness", "focus", "coverage"]
"""What a score is to say of a summary; the best layer of a model differs with it."""

_TABLES = ("embedded", "ffci", "multilingual", "bertscore")
_ANY_ASPECT = "any"
_ANY_LANGUAGE = "bert-base-multilingual-uncased"


@dataclass(frozen=True, slots=True)
class Recommendation:
    """A layer, the weighting of tokens that it was chosen with, and who says so."""

    layer: int
    idf: Literal["none", "background"]
    source: str


def recommend(model: str, aspect: Aspect = "none", language: str | None = None) -> Recommendation | None:
    """What the user's own table, or those of the literature, recommend for a model; None when none knows it.

    >>> recommend("gpt2-xl", "focus")
    Recommendation(layer=29, idf='none', source='Koto, Baldwin and Lau (2022), FFCI, Table 9')
    """
    own = find_own_layer(model, aspect)
    if own is not None:
        return Recommendation(own.layer, own.idf, "your own `gistmeter layers --keep`")
    return recommend_from_tables(model, aspect, language)


def recommend_from_tables(model: str, aspect: Aspect = "none", language: str | None = None) -> Recommendation | None:
    """What the literature recommends for a model, or None."""
    keys = (_ANY_ASPECT,) if aspect == "none" else (aspect, _ANY_ASPECT)
    code = None if language is None else language_code(language)
    rows = [row for row in _rows().get(base_name(model), ()) if code is None or row.get("language", code) == code]
    for key in keys:
        for row in rows:
            if key in row:
                return Recommendation(int(row[key]), row["idf"], row["source"])
    return None


def recommend_layer(model: str, aspect: Aspect = "none", language: str | None = None) -> int | None:
    """The layer recommended for a model, or None when no table knows it.

    `model` is a name, with or without its owner, or a folder of that name. FFCI's Table 9 and, for mBERT, XLM-R and
    models of one language, Tables 3 and 4 of Koto et al. (2021) go by the aspect; without one, or where they are
    silent, the layer is bert-score's. A row for a model of one language does not count for texts of another. What
    `gistmeter layers --keep` chose for these very weights comes before all of them.

    >>> recommend_layer("gpt2-xl", "coverage"), recommend_layer("gpt2-xl")
    (4, None)
    >>> recommend_layer("roberta-large"), recommend_layer("models/roberta-large", "focus")
    (17, 13)
    >>> recommend_layer("bert-base-multilingual-cased", "focus", "ru"), recommend_layer("embedded")
    (12, 6)
    """
    recommended = recommend(model, aspect, language)
    return None if recommended is None else recommended.layer


def recommend_model(language: str) -> str:
    """The model that Table 4 of Koto, Lau and Baldwin (2021) has for a language; for others mBERT uncased, as they say.

    >>> recommend_model("tr"), recommend_model("it")
    ('dbmdz/bert-base-turkish-uncased', 'bert-base-multilingual-uncased')
    """
    code = language_code(language)
    models = (row["model"] for rows in _rows().values() for row in rows if row.get("language") == code)
    return next(models, _ANY_LANGUAGE)


def choose_layer(model: str, layer: int | None, aspect: Aspect, metric: str) -> int:
    """The layer asked for, or the one recommended; an error with a way out when there is neither.

    >>> choose_layer("embedded", None, "focus", "bertscore"), choose_layer("embedded", 4, "focus", "bertscore")
    (6, 4)
    """
    if layer is not None:
        return layer
    recommended = recommend_layer(model, aspect)
    if recommended is None:
        raise MetricError(
            f"no layer of {model} is recommended: name one, {metric}(model={model},layer=N), "
            "or search for the best with `gistmeter layers --keep`"
        )
    return recommended


@functools.cache
def _rows() -> dict[str, tuple[dict[str, Any], ...]]:
    """All rows of all tables by the name of the model, those of the first table first."""
    rows: dict[str, tuple[dict[str, Any], ...]] = {}
    for table in _TABLES:
        text = (files("gistmeter.models.encoder") / f"layer_tables/{table}.toml").read_text("utf-8")
        read = tomllib.loads(text)
        for name, row in read["layers"].items():
            full = {"model": name, "source": read["source"], "idf": read["idf"], **row}
            rows[base_name(name)] = (*rows.get(base_name(name), ()), full)
    return rows


def base_name(model: str) -> str:
    """The last part of a name or path, owner and folders left out, also inside the cache of Hugging Face.

    >>> base_name("google/pegasus-xsum"), base_name("/x/models--google--pegasus-xsum/snapshots/0a1b/")
    ('pegasus-xsum', 'pegasus-xsum')
    """
    parts = PurePath(model).parts
    if "snapshots" in parts[1:]:
        return parts[parts.index("snapshots") - 1].rpartition("--")[2].lower()
    return (parts[-1] if parts else model).lower()
