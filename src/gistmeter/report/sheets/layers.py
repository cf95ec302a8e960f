"""A search over the layers of a model as a sheet and as the figure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gistmeter.report import figures
from gistmeter.report.tables.sheet import Sheet

if TYPE_CHECKING:
    from gistmeter.insight import LayerSearch

_MOST_GROUPS = 10
_SCORES = {"focus": "BERTScore precision", "coverage": "BERTScore recall", "faithfulness": "FA BERTScore, top 3"}


def layers_sheet(search: LayerSearch) -> Sheet:
    """A row for each layer: its correlation in each group, their mean, its mean rank, and which was chosen."""
    shown = search.groups if len(search.groups) <= _MOST_GROUPS else ()
    rows = []
    for row_index, layer in enumerate(search.layers):
        row: dict[str, Any] = {"layer": layer}
        row |= {group: float(search.values[row_index, group_index]) for group_index, group in enumerate(shown)}
        defined = search.values[row_index][~np.isnan(search.values[row_index])]
        row["mean"] = float(defined.mean()) if len(defined) else float("nan")
        row["rank"] = float(search.ranks[row_index])
        row["chosen"] = "<-" if layer == search.best else ""
        rows.append(row)
    sizes = ", ".join(f"{group} {count}" for group, count in zip(search.groups, search.counts, strict=True))
    caption = (
        f"{search.model}: {search.coefficient} correlation of {_SCORES[search.aspect]} with {search.human} by layer; "
        f"chosen by the mean rank over {len(search.groups)} group{'s' if len(search.groups) > 1 else ''} "
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
    return Sheet.of(
        rows,
        caption=caption,
        notes=notes,
        best=search.best,
        model=search.model,
        weights=search.weights,
        groups=list(search.groups),
        counts=list(search.counts),
        values=search.values.tolist(),
    )


def layers_chart(search: LayerSearch) -> figures.Chart:
    """Correlation by layer, a line for each group (FFCI, Fig. 2 and 4)."""
    rows = [
        {"name": group, "x": layer, "value": float(search.values[row_index, group_index])}
        for group_index, group in enumerate(search.groups)
        for row_index, layer in enumerate(search.layers)
    ]
    title = f"{search.model}, {search.aspect}: layer {search.best} chosen"
    return figures.curves(rows, title=title, x="layer", y=f"{search.coefficient} correlation with people")
