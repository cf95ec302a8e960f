"""What `corrupt` replaces, and by what: content words, names, numbers, negations and roles."""
