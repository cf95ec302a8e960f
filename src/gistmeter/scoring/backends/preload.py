"""What worker processes import before they start: the compiled loops take longest."""

import gistmeter.metrics.overlap.rouge
import gistmeter.scoring.batch  # noqa: F401
