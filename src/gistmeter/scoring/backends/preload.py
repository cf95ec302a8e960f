"""What worker processes import before they start: the compiled loops take longest."""

import os

# numpy reads this once, when it is loaded. Workers share the cores: if each multiplied on all of them, they would wait.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import gistmeter.metrics.overlap.rouge
import gistmeter.scoring.batch  # noqa: F401
