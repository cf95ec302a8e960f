"""Questions: metrics that ask about one text and answer on another."""
