"""Training of entailment models."""
