"""Extracts: what scores many choices among the sentences of a document, each sentence read once."""

from gistmeter.metrics.extracts.joined import TextExtracts, TokenExtracts
from gistmeter.metrics.extracts.scorer import Choice, ExtractScorer, join_extract

__all__ = ["Choice", "ExtractScorer", "TextExtracts", "TokenExtracts", "join_extract"]
