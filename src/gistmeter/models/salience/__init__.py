"""Salience: which noun phrases of a document a reference would state (Deutsch, 2022, section 6.3.1)."""
