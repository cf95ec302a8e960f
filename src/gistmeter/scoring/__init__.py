"""Scoring: a stream of batches in constant memory, with a cache, resume, and several processes."""
