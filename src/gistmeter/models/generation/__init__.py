"""Summaries that a model by name writes: the beams of its search, for whoever picks among them."""

from gistmeter.models.generation.summaries import BeamSummarizer, load_beam_summarizer

__all__ = ["BeamSummarizer", "load_beam_summarizer"]
