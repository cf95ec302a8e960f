"""Models: find, load, batch and cache what metrics run on. The only floor that loads weights.

Each role (encoder, sentence vectors, masked words, next sentence, parser) has an embedded provider, which
installs with the extra `models` and needs no network, and takes any other model by name or path.
"""
