"""Made-up scores of one column, whose truth is known."""

import numpy as np
import polars as pl

from gistmeter.scores import ScoreColumn, Scores

BASE = np.random.default_rng(0).uniform(0.2, 0.5, 40)
NOISE = np.random.default_rng(1).normal(0, 0.02, 40)
QUICK = {"permutations": 500, "resamples": 200}


def scores(*, name="rouge2.f1", better="higher", signature="rouge2|v:0", **systems):
    rows = [
        {"doc_id": f"d{number}", "system": system, name: float(value)}
        for system, values in systems.items()
        for number, value in enumerate(values)
    ]
    return Scores(pl.DataFrame(rows), (ScoreColumn(name, signature, better=better),))
