"""The consistency role: how surely a document supports a sentence of its summary.

`RULES_VERSION` stands in signatures: it is that of how passages are chosen and plain features are measured.
"""

RULES_VERSION = "rules-3"
