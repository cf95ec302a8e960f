"""Control over summaries: whether they answer the questions of marked spans, and how long they are (6.6.2)."""
