"""Consistency: does the judge refuse what a document does not support, and still find what it supports?

`python -m bench.consistency [METRIC...]` prints the share right by kind. The set (pairs.toml) was written for this:
twenty short documents, each with five pairs of claims, one supported and one not, which differ in one thing. Nothing
is learned from it, and no threshold is chosen on it.
"""
