"""The datasets and metrics that the tables of `gistmeter trust` are fitted to, and what they say of LLM summaries."""
