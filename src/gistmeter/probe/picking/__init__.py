"""Picks from given summaries: the pool, the pick, and what people gave to it."""
