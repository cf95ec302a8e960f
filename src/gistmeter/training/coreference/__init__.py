"""Training of the coreference network."""
