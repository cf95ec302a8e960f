"""Surface: length, novelty, copied fragments, repetition."""
