"""A search over the layers of a model as a sheet and as the figure."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from gistmeter.insight.layer_choice import LayerLead, average_rows
from gistmeter.report import figures
from gistmeter.report.tables.numbers import format_count, format_interval, format_number
from gistmeter.report.tables.sheet import Sheet

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gistmeter.insight import LayerSearch

_MOST_GROUPS = 10
_CHOICES = {"rank": "mean rank", "mean": "mean correlation"}
_SCORES = {"focus": "BERTScore precision", "coverage": "BERTScore recall", "faithfulness": "FA BERTScore, top 3"}


def layers_sheet(search: LayerSearch) -> Sheet:
    """A row for each layer: its correlation in each group, their mean, its mean rank, and which was chosen."""
    shown = search.groups if len(search.groups) <= _MOST_GROUPS else ()
    rows, best = [], search.best
    for row_index, layer in enumerate(search.layers):
        row: dict[str, Any] = {"layer": layer}
        row |= {group: float(search.values[row_index, group_index]) for group_index, group in enumerate(shown)}
        defined = search.values[row_index][~np.isnan(search.values[row_index])]
        row["mean"] = float(defined.mean()) if len(defined) else float("nan")
        row["rank"] = float(search.ranks[row_index])
        row["chosen"] = "<-" if layer == best else ""
        rows.append(row)
    sizes = ", ".join(f"{group} {count}" for group, count in zip(search.groups, search.counts, strict=True))
    caption = (
        f"{search.model}: {search.coefficient} correlation of {_SCORES[search.aspect]} with {search.human} by layer; "
        f"chosen by the {_CHOICES[search.choose]} over {format_count(len(search.groups), 'group')} "
        f"(summaries: {sizes})."
    )
    undefined = int(np.isnan(search.values[:, ~np.isnan(search.values).all(axis=0)]).sum())
    notes = [f"{search.human}: lower is better, its sign is turned"] if search.better == "lower" else []
    empty = np.isnan(search.values).all(axis=0)
    if empty.any():
        names = ", ".join(f"{search.groups[index]} ({search.counts[index]})" for index in np.flatnonzero(empty))
        notes.append(f"{names}: too few summaries, or all judged the same; left empty and out of ranks")
    if undefined:
        notes.append(f"{undefined} correlations are undefined: they count as the lowest")
    if search.lead is not None:
        notes.append(f"layer {best} {_describe_lead(search.lead)}")
    return Sheet.of(
        rows,
        caption=caption,
        notes=notes,
        best=best,
        lead=None if search.lead is None else asdict(search.lead),
        model=search.model,
        weights=search.weights,
        groups=list(search.groups),
        counts=list(search.counts),
        values=search.values.tolist(),
    )


def models_layers_sheet(searches: Sequence[LayerSearch]) -> Sheet:
    """A row for each model: for each aspect the layer chosen, its mean correlation, and its lead over the next."""
    rows: dict[str, dict[str, Any]] = {}
    notes = []
    for search in searches:
        row = rows.setdefault(search.model, {"model": search.model})
        row[f"{search.aspect} layer"] = search.best
        row[f"{search.aspect} {search.coefficient}"] = float(
            average_rows(search.values)[search.layers.index(search.best)]
        )
        if search.lead is not None:
            notes.append(f"{search.model}, {search.aspect}: layer {search.best} {_describe_lead(search.lead)}")
    first = searches[0]
    caption = (
        f"The layer of each model that agrees best with people, by the {_CHOICES[first.choose]} over "
        f"{format_count(len(first.groups), 'group')}, and its mean correlation."
    )
    return Sheet.of(list(rows.values()), caption=caption, notes=notes)


def _describe_lead(lead: LayerLead) -> str:
    """What the lead is, and whether it is more than chance.

    >>> _describe_lead(LayerLead(runner_up=5, difference=0.01, low=-0.02, high=0.04, confidence=0.95, resamples=1000))
    'leads layer 5 by 0.010 [−0.020, 0.040] in mean correlation (95%, 1,000 resamples of documents): may be chance'
    """
    clear = "more than chance" if lead.low > 0 else "may be chance"
    interval = format_interval(lead.low, lead.high, 3)
    return (
        f"leads layer {lead.runner_up} by {format_number(lead.difference, 3)} {interval} "
        f"in mean correlation ({lead.confidence:.0%}, {lead.resamples:,} resamples of documents): {clear}"
    )


def layers_chart(searches: Sequence[LayerSearch]) -> figures.Chart:
    """Correlation by layer, a line for each group (FFCI, Fig. 2 and 4); of several searches a line for each mean."""
    if len(searches) == 1:
        (search,) = searches
        title = f"{search.model}, {search.aspect}: layer {search.best} chosen"
        lines = {group: search.values[:, index] for index, group in enumerate(search.groups)}
        rows = [
            {"name": name, "x": layer, "value": float(value)}
            for name, values in lines.items()
            for layer, value in zip(search.layers, values, strict=True)
        ]
    else:
        title = "Mean correlation over groups, by layer"
        rows = [
            {"name": f"{search.model} {search.aspect}", "x": layer, "value": float(value)}
            for search in searches
            for layer, value in zip(search.layers, average_rows(search.values), strict=True)
        ]
    return figures.curves(rows, title=title, x="layer", y=f"{searches[0].coefficient} correlation with people")
