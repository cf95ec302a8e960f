"""A metric on all documents that were scored, people on those that they judged (Deutsch 2022, eq. 8.3)."""
