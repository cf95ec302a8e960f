"""Coreference: which names, nouns and pronouns of a text speak of the same person or thing.

`resolver.find_clusters` is the front door: it finds the `mentions`, links `names`, lists the `features` of each pair of
mentions and lets the network weigh them. `syntax` and `words` are what the rules ask about.
"""

RULES_VERSION = "rules-1"
"""What signatures call these rules: a new version when any cluster changes (tests/signatures holds which)."""
