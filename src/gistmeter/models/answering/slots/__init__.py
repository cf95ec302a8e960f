"""An answerer without a trained network: the noun phrase that stands where the question has its gap."""

RULES_VERSION = "rules-1"
"""What signatures call the rules of this answerer: a new version when any answer changes (tests/signatures)."""
