"""Models: one folder per role with its rules, weights and card; `runtime` loads and runs; `roles` lists them all.

Each role (encoder, sentence vectors, masked words, next sentence, entailment, presence, asking, answering, easiness)
has an embedded model, which installs with the extra `models` and needs no network, and takes others by name or path.
"""
