"""Contradictions: do judges of content units refuse what a summary contradicts, and still find what it states?

`python -m bench.contradictions [MODEL...]` prints the share right by kind. The set (pairs.jsonl) was written for this:
120 summaries of one or two sentences, each with a unit that it states, in close words or a paraphrase, and the same
unit with one thing changed: a number, a quantity (its unit or size), a date, a name, who did it to whom, the direction
of a verb, a negation, or how sure it is. Nothing is learned from it. The `open` half may be looked at while rules are
written; of the `held out` half only shares are looked at. Whoever wrote the rules wrote the set, too.
"""
