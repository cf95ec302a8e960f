"""The version of gistmeter, which stands in every signature."""

__version__ = "0.2.0"
