"""Training of the regressions of S3."""
