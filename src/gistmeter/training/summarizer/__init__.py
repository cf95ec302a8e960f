"""Training of a sequence-to-sequence model to say what is marked (SpanSum)."""
