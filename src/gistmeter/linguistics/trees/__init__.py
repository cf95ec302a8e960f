"""Phrase-structure trees of English sentences, from dependency parses.

`parser.parse_trees` is the front door: the `network` chooses the `steps` that lead to a `phrase_tree`.
"""

RULES_VERSION = "rules-1"
"""What signatures call these rules: a new version when any tree changes (tests/signatures holds which)."""
