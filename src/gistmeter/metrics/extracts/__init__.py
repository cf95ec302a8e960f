"""Extracts: what scores many choices among the sentences of a document, each sentence read once."""

from gistmeter.metrics.extracts.joined import TextExtracts, TokenExtracts
from gistmeter.metrics.extracts.scorer import Choice, ExtractScorer, NarrowingScorer, join_extract

__all__ = ["Choice", "ExtractScorer", "NarrowingScorer", "TextExtracts", "TokenExtracts", "join_extract"]
