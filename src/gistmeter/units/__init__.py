"""Content units: made from the sentences of references, and read apart."""

RULES_VERSION = "rules-1"
"""What signatures call the rules that cut units: a new version when any unit changes (tests/signatures holds which)."""
