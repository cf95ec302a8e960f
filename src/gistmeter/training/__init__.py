"""Training: how the small models that gistmeter ships were made. One skeleton, one folder for each role."""
