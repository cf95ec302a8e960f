"""Training of phrase-structure trees."""
