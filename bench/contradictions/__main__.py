"""`python -m bench.contradictions [MODEL...]`: the share right by kind, for the embedded judge or those named."""

import sys

from bench.contradictions.measure import tabulate_judge
from gistmeter.units.judge import UnitJudge

if __name__ == "__main__":
    for model in sys.argv[1:] or ["embedded"]:
        print(tabulate_judge(model, "Shares of pairs.", UnitJudge(model)))
