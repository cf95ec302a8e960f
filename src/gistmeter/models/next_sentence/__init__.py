"""The next-sentence role: how likely it is that one sentence follows another."""
