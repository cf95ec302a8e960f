"""Semantic roles: what each verb of a sentence says of whom."""

RULES_VERSION = "rules-1"
"""What signatures call these rules: a new version when any frame changes (tests/signatures holds which)."""
