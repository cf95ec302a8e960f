"""The search for the extract of a document that a metric likes best."""
