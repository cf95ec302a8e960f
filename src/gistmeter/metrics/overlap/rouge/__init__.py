"""ROUGE: settings and scores (`family.py`), variants, several references, compiled loops, evidence."""

from gistmeter.metrics.overlap.rouge.ngram_variant import RougeN
from gistmeter.metrics.overlap.rouge.variants import RougeL, RougeLsum, RougeS, RougeSU, RougeW

__all__ = ["RougeL", "RougeLsum", "RougeN", "RougeS", "RougeSU", "RougeW"]
