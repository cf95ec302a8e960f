"""Training of answerers."""
