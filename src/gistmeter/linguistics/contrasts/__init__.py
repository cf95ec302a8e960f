"""Contrasts: what two statements can differ in though they share nearly all words, found or put in.

Numbers, quantities, dates, names, directions, negations, certainty and roles: `conflicts` finds where a statement is at
odds with a text, `changes` makes a statement that is at odds with what it was. Both read the lists of `words.toml`.
`clauses` turns clauses into their contrary by the parse.

Negations and role swaps are made twice, and stay so. `changes` makes the pairs that the shipped presence judge learned
what conflicts count from: the words alone decide there, and each change draws from one stream of random numbers, so
another rule would give other pairs and other weights. `clauses` serves summaries with errors (`gistmeter corrupt`): it
needs a parser, gives every place where a clause can be turned, and turns verbs that `changes` leaves alone.
"""
