"""The sentence-vector role: one vector for a stretch of text."""
