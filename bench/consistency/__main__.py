"""Print how judges do on the pairs: `python -m bench.consistency [METRIC...]`."""

from __future__ import annotations

import sys

from bench.consistency.measure import measure_pairs, write_rows


def main() -> None:
    """One table for each metric, by default for `consistency`."""
    for metric in sys.argv[1:] or ["consistency"]:
        print(f"{metric}\n\n{write_rows(measure_pairs(metric))}\n")


if __name__ == "__main__":
    main()
