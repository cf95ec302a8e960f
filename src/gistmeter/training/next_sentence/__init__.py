"""Training of the next-sentence heads."""
