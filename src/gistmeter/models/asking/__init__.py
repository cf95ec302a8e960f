"""The asking role: questions that the phrases of a text answer."""

RULES_VERSION = "rules-1"
"""What signatures call the embedded asker: a new version when any question changes (tests/signatures holds which)."""
