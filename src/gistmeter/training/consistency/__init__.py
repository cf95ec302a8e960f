"""Training of the judge of consistency."""
