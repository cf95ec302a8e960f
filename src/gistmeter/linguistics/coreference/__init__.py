"""Coreference: which names, nouns and pronouns of a text speak of the same person or thing."""
