"""The asking role: questions that the phrases of a text answer."""
