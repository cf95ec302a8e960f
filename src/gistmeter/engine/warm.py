"""What workers import before they start: the compiled loops take longest."""

import gistmeter.engine.work
import gistmeter.metrics.rouge  # noqa: F401
