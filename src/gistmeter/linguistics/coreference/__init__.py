"""Coreference: which names, nouns and pronouns of a text speak of the same person or thing."""

RULES_VERSION = "rules-1"
"""What signatures call these rules: a new version when any cluster changes (tests/signatures holds which)."""
