"""Pyramids: metrics on content units, from people to machines."""
