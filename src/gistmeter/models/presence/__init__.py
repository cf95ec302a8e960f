"""The presence role: whether a summary states a content unit."""

RULES_VERSION = "rules-2"
"""What signatures call the features, premises, conflicts (`gistmeter.linguistics.contrasts`) and combination of the
judge: a new version when any of them changes (tests/signatures holds which)."""
