"""The regressions of S3, which gistmeter trained."""
