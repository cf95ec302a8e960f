"""Training of the segmenter of discourse units."""
