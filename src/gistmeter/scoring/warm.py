"""What workers import before they start: the compiled loops take longest."""
