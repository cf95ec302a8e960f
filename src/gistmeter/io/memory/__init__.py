"""Runs in memory: frames of any library, lists that belong together, examples and dicts."""
