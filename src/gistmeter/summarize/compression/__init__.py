"""Compression: sentences of a document without what no marked span needs, still grammatical and true."""

RULES_VERSION = "rules-3"
"""What sentences become; raised whenever a rule or a word list changes what is written."""
