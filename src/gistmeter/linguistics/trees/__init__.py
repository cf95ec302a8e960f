"""Phrase-structure trees, from dependency parses."""

RULES_VERSION = "rules-1"
"""What signatures call these rules: a new version when any tree changes (tests/signatures holds which)."""
