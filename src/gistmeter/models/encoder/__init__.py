"""The encoder role: token states of any layer, with layer tables, idf, baselines and matching of tokens."""
