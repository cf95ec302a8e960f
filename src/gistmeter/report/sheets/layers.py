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


def layers_sheet(found: LayerSearch) -> Sheet:
    """A row for each layer: its correlation in each group, their mean, its mean rank, and which was chosen."""
    shown = found.groups if len(found.groups) <= _MOST_GROUPS else ()
    rows = []
    for place, layer in enumerate(found.layers):
        row: dict[str, Any] = {"layer": layer}
        row |= {group: float(found.values[place, at]) for at, group in enumerate(shown)}
        known = found.values[place][~np.isnan(found.values[place])]
        row["mean"] = float(known.mean()) if len(known) else float("nan")
        row["rank"] = float(found.ranks[place])
        row["chosen"] = "<-" if layer == found.best else ""
        rows.append(row)
    sizes = ", ".join(f"{group} {count}" for group, count in zip(found.groups, found.counts, strict=True))
    caption = (
        f"{found.model}: {found.coefficient} correlation of {_SCORES[found.aspect]} with {found.human} by layer; "
        f"chosen by the mean rank over {len(found.groups)} group{'s' if len(found.groups) > 1 else ''} "
        f"(summaries: {sizes})."
    )
    undefined = int(np.isnan(found.values).sum())
    notes = [f"{undefined} correlations are undefined: they count as the lowest"] if undefined else []
    return Sheet.of(
        rows,
        caption=caption,
        notes=notes,
        best=found.best,
        model=found.model,
        weights=found.weights,
        groups=list(found.groups),
        counts=list(found.counts),
        values=found.values.tolist(),
    )


def layers_chart(found: LayerSearch) -> figures.Chart:
    """Correlation by layer, a line for each group (FFCI, Fig. 2 and 4)."""
    rows = [
        {"name": group, "x": layer, "value": float(found.values[place, at])}
        for at, group in enumerate(found.groups)
        for place, layer in enumerate(found.layers)
    ]
    title = f"{found.model}, {found.aspect}: layer {found.best} chosen"
    return figures.curves(rows, title=title, x="layer", y=f"{found.coefficient} correlation with people")
