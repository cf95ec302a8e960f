"""Commands that look at single summaries: explain."""
