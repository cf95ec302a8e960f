"""Figures on the research data, written beside the published ones: `python -m bench.figures` (`make figures`)."""
