"""Contrasts: what two statements can differ in though they share nearly all words, found or put in.

Numbers, quantities, dates, names, directions, negations, certainty and roles: `conflicts` finds where a statement is at
odds with a text, `changes` makes a statement that is at odds with what it was. Both read the lists of `words.toml`.
`clauses` turns clauses into their contrary by the parse.
"""
