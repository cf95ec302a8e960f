"""Summaries in tests: `assert_summary`, and a pytest plugin with a fixture of that name.

Nothing else of gistmeter is imported before a summary is asserted, and no model before a metric asks for one.
"""

from gistmeter.testing.assertion import assert_summary

__all__ = ["assert_summary"]
