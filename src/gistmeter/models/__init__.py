"""Models: find, load, batch and cache what metrics run on. The only floor that loads weights.

Each role (encoder, sentence vectors, masked words, next sentence, parser) has an embedded provider, which
installs with the extra `models` and needs no network, and takes any other model by name or path.
"""

from gistmeter.models.encoder.encoder import Encoder, encoder
from gistmeter.models.sentence_vectors.vectors import SentenceEncoder, sentence_encoder

__all__ = ["Encoder", "SentenceEncoder", "encoder", "sentence_encoder"]
