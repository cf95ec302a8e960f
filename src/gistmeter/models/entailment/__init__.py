"""The entailment role: whether one text entails another."""
