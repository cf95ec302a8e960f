"""Elementary discourse units: the clauses that a text is made of."""

RULES_VERSION = "rules-1"
"""What signatures call these rules: a new version when any unit changes (tests/signatures holds which)."""
