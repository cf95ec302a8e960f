"""Training of the regressor of easiness."""
