"""Errors: what a summary can get wrong, kind by kind, put into a parsed text by rules.

Every kind is a generator of its own (`generators.py` names them all): it gives every place of a text where something of
its kind can be put wrong, and what would stand there. `gistmeter corrupt` makes wrong summaries with them, and
`gistmeter train consistency` the pairs that a judge of consistency learns from.
"""
