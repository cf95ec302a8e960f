"""Verification: whether an answer means what was expected, by a learned scorer such as LERC, by name or folder."""
