"""Resampling: bootstrap and permutation draws, and the compiled loops over them."""
