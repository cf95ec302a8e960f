"""Training of the masked-word model."""
