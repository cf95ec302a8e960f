"""The attacks themselves, by what they do to a summary. A new one is a function here, and its test."""

from gistmeter.probe.attacks.changes import longer, shorter, misplaced, injected  # noqa: F401, I001  (in this order)
