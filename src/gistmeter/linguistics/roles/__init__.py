"""Semantic roles: what each verb of a sentence says of whom.

`labeller.label_roles` is the front door: `frames` has the rules for verbs, `arguments` those for the words of an
argument, `words` their word lists. `file` reads roles that another program wrote.
"""

RULES_VERSION = "rules-3"
"""What signatures call these rules: a new version when any frame changes (tests/signatures holds which)."""
