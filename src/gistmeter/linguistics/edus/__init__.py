"""Elementary discourse units: the clauses that a text is made of."""
