"""The presence role: whether a summary states a content unit."""
