"""The arrays that gistmeter speaks of, by what they hold. Types only: nothing here runs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
"""Scores, correlations, probabilities."""
SingleArray = NDArray[np.float32]
"""States and weights of models."""
IntArray = NDArray[np.int64]
"""Counts and indices."""
BoolArray = NDArray[np.bool_]
"""Which entries are present, chosen, or significant."""
