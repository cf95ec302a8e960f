"""A small study that people and metrics agree on more or less."""

import numpy as np
import pytest

from gistmeter.meta import Study


@pytest.fixture
def study():
    """Eight systems, twenty documents: a good metric, a poor one, a third, and people."""
    rng = np.random.default_rng(3)
    quality = np.linspace(0, 1, 8)[:, None]
    noise = {"good": 0.3, "poor": 3.0, "fair": 1.0, "rated": 0.3}
    tables = {name: quality + rng.normal(0, deviation, (8, 20)) for name, deviation in noise.items()}
    return Study.from_tables(tables, aspects=["rated"])


@pytest.fixture
def hand():
    """Three systems, two documents, small enough to compute by hand.

    The systems' means are 1, 2, 4 by the metric and 2, 1, 3 by people: of three pairs two are alike.
    """
    return Study.from_tables(
        {"metric": [[0, 2], [3, 1], [3, 5]], "people": [[1, 3], [0, 2], [2, 4]]}, aspects=["people"]
    )
