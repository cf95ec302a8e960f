"""Content units: made from references, mixed, judged."""
