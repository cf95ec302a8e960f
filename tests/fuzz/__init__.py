"""Broken files and command lines for every command: see `PYTHONPATH=tests python -m fuzz --help`."""
