"""Training of the predictor of salience (SpanSum)."""
