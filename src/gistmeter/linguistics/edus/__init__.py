"""Elementary discourse units: the clauses that a text is made of.

`segmenter.segment` is the front door; `features` are what its network reads of each word.
"""

RULES_VERSION = "rules-1"
"""What signatures call these rules: a new version when any unit changes (tests/signatures holds which)."""
