"""Mutation tests: `PYTHONPATH=scripts python -m mutation`."""
