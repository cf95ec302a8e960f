"""Several models and aspects at once: which layer of each agrees best with people (FFCI, Table 9)."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict, Unpack, cast

from gistmeter.errors import ArgumentError
from gistmeter.insight.judged_summaries import read_judged_summaries
from gistmeter.insight.layers import LayerAspect, search_layers
from gistmeter.models.encoder.own_layers import OwnLayer, keep_layers
from gistmeter.stats.tables import check_choice

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from gistmeter.insight.layer_choice import LayerChoice
    from gistmeter.insight.layers import LayerIdf, LayerSearch
    from gistmeter.models.encoder.encoder import LongTexts
    from gistmeter.models.runtime.load import Dtype
    from gistmeter.stats.correlation import Coefficient


class RunSettings(TypedDict, total=False):
    """Where judged summaries come from, as `read_judged_summaries` takes it."""

    judgments: str | Path | None
    groups: Sequence[str] | None
    references: Sequence[str | Path]
    documents: Sequence[str | Path]
    language: str | None
    fields: Mapping[str, str] | None


def search_models(
    files: Sequence[str | Path],
    *,
    models: Sequence[str] = ("embedded",),
    aspects: Sequence[LayerAspect] | Sequence[str] = ("focus",),
    human: str | None = None,
    layers: Sequence[int] | None = None,
    idf: LayerIdf = "none",
    coefficient: Coefficient = "pearson",
    lower: bool = False,
    choose: LayerChoice = "rank",
    resamples: int = 1000,
    seed: int = 0,
    long: LongTexts = "windows",
    dtype: Dtype = "fp32",
    progress: Callable[[int, int], None] | None = None,
    **run: Unpack[RunSettings],
) -> list[LayerSearch]:
    """A search for each aspect and model, in their order; judgments are those named like the aspect unless `human`."""
    if human is not None and len(aspects) > 1:
        raise ArgumentError(f"human={human!r} is one judgment, and there are {len(aspects)} aspects: leave it out")
    for aspect in aspects:
        check_choice("aspect", aspect, LayerAspect)
    searches = []
    for aspect in cast("dict[LayerAspect, None]", dict.fromkeys(aspects)):
        name = human or aspect
        judged = read_judged_summaries(files, human=name, **run)
        searches += [
            search_layers(
                judged,
                aspect=aspect,
                human=name,
                model=model,
                layers=layers,
                idf=idf,
                coefficient=coefficient,
                better="lower" if lower else "higher",
                choose=choose,
                resamples=resamples,
                seed=seed,
                long=long,
                dtype=dtype,
                progress=progress,
            )
            for model in dict.fromkeys(models)
        ]
    return searches


def keep_searches(searches: Sequence[LayerSearch], *, chosen_on: str = "") -> Path:
    """Put the layers chosen into the user's own table, from where metrics take them for the same weights."""
    return keep_layers(
        [
            OwnLayer(
                model=search.model,
                weights=search.weights,
                aspect=search.aspect,
                layer=search.best,
                idf=search.idf,
                chosen_on=chosen_on,
            )
            for search in searches
        ]
    )
